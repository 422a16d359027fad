//! The workspace's memory says what the channels' memories in the same prompt do not (specification §3).

use myao_core::{
    chat::ChannelId,
    context::{ChannelMemory, Context},
    prompt::{Composer, Item, Prompt},
    text::Language,
};

use crate::prompt_sample::{full, names, now, templates, tokyo};

const LUNCH: &str = "- 2026-01-15 Alice: Lunch is at twelve from Monday on";
const BUDGET: &str = "- 2026-01-20 Bob: The budget for hardware is 4,000 euros";
const RETREAT: &str = "- 2026-02-03 Carol: Everybody meets in Lyon on 5 June";

/// #random and #money each with a long-term memory, and the workspace's memory.
fn workspace(text: &str) -> Context {
    let mut context = full(Language::En, 3);
    for (id, name, memory) in [("C2", "random", LUNCH), ("C3", "money", BUDGET)] {
        let id = ChannelId::new(id);
        let memory = ChannelMemory::new(id.clone(), name).with_long_term(Some(memory.to_owned()));
        context.channel_memories.insert(id, memory);
    }
    context.workspace_long_term_memory = Some(text.to_owned());
    context
}

fn compose(context: &Context, max_tokens: usize) -> Prompt {
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
    composer.reply(context, &[], now()).expect("a prompt")
}

/// The lines of a channel, as they stand in the workspace's memory.
fn labelled(line: &str, label: &str) -> String {
    let (date, words) = line.trim_start_matches("- ").split_once(' ').expect("a date");
    format!("- {date} {label} {words}")
}

#[test]
fn what_a_shown_channel_says_is_not_said_of_the_workspace_again() {
    let text =
        [labelled(LUNCH, "#random"), labelled(RETREAT, "#other"), labelled(BUDGET, "#money")].join("\n");
    let prompt = compose(&workspace(&text), 8000);
    assert!(prompt.shown.contains(&Item::Workspace), "{:?}", prompt.shown);
    for (said, times) in [("Lunch is at twelve", 1), ("4,000 euros", 1), ("Everybody meets in Lyon", 1)] {
        assert_eq!(prompt.system.matches(said).count(), times, "{said}: {}", prompt.system);
    }
    assert!(prompt.system.contains("2026-02-03 #other Carol: Everybody meets"), "{}", prompt.system);
}

#[test]
fn what_is_left_out_of_a_channel_stays_in_the_workspace_s_memory() {
    let text = [labelled(LUNCH, "#random"), labelled(BUDGET, "#money")].join("\n");
    let mut context = workspace(&text);
    // #random's memory is too long to be shown, #money's is shown.
    let long = format!("{LUNCH}\n{}", "- 2026-01-16 Alice: The kitchen is closed for the day\n".repeat(400));
    let random = context.channel_memories.get_mut(&ChannelId::new("C2")).expect("#random");
    random.long_term_memory = Some(long);
    let prompt = compose(&context, 1500);
    assert!(!prompt.shown.contains(&Item::LongTerm(ChannelId::new("C2"))), "{:?}", prompt.shown);
    assert!(prompt.system.contains("2026-01-15 #random Alice: Lunch is at twelve"), "{}", prompt.system);
    assert_eq!(prompt.system.matches("4,000 euros").count(), 1, "{}", prompt.system);
}

#[test]
fn where_the_channels_say_all_of_it_there_is_no_memory_of_the_workspace() {
    let text = [labelled(LUNCH, "#random"), labelled(BUDGET, "#money")].join("\n");
    let prompt = compose(&workspace(&text), 8000);
    let listed = prompt.left_out.iter().any(|left| left.item == Item::Workspace);
    assert!(!prompt.shown.contains(&Item::Workspace) && !listed, "{:?} {:?}", prompt.shown, prompt.left_out);
    assert!(!prompt.system.contains("#random Alice"), "{}", prompt.system);
    let none = compose(&Context { workspace_long_term_memory: None, ..workspace("") }, 8000);
    assert_eq!(prompt.system, none.system);
}

/// Headings and dates that nothing stands under any more go as well; other lines stay as they were written.
#[test]
fn headings_stand_above_what_is_left() {
    let text = [
        "# Workspace",
        "## Places",
        "2026-01-15",
        "- #random Alice: Lunch is at twelve from Monday on",
        "2026-02-03",
        "- Everybody meets in Lyon",
        "  on 5 June",
        "",
        "## Money",
        "- 2026-01-20 Bob: The budget for hardware is 4,000 euros",
        "## Mood",
        "A quiet month.",
    ]
    .join("\n");
    let prompt = compose(&workspace(&text), 8000);
    let shown = prompt.system.split("Everybody meets").next().expect("a beginning");
    assert!(shown.contains("Places") && !shown.contains("2026-01-15\n"), "{shown}");
    assert!(shown.contains("2026-02-03\n"), "{shown}");
    assert!(prompt.system.contains("A quiet month."), "{}", prompt.system);
    assert!(!prompt.system.contains("Money\n"), "{}", prompt.system);
}

/// What happened again is not the same line.
#[test]
fn the_same_words_of_another_day_are_said() {
    let again = labelled(LUNCH, "#other").replace("2026-01-15", "2026-02-20");
    let prompt = compose(&workspace(&[labelled(LUNCH, "#random"), again].join("\n")), 8000);
    assert!(prompt.system.contains("- 2026-02-20 #other Alice: Lunch is at twelve"), "{}", prompt.system);
    assert!(!prompt.system.contains("#random Alice"), "{}", prompt.system);
}

/// No line is taken for a heading that only looks like one, and no form changes where nothing is repeated.
#[test]
fn what_is_not_repeated_stays_to_the_letter() {
    let own = "## Places\n\n- Everybody meets in Lyon\n#travel knows the trains\n\n\n2026-03-01\nA quiet month.\n#mood";
    let prompt = compose(&workspace(own), 8000);
    let guarded = own.replace("\n#", "\n  #").replacen("## ", "  ## ", 1);
    assert!(prompt.system.contains(&guarded), "{}", prompt.system);
    let prompt = compose(&workspace(&format!("{}\n{own}", labelled(LUNCH, "#random"))), 8000);
    for said in ["Places", "#travel knows the trains", "2026-03-01\nA quiet month.\n  #mood"] {
        assert!(prompt.system.contains(said), "{said}: {}", prompt.system);
    }
    assert!(!prompt.system.contains("#random Alice"), "{}", prompt.system);
}

/// A memory that was cut gives back the room it took, not the room that all of it would have taken.
#[test]
fn a_prompt_is_not_filled_beyond_its_size_by_what_was_cut() {
    let long: Vec<String> =
        (0..60).map(|n| format!("- 2026-01-15 Alice: The pump in house {n} is repaired on Monday")).collect();
    let again: Vec<String> = long.iter().map(|line| labelled(line, "#random")).collect();
    let mut context = workspace(&again.join("\n"));
    let other = context.channel_memories.get_mut(&ChannelId::new("C2")).expect("another channel");
    other.long_term_memory = Some(long.join("\n"));
    for n in 10..30 {
        let id = ChannelId::new(format!("C{n}"));
        let text: Vec<String> = (0..12).map(|k| format!("- Bob counts the boxes of row {n}{k}")).collect();
        let memory = ChannelMemory::new(id.clone(), format!("hall{n}")).with_long_term(Some(text.join("\n")));
        context.channel_memories.insert(id, memory);
    }
    let sizes: Vec<usize> = (1000..4000).step_by(100).collect();
    let prompts: Vec<Prompt> = sizes.iter().map(|max_tokens| compose(&context, *max_tokens)).collect();
    assert!(prompts.iter().zip(&sizes).all(|(prompt, most)| prompt.tokens <= *most));
    let is_cut = |prompt: &Prompt| prompt.system.contains(" more characters)");
    assert!(prompts.iter().any(is_cut), "in some size the workspace's memory is cut");
}
