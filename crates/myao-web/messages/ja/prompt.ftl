# The page of what a reply would be made from.

prompt-decision-sees = #{ $channel }で話すかどうかの判断が、いま見るもの
prompt-reply-sees = #{ $channel }での返事が、いま見るもの
prompt-reply-saw = #{ $channel }での返事が、その時点で見られたもの
prompt-tokens-of-most = { $tokens }トークン（最大{ $most }）。リンク先のページを除き、一字一句このとおりです。
prompt-for-a-reply-instead = 返事のときは
prompt-for-the-decision-to-speak = 話すかどうかの判断のときは
prompt-what-stays-read-first-kept = 変わりにくい部分（最初に読み、キャッシュに残る）
prompt-what-is-new-the-conversation = 新しい部分（会話）
prompt-who-it = 誰なのか、どうふるまうか
prompt-the-words = 文面
prompt-nothing-was-left-out = 省いたものはありません。
prompt-memories-left-out = { $memories }件の記憶を省きました。
prompt-messages-left-out = 前の{ $messages }件の発言を省きました。
prompt-both-left-out = { $memories }件の記憶と、前の{ $messages }件の発言を省きました。
prompt-found-for-the-question = 質問のために見つけたものと、その手がかり
prompt-its-conversation-or-meaning = 会話や意味から
prompt-memories-in-it-the-most = 入っている記憶（大事な順）
prompt-none-yet = まだありません。
prompt-left-out-no-room-or = 省いたもの（入りきらない、または他チャンネルの枠を超える）
prompt-thread = スレッド{ $root }
prompt-memo = メモ{ $name }
prompt-what-everybody-may-know = みんなが知ってよいこと
prompt-the-places-own-comes-first = この場所のもの（最優先）
prompt-an-open-channel-with-recent = 最近話された公開チャンネル
prompt-a-thread-of-this-channel = このチャンネルのスレッド
prompt-somebody-wanted-it-kept = 覚えておくよう頼まれたこと
