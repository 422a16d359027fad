# The page of what is open.

loops-open = Still open
loops-read-from-talk-each-time = What people promised, what waits for an answer, and dates to come: read from the talk of the last { $days } days each time you look, and kept nowhere. Only what is quite certainly open is listed.
loops-nothing-is-open = Nothing is open, as far as it can be told from what was said.
loops-promised = Promised
loops-wait-for-an-answer = Waits for an answer
loops-to-come = To come
