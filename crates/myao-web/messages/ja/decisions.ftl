# The page of decisions: when myao spoke up unasked, when it kept quiet, and why.

decisions-where-nobody-answers-somebody = しばらく誰も答えないとき、口を開くかどうかを考えます。黙っていたときも含めて、すべてここにあります。
decisions-the-same-past-under-other = 同じ過去を、別の設定で
decisions-nothing-was-decided = この間の判断はありません。
decisions-the-newest-of-these-choose = 新しいものだけです。チャンネルを選ぶと、前のものも見られます。
decisions-everything = すべて
decisions-show = 表示
decisions-all-channels = すべてのチャンネル
decisions-deleted = （削除されました）
decisions-in-a-thread = のスレッド
decisions-kept-quiet = 黙っていた
decisions-wanted-to-was-too-late = 話そうとしたが間に合わなかった
decisions-wanted-to-was-stopped = 話そうとして、止められた
decisions-stopped = 止められた
decisions-stopped-by = { $name }が止めた
decisions-answers-that-were-stopped = 途中で止められた返事
decisions-wanted-to-could-not = 話そうとしてできなかった
decisions-speaks-soon = まもなく話す
decisions-how-sure = { $share } 確か
decisions-waited = 待った時間：{ $span }
decisions-span-in-seconds = { $number }秒
decisions-span-in-minutes = { $number }分
decisions-span-in-hours = { $number }時間
decisions-next-if-nobody-says-anything = 次（誰も話さなければ）
decisions-judged-times = { $number }回判断しました
decisions-about-deleted = ほかに{ $number }件、のちに削除された発言についての判断があります。
