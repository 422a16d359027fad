# The pages of threads.

threads-of = #{ $channel }のスレッド
threads-those-of-the-last-30 = 話のあった最後の30日間のもの。新しい順です。
threads-nobody-replied-in-a-thread = この間、スレッドでの返信はありませんでした。
threads-replies = { $replies }件の返信
threads-remembered-by-itself = スレッドとしての記憶あり
threads-thread-of = #{ $channel }のスレッド
threads-nothing-by-itself-only-threads = このスレッドだけの記憶はありません。最近話されたスレッドだけが持ちます。話されたことはチャンネルの章にあります。
