# threads

threads-of = #{ $channel }: threads
threads-those-last-30-days-talk = Those of the last 30 days of talk, the newest first.
threads-nobody-replied-thread-these-days = Nobody replied in a thread in these days.
threads-replies = { $replies } replies
threads-remembered-itself = remembered by itself
threads-thread-of = #{ $channel }, a thread
threads-nothing-itself-only-threads-last = Nothing by itself: only threads of the last day get a memory of their own. The channel’s chapters hold what was said here.
