# The page for colours and language.

looks-looks = 配色と言語
