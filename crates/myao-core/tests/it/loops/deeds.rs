//! Every deed that may be promised is known when it was done, in whatever form somebody says so.

use myao_core::text::embedded_lexicons;
use serde_json::Value;

use super::{in_thread_of, said, words_open};

const NEXT_DAY: &str = "2026-03-03T09:00";

/// Each English deed with its past and its participle.
const ENGLISH: [[&str; 3]; 70] = [
    ["send", "sent", "sent"],
    ["email", "emailed", "emailed"],
    ["mail", "mailed", "mailed"],
    ["e mail", "e mailed", "e mailed"],
    ["share", "shared", "shared"],
    ["upload", "uploaded", "uploaded"],
    ["forward", "forwarded", "forwarded"],
    ["submit", "submitted", "submitted"],
    ["deliver", "delivered", "delivered"],
    ["hand in", "handed in", "handed in"],
    ["post", "posted", "posted"],
    ["publish", "published", "published"],
    ["push", "pushed", "pushed"],
    ["attach", "attached", "attached"],
    ["bring", "brought", "brought"],
    ["return", "returned", "returned"],
    ["pay", "paid", "paid"],
    ["book", "booked", "booked"],
    ["order", "ordered", "ordered"],
    ["draft", "drafted", "drafted"],
    ["prepare", "prepared", "prepared"],
    ["write up", "wrote up", "written up"],
    ["write", "wrote", "written"],
    ["let you know", "let you know", "let you know"],
    ["get back to you", "got back to you", "got back to you"],
    ["report back", "reported back", "reported back"],
    ["follow up", "followed up", "followed up"],
    ["file", "filed", "filed"],
    ["open a ticket", "opened a ticket", "opened a ticket"],
    ["open an issue", "opened an issue", "opened an issue"],
    ["open a pr", "opened a pr", "opened a pr"],
    ["submit a pr", "submitted a pr", "submitted a pr"],
    ["invite", "invited", "invited"],
    ["schedule", "scheduled", "scheduled"],
    ["organise", "organised", "organised"],
    ["organize", "organized", "organized"],
    ["set up", "set up", "set up"],
    ["ask", "asked", "asked"],
    ["remind", "reminded", "reminded"],
    ["finish", "finished", "finished"],
    ["have it ready", "had it ready", "had it ready"],
    ["take care of", "took care of", "taken care of"],
    ["handle", "handled", "handled"],
    ["fix", "fixed", "fixed"],
    ["check", "checked", "checked"],
    ["look at", "looked at", "looked at"],
    ["look into", "looked into", "looked into"],
    ["review", "reviewed", "reviewed"],
    ["update", "updated", "updated"],
    ["clean", "cleaned", "cleaned"],
    ["repair", "repaired", "repaired"],
    ["translate", "translated", "translated"],
    ["collect", "collected", "collected"],
    ["pick up", "picked up", "picked up"],
    ["buy", "bought", "bought"],
    ["release", "released", "released"],
    ["merge", "merged", "merged"],
    ["deploy", "deployed", "deployed"],
    ["print", "printed", "printed"],
    ["cancel", "cancelled", "canceled"],
    ["reserve", "reserved", "reserved"],
    ["sign", "signed", "signed"],
    ["contact", "contacted", "contacted"],
    ["talk to", "talked to", "talked to"],
    ["speak to", "spoke to", "spoken to"],
    ["confirm", "confirmed", "confirmed"],
    ["answer", "answered", "answered"],
    ["reply", "replied", "replied"],
    ["respond", "responded", "responded"],
    ["work on", "worked on", "worked on"],
];

/// The entries of a list of `loops.json`.
fn list(folder: &str, name: &str) -> Vec<Value> {
    let file = embedded_lexicons().iter().find(|file| file.folder == folder && file.topic == "loops");
    let file: Value = serde_json::from_str(file.expect("a file").text).expect("JSON");
    file[name]["words"].as_array().expect("words").clone()
}

/// Whether a promise is open, and closed by what its author says later, in its thread and beside it.
fn is_closed_by(promise: &str, later: &str) -> bool {
    let opened = said("c", "10:00", "ann", promise);
    assert_eq!(words_open(std::slice::from_ref(&opened), NEXT_DAY).len(), 1, "{promise}");
    let later = said("c", "15:00", "ann", later);
    let in_thread = [opened.clone(), in_thread_of(&opened, later.clone())];
    words_open(&in_thread, NEXT_DAY).is_empty() && words_open(&[opened, later], NEXT_DAY).is_empty()
}

#[test]
fn every_english_deed_is_closed_by_its_past() {
    let mut missed = Vec::new();
    for entry in list("en", "deeds") {
        let deed = entry[0].as_str().expect("a deed");
        let [_, past, participle] = ENGLISH
            .into_iter()
            .find(|[known, ..]| *known == deed)
            .unwrap_or_else(|| panic!("{deed} has no past here"));
        let (verb, rest) =
            past.split_once(' ').map_or((past, String::new()), |(verb, rest)| (verb, format!(" {rest}")));
        let promise = format!("I'll {deed} the cake tomorrow.");
        let mut letters = past.chars();
        let capital: String =
            letters.next().iter().flat_map(|first| first.to_uppercase()).chain(letters).collect();
        let mut told = vec![
            format!("{capital} the cake."),
            format!("I've {participle} it."),
            format!("I {past} the cake."),
        ];
        // Pick it up, hand it in: what stands behind the verb may stand behind its object.
        if ["up", "in", "back"].contains(&rest.trim()) {
            told.push(format!("{verb} it{rest}"));
        }
        missed.extend(told.into_iter().filter(|told| !is_closed_by(&promise, told)));
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn every_japanese_deed_is_closed_by_its_past() {
    let mut missed = Vec::new();
    for entry in list("ja", "verbs") {
        let [polite, te, plain] = [0, 1, 2].map(|nth| entry[nth].as_str().expect("a form"));
        let (stem, past) = te.strip_suffix('て').map_or_else(
            || (te.trim_end_matches('で'), te.replace('で', "だ")),
            |stem| (stem, format!("{stem}た")),
        );
        let short = if te.ends_with('て') { "と" } else { "ど" };
        let told = [
            format!("{polite}ました"),
            format!("{past}よ"),
            format!("{te}おきました"),
            format!("{stem}{short}きました！"),
            format!("{stem}{short}いたよ"),
            format!("ケーキ、{te}あります"),
            format!("ケーキは{polite}済みです"),
        ];
        for promise in [
            format!("明日、ケーキを{polite}ます。"),
            format!("ケーキを{te}おきます。"),
            format!("明日、ケーキを{plain}ね"),
        ] {
            missed.extend(
                told.iter()
                    .filter(|told| !is_closed_by(&promise, told))
                    .map(|told| format!("{promise} {told}")),
            );
        }
    }
    for entry in list("ja", "nouns") {
        let noun = entry[0].as_str().expect("a noun");
        for end in [
            "しました",
            "いたしました",
            "したよ",
            "しておきました",
            "しといたよ",
            "済みです",
            "済です",
            "完了です",
            "してあります",
            "ができました",
        ] {
            let (promise, told) = (format!("明日、ケーキを{noun}します。"), format!("ケーキを{noun}{end}"));
            missed.extend((!is_closed_by(&promise, &told)).then(|| format!("{promise} {told}")));
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

/// A wish, a condition and a request are not the past they look like.
#[test]
fn what_only_looks_like_a_past_closes_nothing() {
    for (promise, later) in [
        ("I'll let you know about the budget by Friday.", "Let me know about the hall"),
        ("金曜までに予算案を送ります。", "会場の図面も出したいです"),
        ("金曜までに予算案を送ります。", "送ったら知らせます"),
        ("金曜までに予算案を送ります。", "送りたくない気分です"),
    ] {
        assert!(!is_closed_by(promise, later), "{promise} {later}");
    }
}
