# The page of a chapter.

chapter-nothing-that-is-still-there = いま残っているものはありません。
chapter-it-is-under-way-nothing = まだ終わっていません。終わると、ここに書かれます。
chapter-text-about = { $messages }、{ $how }. 記録{ $entry }
chapter-provisional-it-is-written-anew = 。仮のものです。章が終わると書き直されます。
chapter-ended-by = 。終わった理由：{ $why }
chapter-every-text-it-ever-had = これまでの文章
chapter-rebuild-from-here-on = ここから作り直す
chapter-before = ← 章{ $number }
chapter-after = 章{ $number } →
