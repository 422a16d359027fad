# まだ終わっていないもののページ。

loops-open = まだ終わっていないもの
loops-read-from-talk-each-time = 約束、返事待ちの質問、これからの日付。見るたびに、この { $days } 日の会話から読み取ります。どこにも書き留めません。まず間違いなく残っているものだけを並べます。
loops-nothing-is-open = 会話からわかる範囲では、残っているものはありません。
loops-promised = 約束
loops-wait-for-an-answer = 返事待ち
loops-to-come = これから
