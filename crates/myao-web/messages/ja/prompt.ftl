# prompt

prompt-decision-sees = #{ $channel }で話すかどうかの判断が、いま見るもの
prompt-reply-sees = #{ $channel }での返事が、いま見るもの
prompt-tokens-of-most = { $tokens }トークン（最大{ $most }）。リンク先のページを除き、一字一句このとおりです。
prompt-reply-instead = 返事のときは
prompt-decision-speak-up-instead = 話すかどうかの判断のときは
prompt-what-stays-read-first-kept = 変わりにくい部分（最初に読み、キャッシュに残る）
prompt-what-new-conversation = 新しい部分（会話）
prompt-who-manners = 誰なのか、どうふるまうか
prompt-words = 文面
prompt-nothing-left-out = 省いたものはありません。
prompt-memories-left-out = { $memories }件の記憶を省きました。
prompt-messages-left-out = 前の{ $messages }件の発言を省きました。
prompt-both-left-out = { $memories }件の記憶と、前の{ $messages }件の発言を省きました。
prompt-found-question-words = 質問のために見つけたものと、その手がかり
prompt-conversation-or-meaning = 会話や意味から
prompt-memories-most-important-first = 入っている記憶（大事な順）
prompt-none-yet = まだありません。
prompt-left-out-no-room-or = 省いたもの（入りきらない、または他チャンネルの枠を超える）
prompt-thread = スレッド{ $root }
prompt-memo = メモ{ $name }
prompt-what-everybody-may-know = みんなが知ってよいこと
prompt-places-own-comes-first = この場所のもの（最優先）
prompt-open-channel-recent-talk = 最近話された公開チャンネル
prompt-thread-channel = このチャンネルのスレッド
prompt-somebody-wanted-kept = 覚えておくよう頼まれたこと
