# The page of what a reply would be made from.

prompt-decision-sees = #{ $channel }: what a decision to speak would see now
prompt-reply-sees = #{ $channel }: what a reply would see now
prompt-reply-saw = #{ $channel }: what a reply could have seen then
prompt-tokens-of-most = { $tokens } of at most { $most } tokens, to the letter, as far as no page is linked.
prompt-for-a-reply-instead = For a reply instead
prompt-for-the-decision-to-speak = For the decision to speak up instead
prompt-what-stays-read-first-kept = What stays: read first, kept in caches
prompt-what-is-new-the-conversation = What is new: the conversation
prompt-who-it = Who it is, and its manners
prompt-the-words = The words
prompt-nothing-was-left-out = Nothing was left out.
prompt-memories-left-out =
    { $memories ->
        [one] { $memories } memory was left out.
       *[other] { $memories } memories were left out.
    }
prompt-messages-left-out =
    { $messages ->
        [one] { $messages } earlier message was left out.
       *[other] { $messages } earlier messages were left out.
    }
prompt-both-left-out =
    { $memories ->
        [one] { $memories } memory
       *[other] { $memories } memories
    } and { $messages ->
        [one] { $messages } earlier message
       *[other] { $messages } earlier messages
    } were left out.
prompt-found-for-the-question = Found for the question, and by which words
prompt-its-conversation-or-meaning = its conversation or meaning
prompt-memories-in-it-the-most = Memories in it, the most important first
prompt-none-yet = None yet.
prompt-left-out-no-room-or = Left out: no room, or more than the share of other channels
prompt-thread = thread { $root }
prompt-memo = memo { $name }
prompt-what-everybody-may-know = what everybody may know
prompt-the-places-own-comes-first = the place’s own: comes first
prompt-an-open-channel-with-recent = an open channel with recent talk
prompt-a-thread-of-this-channel = a thread of this channel
prompt-somebody-wanted-it-kept = somebody wanted it kept
