//! Lines of older memories that hold: what was said last of something comes before what was said of it before.

use jiff::civil::date;
use myao_core::{
    context::{LineInForce, ShortTerm},
    prompt::{Composer, Fragments},
    text::Language,
    wording::PromptTask,
};

use crate::prompt_sample::{full, general, names, now, templates, tokyo};

fn line(month: i8, words: &str, worth: i64) -> LineInForce {
    LineInForce { day: Some(date(2024, month, 1)), words: words.to_owned(), worth }
}

/// The lines that hold in a prompt, of at most so many tokens.
fn held(lines: &[LineInForce], lines_tokens: usize) -> Vec<String> {
    held_beside(lines, lines_tokens, "")
}

/// The same, where the newest version of the channel's memory is `newest`.
fn held_beside(lines: &[LineInForce], lines_tokens: usize, newest: &str) -> Vec<String> {
    let mut context = full(Language::En, 2);
    let own = context.channel_memories.get_mut(&general().id).unwrap();
    own.lines_in_force = lines.to_vec();
    let newest = ShortTerm { version: 99, content: newest.to_owned(), period: None };
    own.short_term_memory_history.extend((!newest.content.is_empty()).then_some(newest));
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let fragments = Fragments { lines_tokens, ..Fragments::default() };
    let prompt = composer.compose(&context, &[], now(), &PromptTask::REPLY, fragments).unwrap();
    let is_held = |told: &&str| lines.iter().any(|line| told.ends_with(&line.words));
    prompt.system.lines().filter(is_held).map(str::to_owned).collect()
}

#[test]
fn what_held_before_is_not_shown_without_what_was_said_since() {
    let fair = [
        line(3, "Ana: The Lindwell fair is on 2 May.", 40),
        line(4, "Ken: The Lindwell fair: 9 June.", 20),
        line(2, "Ken: The choir of Holm has 40 chairs.", 30),
    ];
    let shows = |lines: &[String], words: &str| lines.iter().any(|line| line.contains(words));
    let with_room: Vec<Vec<String>> = (30..150).map(|tokens| held(&fair, tokens)).collect();
    for lines in &with_room {
        assert!(!shows(lines, "2 May") || shows(lines, "9 June"), "{lines:?}");
    }
    assert!(with_room.iter().any(|lines| shows(lines, "9 June") && !shows(lines, "2 May")));
    assert_eq!(held(&fair, 1500).len(), 3, "with room for all of them, all stand there");
}

/// What was said last may be worth so little by itself that a prompt would never come to it, and may not say that it
/// changes anything.
#[test]
fn what_was_said_last_of_a_name_comes_before_what_was_said_of_it_before() {
    let old = line(1, "Ana: If the Lindwell printer eats your paper, ask Tova.", 40);
    let new = line(3, "Ken: The Lindwell printer is looked after by Edda, poor soul.", 5);
    let between = (0..300).map(|nth| line(2, &format!("Ana: Shelf {nth} holds box number {nth}."), 30));
    let lines: Vec<LineInForce> = std::iter::once(old).chain(between).chain([new]).collect();
    let shown = held(&lines, 1500);
    let place = |words: &str| shown.iter().position(|line| line.contains(words));
    assert!(place("Tova").is_some() && place("Edda").is_some(), "{shown:?}");
    let few = held(&lines, 60);
    assert!(few.iter().any(|line| line.contains("Edda")), "{few:?}");
}

#[test]
fn what_a_shown_version_tells_otherwise_of_a_later_day_does_not_hold() {
    let lines = [
        line(3, "Ana: Crates go in the post on Monday 6 May", 20),
        line(3, "Ana: Crates are stored in the shed", 20),
    ];
    assert_eq!(held(&lines, 1500).len(), 2);
    let later = "2024-04-02\n- Ken: Crates are posted on Monday 3 June; the Holm ones follow a week later";
    let shown = held_beside(&lines, 1500, later);
    assert!(matches!(&shown[..], [line] if line.contains("shed")), "{shown:?}");
    let earlier = later.replace("2024-04-02", "2024-02-02");
    assert_eq!(held_beside(&lines, 1500, &earlier).len(), 2, "what was said before replaces nothing");
}

#[test]
fn what_says_nothing_does_not_hold() {
    let lines = [line(3, "Ana: katsudon", 3), line(3, "Ken: The Lindwell fair is on 2 May.", 40)];
    let shown = held(&lines, 1500);
    assert!(matches!(&shown[..], [line] if line.contains("Lindwell")), "{shown:?}");
}
