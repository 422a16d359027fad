//! Reads from a form what somebody wants to be forgotten.

use jiff::{Timestamp, ToSpan as _, civil::Date};
use maud::{Markup, html};
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    forget::{ForgetScope, SoughtWords},
};
use myao_store::ForgetPreview;
use url::form_urlencoded;

use crate::{answer::PageError, params::Params, site::WhyNot, visit::Visit};

/// The names of the fields. Each limits what is forgotten.
const FIELDS: [&str; 5] = ["text", "user", "channel", "since", "until"];
/// The field that holds the instant up to which the person was shown what would go.
const LOOKED_AT: &str = "looked_at";
/// The field that holds the fingerprint of what the person was shown.
const SHOWN: &str = "shown";

/// The values of the fields, as they were sent.
pub(super) struct ForgetRequest {
    values: [String; 5],
    looked_at: Option<i64>,
    shown: String,
}

impl ForgetRequest {
    pub(super) fn of(params: &Params) -> Self {
        let values = FIELDS.map(|field| params.get(field).unwrap_or_default().to_owned());
        Self { values, looked_at: params.parsed(LOOKED_AT), shown: params.text(SHOWN).to_owned() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.iter().all(String::is_empty)
    }

    /// Whether the person was shown what would go, up to a fixed instant.
    pub(super) const fn has_looked(&self) -> bool {
        self.looked_at.is_some()
    }

    /// The fingerprint of what the person was shown; empty if they were shown nothing.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// The scope that the fields mean, or why they mean none, in both languages.
    pub(super) async fn scope(&self, visit: &Visit) -> Result<Result<ForgetScope, WhyNot>, PageError> {
        let [text, user, channel, since, until] = &self.values;
        if let Some((channel, ts)) = (visit.site.links.message_at)(text) {
            return Ok(Ok(ForgetScope::message(channel, ts)));
        }
        let person = match user.as_str() {
            "" => None,
            user => match find_person(visit, user).await? {
                Ok(person) => Some(person),
                Err(refusal) => return Ok(Err(refusal)),
            },
        };
        let place = match channel.as_str() {
            "" => None,
            channel => match find_channel(visit, channel) {
                Some(place) => Some(place),
                None => {
                    return Ok(Err("common-no-such-channel-or-several"));
                }
            },
        };
        let (Ok(from), Ok(before)) = (beginning_of_day(visit, since, 0), beginning_of_day(visit, until, 1))
        else {
            return Ok(Err("forget-how-a-day-reads"));
        };
        let now = MessageTs::from_timestamp(visit.site.now());
        let looked_at = self.looked_at.map_or(now, MessageTs::from_micros).min(now);
        let to = before.map_or(looked_at, |day| MessageTs::from_timestamp(day).just_before().min(looked_at));
        let from = from.map_or(MessageTs::MIN, MessageTs::from_timestamp);
        if to < from {
            return Ok(Err("forget-nothing-between"));
        }
        let until_now = before.is_none();
        let words = SoughtWords::anywhere(text);
        Ok(Ok(ForgetScope { channel: place, user: person, from, to, until_now, words }))
    }

    /// The form that asks what to forget.
    pub(super) fn form(&self, visit: &Visit) -> Markup {
        let [text, user, channel, since, until] = &self.values;
        html! {
            form.stack method="get" action="/forget" aria-labelledby="what" {
                h2 id="what" { (visit.say("forget-what-should-be-forgotten")) }
                div.fields {
                    div.grow { label for="ft" { (visit.say("forget-messages-with-these-words-or")) } input id="ft" name="text" maxlength="500" value=(text); }
                    div.field { label for="fu" { (visit.say("forget-said-by-whole-name-or")) } input id="fu" name="user" value=(user); }
                    div.field { label for="fc" { (visit.say("forget-in-channel")) } input id="fc" name="channel" value=(channel); }
                    div.field { label for="fs" { (visit.say("forget-from")) } input type="date" id="fs" name="since" value=(since); }
                    div.field { label for="fb" { (visit.say("forget-to-included")) } input type="date" id="fb" name="until" value=(until); }
                    button type="submit" { (visit.say("forget-see-what-would-go")) }
                }
            }
        }
    }

    /// The address of the page that shows what would go, up to the instant that the person was already shown.
    pub(super) fn address(&self, scope: &ForgetScope) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (field, value) in FIELDS.iter().zip(&self.values).filter(|(_, value)| !value.is_empty()) {
            query.append_pair(field, value);
        }
        query.append_pair(LOOKED_AT, &scope.to.as_micros().to_string());
        format!("/forget?{}", query.finish())
    }

    /// The same fields again, hidden in the form that confirms. Nothing that is said after the person looked is
    /// forgotten.
    pub(super) fn hidden(&self, scope: &ForgetScope, preview: &ForgetPreview) -> Markup {
        html! {
            @for (field, value) in FIELDS.iter().zip(&self.values).filter(|(_, value)| !value.is_empty()) { input type="hidden" name=(field) value=(value); }
            input type="hidden" name=(LOOKED_AT) value=(scope.to.as_micros());
            input type="hidden" name=(SHOWN) value=(preview.fingerprint());
        }
    }
}

/// The one person with this id or whole name. A part of a name is not enough: it could be somebody else's.
async fn find_person(visit: &Visit, name: &str) -> Result<Result<UserId, WhyNot>, PageError> {
    let people = visit.site.store.recall().named_people().await?;
    Ok(match &people.with_whole_name(name)[..] {
        [one] => Ok(one.id.clone()),
        [] => Err("forget-nobody-of-that-name"),
        _ => Err("forget-several-of-that-name"),
    })
}

fn find_channel(visit: &Visit, name: &str) -> Option<ChannelId> {
    let bare = name.strip_prefix(['#', '＃']).unwrap_or(name);
    if let Ok(channel) = visit.channel(bare) {
        return Some(channel.id.clone());
    }
    let mut named = visit.view.channels.iter().filter(|channel| channel.name == bare);
    named.next().filter(|_| named.next().is_none()).map(|channel| channel.id.clone())
}

/// The beginning of the day `text`, or of a day `later` days after it. `None` if `text` is empty.
fn beginning_of_day(visit: &Visit, text: &str, later: i64) -> Result<Option<Timestamp>, jiff::Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let date = text.parse::<Date>()?.checked_add(later.days())?;
    Ok(Some(date.to_zoned(visit.site.config.locale.timezone.clone())?.timestamp()))
}
