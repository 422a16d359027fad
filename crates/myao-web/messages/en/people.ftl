# people

people-there-no-profiles-what-memory = There are no profiles. This is what memory happens to hold, and every line leads to who said it.
people-part-name = A part of a name
people-nobody-called = Nobody is called that.
people-program = a program
people-and-more-names = and more; say a part of the name: { $number }
people-and-older-lines = and older lines: { $number }
people-everything-person-said-through-recall = Everything this person said, through recall
people-forget-what-person-said = Forget what this person said
people-no-memory-seen-from-here = No memory that is seen from here names this person.
people-what-remembered = What is remembered
people-what-holds-no-more = What holds no more
people-why-message = Why? To the message
