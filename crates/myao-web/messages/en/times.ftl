# How days are written: the forms with `%` are those of strftime.

times-day = %-d %b
times-day-of-year = %-d %b %Y
times-weekday-and-date = { $weekday } { $date }
times-monday = Monday
times-tuesday = Tuesday
times-wednesday = Wednesday
times-thursday = Thursday
times-friday = Friday
times-saturday = Saturday
times-sunday = Sunday
