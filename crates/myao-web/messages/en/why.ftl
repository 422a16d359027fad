# why

why-why-remembers = Why it remembers this
why-why-workspace-remembers = Why the workspace remembers this
why-where-do-these-words-come = Where do these words come from?
why-look = Look
why-line = The line
why-written-hand = written by hand
why-no-message-holds-these-words = No message holds these words; most likely it was made from what people said here
why-comes-from-what-people-said = comes from what people said
why-no-message-holds = No message holds these words.
why-no-chapter-no-message-under = No chapter and no message under this memory holds these words. A model may have put them differently: try fewer of them.
why-there-may-more = … and there may be more.
why-text-holds-words = its text holds the words
why-sources-gone-messages-have-expired = its sources are gone: the messages have expired
why-what-memory-made-from = What this memory was made from
why-there-no-memory-yet = There is no memory yet.
why-beside = beside it:{" "}
why-text-before = the text before:{" "}
why-wiped = wiped
why-see-above = (see above)
