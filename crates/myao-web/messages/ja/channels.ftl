# The page of all channels, and the table of what is remembered of each.

channels-coverage-as-a-table = 記憶の割合の表
channels-channel = チャンネル
channels-messages-to-one-scale = 発言（同じ物差しで）
channels-new-counted-in-a-moment = 新しいチャンネル。まもなく数えます
channels-span-of-all = { $all }のうち{ $first }〜{ $last }
channels-earlier = ← 前へ
channels-later = 次へ →
channels-what-columns-mean = 言葉の意味
channels-expired = 期限切れ
channels-what-remembered-means = 章に入っていて、最後の変更よりあとに書かれた記憶があります。
channels-what-waiting-means = 最後の章よりあとに話されたか、まだ記憶が書かれていない章にあります。
channels-what-before-start-means = チャンネルの記憶が始まる前の発言です。保管されていて検索できますが、どの記憶にも入っていません。
channels-what-uncovered-means = どれにも入っていません。これは異常です。`myao memory verify`でどの発言か分かります。
channels-what-expired-means = privacy.archive_daysを過ぎて言葉が消えました。覚えたことは残ります。別に数えます。
channels-a-year = 1年
channels-messages-by-month = 月ごとの発言、古い順：{ $numbers }
