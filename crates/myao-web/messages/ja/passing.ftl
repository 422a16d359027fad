# Time that passes in the local workspace.

passing-time-passes = 時間が進んでいます
passing-what-happened =
    { $chapters ->
        [0] 閉じた章はなく
       *[other] 章が{ $chapters }つ閉じ
    }、{ $merges ->
        [0] 長期記憶は変わっていません
       *[other] 長期記憶が{ $merges }回書き直されました
    }
passing-under-way = 時間が進んでいます：いま{ $now }、{ $until }まで。ここまでに、{ $happened }。
passing-over = いまは{ $now }です。この間に、{ $happened }。
passing-stopped = { $now }で止めました。それまでに、{ $happened }。
passing-failed = データベースの不調で、{ $now }で止まりました。くわしくはログにあります。
passing-stop = 止める
passing-to-the-talk = 会話へ
passing-look-again = 見なおす
passing-loads-again = 続いているあいだ、このページはひとりでに読み込みなおします。
passing-stand-still = 読み込みを止める
passing-follow = また読み込ませる
