# The page of a chapter.

chapter-nothing-that-is-still-there = Nothing that is still there.
chapter-it-is-under-way-nothing = It is under way: nothing is written of it yet.
chapter-text-about = { $messages }, { $how }. Entry { $entry }
chapter-provisional-it-is-written-anew = ; provisional: it is written anew when the chapter ends
chapter-ended-by = ; ended by { $why }
chapter-every-text-it-ever-had = Every text it ever had
chapter-rebuild-from-here-on = Rebuild from here on
chapter-before = ← chapter { $number }
chapter-after = chapter { $number } →
