//! What is worth reading of what an index found.

use myao_core::recall::{IndexSize, Matches, Postings, RecallQuestion};

/// How often a term occurs is estimated from a sample. Three rows of a name that happen to be in the sample do not make
/// it a word of every day: the rows that were found are counted.
#[test]
fn a_rare_name_counts_more_than_a_word_that_is_said_more_often() {
    let asked = "Which course at Marlstone?";
    let question = RecallQuestion::new(asked);
    let of = |beginning: &str| {
        let at = question.terms().iter().position(|term| term.text.starts_with(beginning));
        at.expect("a term of the question")
    };
    let name = of("marl");
    let word = of("cours");
    let mut holding = vec![0; question.terms().len()];
    holding[name] = 192;
    holding[word] = 64;
    let size = IndexSize { rows: 40_000, holding };
    let found = vec![
        Postings { term: name, addresses: vec![10, 20] },
        Postings { term: word, addresses: (100..180).collect() },
    ];
    let matches = Matches::new(&question, asked, &size, found);
    assert_eq!(matches.best(3, |_| true), [20, 10, 179]);
    assert_eq!(matches.best(3, |at| at != 20)[0], 10, "what is not wanted takes no place");
}
