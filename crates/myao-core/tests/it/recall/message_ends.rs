//! Messages that were found and that a later one among them replaced.

use jiff::civil::date;
use myao_core::{
    chat::{ChannelId, Message},
    recall::ends_of_messages,
};

use crate::prompt_sample::{said, tokyo};

const DAY: i64 = 86_400;

#[test]
fn a_message_ends_on_the_day_on_which_a_later_one_says_what_changed() {
    for [first, second, third] in [
        [
            "The Palewater audit takes place on 12 April.",
            "Correction: the Palewater audit takes place on 3 May.",
            "The Palewater audit was moved to 9 June.",
        ],
        [
            "霧ヶ浦の監査は4月12日に行われます。",
            "訂正：霧ヶ浦の監査は5月3日に行われます。",
            "霧ヶ浦の監査は6月9日に変更になりました。",
        ],
    ] {
        let messages = [said(2 * DAY, 1, third), said(0, 2, first), said(DAY, 1, second)];
        let found: Vec<&Message> = messages.iter().collect();
        let ends = ends_of_messages(&found, &tokyo());
        // The day of the first that replaced it, of whatever place in the list.
        assert_eq!(ends, [None, Some(date(2026, 3, 3)), Some(date(2026, 3, 4))], "{first}");
    }
}

#[test]
fn another_matter_another_channel_and_what_was_said_before_end_nothing() {
    let old = "The Palewater audit takes place on 12 April.";
    let new = "Correction: the Palewater audit takes place on 3 May.";
    let other = "Correction: the Brackenford fair takes place on 3 May.";
    let elsewhere = Message { channel: ChannelId::new("C2"), ..said(DAY, 1, new) };
    for later in [said(DAY, 1, other), elsewhere, said(-DAY, 1, new)] {
        let earlier = said(0, 2, old);
        assert_eq!(ends_of_messages(&[&earlier, &later], &tokyo())[0], None, "{}", later.text);
    }
}
