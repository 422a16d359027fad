# How days are written: the forms with `%` are those of strftime.

times-day = %-m月%-d日
times-day-of-year = %Y年%-m月%-d日
times-weekday-and-date = { $date }（{ $weekday }）
times-monday = 月
times-tuesday = 火
times-wednesday = 水
times-thursday = 木
times-friday = 金
times-saturday = 土
times-sunday = 日
