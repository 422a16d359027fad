//! Reads values of each type.

use std::{fmt::Display, ops::RangeInclusive};

use super::{Section, TEXT};
use crate::{node::Value, secret::Secret};

impl Section<'_> {
    /// A whole number; `default` when it is not given.
    pub(crate) fn whole<T>(&mut self, key: &'static str, default: T, range: RangeInclusive<T>) -> T
    where
        T: Copy + Display + PartialOrd + TryFrom<u64>,
    {
        self.whole_or(key, range).unwrap_or(default)
    }

    /// A whole number that may be left out.
    pub(crate) fn whole_or<T>(&mut self, key: &'static str, range: RangeInclusive<T>) -> Option<T>
    where
        T: Copy + Display + PartialOrd + TryFrom<u64>,
    {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.parsed(key, &expected, |value| {
            T::try_from(value.as_whole()?).ok().filter(|number| range.contains(number))
        })
    }

    /// A number; `default` when it is not given.
    pub(crate) fn number(&mut self, key: &'static str, default: f64, range: RangeInclusive<f64>) -> f64 {
        self.number_or(key, range).unwrap_or(default)
    }

    /// A number that may be left out.
    pub(crate) fn number_or(&mut self, key: &'static str, range: RangeInclusive<f64>) -> Option<f64> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        self.parsed(key, &expected, |value| value.as_number().filter(|number| range.contains(number)))
    }

    /// A switch: `true`, `yes`, `on` and their opposites, in upper or lower case; `default` when it is not given.
    pub(crate) fn flag(&mut self, key: &'static str, default: bool) -> bool {
        self.flag_or(key).unwrap_or(default)
    }

    /// A switch that may be left out.
    pub(crate) fn flag_or(&mut self, key: &'static str) -> Option<bool> {
        self.parsed(key, "true or false", Value::as_flag)
    }

    /// Text; `None` when it is empty or not given.
    pub(crate) fn text(&mut self, key: &'static str) -> Option<String> {
        self.word(key, TEXT, |text| Some(text.to_owned()))
    }

    /// Text that is a secret.
    pub(crate) fn secret(&mut self, key: &'static str) -> Option<Secret> {
        self.secret_in(key);
        self.text(key).map(Secret::new)
    }

    /// Notes that the file holds a secret at `key`, unless the value comes from the environment.
    pub(crate) fn secret_in(&mut self, key: &'static str) {
        if let Some(Value::Text(_)) = self.given(key) {
            self.report.holds_secret();
        }
    }

    /// Text, parsed by `parse`; one that `parse` rejects is reported.
    pub(crate) fn word<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.parsed(key, expected, |value| value.as_text().and_then(parse))
    }

    /// An address with one of two schemes.
    pub(crate) fn url(&mut self, key: &'static str, schemes: [&str; 2]) -> Option<String> {
        let [first, second] = schemes;
        self.word(key, &format!("an address that begins with {first}:// or {second}://"), |text| {
            let (scheme, rest) = text.split_once("://")?;
            let has_host = rest.starts_with(|c: char| !c.is_whitespace() && c != '/');
            (schemes.contains(&scheme) && has_host).then(|| text.to_owned())
        })
    }
}
