# The pages of where a memory comes from.

why-why-it-remembers-this = なぜ覚えているのか
why-why-the-workspace-remembers-this = なぜワークスペースが覚えているのか
why-where-do-these-words-come = この言葉の出どころは？
why-look = さがす
why-the-line = この行は
why-written-by-hand = 人の手で書かれました
why-said-so-here = ここで、この言葉のとおりに言われました
why-no-message-holds-these-words = この言葉のとおりの発言はありません。いちばん近いのは次の発言です
why-comes-from-what-people-said = 人が言ったことから
why-no-message-holds = 同じ言葉の発言はありません。
why-no-chapter-and-no-message = この記憶のもとには、この言葉の章も発言もありません。モデルが言い換えたのかもしれません。言葉を減らしてみてください。
why-and-there-may-be-more = … ほかにもあるかもしれません。
why-its-text-holds-the-words = 章の文章にもあります
why-its-sources-are-gone = もとの発言は期限が過ぎて消えました
why-what-this-memory-was-made = この記憶のもと
why-there-is-no-memory-yet = まだ記憶がありません。
why-beside-it = そばに置かれたもの：
why-the-text-before = 前の文章：
why-wiped = 消されました
why-see-above = （上を参照）
