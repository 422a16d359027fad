# threads

threads-of = #{ $channel }のスレッド
threads-those-last-30-days-talk = 話のあった最後の30日間のもの。新しい順です。
threads-nobody-replied-thread-these-days = この間、スレッドでの返信はありませんでした。
threads-replies = { $replies }件の返信
threads-remembered-itself = スレッドとしての記憶あり
threads-thread-of = #{ $channel }のスレッド
threads-nothing-itself-only-threads-last = このスレッドだけの記憶はありません。最近話されたスレッドだけが持ちます。話されたことはチャンネルの章にあります。
