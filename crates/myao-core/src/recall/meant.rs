//! Finds the people whom a name means.

use super::named::{plain_name, without_honorific};
use crate::chat::User;

/// Everybody whom a name means. It is compared with ids; if that finds nobody, with whole names, then with the words of
/// names, then with parts of names. If several people have the name, all of them are meant. Width, case, kana and a
/// leading `@` make no difference, and if nobody is called so, neither does さん and the like behind it.
pub fn people_with_name<'p>(name: &str, people: &'p [User]) -> Vec<&'p User> {
    let wanted = plain_name(name);
    let found = people_called(&wanted, people);
    match without_honorific(&wanted).filter(|_| found.is_empty()) {
        Some(bare) => people_called(bare, people),
        None => found,
    }
}

fn people_called<'p>(wanted: &str, people: &'p [User]) -> Vec<&'p User> {
    if wanted.is_empty() {
        return Vec::new();
    }
    // People who have the same name are shown with their ids: `Noor (U1)`.
    let id = wanted.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).map(|(_, id)| id);
    let is_id = |user: &&User| {
        let is = |id: &str| user.id.as_str().eq_ignore_ascii_case(id);
        is(wanted) || id.is_some_and(is)
    };
    let is_called = |user: &&User| plain_name(&user.name) == wanted;
    let has_word = |user: &&User| {
        plain_name(&user.name).split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted)
    };
    let has_part = |user: &&User| plain_name(&user.name).contains(wanted);
    let tries: [&dyn Fn(&&User) -> bool; 4] = [&is_id, &is_called, &has_word, &has_part];
    let found = tries.into_iter().map(|is_meant| people.iter().filter(is_meant).collect::<Vec<_>>());
    found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}
