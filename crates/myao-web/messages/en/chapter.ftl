# chapter

chapter-nothing-still-there = Nothing that is still there.
chapter-under-way-nothing-written-yet = It is under way: nothing is written of it yet.
chapter-text-about = { $messages }, { $how }. Entry { $entry }
chapter-provisional-written-anew-when-chapter = ; provisional: it is written anew when the chapter ends
chapter-ended-by = ; ended by { $why }
chapter-every-text-ever-had = Every text it ever had
chapter-rebuild-from-here = Rebuild from here on
chapter-before = ← chapter { $number }
chapter-after = chapter { $number } →
