# The overview.

overview-what-is-remembered = What is remembered
overview-every-message-is-in-exactly = Every message is in exactly one column. “Uncovered” is counted to show that there is none.
overview-counted = Counted { $at }
overview-by-model-role-purpose = By model, role, purpose and channel
overview-last-said = Last said: { $at }, in { $channel }.{" "}
overview-memory-has-caught-up = Memory has caught up.
overview-channels-due =
    { $due ->
        [one] { $due } channel is waiting to be looked at.
       *[other] { $due } channels are waiting to be looked at.
    }
overview-nothing-said = Nothing was said yet that could be remembered.
overview-remembered-of = { $covered } of { $messages } messages are remembered.
overview-waiting-for-end = { $number } wait for their chapter to end.
overview-older-than-memory = { $number } are older than the memory of their channel.
overview-none-is-lost = None is lost.
overview-some-lost = { $number } are in no memory. Some are lost: `myao memory verify` tells which.
overview-how-to-begin = How to begin
overview-take-an-export-of-your = Take an export of your workspace in, and have it remembered:
overview-or-join-slack = Or join Slack, and it remembers from then on: { $command }
overview-still-to-be-forgotten = Something is still to be forgotten: `myao forget --resume`, or the next `myao run`, finishes it.
overview-undecided-memos = { $number } memos from myao2 are in no prompt: say on their pages who sees them, or with `myao memo adopt`.
overview-in-no-memory = Messages are in no memory: `myao memory verify` tells which.
overview-thread-of = { $channel }, thread of { $day }
overview-long-term-of = { $channel }, long-term memory
overview-entry-of-journal = entry
overview-needs =
    { $number ->
        [one] { $number } thing needs a person
       *[other] { $number } things need a person
    }
overview-builtin-quotes-does-not-write = builtin: quotes, does not write
overview-how-it-is-doing = How it is doing
overview-chapters = Chapters
overview-chapters-verbatim = { $chapters } (word for word: { $verbatim })
overview-long-term = Long-term
overview-and-the-workspaces = , and the workspace’s
overview-and-threads = ; threads: { $number }
overview-writes-memories = Writes memories
overview-answers = Answers
overview-judges = Judges
overview-search = Search
overview-everything-can-be-found = everything can be found
overview-index-so-far = { $done } / { $all } channels so far
overview-archive = Archive
overview-one-sqlite-file = one SQLite file
overview-and-unread = ; not understood, kept raw: { $number }
