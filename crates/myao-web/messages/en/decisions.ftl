# The page of decisions: when myao spoke up unasked, when it kept quiet, and why.

decisions-where-nobody-answers-somebody = Where nobody answers somebody for a while, it considers to speak up. Every such decision is here, silence included.
decisions-the-same-past-under-other = The same past under other settings
decisions-nothing-was-decided = Nothing was decided in that time.
decisions-the-newest-of-these-choose = The newest of these; choose a channel to see earlier ones.
decisions-everything = everything
decisions-show = Show
decisions-all-channels = all channels
decisions-deleted = (deleted)
decisions-what-it-was-made-from = what it was made from
decisions-in-a-thread = , in a thread
decisions-kept-quiet = Kept quiet
decisions-wanted-to-was-too-late = Wanted to, was too late
decisions-wanted-to-was-stopped = Wanted to, was stopped
decisions-stopped = stopped
decisions-stopped-by = stopped by { $name }
decisions-answers-that-were-stopped = Answers that were stopped
decisions-what-people-think = What people think of what was said
decisions-liked-by = liked by { $number }
decisions-disliked-by = disliked by { $number }
decisions-wanted-to-could-not = Wanted to, could not
decisions-speaks-soon = Speaks soon
decisions-how-sure = { $share } sure
decisions-waited = waited { $span }
decisions-span-in-seconds = { $number } s
decisions-span-in-minutes = { $number } min
decisions-span-in-hours = { $number } h
decisions-next-if-nobody-says-anything = Next, if nobody says anything
decisions-judged-times = judged { $number } times
decisions-about-deleted =
    { $number ->
        [one] One more statement was judged that is deleted since.
       *[other] { $number } more statements were judged that are deleted since.
    }
