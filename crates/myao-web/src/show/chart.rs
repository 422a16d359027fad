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

/// A column of a chart: what it is called, with its numbers, and its parts from the bottom up.
pub(crate) struct ChartColumn {
    pub(crate) name: String,
    pub(crate) parts: Vec<BarPart>,
}

impl ChartColumn {
    /// The sum of its parts.
    pub(crate) fn whole(&self) -> u64 {
        self.parts.iter().fold(0, |sum, (_, number)| sum.saturating_add(*number))
    }
}

/// Whether numbers make a chart: a single column shows nothing that its number does not.
pub(crate) fn is_worth_a_chart(columns: &[ChartColumn]) -> bool {
    columns.iter().filter(|column| column.whole() > 0).nth(1).is_some()
}

/// A chart with a column for each entry; `label` says the same in a sentence.
pub(crate) fn chart_of_columns(columns: &[ChartColumn], label: &str) -> Markup {
    let most = columns.iter().map(ChartColumn::whole).max().unwrap_or_default().max(1);
    let width = u64::try_from(columns.len()).unwrap_or_default().saturating_mul(STEP).max(STEP);
    html! {
        svg.chart viewBox=(format!("0 0 {width} {HEIGHT}")) preserveAspectRatio="none" role="img" aria-label=(label) {
            @for (column, nth) in columns.iter().zip(0_u64..).filter(|(column, _)| column.whole() > 0) {
                g {
                    title { (column.name) }
                    @for (class, y, height) in stacked_parts(column, most) {
                        rect class=(class) x=(nth * STEP + 3) y=(y) width=(STEP - 6) height=(height) {}
                    }
                }
            }
            rect.k0 y=(HEIGHT - 1) width=(width) height="1" {}
        }
    }
}

/// The class, top and height of each part of a column, from the bottom up; `most` is what the highest column stands for.
fn stacked_parts(column: &ChartColumn, most: u64) -> Vec<(&'static str, u64, u64)> {
    let mut top = HEIGHT;
    let mut placed = Vec::new();
    for (class, number) in column.parts.iter().filter(|(_, number)| *number > 0) {
        let height = (number.saturating_mul(HEIGHT - 4) / most).clamp(1, top);
        top -= height;
        placed.push((*class, top, height));
    }
    placed
}

/// A small chart of numbers beside one another, as high as a line of text; `label` says them.
pub(crate) fn chart_in_line(numbers: &[u64], label: &str) -> Markup {
    let most = numbers.iter().copied().max().unwrap_or_default().max(1);
    let column = |(number, nth): (&u64, u64)| {
        let height = (number.saturating_mul(10) / most).max(1);
        format!("M{} 10v-{height}h3v{height}", nth * 4)
    };
    let said = numbers.iter().zip(0_u64..).filter(|(number, _)| **number > 0);
    let path = said.map(column).collect::<Vec<_>>().concat();
    let width = numbers.len() * 4;
    html! {
        svg.spark viewBox=(format!("0 0 {width} 10")) preserveAspectRatio="none" role="img" aria-label=(label) {
            path.k1 d=(path) {}
        }
    }
}

/// An entry of a legend: what a class of a bar stands for.
pub(crate) fn legend_entry(class: &str, name: &str) -> Markup {
    html! { span class=(format!("key {class}")) { span { (name) } } }
}
