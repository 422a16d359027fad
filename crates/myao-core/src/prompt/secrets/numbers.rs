//! Check digits: they tell the number of a card or of a person from any other number of the same length.

/// The weights of the first eleven digits of a My Number, the number that Japan gives each person.
const MY_NUMBER_WEIGHTS: [u32; 11] = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/// Which check a number has to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NumberCheck {
    /// Luhn's check of ISO/IEC 7812-1, which card numbers pass.
    Luhn,
    /// The check of My Number.
    MyNumber,
}

impl NumberCheck {
    /// Whether the digits of `text` pass it.
    pub(super) fn passes(self, text: &[u8]) -> bool {
        let digits: Vec<u32> = text.iter().filter_map(|byte| char::from(*byte).to_digit(10)).collect();
        // One digit repeated may pass a check, but is nobody's number.
        if digits.windows(2).all(|pair| pair.first() == pair.last()) {
            return false;
        }
        match self {
            Self::Luhn => luhn(&digits),
            Self::MyNumber => my_number(&digits),
        }
    }
}

fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit < 5 { digit * 2 } else { digit * 2 - 9 };
    let sum: u32 = (digits.iter().rev().enumerate())
        .map(|(place, digit)| if place % 2 == 1 { doubled(*digit) } else { *digit })
        .sum();
    sum.is_multiple_of(10)
}

fn my_number(digits: &[u32]) -> bool {
    let Some((last, first)) = digits.split_last().filter(|(_, first)| first.len() == MY_NUMBER_WEIGHTS.len())
    else {
        return false;
    };
    let sum: u32 = first.iter().zip(MY_NUMBER_WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    let rest = sum % 11;
    *last == if rest <= 1 { 0 } else { 11 - rest }
}
