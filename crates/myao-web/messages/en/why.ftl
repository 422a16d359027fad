# The pages of where a memory comes from.

why-why-it-remembers-this = Why it remembers this
why-why-the-workspace-remembers-this = Why the workspace remembers this
why-where-do-these-words-come = Where do these words come from?
why-look = Look
why-the-line = The line
why-written-by-hand = written by hand
why-said-so-here = Said so here
why-no-message-holds-these-words = No message says it in these words; most likely it was made from what people said here
why-comes-from-what-people-said = comes from what people said
why-no-message-holds = No message holds these words.
why-no-chapter-and-no-message = No chapter and no message under this memory holds these words. A model may have put them differently: try fewer of them.
why-and-there-may-be-more = … and there may be more.
why-its-text-holds-the-words = its text holds the words
why-its-sources-are-gone = its sources are gone: the messages have expired
why-what-this-memory-was-made = What this memory was made from
why-there-is-no-memory-yet = There is no memory yet.
why-beside-it = beside it:{" "}
why-the-text-before = the text before:{" "}
why-wiped = wiped
why-see-above = (see above)
