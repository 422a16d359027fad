# chapter

chapter-nothing-still-there = いま残っているものはありません。
chapter-under-way-nothing-written-yet = まだ終わっていません。終わると、ここに書かれます。
chapter-text-about = { $messages }、{ $how }. 記録{ $entry }
chapter-provisional-written-anew-when-chapter = 。仮のものです。章が終わると書き直されます。
chapter-ended-by = 。終わった理由：{ $why }
chapter-every-text-ever-had = これまでの文章
chapter-rebuild-from-here = ここから作り直す
chapter-before = ← 章{ $number }
chapter-after = 章{ $number } →
