# The page of all channels, and the table of what is remembered of each.

channels-coverage-as-a-table = Coverage as a table
channels-channel = Channel
channels-messages-to-one-scale = messages, to one scale
channels-new-counted-in-a-moment = new; counted in a moment
channels-span-of-all = { $first } to { $last } of { $all }
channels-earlier = ← earlier
channels-later = later →
channels-what-the-columns-mean = Before start: older than the memory of its channel, and still found by searches. Uncovered: in no memory although it should be, so anything but – is a fault.
