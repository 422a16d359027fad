# The pages of people.

people-there-are-no-profiles = There are no profiles. This is what memory happens to hold, and every line leads to who said it.
people-a-part-of-a-name = A part of a name
people-nobody-is-called-that = Nobody is called that.
people-a-program = a program
people-and-more-names = and more; say a part of the name: { $number }
people-and-older-lines = and older lines: { $number }
people-called-before = Called before: { $names }
people-everything-this-person-said-through = Everything this person said, through recall
people-brief = What this person missed
people-brief-of = What { $name } missed
people-brief-since = Since (monday, 2026-03-01, 7d; empty: since they were last here)
people-brief-no-day = That names no day that has come.
people-forget-what-this-person-said = Forget what this person said
people-no-memory-that-is-seen = No memory that is seen from here names this person.
people-what-is-remembered = What is remembered
people-what-holds-no-more = What holds no more
people-why-to-the-message = Why? To the message
