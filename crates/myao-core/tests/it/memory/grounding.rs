//! What a model's text may say: what was said, and what follows from it (specification §2.2).

mod english;
mod japanese;
mod measured;

use myao_core::{
    chat::{MessageTs, Speaker},
    memory::{Expectation, Refusal, accept_response},
    ports::{Material, MemoryEntry, Request, Response, Role, StopReason, TalkLine, Turn, Usage},
    text::Language,
    wording::lines_as_text,
};

/// A stretch of invented talk, texts that a good model may write about it, and texts that say what nobody said.
struct Talk {
    /// When, who, what.
    lines: &'static [(&'static str, &'static str, &'static str)],
    good: &'static [&'static str],
    bad: &'static [&'static str],
}

impl Talk {
    fn request(&self, language: Language) -> Request {
        request_about(language, self.lines.iter().copied())
    }
}

/// A request for a memory of talk: when it was said, who says it, and what.
pub(super) fn request_about<'t>(
    language: Language,
    talk: impl Iterator<Item = (&'t str, &'t str, &'t str)>,
) -> Request {
    let line = |(n, (when, name, text)): (i64, (&str, &str, &str))| TalkLine {
        channel: None,
        ts: MessageTs::from_micros(n),
        when: when.to_owned(),
        thread: None,
        name: name.to_owned(),
        speaker: Speaker::Person,
        text: text.to_owned(),
        mark: None,
        found: None,
        explains: Vec::new(),
    };
    let lines: Vec<TalkLine> = (1..).zip(talk).map(line).collect();
    let user = lines_as_text(&lines);
    request(language, user, Material::Talk { existing: String::new(), lines })
}

pub(super) fn request(language: Language, user: String, material: Material) -> Request {
    Request {
        system: "You keep the record of a chat. Begin lines with a day, as in 2001-02-03.".to_owned(),
        turns: vec![Turn::User(user)],
        material,
        target_tokens: 300,
        ..Request::new(Role::Memory, "chapter", language)
    }
}

pub(super) fn judge(request: &Request, text: &str) -> Result<String, Refusal> {
    let response = Response {
        text: text.to_owned(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::End,
        usage: Usage::default(),
    };
    let expectation = Expectation {
        language: Some(request.language),
        system: &request.system,
        existing: None,
        target_tokens: request.target_tokens,
        request: Some(request),
        check_collapse: false,
    };
    accept_response(&response, &expectation)
}

fn talks() -> impl Iterator<Item = (Language, &'static Talk)> {
    let english = english::TALKS.iter().map(|talk| (Language::En, talk));
    english.chain(japanese::TALKS.iter().map(|talk| (Language::Ja, talk)))
}

/// Dates in other forms, what "tomorrow" was, counts, names with titles, in other scripts and in short.
#[test]
fn good_summaries_pass() {
    let mut refused = Vec::new();
    for (language, talk) in talks() {
        let request = talk.request(language);
        for text in talk.good {
            if let Err(refusal) = judge(&request, text) {
                refused.push(format!("{refusal}\n{text}"));
            }
        }
    }
    assert!(refused.is_empty(), "{} good texts refused:\n{}", refused.len(), refused.join("\n\n"));
}

/// Invented people and places, another day, another year, another number, another time.
#[test]
fn what_nobody_said_is_refused() {
    let mut passed = Vec::new();
    for (language, talk) in talks() {
        let request = talk.request(language);
        for text in talk.bad {
            let verdict = judge(&request, text);
            if !matches!(verdict, Err(Refusal::Ungrounded { .. })) {
                passed.push(format!("{verdict:?}\n{text}"));
            }
        }
    }
    assert!(passed.is_empty(), "{} bad texts passed:\n{}", passed.len(), passed.join("\n\n"));
}

#[test]
fn there_are_enough_samples_of_each() {
    for language in [Language::En, Language::Ja] {
        let of = |count: fn(&Talk) -> usize| -> usize {
            talks().filter(|(spoken, _)| *spoken == language).map(|(_, talk)| count(talk)).sum()
        };
        assert!(of(|talk| talk.good.len()) >= 20, "{language:?}");
        assert!(of(|talk| talk.bad.len()) >= 20, "{language:?}");
    }
}

/// A reason stands in the journal after the words are removed: it counts, and quotes nothing.
#[test]
fn a_reason_quotes_nothing() {
    let [talk, ..] = &english::TALKS;
    let text = "- 2026-03-12 Sarah pays 777 euros to Wolfgang Petersen on 2026-05-05 at 11:45.";
    let refusal = judge(&talk.request(Language::En), text).expect_err("invented");
    assert_eq!(refusal, Refusal::Ungrounded { names: 3, numbers: 1, dates: 2 });
    assert_eq!(
        refusal.to_string(),
        "the answer holds what nobody said: 3 names, 1 numbers, 2 dates or times"
    );
}

/// An example in the instructions is no source; what stands in a memory is, with the days it speaks of.
#[test]
fn memories_are_sources_and_instructions_are_none() {
    let entry = MemoryEntry {
        label: "#garden".to_owned(),
        period: Some(("2026-03-01".to_owned(), "2026-03-05".to_owned())),
        text: "- 2026-03-04 Ola: the fence comes tomorrow, 88 posts".to_owned(),
    };
    let existing = "- 2026-02-10 Per: the shed is green (until 2026-02-20)".to_owned();
    let material = Material::Memories { existing, entries: vec![entry] };
    let request = request(Language::En, "# New memories".to_owned(), material);
    let good = "- 2026-02-10 Per: the shed was green (until 20 February 2026).\n\
                - 2026-03-05 The fence with its 88 posts arrives, says Ola in #garden.";
    assert_eq!(judge(&request, good), Ok(good.to_owned()));
    for bad in [
        "- 2001-02-03 The fence arrives.",
        "- 2026-03-04 Ola: the fence has 89 posts.",
        "- 2026-03-04 The fence of Gustavo comes.",
    ] {
        assert!(matches!(judge(&request, bad), Err(Refusal::Ungrounded { .. })), "{bad}");
    }
}

/// A small model wrote this: it copied what it was to fold together, with our headings.
#[test]
fn memories_that_are_copied_with_their_headings_are_refused() {
    let entry = |text: &str| MemoryEntry {
        label: String::new(),
        period: Some(("2026-03-01".to_owned(), "2026-03-05".to_owned())),
        text: text.to_owned(),
    };
    let entries = vec![entry("- Ola: the fence comes"), entry("- Per: the shed is green")];
    let user = "# New memories\n\n## Memory 1 (2026-03-01 10:00)\n\n- Ola: the fence comes\n\n\
                ## Memory 2 (2026-03-02 10:00 – 2026-03-05 11:00)\n\n- Per: the shed is green\n\n## #garden";
    let material = Material::Memories { existing: String::new(), entries };
    let request = request(Language::En, user.to_owned(), material);
    let copied = "## Memory 1 (2026-03-01 10:00)\n- Ola: the fence comes\n\n\
                  ## Memory 2 (2026-03-02 10:00 – 2026-03-05 11:00)\n- Per: the shed is green";
    assert_eq!(judge(&request, copied), Err(Refusal::Echo));
    let ordered =
        "- Ola: the fence comes\n\n## Memory 1 (2026-03-01 10:00)\n\n## #garden\n- Per: the shed is green";
    assert_eq!(judge(&request, ordered), Ok(ordered.to_owned()), "headings may order a text");
}

#[test]
fn a_text_that_goes_round_in_circles_is_refused() {
    let [talk, ..] = &english::TALKS;
    let request = talk.request(Language::En);
    let line = "- 2026-03-12 Hanna: the caterer wants an answer by tomorrow.\n";
    let other = "- 2026-03-12 Ken_b: the hall is free on the 28th.\n";
    let phrase = "and the hall is free then ";
    for text in
        [line.repeat(4), format!("{other}{}", line.repeat(3)), format!("{other}- Hanna {}", phrase.repeat(8))]
    {
        assert_eq!(judge(&request, &text), Err(Refusal::Looping), "{text}");
    }
    let [talk, ..] = &japanese::TALKS;
    let request = talk.request(Language::Ja);
    let text = format!("- 2026-03-12 田中は{}", "会議室を予約しました。".repeat(7));
    assert_eq!(judge(&request, &text), Err(Refusal::Looping));
    // A line said twice, a laugh, and rows that differ in their words are no loops.
    for text in [
        format!("{line}{line}{other}"),
        "- 2026-03-12 Hanna: ha ha ha ha ha ha ha ha ha ha, the caterer!".to_owned(),
        "- 2026-03-12 Hanna says yes\n- 2026-03-12 Ruth says yes\n- 2026-03-12 Ken_b says yes".to_owned(),
    ] {
        assert!(judge(&Talk::request(&english::TALKS[0], Language::En), &text).is_ok(), "{text}");
    }
}

/// Cut off or not: a model that loops is not asked for less in the same dialogue.
#[test]
fn a_loop_is_found_before_its_length() {
    let [talk, ..] = &english::TALKS;
    let request = talk.request(Language::En);
    let response = Response {
        text: "- 2026-03-12 Hanna: the caterer wants an answer.\n".repeat(300),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::Length,
        usage: Usage::default(),
    };
    let expectation = Expectation {
        language: Some(Language::En),
        system: &request.system,
        existing: None,
        target_tokens: 300,
        request: Some(&request),
        check_collapse: false,
    };
    let refusal = accept_response(&response, &expectation).expect_err("refused");
    assert_eq!(refusal, Refusal::Looping);
    assert!(!refusal.wants_less() && refusal.is_of_content());
}

/// A long stretch of talk, message after message, each about something else.
fn long_talk() -> Vec<TalkLine> {
    let things = "lantern ladder kettle bucket carpet mirror saddle hammock trellis anvil bellows compass drawer easel \
                  funnel gutter hinge inkwell jigsaw kiln loom mallet needle organ";
    let places = "attic barn cellar dairy entrance forge granary hall icehouse kitchen larder mill nursery orchard pantry \
                  quarry roof stable tower veranda workshop yard zoo archive";
    let colours = "amber bronze copper denim ebony fawn golden hazel indigo jade khaki lilac maroon navy olive pink quartz \
                   russet scarlet teal umber violet white yellow";
    let about = things.split_whitespace().zip(places.split_whitespace()).zip(colours.split_whitespace());
    (0..)
        .zip(about)
        .map(|(n, ((thing, place), colour))| TalkLine {
            channel: None,
            ts: MessageTs::from_micros(n),
            when: "2026-03-12 09:02".to_owned(),
            thread: None,
            name: format!("member{}", n % 3),
            speaker: Speaker::Person,
            text: format!(
                "the {colour} {thing} that we carried from the {place} is broken, so the {thing} has to go back to the \
                 {place} before anybody paints the rest of it {colour}, and we need a new {thing}"
            ),
            mark: None,
            found: None,
            explains: Vec::new(),
        })
        .collect()
}

#[test]
fn a_copy_of_the_talk_is_refused_and_a_quotation_is_not() {
    let lines = long_talk();
    let copy = |count: usize| lines_as_text(lines.get(..count).expect("there"));
    let request = request(
        Language::En,
        lines_as_text(&lines),
        Material::Talk { existing: String::new(), lines: lines.clone() },
    );
    let request = Request { target_tokens: 2000, ..request };
    assert_eq!(judge(&request, &copy(20)), Err(Refusal::Copied));
    let bullets: Vec<String> = lines.iter().take(12).map(|line| format!("- {}", line.text)).collect();
    assert_eq!(judge(&request, &bullets.join("\n")), Err(Refusal::Copied));
    assert!(judge(&request, &copy(2)).is_ok(), "two messages are a quotation");
    // Every third message, as builtin would choose them, is a selection.
    let chosen: Vec<String> = lines.iter().step_by(3).map(|line| format!("- {}", line.text)).collect();
    assert!(judge(&request, &chosen.join("\n")).is_ok());
}
