//! Words that are to be forgotten, and where they stand in what is shown.

use myao_core::forget::SoughtWords;
use proptest::prelude::*;

fn marked(words: &SoughtWords, text: &str) -> Vec<String> {
    words
        .places(text)
        .into_iter()
        .map(|place| text.get(place).expect("whole characters").to_owned())
        .collect()
}

#[test]
fn places_are_those_of_the_text_as_it_was_written() {
    let words = SoughtWords::anywhere("Blue  BOX").expect("words");
    let text = "The ｂｌｕｅ\n box, a bluebox, and the blue box.";
    assert_eq!(marked(&words, text), ["ｂｌｕｅ\n box", "blue box"]);
    let words = SoughtWords::anywhere("ドア").expect("words");
    assert_eq!(marked(&words, "どあと、ﾄﾞｱ。ドアー"), ["どあ", "ﾄﾞｱ", "ドア"]);
}

#[test]
fn a_name_is_marked_as_a_whole_word_alone() {
    let words = SoughtWords::name("Ann").expect("words");
    assert_eq!(marked(&words, "Anna and Ann, Joann; ANN"), ["Ann", "ANN"]);
}

proptest! {
    /// What is shown as going is what goes: words that are looked for are marked, and nothing else is.
    #[test]
    fn words_are_marked_where_they_are_found(words in "[a-cＡあア ]{1,4}", text in "[a-dＡあアー \n]{0,40}", is_name: bool) {
        let sought = if is_name { SoughtWords::name(&words) } else { SoughtWords::anywhere(&words) };
        let Some(sought) = sought else { return Ok(()) };
        let places = sought.places(&text);
        prop_assert_eq!(!places.is_empty(), sought.stand_in(&text));
        let mut behind = 0;
        for place in places {
            prop_assert!(behind <= place.start && place.start < place.end);
            behind = place.end;
            let alone = SoughtWords::anywhere(text.get(place).expect("whole characters")).expect("words");
            prop_assert_eq!(alone, SoughtWords::anywhere(&words).expect("words"));
        }
    }
}
