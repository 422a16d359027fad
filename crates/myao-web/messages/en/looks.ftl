# The page for colours and language.

looks-looks = Looks
