# The pages on which something is forgotten.

forget-only-the-owners-view-shows = Only the owner’s view shows what would go.
forget-look-first-nothing-goes-until = Look first. Nothing goes until you say so at the end of this page.
forget-this-cant-be-taken-back = This can’t be taken back
forget-what-goes = { $messages }, and every text made from them. The list below keeps that { $name } had something forgotten; not what.
forget-type-forget = Type: forget
forget-forget-for-good = Forget for good
forget-word-to-type = forget
forget-nothing-was-forgotten-type-forget = Nothing was forgotten: type “forget” to confirm.
forget-nothing-was-forgotten-since-you = Nothing was forgotten: since you looked, what would go has changed. This is what would go now.
forget-forgotten = Forgotten
forget-being-forgotten = Being forgotten
forget-the-words-are-gone-from = The words are gone from the archive, from every memory, from the journal and the index.
forget-in-the-list = In the list
forget-how-far = How far
forget-gone = Gone
forget-memories-are-written-anew-from = Memories are written anew from what remains.
forget-forget-something-else = Forget something else
forget-stage-wiping = Messages lose their words.
forget-stage-sweeping = Every other text is searched.
forget-stage-cleaning = The files are cleaned; no page shows the words any more.
forget-stage-done = Done.
forget-one-person = one person
forget-by-words = by words
forget-a-span-of-time = a span of time
forget-numbers-gone = { $messages } messages, { $texts } texts made from them, { $memos } memos
forget-forgotten-so-far = Forgotten so far
forget-how-a-day-reads = A day reads like 2026-03-01.
forget-nothing-between = Nothing lies between these days.
forget-what-should-be-forgotten = What should be forgotten?
forget-messages-with-these-words-or = Messages with these words, or a link to one
forget-said-by-whole-name-or = said by (whole name, or id)
forget-in-channel = in channel
forget-from = from
forget-to-included = to, included
forget-see-what-would-go = See what would go
forget-nobody-of-that-name = There is nobody of just that name; give the whole name, or the id.
forget-several-of-that-name = Several people have that name; give the id.
forget-would-go =
    { $number ->
        [one] { $shown } message would go
       *[other] { $shown } messages would go
    }
forget-would-go-at-least =
    At least { $number ->
        [one] { $shown } message would go
       *[other] { $shown } messages would go
    }
forget-what-was-looked = What was looked for is marked; a message goes as a whole.
forget-posts-of-ours-that-go = Posts of ours that go too
forget-what-was-made-from-them = What was made from them
forget-is-made-anew = is made anew
forget-still-counting = Still counting: looked through { $number } messages so far. It can be forgotten once all are counted. { $again }
forget-entries-of-the-journal = Entries of the journal
forget-entries-of-the-memo-log = Entries of the memo log
forget-our-answers = Our answers
forget-our-posts-elsewhere = Our posts elsewhere
forget-answers-not-posted-yet = Answers not posted yet
forget-reasons-of-decisions = Reasons of decisions
forget-notes-of-failures = Notes of failures
forget-raw-copies = Raw copies
forget-questions-of-people-who-opted = Questions of people who opted out
forget-messages-of-period = { $messages }, { $period }
forget-and-files = ; files: { $number }
forget-chapters-anew = chapters written anew: { $chapters }
forget-long-term-memory-goes-back = long-term memory goes back, and these are folded in again
forget-memories-of-threads = memories of threads: { $number }
forget-what-this-cant-reach = What this can’t reach
forget-the-chat-itself = The chat itself.{" "}
forget-delete-the-message-there-or = Delete the message there, or it is still to be read.
forget-a-copy-of-the-database = A copy of the database:{" "}
forget-delete-copy = { $file }. Delete it.
forget-a-database-of-myao = A database of myao:{" "}
forget-delete-database = { $file }. Delete it if it is a copy of this one.
forget-exports-and-copies-elsewhere = Exports, and copies elsewhere.{" "}
forget-importing-one-again-does-not = Importing one again does not bring the words back.
forget-logs-elsewhere = { $logs } that answered with these words in its prompt.
forget-a-providers-logs = A provider’s logs
forget-people-who-read = { $people } who have read it.
