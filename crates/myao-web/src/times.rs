//! Shows days and instants in the configured time zone; the full instant stands in the tooltip.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use maud::{Markup, html};
use myao_core::{chat::MessageTs, text::Language};

/// How times are written.
#[derive(Clone, Copy)]
pub(crate) struct Times<'a> {
    zone: &'a TimeZone,
    language: Language,
    now: Timestamp,
}

impl<'a> Times<'a> {
    pub(crate) fn new(zone: &'a TimeZone, language: Language, now: Timestamp) -> Self {
        Self { zone, language, now }
    }

    /// Writes `10 Mar` or `3月10日`, with the year if it is not the current one.
    pub(crate) fn date(&self, date: Date) -> String {
        let is_this_year = self.day_of(self.now).year() == date.year();
        let form = match (self.language, is_this_year) {
            (Language::En, true) => "%-d %b",
            (Language::En, false) => "%-d %b %Y",
            (Language::Ja, true) => "%-m月%-d日",
            (Language::Ja, false) => "%Y年%-m月%-d日",
        };
        date.strftime(form).to_string()
    }

    /// A day.
    pub(crate) fn day(&self, date: Date) -> Markup {
        html! { time datetime=(date) { (self.date(date)) } }
    }

    /// The day of an instant.
    pub(crate) fn day_of(&self, instant: Timestamp) -> Date {
        instant.to_zoned(self.zone.clone()).date()
    }

    /// The day and time of an instant.
    pub(crate) fn instant(&self, instant: Timestamp) -> Markup {
        let zoned = instant.to_zoned(self.zone.clone());
        let text = format!("{} {}", self.date(zoned.date()), zoned.strftime("%H:%M"));
        self.element(instant, &text)
    }

    /// The day and time of a message.
    pub(crate) fn moment(&self, ts: MessageTs) -> Markup {
        self.instant(ts.to_timestamp())
    }

    /// The day of a message.
    pub(crate) fn day_said(&self, ts: MessageTs) -> Markup {
        let instant = ts.to_timestamp();
        self.element(instant, &self.date(self.day_of(instant)))
    }

    /// The time of a message, whose day is known.
    pub(crate) fn time_said(&self, ts: MessageTs) -> Markup {
        let instant = ts.to_timestamp();
        self.element(instant, &instant.to_zoned(self.zone.clone()).strftime("%H:%M").to_string())
    }

    /// The weekday and day of a message: `Tuesday 10 Mar`, `3月10日（火）`.
    pub(crate) fn weekday(&self, ts: MessageTs) -> Markup {
        let instant = ts.to_timestamp();
        let date = self.day_of(instant);
        let text = match self.language {
            Language::En => format!("{} {}", date.strftime("%A"), self.date(date)),
            Language::Ja => format!("{}（{}）", self.date(date), japanese_weekday(date)),
        };
        self.element(instant, &text)
    }

    /// The span from one message to another. If both have the same day, it is shown once.
    pub(crate) fn period(&self, from: MessageTs, to: MessageTs) -> Markup {
        let same_day = self.day_of(from.to_timestamp()) == self.day_of(to.to_timestamp());
        html! {
            (self.moment(from))
            @if from != to { " – " @if same_day { (self.time_said(to)) } @else { (self.moment(to)) } }
        }
    }

    fn element(&self, instant: Timestamp, text: &str) -> Markup {
        let zoned = instant.to_zoned(self.zone.clone());
        let zone = self.zone.iana_name().unwrap_or("UTC");
        let whole = format!("{} {zone}", zoned.strftime("%Y-%m-%d %H:%M:%S"));
        html! { time datetime=(instant.strftime("%Y-%m-%dT%H:%M:%SZ")) title=(whole) { (text) } }
    }
}

fn japanese_weekday(date: Date) -> char {
    let days = ['月', '火', '水', '木', '金', '土', '日'];
    let nth = usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or_default();
    days.get(nth).copied().unwrap_or('？')
}
