# decisions

decisions-where-nobody-answers-somebody-while = Where nobody answers somebody for a while, it considers to speak up. Every such decision is here, silence included.
decisions-same-past-under-other-settings = The same past under other settings
decisions-nothing-decided-time = Nothing was decided in that time.
decisions-newest-these-choose-channel-see = The newest of these; choose a channel to see earlier ones.
decisions-everything = everything
decisions-show = Show
decisions-all-channels = all channels
decisions-deleted = (deleted)
decisions-thread = , in a thread
decisions-kept-quiet = Kept quiet
decisions-wanted-too-late = Wanted to, was too late
decisions-wanted-could-not = Wanted to, could not
decisions-speaks-soon = Speaks soon
decisions-how-sure = { $share } sure
decisions-waited = waited { $span }
decisions-span-in-seconds = { $number } s
decisions-span-in-minutes = { $number } min
decisions-span-in-hours = { $number } h
decisions-next-if-nobody-says-anything = Next, if nobody says anything
