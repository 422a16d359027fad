# The page of all channels, and the table of what is remembered of each.

channels-coverage-as-a-table = Coverage as a table
channels-channel = Channel
channels-messages-to-one-scale = messages, to one scale
channels-new-counted-in-a-moment = new; counted in a moment
channels-span-of-all = { $first } to { $last } of { $all }
channels-earlier = ← earlier
channels-later = later →
channels-what-columns-mean = What these words mean
channels-expired = expired
channels-what-remembered-means = Stands in a chapter whose memory was written after the message last changed.
channels-what-waiting-means = Was said after the last chapter, or stands in a chapter whose memory is still to be written.
channels-what-before-start-means = Was said before the memory of its channel begins. It is archived and can be found, but stands in no memory.
channels-what-uncovered-means = Stands in none of these. That is a fault: `myao memory verify` tells which messages they are.
channels-what-expired-means = Its words were removed after privacy.archive_days; what is remembered of it stays. It is counted apart.
channels-a-year = a year
channels-messages-by-month = Messages of the last months, oldest first: { $numbers }
