# Time that passes in the local workspace.

passing-time-passes = Time passes
passing-what-happened =
    { $chapters ->
        [0] no chapter closed
        [one] 1 chapter closed
       *[other] { $chapters } chapters closed
    }, { $merges ->
        [0] no long-term memory changed
        [one] 1 long-term memory was rewritten
       *[other] long-term memories were rewritten { $merges } times
    }
passing-under-way = Time passes: it is { $now }, on the way to { $until }. So far { $happened }.
passing-over = It is { $now }. Meanwhile { $happened }.
passing-stopped = Stopped at { $now }. Until then { $happened }.
passing-failed = Time stopped at { $now }, since the database failed. The log says why.
passing-stop = Stop
passing-to-the-talk = To the talk
passing-look-again = Look again
passing-loads-again = The page loads itself again while this goes on.
passing-stand-still = Let it stand still
passing-follow = Let it follow again
