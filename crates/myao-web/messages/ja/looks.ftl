# looks

looks-looks = 配色と言語
