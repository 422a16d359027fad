//! Planted facts: drawn, put into talk, and found again.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Message, MessageKind, MessageTs, UserId},
    recall::{FoldedText, terms_in_order},
    text::Language,
};
use myao_testkit::facts::{
    ChangeKept, Fact, FactSet, FactTemplate, draw_facts, draw_more_facts, draw_small_talk,
    draw_unheard_questions, draw_unsaid_questions, fact_words, is_kept, kept_of_change, plant_facts,
    shares_lines,
};

const DAY: i64 = 24 * 3600;
const BOTH: [Language; 2] = [Language::En, Language::Ja];

fn terms(text: &str) -> BTreeSet<String> {
    let terms = terms_in_order(&FoldedText::new(text)).into_iter().filter(|term| !term.is_weak);
    terms.map(|term| term.text).collect()
}

fn facts(language: Language, is_held_out: bool) -> Vec<Fact> {
    draw_facts(FactSet { language, is_held_out, lasting: 40, changing: 40, seed: 1 })
}

#[test]
fn a_third_of_the_templates_is_held_out() {
    for language in BOTH {
        let templates = fact_words(language).templates;
        assert!(templates.len() >= 15, "{} templates", templates.len());
        let held_out = templates.iter().filter(|template| template.is_held_out).count();
        assert_eq!(held_out * 3, templates.len());
    }
}

#[test]
fn questions_share_words_with_their_fact_or_only_its_name() {
    // The name between spaces, so that no pair of characters reaches over its border.
    let said = |text: &str| terms(&text.replace("{name}", " ").replace("{value}", " ").replace("{old}", " "));
    let shared = |template: &FactTemplate, question: &str| -> Vec<String> {
        let words = &said(template.said) | &said(template.changed.unwrap_or_default());
        said(question).intersection(&words).cloned().collect()
    };
    for template in BOTH.iter().flat_map(|language| fact_words(*language).templates) {
        assert!(!shared(template, template.asked).is_empty(), "{}", template.asked);
        let shared = shared(template, template.asked_otherwise);
        assert!(shared.is_empty(), "{} shares {shared:?} with {}", template.asked_otherwise, template.said);
    }
}

#[test]
fn drawn_facts_differ_in_every_value() {
    for (language, is_held_out) in [(BOTH[0], false), (BOTH[0], true), (BOTH[1], false), (BOTH[1], true)] {
        let facts = facts(language, is_held_out);
        assert_eq!(facts.iter().filter(|fact| fact.change.is_none()).count(), 40);
        assert_eq!(facts.iter().filter(|fact| fact.change.is_some()).count(), 40);
        let later = facts.iter().filter_map(|fact| fact.change.as_ref()).map(|change| &change.value);
        let values: Vec<&str> =
            facts.iter().map(|fact| &fact.value).chain(later).map(|value| value.text.as_str()).collect();
        assert_eq!(values.iter().collect::<BTreeSet<_>>().len(), values.len());
        let questions: BTreeSet<&str> = facts.iter().map(|fact| fact.question.as_str()).collect();
        assert_eq!(questions.len(), facts.len());
        let shared = facts.iter().filter(|fact| fact.shares_words).count();
        assert!((30..=50).contains(&shared), "{shared} questions share words");
        for fact in &facts {
            let said = fact.change.as_ref().map_or(&fact.said, |change| &change.said);
            assert!(!fact.question.contains(['{', '}']) && !said.contains(['{', '}']), "{said}");
            assert!(is_kept(said, fact), "{said}");
        }
    }
}

#[test]
fn what_nothing_is_due_to_is_asked_of_nothing_that_is_planted() {
    for (language, is_held_out) in [(BOTH[0], false), (BOTH[0], true), (BOTH[1], false), (BOTH[1], true)] {
        let set = FactSet { language, is_held_out, lasting: 40, changing: 40, seed: 1 };
        let planted = facts(language, is_held_out);
        let unheard = draw_unheard_questions(set);
        let more = draw_more_facts(set, 9);
        let small_talk = draw_small_talk(set);
        assert!(unheard.len() >= 9 && small_talk.len() >= 9, "{} {}", unheard.len(), small_talk.len());
        assert_eq!(more.len(), 9);
        for question in &unheard {
            let named = fact_words(language).names.iter().filter(|name| question.contains(**name));
            assert_eq!(named.count(), 0, "{question}");
        }
        let unsaid = draw_unsaid_questions(set);
        for fact in &more {
            let is_other = |other: &Fact| other.question != fact.question && other.value != fact.value;
            assert!(planted.iter().all(is_other), "{}", fact.question);
            assert!(!unsaid.contains(&fact.question), "{}", fact.question);
        }
        let held_out = FactSet { is_held_out: !is_held_out, ..set };
        assert!(draw_small_talk(held_out).iter().all(|said| !small_talk.contains(said)));
    }
}

fn said_at(seconds: i64) -> Message {
    Message {
        channel: ChannelId::new(if seconds % (3 * DAY) == 0 { "C1" } else { "C2" }),
        ts: MessageTs::from_micros(seconds * 1_000_000),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: "well".to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

#[test]
fn facts_are_planted_inside_of_talk_at_every_age() {
    let talk: Vec<Message> = (0..365 * 24).map(|hour| said_at(hour * 3600)).collect();
    let now = MessageTs::from_micros(365 * DAY * 1_000_000);
    let facts = facts(Language::En, false);
    let planted = plant_facts(&talk, &facts, now, 7);
    assert_eq!(planted.len(), 80);
    let mut ages = [0; 4];
    for planted in &planted {
        let days = now.micros_since(planted.newest().ts) / 1_000_000 / DAY;
        ages[[7, 30, 90].iter().filter(|bound| days > **bound).count()] += 1;
        let before = talk
            .iter()
            .rev()
            .find(|message| message.channel == planted.first.channel && message.ts < planted.first.ts);
        let pause = planted.first.ts.micros_since(before.unwrap().ts);
        assert!(pause > 0 && pause <= 20_000_000, "{pause}");
        if let Some(change) = &planted.change {
            assert_eq!(change.channel, planted.first.channel);
            assert!(change.ts.micros_since(planted.first.ts) > DAY * 1_000_000);
        }
    }
    assert_eq!(ages, [10, 20, 20, 30]);
    let again = plant_facts(&talk, &facts, now, 7);
    let places = |planted: &[myao_testkit::facts::PlantedFact]| -> Vec<MessageTs> {
        planted.iter().map(|planted| planted.first.ts).collect()
    };
    assert_eq!(places(&again), places(&planted));
    assert_ne!(places(&plant_facts(&talk, &facts, now, 8)), places(&planted));
}

fn changed(name: &str, old: &str, new: &str) -> Fact {
    let mut fact = facts(Language::En, false).into_iter().find(|fact| fact.change.is_some()).unwrap();
    name.clone_into(&mut fact.name);
    fact.value.spellings = vec![old.to_owned()];
    fact.change.as_mut().unwrap().value.spellings = vec![new.to_owned()];
    fact
}

#[test]
fn a_fact_is_kept_by_one_line_or_two_neighbours() {
    let fact = changed("Brackenford", "1400", "2400");
    assert!(is_kept("- The fee at brackenford is 2400 now", &fact));
    assert!(is_kept("- About Brackenford:\n\n- it is 2400", &fact));
    assert!(!is_kept("- About Brackenford:\n- something\n- it is 2400", &fact));
    assert!(!is_kept("- Brackenford 1400", &fact));
    assert!(!is_kept("- Brackenford 24001", &fact));
    assert!(!is_kept("- Brackenford 12400 or 2400th", &fact));
    let date = changed("月見橋", "1月7日", "2月8日");
    assert!(is_kept("月見橋は2月8日に", &date));
    assert!(!is_kept("月見橋は12月8日に", &date));
}

#[test]
fn a_changed_fact_is_told_from_what_held_before() {
    let fact = changed("Brackenford", "1400", "2400");
    let state = |text: &str| kept_of_change(text, &fact);
    assert_eq!(state("Brackenford 2400"), ChangeKept::New);
    assert_eq!(state("Brackenford: 2400, no longer 1400"), ChangeKept::New);
    assert_eq!(state("Brackenford 1400 (until 2026-03-14)\nmore\nBrackenford 2400"), ChangeKept::BothMarked);
    assert_eq!(state("Brackenford 1400（2026-03-14まで）\nmore\nBrackenford 2400"), ChangeKept::BothMarked);
    assert_eq!(state("Brackenford 1400 until you tell\nBrackenford 2400"), ChangeKept::Both);
    assert_eq!(
        state("Brackenford 1400 (until 2026-03-14)\nBrackenford 1400\nBrackenford 2400"),
        ChangeKept::Both
    );
    assert_eq!(state("Brackenford 1400"), ChangeKept::OnlyOld);
    assert_eq!(state("Brackenford 1400 (until 2026-03-14)"), ChangeKept::OldMarked);
    assert_eq!(state("Brackenford 1400（2026-03-14まで）\nmore\nBrackenford 1400"), ChangeKept::OnlyOld);
    assert_eq!(state("Brackenford"), ChangeKept::Neither);
}

#[test]
fn a_message_is_held_by_lines_with_most_of_its_terms() {
    let lines = |text: &str| -> Vec<BTreeSet<String>> { text.lines().map(terms).collect() };
    let message = terms("kettle broken kitchen repair tomorrow");
    assert_eq!(message.len(), 5);
    assert!(shares_lines(&lines("kettle broken kitchen"), &message));
    assert!(shares_lines(&lines("nothing\nkettle broken\nkitchen"), &message));
    assert!(!shares_lines(&lines("kettle broken\nnothing\nkitchen"), &message));
    assert!(!shares_lines(&lines("anything"), &BTreeSet::new()));
}
