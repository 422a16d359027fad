# channels

channels-coverage-table = Coverage as a table
channels-channel = Channel
channels-messages-one-scale = messages, to one scale
channels-new-counted-moment = new; counted in a moment
channels-span-of-all = { $first } to { $last } of { $all }
channels-earlier = ← earlier
channels-later = later →
