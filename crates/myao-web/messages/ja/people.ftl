# people

people-there-no-profiles-what-memory = 人物の記録はありません。記憶にたまたまあることだけを並べ、どの行からも、言った人の発言へ行けます。
people-part-name = 名前の一部
people-nobody-called = その名前の人はいません。
people-program = プログラム
people-and-more-names = ほかにもいます。名前の一部を入れてください：{ $number }
people-and-older-lines = ほかの古い行：{ $number }
people-everything-person-said-through-recall = この人が言ったことをすべて（思い出す）
people-forget-what-person-said = この人の言ったことを忘れる
people-no-memory-seen-from-here = ここから見える記憶に、この人の名前はありません。
people-what-remembered = 覚えていること
people-what-holds-no-more = いまは違うこと
people-why-message = 出どころの発言へ
