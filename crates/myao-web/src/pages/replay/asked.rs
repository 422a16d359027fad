//! Reads from a form what somebody wants judged again.

use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use myao_config::Config;
use myao_core::chat::{Channel, ChannelKind};

use super::judging_model;
use crate::{
    params::Params,
    replays::{ReplayJudge, ReplayOrder},
    site::WhyNot,
    visit::Visit,
};

/// The numbers of days among which one can choose.
const DAYS: [i64; 4] = [7, 14, 30, 90];
/// The longest wait, in minutes, and the longest interval, in seconds: a week.
const LONGEST_MINUTES: u64 = 7 * 24 * 60;
const LONGEST_SECONDS: u64 = LONGEST_MINUTES * 60;
/// The most calls to a model that can be asked for, and below it what the form suggests.
const MOST_ASKED: u64 = 500;
const ASKED: u64 = 50;

/// The values of the fields, which the form shows again.
pub(super) struct ReplayForm {
    channel: String,
    days: i64,
    /// How many minutes of silence precede a judgment.
    wait: Option<u64>,
    /// How many seconds lie between two answers that nobody asked for: the least and the most.
    interval: Option<(u64, u64)>,
    is_lively: bool,
    judge: String,
    most: u64,
}

impl ReplayForm {
    /// The values that were sent, or else the current settings.
    pub(super) fn of(visit: &Visit) -> Self {
        let is_sent = visit.posted.is_set("days");
        let params: &Params = if is_sent { &visit.posted } else { &visit.query };
        let response = &visit.site.config.response;
        let field = |name: &str, now: u64| if is_sent { params.parsed(name) } else { Some(now) };
        let interval = &response.response_interval;
        Self {
            channel: params.get("channel").unwrap_or_default().to_owned(),
            days: params.parsed("days").filter(|days| DAYS.contains(days)).unwrap_or(7),
            wait: field("wait", in_minutes(response.min_wait_seconds)),
            interval: field("least", whole_seconds(interval.min))
                .zip(field("longest", whole_seconds(interval.max))),
            is_lively: if is_sent { params.is_set("lively") } else { response.dynamic_wait.enabled },
            judge: params.get("judge").unwrap_or("builtin").to_owned(),
            most: params.parsed("most").unwrap_or(ASKED).clamp(1, MOST_ASKED),
        }
    }

    /// The replay that the values mean, or why they mean none, in both languages.
    pub(super) fn order(&self, visit: &Visit) -> Result<ReplayOrder, WhyNot> {
        let channels = self.channels(visit)?;
        let now = visit.site.now();
        let from = now.saturating_sub(SignedDuration::from_hours(self.days * 24)).unwrap_or(Timestamp::MIN);
        let judge = match self.judge.as_str() {
            "rules" => ReplayJudge::Rules,
            "model" if judging_model(visit).is_some() => ReplayJudge::Model { most: self.most },
            _ => ReplayJudge::Builtin,
        };
        Ok(ReplayOrder { channels, span: (from, now), config: self.config(visit)?, judge })
    }

    fn channels(&self, visit: &Visit) -> Result<Vec<Channel>, WhyNot> {
        let seen = visit.view.channels.iter();
        if self.channel.is_empty() {
            return Ok(seen.filter(|channel| channel.kind != ChannelKind::Dm).cloned().collect());
        }
        let bare = self.channel.strip_prefix(['#', '＃']).unwrap_or(&self.channel);
        let meant: Vec<Channel> =
            seen.filter(|channel| channel.name == bare || channel.id.as_str() == bare).cloned().collect();
        if meant.len() == 1 { Ok(meant) } else { Err("common-no-such-channel-or-several") }
    }

    /// The configuration with the settings of the form.
    fn config(&self, visit: &Visit) -> Result<Config, WhyNot> {
        let wrong = || "replay-how-minutes-read";
        let wait = self.wait.filter(|wait| *wait <= LONGEST_MINUTES).ok_or_else(wrong)?;
        let (least, longest) = self
            .interval
            .filter(|(least, longest)| least <= longest && *longest <= LONGEST_SECONDS)
            .ok_or_else(wrong)?;
        let mut config = visit.site.config.clone();
        let response = &mut config.response;
        // A setting that was not changed is kept to the second, although the form shows it rounded.
        if wait != in_minutes(response.min_wait_seconds) {
            response.min_wait_seconds = wait * 60;
            let floor = &mut response.dynamic_wait.floor_wait_seconds;
            *floor = (*floor).min(wait * 60);
        }
        let interval = &mut response.response_interval;
        if (least, longest) != (whole_seconds(interval.min), whole_seconds(interval.max)) {
            (interval.min, interval.max) = (seconds_as_float(least), seconds_as_float(longest));
        }
        response.dynamic_wait.enabled = self.is_lively;
        Ok(config)
    }

    pub(super) fn form(&self, visit: &Visit) -> Markup {
        let model = judging_model(visit).filter(|_| visit.may_change());
        let number = |name: &'static str, label: &'static str, value: Option<u64>| {
            let value = value.map(|value| value.to_string()).unwrap_or_default();
            html! { div.field { label for=(name) { (label) } input id=(name) name=(name) inputmode="numeric" size="6" required value=(value); } }
        };
        let choice = |value: &'static str, words: &str| html! { option value=(value) selected[self.judge == value] { (words) } };
        html! {
            form.paper.stack method="post" action="/decisions/replay" aria-labelledby="which" {
                h2 id="which" { (visit.say("replay-which-past-which-settings")) }
                (visit.form_fields())
                div.fields {
                    div.field { label for="channel" { (visit.say("replay-channel-none-all-but-direct")) } input id="channel" name="channel" value=(self.channel); }
                    div.field {
                        label for="days" { (visit.say("common-how-far-back")) }
                        select id="days" name="days" { @for days in DAYS { option value=(days) selected[days == self.days] { (visit.say_with("common-number-of-days", &[("days", days.into())])) } } }
                    }
                }
                div.fields {
                    (number("wait", visit.say("replay-silence-before-it-considers-minutes"), self.wait))
                    (number("least", visit.say("replay-between-unasked-answers-seconds"), self.interval.map(|(least, _)| least)))
                    (number("longest", visit.say("replay-and-at-most"), self.interval.map(|(_, longest)| longest)))
                    div.choice {
                        input type="checkbox" id="lively" name="lively" value="1" checked[self.is_lively];
                        label for="lively" { (visit.say("replay-sooner-where-people-talk-much")) }
                    }
                }
                div.fields {
                    div.field {
                        label for="judge" { (visit.say("replay-who-judges")) }
                        select id="judge" name="judge" {
                            (choice("builtin", visit.say("replay-builtin-free-and-modest")))
                            (choice("rules", visit.say("replay-nobody-only-when-it-would")))
                            @if let Some(model) = &model { (choice("model", model)) }
                        }
                    }
                    @if model.is_some() { (number("most", visit.say("replay-ask-a-model-at-most"), Some(self.most))) }
                    button.go type="submit" { (visit.say("replay-judge-it-again")) }
                }
                p.quiet { (visit.say("replay-nothing-is-said-and-nothing")) }
            }
        }
    }

    /// The same values again, hidden in the form that confirms.
    pub(super) fn hidden(&self) -> Markup {
        let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        let (least, longest) =
            self.interval.map_or((None, None), |(least, longest)| (Some(least), Some(longest)));
        html! {
            @for (name, value) in [
                ("channel", self.channel.clone()), ("days", self.days.to_string()), ("wait", number(self.wait)),
                ("least", number(least)), ("longest", number(longest)), ("judge", self.judge.clone()),
                ("most", self.most.to_string()),
            ] { input type="hidden" name=(name) value=(value); }
            @if self.is_lively { input type="hidden" name="lively" value="1"; }
        }
    }
}

/// A sentence that says which past was judged, and with which settings.
pub(super) fn order_in_words(visit: &Visit, order: &ReplayOrder) -> String {
    let (from, until) = order.span;
    let times = visit.times();
    let days = format!("{} – {}", times.date(times.day_of(from)), times.date(times.day_of(until)));
    let place = match &order.channels[..] {
        [one] => format!("#{}", one.name),
        all => visit.say_with("common-number-of-channels", &[("channels", all.len().into())]),
    };
    let response = &order.config.response;
    let wait = in_minutes(response.min_wait_seconds);
    let least = whole_seconds(response.response_interval.min);
    let longest = whole_seconds(response.response_interval.max);
    let judge = match order.judge {
        ReplayJudge::Rules => visit.say("replay-nobody-judges").to_owned(),
        ReplayJudge::Builtin => visit.say("replay-builtin-judges").to_owned(),
        ReplayJudge::Model { .. } => {
            visit.say_with("replay-judged-by", &[("model", judging_model(visit).unwrap_or_default().into())])
        }
    };
    visit.say_with(
        "replay-told",
        &[
            ("place", place.into()),
            ("days", days.into()),
            ("wait", wait.to_string().into()),
            ("least", least.to_string().into()),
            ("longest", longest.to_string().into()),
            ("judge", judge.into()),
        ],
    )
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds of a configuration, at most ten years"
)]
fn whole_seconds(seconds: f64) -> u64 {
    seconds.round().max(0.0) as u64
}

#[expect(clippy::cast_precision_loss, reason = "seconds of a configuration, at most ten years")]
const fn seconds_as_float(seconds: u64) -> f64 {
    seconds as f64
}

/// Converts seconds to minutes, rounded to the nearest.
const fn in_minutes(seconds: u64) -> u64 {
    (seconds + 30) / 60
}
