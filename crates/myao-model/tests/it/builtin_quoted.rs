//! Words that somebody quotes, forwards, pastes or posts for others are told as theirs.

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Names, Visibility},
    memory::lines_of_text,
    text::Language,
    wording::{TalkFormat, messages_as_lines},
};
use myao_testkit::whose_words::make_talk_of_others;

use crate::asking::{day, entry, merge, talk, text, told};

/// Messages that are summarised together.
const CHAPTER: usize = 40;

#[test]
fn each_statement_of_made_talk_stays_in_its_mouth() {
    for language in [Language::En, Language::Ja] {
        let made = make_talk_of_others(language, 84, 3);
        let again = make_talk_of_others(language, 84, 3);
        assert_eq!((&made.messages, &made.statements), (&again.messages, &again.statements));
        let names = Names::new(&made.users, [&made.channel], &Visibility::Owner).for_memories();
        let format = TalkFormat { names: &names, zone: &TimeZone::UTC, language, limit: 2000 };
        let mut kept = 0;
        let mut wrong = Vec::new();
        let mut chapters = Vec::new();
        for chapter in made.messages.chunks(CHAPTER) {
            chapters.push(entry(&text(talk("", messages_as_lines(chapter, &format)), 4000)));
        }
        let long_term = merge("", &chapters, 4000);
        for memory in chapters.iter().map(|chapter| &chapter.text).chain([&long_term]) {
            for line in lines_of_text(memory) {
                for statement in &made.statements {
                    match statement.is_in_right_mouth(&line.words) {
                        Some(true) => kept += 1,
                        Some(false) => {
                            wrong.push((statement.kind, statement.owner.clone(), line.words.clone()));
                        }
                        None => {}
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(kept > made.statements.len() / 2, "{kept} of {} statements are told", made.statements.len());
    }
}

#[test]
fn each_sentence_of_somebody_else_tells_whose_it_is() {
    assert_eq!(
        told(
            "Bo wrote: I will ship the crates of the north hall on 4 May. I will also label the boxes of the kiln before Tuesday."
        ),
        [
            "Bo wrote: I will ship the crates of the north hall on 4 May",
            "Bo wrote: I will also label the boxes of the kiln before Tuesday",
        ]
    );
    assert_eq!(
        told("棒さんから：\\n5月4日に北の広間の木箱を発送します。火曜までに窯の箱にも札を貼っておきます。"),
        [
            "棒さんから：5月4日に北の広間の木箱を発送します",
            "棒さんから：火曜までに窯の箱にも札を貼っておきます"
        ]
    );
}

#[test]
fn a_mail_that_is_forwarded_is_a_quotation() {
    assert_eq!(
        told(
            "I'll answer the people of the north hall on Monday\\n---------- Forwarded message ---------\\nFrom: Zoe\\n\\nI will deliver the parts of the kiln on 3 June."
        ),
        ["I'll answer the people of the north hall on Monday"]
    );
}

/// People whose names differ in a mark only, or in the id behind them, are not the same.
#[test]
fn names_that_are_much_alike_stay_apart() {
    let long = "Wilhelmina Alexandra Featherstonehaugh";
    let lines = format!(
        "10:00 _tim: I'll repair the kiln of the north hall on Monday\n10:01 tim: I decided to sell the green press on 4 May\n\
         10:02 {long} (U1): I'll water the orchard trees every Tuesday\n10:03 {long} (U2): I cut the hawthorn hedge on 5 April"
    );
    let written = text(talk("", day("2026-03-12", &lines)), 600);
    for line in [
        "- _tim: I'll repair the kiln",
        "- tim: I decided to sell",
        "(U1): I'll water the orchard",
        "(U2): I cut the hawthorn",
    ] {
        assert!(written.contains(line), "{line}: {written}");
    }
    let folded = merge("", &[entry(&written)], 600);
    assert!(folded.contains(" _tim: I'll repair"), "{folded}");
}

/// One person calls several in one message: that is no log, and nothing is lost.
#[test]
fn words_to_several_people_stay() {
    let written = text(
        talk(
            "",
            day(
                "2026-03-12",
                "10:00 ann: bo: the kiln of the north hall is yours from Monday on\\ncy: the press stays in the cellar until 4 May",
            ),
        ),
        600,
    );
    assert!(written.contains("bo: the kiln of the north hall is yours"), "{written}");
    assert!(written.contains("cy: the press stays in the cellar until 4 May"), "{written}");
}

/// A note that another model wrote is too long for a line: each part keeps its speaker.
#[test]
fn each_part_of_a_long_note_keeps_its_speaker() {
    let long = "- Ann: I will bring the samples of the north hall to the glazier from Bergen on Monday morning with the old van of the town. \
                I decided to sell the heavy green press of the south hall to the printers of Oslo for 700 euros before the autumn fair begins. \
                I will also water the orchard trees behind the greenhouse every second Tuesday until the end of September.";
    let merged = merge("", &[entry(long)], 600);
    assert!(merged.lines().count() > 1, "{merged}");
    assert!(merged.lines().all(|line| line.contains("Ann: ")), "{merged}");
}
