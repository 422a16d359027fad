# The page of all channels, and the table of what is remembered of each.

channels-coverage-as-a-table = 記憶の割合の表
channels-channel = チャンネル
channels-messages-to-one-scale = 発言（同じ物差しで）
channels-new-counted-in-a-moment = 新しいチャンネル。まもなく数えます
channels-span-of-all = { $all }のうち{ $first }〜{ $last }
channels-earlier = ← 前へ
channels-later = 次へ →
channels-what-the-columns-mean = 「記憶の前」は、そのチャンネルの記憶が始まるより前の発言です（検索では見つかります）。「漏れ」は、記憶にあるはずなのにない発言で、– 以外なら不具合です。
