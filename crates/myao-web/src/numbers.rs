//! Numbers as people read them.

/// Writes a number in groups of three digits: `12,345`.
pub(crate) fn digits_in_groups(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Writes a share in percent: `80 %` for 0.8.
pub(crate) fn share_in_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
