# The pages on which memories are written again.

rebuild-write-anew = #{ $channel }: write its memories anew
rebuild-chapters-from-to = Chapters { $first } to { $last } are written anew, and folded in again.
rebuild-until-that-is-done = Until that is done, an older text shows, or none. What was written so far stays in the journal. A model that costs something is asked again for each chapter.
rebuild-from-chapter = From chapter
rebuild-write-them-anew = Write them anew
rebuild-written-anew = #{ $channel }: written anew
rebuild-written =
    { $written } of { $all ->
        [one] { $all } chapter is written.
       *[other] { $all } chapters are written.
    }
rebuild-does-not-go-on = It does not go on: { $why }
rebuild-all-of-it = That is all of it.{" "}
rebuild-to-the-memory = To the memory
rebuild-goes-on-by-itself = The run takes it up within a minute, and goes on by itself, whether you look or not.{" "}
rebuild-none-folded-in = None is folded into the long-term memory yet.
rebuild-folded-in = The long-term memory holds those up to chapter { $chapter }.
rebuild-words-have-expired = The words of some of these chapters have expired (privacy.archive_days): their memories are all that is left.
rebuild-another-process-works = Another process is working on this channel; try again in a moment.
rebuild-could-not-be-done = That could not be done; the log says why.
