# why

why-why-remembers = なぜ覚えているのか
why-why-workspace-remembers = なぜワークスペースが覚えているのか
why-where-do-these-words-come = この言葉の出どころは？
why-look = さがす
why-line = この行は
why-written-hand = 人の手で書かれました
why-no-message-holds-these-words = 同じ言葉の発言はありません。いちばん近いのは次の発言です
why-comes-from-what-people-said = 人が言ったことから
why-no-message-holds = 同じ言葉の発言はありません。
why-no-chapter-no-message-under = この記憶のもとには、この言葉の章も発言もありません。モデルが言い換えたのかもしれません。言葉を減らしてみてください。
why-there-may-more = … ほかにもあるかもしれません。
why-text-holds-words = 章の文章にもあります
why-sources-gone-messages-have-expired = もとの発言は期限が過ぎて消えました
why-what-memory-made-from = この記憶のもと
why-there-no-memory-yet = まだ記憶がありません。
why-beside = そばに置かれたもの：
why-text-before = 前の文章：
why-wiped = 消されました
why-see-above = （上を参照）
