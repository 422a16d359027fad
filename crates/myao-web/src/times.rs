//! Shows days and instants in the configured time zone; the full instant stands in the tooltip.

use std::sync::atomic::{AtomicBool, Ordering};

use jiff::{
    Timestamp,
    civil::{Date, Weekday},
    tz::TimeZone,
};
use maud::{Markup, html};
use myao_core::{chat::MessageTs, text::Language};

use crate::messages::Catalogue;

/// Whether a page shows days of another year than this: then each of its days is shown with its year. Days are noted before
/// they are shown.
#[derive(Debug, Default)]
pub(crate) struct YearsOnPage(AtomicBool);

impl YearsOnPage {
    pub(crate) fn note_dates(&self, dates: impl IntoIterator<Item = Date>, today: Date) {
        if dates.into_iter().any(|date| date.year() != today.year()) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn are_shown(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How times are written.
#[derive(Clone, Copy)]
pub(crate) struct Times<'a> {
    zone: &'a TimeZone,
    messages: &'static Catalogue,
    now: Timestamp,
    has_years: bool,
}

impl<'a> Times<'a> {
    pub(crate) fn new(zone: &'a TimeZone, language: Language, now: Timestamp) -> Self {
        Self { zone, messages: Catalogue::of(language), now, has_years: false }
    }

    /// The same, with the year at every day.
    pub(crate) const fn with_years(self, has_years: bool) -> Self {
        Self { has_years, ..self }
    }

    /// The day on which it is now.
    pub(crate) fn today(&self) -> Date {
        self.day_of(self.now)
    }

    /// Writes `10 Mar` or `3月10日`, with the year if it is not the current one, or other days of the page are of
    /// other years.
    pub(crate) fn date(&self, date: Date) -> String {
        let is_this_year = self.today().year() == date.year();
        let form = if is_this_year && !self.has_years {
            self.messages.say("times-day")
        } else {
            self.messages.say("times-day-of-year")
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
        let weekday = self.messages.say(weekday(date));
        let arguments = [("weekday", weekday.into()), ("date", self.date(date).into())];
        let text = self.messages.say_with("times-weekday-and-date", &arguments);
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

/// The key of the name of a day of the week.
fn weekday(date: Date) -> &'static str {
    match date.weekday() {
        Weekday::Monday => "times-monday",
        Weekday::Tuesday => "times-tuesday",
        Weekday::Wednesday => "times-wednesday",
        Weekday::Thursday => "times-thursday",
        Weekday::Friday => "times-friday",
        Weekday::Saturday => "times-saturday",
        Weekday::Sunday => "times-sunday",
    }
}
