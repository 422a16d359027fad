# recall

recall-memory = In memory
recall-what-said = In what was said
recall-best-first = best first
recall-newest-first = newest first
recall-conversations-and-more =
    { $said ->
        [one] { $said } conversation
       *[other] { $said } conversations
    } and more, { $order }
recall-conversations =
    { $said ->
        [one] { $said } conversation
       *[other] { $said } conversations
    }, { $order }
recall-searched-by-owner = Searched: { $messages } messages of { $channels } channels, through the owner’s eyes, private channels included.
recall-searched-from-place = Searched: { $messages } messages of { $channels } channels, those that { $place } may see.
recall-nothing-found = Nothing was found
recall-wider = “{ $words }” from anybody, anywhere, at any time
recall-what-you-looking = What are you looking for?
recall-said = Said by
recall-channel = In channel
recall-since = Since
recall-before = Before
recall-has-link = has a link
recall-has-file = has a file
recall-not-looked-for = That could not be looked for: { $error }.
recall-nobody-called = There is nobody called “{ $name }”.
recall-no-channel = There is no channel “{ $name }”.
recall-how-ask = How to ask
recall-from-noor = from:noor
recall-what-noor-said = what Noor said
recall-dev = in:#dev
recall-one-channel = in one channel
recall-after-day-before-since-too = after that day; before:, since: and on: too, and “last week”
recall-file-or-has-link = with a file, or has:link
recall-wet-slap = "wet slap"
recall-these-words-one-piece = these words, in one piece
recall-recall-finds-words-their-forms = Recall finds words and their forms; try the word they would have used. What was forgotten is not there to be found.
recall-chapter = chapter
recall-long-term = long-term
recall-thread = in a thread
recall-what-stands-around = what stands around it
