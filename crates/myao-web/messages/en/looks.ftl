# looks

looks-looks = Looks
