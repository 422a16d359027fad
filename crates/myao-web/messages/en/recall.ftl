# The page of recall.

recall-in-memory = In memory
recall-in-what-was-said = In what was said
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
recall-nothing-was-found = Nothing was found
recall-wider = “{ $words }” from anybody, anywhere, at any time
recall-what-are-you-looking-for = What are you looking for?
recall-said-by = Said by
recall-in-channel = In channel
recall-since = Since
recall-before = Before
recall-has-a-link = has a link
recall-has-a-file = has a file
recall-not-looked-for = That could not be looked for: { $error }.
recall-nobody-called = There is nobody called “{ $name }”.
recall-no-channel = There is no channel “{ $name }”.
recall-how-to-ask = How to ask
recall-from-noor = from:noor
recall-what-noor-said = what Noor said
recall-in-dev = in:#dev
recall-in-one-channel = in one channel
recall-after-that-day-before-since = after that day; before:, since: and on: too, and “last week”
recall-with-a-file-or-has = with a file, or has:link
recall-wet-slap = "wet slap"
recall-these-words-in-one-piece = these words, in one piece
recall-recall-finds-words-and-their = Recall finds words and their forms; try the word they would have used. What was forgotten is not there to be found.
recall-chapter = chapter
recall-long-term = long-term
recall-in-a-thread = in a thread
recall-what-stands-around-it = what stands around it
recall-did-you-mean = Did you mean “{ $words }”?
recall-all-that-fits = All that fits “{ $words }”
recall-offers =
    { $number ->
        [one] { $shown } offer
       *[other] { $shown } offers
    }: the arrow keys choose
recall-offers-meant = Nothing says that; shown is “{ $words }”
