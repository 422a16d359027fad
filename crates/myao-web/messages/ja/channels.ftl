# channels

channels-coverage-table = 記憶の割合の表
channels-channel = チャンネル
channels-messages-one-scale = 発言（同じ物差しで）
channels-new-counted-moment = 新しいチャンネル。まもなく数えます
channels-span-of-all = { $all }のうち{ $first }〜{ $last }
channels-earlier = ← 前へ
channels-later = 次へ →
