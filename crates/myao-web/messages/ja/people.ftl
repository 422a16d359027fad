# The pages of people.

people-there-are-no-profiles = 人物の記録はありません。記憶にたまたまあることだけを並べ、どの行からも、言った人の発言へ行けます。
people-a-part-of-a-name = 名前の一部
people-nobody-is-called-that = その名前の人はいません。
people-a-program = プログラム
people-and-more-names = ほかにもいます。名前の一部を入れてください：{ $number }
people-and-older-lines = ほかの古い行：{ $number }
people-called-before = 以前の名前：{ $names }
people-everything-this-person-said-through = この人が言ったことをすべて（思い出す）
people-brief = この人が見逃したこと
people-brief-of = { $name }が見逃したこと
people-brief-since = いつから（月曜、2026-03-01、7d。空なら前にいたときから）
people-brief-no-day = もう来た日の名前ではありません。
people-forget-what-this-person-said = この人の言ったことを忘れる
people-no-memory-that-is-seen = ここから見える記憶に、この人の名前はありません。
people-what-is-remembered = 覚えていること
people-what-holds-no-more = いまは違うこと
people-why-to-the-message = 出どころの発言へ
