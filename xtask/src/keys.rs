//! Writes the pages of all keys of the configuration from the examples, which tests compare with what the program reads.

use std::{fmt::Write as _, fs};

use anyhow::Context as _;

/// A page, and the example that it is made from.
pub(crate) struct KeyPage {
    pub(crate) example: &'static str,
    pub(crate) page: &'static str,
    heading: &'static str,
    introduction: &'static str,
    columns: &'static str,
    /// What stands between two lines of a comment.
    between: &'static str,
}

pub(crate) const PAGES: [KeyPage; 2] = [
    KeyPage {
        example: "config.yaml.example",
        page: "docs/keys.md",
        heading: "Every key of the configuration",
        introduction: "Written by `cargo xtask keys` from [`config.yaml.example`](../config.yaml.example), which a test \
                       compares with what the program reads. A value in parentheses is an example: without it the key \
                       is off. What the keys do stands in [Configuration](configuration.md).",
        columns: "| key | meaning | default |",
        between: " ",
    },
    KeyPage {
        example: "config.yaml.ja.example",
        page: "docs/ja/keys.md",
        heading: "設定のすべての項目",
        introduction: "[`config.yaml.ja.example`](../../config.yaml.ja.example) から `cargo xtask keys` が書いたページです。\
                       見本の項目は、プログラムの読むものとテストで照らし合わせています。括弧の中の値は例で、書かなければ\
                       無効です。項目の働きは[設定](configuration.md)にあります。",
        columns: "| 項目 | 意味 | 既定値 |",
        between: "",
    },
];
/// Comments that begin further right than this go on with the comment of the line before.
const FAR_RIGHT: usize = 30;

/// One key of an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyRow {
    /// With the names of the sections in front: `slack.bot_token`, `budget.prices[].model`.
    pub(crate) path: String,
    pub(crate) value: String,
    pub(crate) is_off: bool,
    meaning: String,
}

/// Writes the pages into the working directory.
///
/// # Errors
/// When an example cannot be read, or a page not written.
pub fn write_pages() -> anyhow::Result<()> {
    for page in &PAGES {
        let example = fs::read_to_string(page.example).context(page.example)?;
        fs::write(page.page, page.text(&example)).context(page.page)?;
    }
    Ok(())
}

impl KeyPage {
    /// The page for this text of its example.
    pub(crate) fn text(&self, example: &str) -> String {
        let mut text = format!("# {}\n\n{}\n", self.heading, self.introduction);
        for section in rows(example, self.between).chunk_by(|_, row| row.path.contains('.')) {
            let Some((head, rows)) = section.split_first() else { continue };
            let _written = write!(text, "\n## `{}`\n", head.path);
            if !head.meaning.is_empty() && head.value.is_empty() {
                let _written = write!(text, "\n{}\n", head.meaning);
            }
            let told = if rows.is_empty() { section } else { rows };
            let _written = write!(text, "\n{}\n|---|---|---|\n", self.columns);
            for row in told.iter().filter(|row| !row.value.is_empty() || !row.meaning.is_empty()) {
                let value = match (row.value.as_str(), row.is_off) {
                    ("", _) => String::new(),
                    (value, true) => format!("(`{value}`)"),
                    (value, false) => format!("`{value}`"),
                };
                let meaning = row.meaning.replace('|', "\\|");
                let _written = writeln!(text, "| `{}` | {meaning} | {value} |", row.path);
            }
        }
        text
    }
}

/// The keys of an example, in order, each once.
pub(crate) fn rows(example: &str, between: &str) -> Vec<KeyRow> {
    let mut rows: Vec<KeyRow> = Vec::new();
    let mut sections: Vec<(usize, String)> = Vec::new();
    let mut above: Vec<String> = Vec::new();
    for line in example.lines() {
        let (line, is_off) = switched_on(line);
        let body = line.trim_start();
        let mut indent = line.len() - body.len();
        if let Some(comment) = body.strip_prefix("# ") {
            match rows.last_mut().filter(|_| indent > FAR_RIGHT) {
                Some(last) => last.meaning = format!("{}{between}{comment}", last.meaning),
                None => above.push(comment.to_owned()),
            }
        } else if let Some((key, rest)) = key_of(body.trim_start_matches("- ")) {
            let is_item = body.starts_with("- ");
            indent += if is_item { 2 } else { 0 };
            sections.retain(|(other, _)| *other < indent);
            if let Some((_, section)) =
                sections.last_mut().filter(|(_, name)| is_item && !name.ends_with("[]"))
            {
                section.push_str("[]");
            }
            let name =
                sections.last().map_or_else(|| key.to_owned(), |(_, section)| format!("{section}.{key}"));
            let (value, comment) = rest.split_once("# ").unwrap_or((rest, ""));
            above.extend(Some(comment.to_owned()).filter(|comment| !comment.is_empty()));
            let value = Some(value.trim()).filter(|value| *value != "|").unwrap_or_default().to_owned();
            let meaning =
                if above.is_empty() { meaning_elsewhere(&rows, &name) } else { above.join(between) };
            let row = KeyRow { path: name.clone(), value, is_off, meaning };
            if !rows.iter().any(|known| known.path == name) {
                rows.push(row);
            }
            sections.push((indent, name));
            above.clear();
        } else {
            above.clear();
        }
    }
    rows
}

/// What a key of the same name means in another part of its section: it is told once.
fn meaning_elsewhere(rows: &[KeyRow], name: &str) -> String {
    let ends =
        |path: &str| (path.split('.').next().map(str::to_owned), path.rsplit('.').next().map(str::to_owned));
    let same = rows.iter().find(|row| name.matches('.').count() > 1 && ends(&row.path) == ends(name));
    same.map(|row| row.meaning.clone()).unwrap_or_default()
}

/// A line as it is with its key switched on, and whether it is switched off.
fn switched_on(line: &str) -> (String, bool) {
    match line.strip_prefix('#') {
        Some(rest) if rest.starts_with(' ') && key_of(rest.trim_start()).is_some() => {
            (format!(" {rest}"), true)
        }
        _ => (line.to_owned(), false),
    }
}

/// A key, and what stands behind its colon.
fn key_of(body: &str) -> Option<(&str, &str)> {
    let (key, rest) = body.split_once(':')?;
    let is_name = key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_') && !key.is_empty();
    (is_name && (rest.is_empty() || rest.starts_with(' '))).then_some((key, rest))
}
