//! Numbers as bars. Lengths are attributes of SVG: the policy of our pages forbids styles in them.

use maud::{Markup, html};

/// Height of a chart of columns, in its own units.
const HEIGHT: u64 = 60;
/// Width of a column with its gap.
const STEP: u64 = 20;

/// A part of a bar: its class in the style sheet, and how much.
pub(crate) type BarPart = (&'static str, u64);

/// A bar of parts, of a width that stands for `whole`. The numbers stand beside it, so it says nothing by itself.
pub(crate) fn bar(parts: &[BarPart], whole: u64) -> Markup {
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

/// A column for each number, with what it is called; `label` says it all in a sentence.
pub(crate) fn columns(numbers: &[(String, u64)], label: &str) -> Markup {
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

/// What a class of a bar stands for.
pub(crate) fn key(class: &str, name: &str) -> Markup {
    html! { span class=(format!("key {class}")) { span { (name) } } }
}
