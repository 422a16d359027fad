//! `places`: which rule holds where, told by stories; and what a wrong one is told.

mod stories;

use myao_config::{Config, PlaceKey, Remembered};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, PlaceFacts, PlaceKind},
    judgment::QuietHours,
};

use crate::loaded::{complaint, config, load};

fn hours(hours: Option<QuietHours>) -> String {
    let time = |time: jiff::civil::Time| time.strftime("%H:%M").to_string();
    hours.map_or_else(|| "none".to_owned(), |hours| format!("{}-{}", time(hours.from), time(hours.to)))
}

#[test]
fn without_rules_everything_holds_everywhere() {
    let config = config(
        "budget: {daily_tokens: 100}\npersona: {name: m, system_prompt: p, quiet_hours: '22:00-07:00'}\n",
    );
    assert!(config.places.are_none());
    let facts = PlaceFacts::new(Channel {
        id: ChannelId::new("C1"),
        name: "hall".into(),
        kind: ChannelKind::Public,
        external: false,
    });
    let policy = config.policy_in(&facts);
    assert_eq!((policy.remember.value, policy.remember.key), (Remembered::Chapters, None));
    assert_eq!((policy.budget.value, policy.budget.key.as_deref()), (None, Some("budget.daily_tokens")));
    assert_eq!(policy.model.value, config.agents.response.model_id);
    assert_eq!(policy.min_wait_seconds.value, config.response.min_wait_seconds);
    assert_eq!(hours(policy.quiet_hours.value), "22:00-07:00");
    let usual = config.manners(7);
    assert_eq!(config.places.manners_in(&facts, &usual), Some(usual));
}

#[test]
fn a_wait_that_is_shorter_than_the_floor_is_kept() {
    let config =
        config("places: {'#hall': {manners: {min_wait_seconds: 5}}, dm: {manners: {unasked: false}}}\n");
    let of = |id: &str, kind| {
        PlaceFacts::new(Channel { id: ChannelId::new(id), name: "hall".into(), kind, external: false })
    };
    let usual = config.manners(7);
    let manners = config.places.manners_in(&of("C1", ChannelKind::Public), &usual).unwrap();
    assert!((manners.min_wait_seconds - 5.0).abs() < f64::EPSILON);
    assert!(manners.liveliness.unwrap().floor_seconds <= 5.0);
    // Its own rule says nothing of that, so the one of its kind holds.
    assert_eq!(config.places.manners_in(&of("D1", ChannelKind::Dm), &usual), None);
}

#[test]
fn keys_are_kinds_ids_or_names() {
    let parsed = |text: &str| PlaceKey::parse(text);
    assert_eq!(parsed("group_dm"), Some(PlaceKey::Kind(PlaceKind::GroupDm)));
    assert_eq!(parsed("#dm"), Some(PlaceKey::Name("dm".into())), "a channel may be called like a kind");
    assert_eq!(parsed("＃役員"), Some(PlaceKey::Name("役員".into())));
    assert_eq!(parsed("C0123456789"), Some(PlaceKey::Id("C0123456789".into())));
    for wrong in ["exec", "#", "# ", "役員", "dms", "C 1", ""] {
        assert_eq!(parsed(wrong), None, "{wrong}");
    }
}

#[test]
fn what_is_wrong_is_told_at_once_with_its_line() {
    let text = "budget: {daily_tokens: 100}
places:
  exec: {budget: 5}
  '#exec': {budget: lots, remember: everything, colour: red, manners: {unasked: maybe, quiet_hours: noon}}
  dm: 5
  public: {model: gpt-4o}
  '＃hall': {budget: 60}
  C1: {budget: 60}
";
    insta::assert_snapshot!(complaint(text), @r#"
    config.yaml:2: places: the budgets of channels come to 120 tokens a day, and budget.daily_tokens is 100
    config.yaml:3: places.exec: expected a key that is `#` and a channel's name in quotes, a channel's id as in C0123456789, or a kind of place: `public`, `private`, `dm`, `group_dm` or `external`, found another one
    config.yaml:4: places.#exec.budget: expected a whole number from 0 to 1000000000000, found text
    config.yaml:4: places.#exec.manners.unasked: expected true or false, found text
    config.yaml:4: places.#exec.manners.quiet_hours: expected two different times, as in "22:00-07:30", or `none`, found text
    config.yaml:4: places.#exec.remember: expected `chapters` or `nothing`, found text
    config.yaml:4: places.#exec.colour: unknown key
    config.yaml:5: places.dm: expected a map of keys, found 5
    config.yaml:6: places.public.model: expected `builtin` or provider/model, as in openai/gpt-4o, found text
    "#);
    let twice = "places: {'#a': {budget: 1}, '＃a': {budget: 2}}\n";
    assert_eq!(complaint(twice), "config.yaml:1: places: two rules are for `#a`");
    let of_kinds =
        "budget: {daily_tokens: 100}\nplaces: {'#a': {budget: 60}, C1: {budget: 40}, dm: {budget: 90}}\n";
    assert!(load(of_kinds, &[]).is_ok(), "a kind's budget is only a limit");
}

#[test]
fn a_run_follows_budgets_and_manners_alone() {
    let before = config("places: {'#exec': {budget: 5, remember: nothing}, dm: {model: builtin}}\n");
    let after = "places:\n  '#exec': {budget: 9, remember: chapters, model: builtin, manners: {unasked: false}}\n  \
                 '#hall': {budget: 1, remember: nothing}\n";
    let followed = before.following(config(after));
    let told: Vec<String> = followed
        .places
        .iter()
        .map(|rule| format!("{} {:?} {:?} {}", rule.key, rule.budget, rule.remember, rule.model.is_some()))
        .collect();
    assert_eq!(told, ["#exec Some(9) Some(Nothing) false", "#hall Some(1) None false", "dm None None true"]);
    let old = load("places: {'#exec': {budget: 5, remember: nothing}}\n", &[]).unwrap();
    let changes = load(after, &[]).unwrap().changes_since(&old);
    let told: Vec<(String, bool)> =
        changes.into_iter().map(|change| (change.key, change.is_followed)).collect();
    let expected = [
        ("places.#exec.budget", true),
        ("places.#exec.manners.unasked", true),
        ("places.#exec.model", false),
        ("places.#exec.remember", false),
        ("places.#hall.budget", true),
        ("places.#hall.remember", false),
    ];
    assert_eq!(told, expected.map(|(key, followed)| (key.to_owned(), followed)));
}

#[test]
fn an_empty_rule_is_none() {
    let config: Config = config("places:\n  dm:\n  '#exec': {}\n");
    let budgets: Vec<bool> = config.places.iter().map(|rule| rule.budget.is_some()).collect();
    assert_eq!(budgets, [false, false]);
    assert!(!config.places.have_budgets() && !config.places.have_manners() && !config.places.have_models());
}
