//! Writes tables as text with columns aligned by spaces, since Slack has no tables.

use unicode_width::UnicodeWidthStr;

/// The width up to which columns are aligned; a wider cell moves the rest of its row. Without a limit, one wide cell would
/// make every row as wide.
const MOST_WIDTH: usize = 80;

/// Rows as lines whose columns are aligned; wide characters count two.
pub(super) fn align_columns(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0).min(MOST_WIDTH)
        })
        .collect();
    let mut lines = Vec::new();
    for (nth, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, width)| {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            format!("{cell}{gap}")
        });
        lines.push(cells.collect::<Vec<_>>().join(" | ").trim_end().to_owned());
        if nth == 0 {
            lines.push(widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("-|-"));
        }
    }
    lines.join("\n")
}
