//! Numbers as bars. Their lengths are attributes of SVG, because the content security policy of our pages forbids
//! inline styles.

use maud::{Markup, html};

/// The height of a chart of columns, in units of its view box.
const HEIGHT: u64 = 60;
/// The width of a column and the gap beside it.
const STEP: u64 = 20;

/// A part of a bar: its class in the style sheet, and its number.
pub(crate) type BarPart = (&'static str, u64);

/// A bar with several parts; its full width stands for `whole`. It is hidden from screen readers, since the numbers
/// stand beside it.
pub(crate) fn bar_of_parts(parts: &[BarPart], whole: u64) -> Markup {
    let whole = whole.max(1);
    let mut at = 0;
    let mut rects = Vec::new();
    for (class, number) in parts.iter().filter(|(_, number)| *number > 0) {
        let width = (number.saturating_mul(1000) / whole).max(4).min(1000_u64.saturating_sub(at));
        rects.push((*class, at, width));
        at = at.saturating_add(width).saturating_add(3);
    }
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.k0 y="8.6" width="1000" height="1.4" {}
            @for (class, x, width) in &rects { rect class=(class) x=(x) width=(width) height="10" {} }
        }
    }
}

/// A chart with a column for each number and its name; `label` says the same in a sentence.
pub(crate) fn columns_with_names(numbers: &[(String, u64)], label: &str) -> Markup {
    let most = numbers.iter().map(|(_, number)| *number).max().unwrap_or_default().max(1);
    let width = u64::try_from(numbers.len()).unwrap_or_default().saturating_mul(STEP).max(STEP);
    let height = |number: u64| number.saturating_mul(HEIGHT - 4) / most;
    html! {
        svg.chart viewBox=(format!("0 0 {width} {HEIGHT}")) preserveAspectRatio="none" role="img" aria-label=(label) {
            @for ((name, number), nth) in numbers.iter().zip(0_u64..).filter(|((_, number), _)| *number > 0) {
                rect.k1 x=(nth * STEP + 3) y=(HEIGHT - height(*number).max(1)) width=(STEP - 6)
                    height=(height(*number).max(1)) { title { (name) } }
            }
            rect.k0 y=(HEIGHT - 1) width=(width) height="1" {}
        }
    }
}

/// An entry of a legend: what a class of a bar stands for.
pub(crate) fn legend_entry(class: &str, name: &str) -> Markup {
    html! { span class=(format!("key {class}")) { span { (name) } } }
}
