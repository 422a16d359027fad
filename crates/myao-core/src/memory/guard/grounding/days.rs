//! The dates and times that a request's material names or means.

use std::collections::BTreeSet;

use jiff::{ToSpan as _, civil::Date};

use super::{
    figures::{Figure, figures_of_text},
    pieces::pieces_of_text,
    relative::days_meant,
};

/// How many days ahead, and how many back, a day may be that somebody names without its year.
const MOST_AHEAD: i32 = 340;
const MOST_BEFORE: i32 = 300;

/// Every day, month and time that a text may write.
#[derive(Debug, Default)]
pub(super) struct KnownDays {
    exact: BTreeSet<Date>,
    /// Months and days whose year nobody said and nothing tells.
    floating: BTreeSet<(i8, i8)>,
    months: BTreeSet<(Option<i16>, i8)>,
    days_of_month: BTreeSet<i8>,
    years: BTreeSet<i16>,
    times: BTreeSet<(i8, i8)>,
}

impl KnownDays {
    /// Adds what a line says, which is `plain` and was said on one of the days `said_on`; none if nobody knows when.
    pub(super) fn add(&mut self, line: &str, said_on: &[Date]) {
        self.exact.extend(said_on);
        let pieces = pieces_of_text(line);
        let figures = figures_of_text(&pieces);
        let days: Vec<i8> = figures.iter().filter_map(day_of_month).collect();
        for figure in figures {
            self.add_figure(&figure, said_on);
        }
        for said_on in said_on {
            let meant = days_meant(line, &pieces, *said_on);
            let named = |month: &Date| {
                let month = *month;
                days.clone()
                    .into_iter()
                    .filter_map(move |day| Date::new(month.year(), month.month(), day).ok())
            };
            self.exact.extend(meant.months.iter().flat_map(named));
            self.exact.extend(meant.days);
            self.months.extend(meant.months.iter().map(|month| (Some(month.year()), month.month())));
            self.years.extend(meant.years);
        }
    }

    /// Adds a time, or a day with its year, that stands before a line.
    pub(super) fn add_head(&mut self, plain: &str) {
        for figure in figures_of_text(&pieces_of_text(plain)) {
            self.add_figure(&figure, &[]);
        }
    }

    fn add_figure(&mut self, figure: &Figure, said_on: &[Date]) {
        match *figure {
            Figure::Day { year: Some(year), month, day } => {
                self.exact.extend(Date::new(year, month, day).ok());
            }
            Figure::Day { year: None, month, day } if said_on.is_empty() => {
                self.floating.insert((month, day));
            }
            Figure::Day { year: None, month, day } => {
                let years = said_on.iter().flat_map(|on| years_near(*on, month, day));
                self.exact.extend(years.filter_map(|year| Date::new(year, month, day).ok()));
            }
            Figure::Month { year: None, month } if !said_on.is_empty() => {
                let years = said_on.iter().flat_map(|on| years_near(*on, month, on.day()));
                self.months.extend(years.map(|year| (Some(year), month)));
            }
            Figure::Month { year, month } => {
                self.months.insert((year, month));
            }
            Figure::Time { hour, minute } => {
                self.times.insert((hour % 12, minute));
            }
            Figure::DayOfMonth(_) | Figure::Number(_) => {}
        }
        if let Some(day) = day_of_month(figure) {
            self.days_of_month.insert(day);
            // The 16th is that of this month, or of the next once it is past, or of the last while it is ahead.
            let months = said_on.iter().flat_map(|on| {
                let other = i32::from(day <= on.day()) - i32::from(day > on.day());
                [0, other].into_iter().filter_map(|away| on.first_of_month().checked_add(away.months()).ok())
            });
            self.exact.extend(months.filter_map(|month| Date::new(month.year(), month.month(), day).ok()));
        }
    }

    /// Whether the material holds a date or time, or it follows from the material. False for numbers, which are not
    /// kept here.
    pub(super) fn hold(&self, figure: &Figure) -> bool {
        match *figure {
            Figure::Day { year: Some(year), month, day } => {
                let is_floating = self.floating.contains(&(month, day));
                Date::new(year, month, day).is_ok_and(|date| self.exact.contains(&date))
                    || is_floating && (self.exact.is_empty() || self.knows_year(year))
            }
            Figure::Day { year: None, month, day } => {
                self.floating.contains(&(month, day))
                    || self.exact.iter().any(|date| (date.month(), date.day()) == (month, day))
            }
            Figure::Month { year, month } => {
                let is_year = |known: i16| year.is_none_or(|year| year == known);
                self.exact.iter().any(|date| date.month() == month && is_year(date.year()))
                    || self.months.iter().any(|(known, m)| *m == month && known.is_none_or(is_year))
                    || self.floating.iter().any(|(m, _)| *m == month)
            }
            Figure::DayOfMonth(day) => self.knows_day_of_month(day),
            Figure::Time { hour, minute } => {
                self.times.contains(&(hour % 12, minute))
                    || minute == 0 && self.times.iter().any(|(known, _)| *known == hour % 12)
            }
            Figure::Number(_) => false,
        }
    }

    /// Whether some known day has this number within its month.
    pub(super) fn knows_day_of_month(&self, day: i8) -> bool {
        self.days_of_month.contains(&day)
            || self.exact.iter().any(|date| date.day() == day)
            || self.floating.iter().any(|(_, known)| *known == day)
    }

    /// Whether something is known of this year.
    pub(super) fn knows_year(&self, year: i16) -> bool {
        self.years.contains(&year) || self.exact.iter().any(|date| date.year() == year)
    }
}

/// The day of a month that is named without its month: 16日, `the 16th`.
fn day_of_month(figure: &Figure) -> Option<i8> {
    match figure {
        Figure::DayOfMonth(day) => Some(*day),
        Figure::Number(number) if number.is_ordinal => {
            number.whole().and_then(|day| i8::try_from(day).ok()).filter(|day| (1..=31).contains(day))
        }
        Figure::Day { .. } | Figure::Month { .. } | Figure::Time { .. } | Figure::Number(_) => None,
    }
}

/// The years in which a day may lie that is named without a year on the day `said_on`. People look further ahead than
/// back.
fn years_near(said_on: Date, month: i8, day: i8) -> impl Iterator<Item = i16> {
    let year = said_on.year();
    (year - 1..=year + 1).filter(move |year| {
        let named = Date::new(*year, month, day).or_else(|_| Date::new(*year, month, 28));
        let away = named.and_then(|named| said_on.until(named)).map(|span| span.get_days());
        away.is_ok_and(|away| (-MOST_BEFORE..=MOST_AHEAD).contains(&away))
    })
}
