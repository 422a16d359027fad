# The pages of threads.

threads-of = #{ $channel }: threads
threads-those-of-the-last-30 = Those of the last 30 days of talk, the newest first.
threads-nobody-replied-in-a-thread = Nobody replied in a thread in these days.
threads-replies = { $replies } replies
threads-remembered-by-itself = remembered by itself
threads-thread-of = #{ $channel }, a thread
threads-nothing-by-itself-only-threads = Nothing by itself: only threads of the last day get a memory of their own. The channel’s chapters hold what was said here.
