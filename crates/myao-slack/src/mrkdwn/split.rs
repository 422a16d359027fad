//! Splits a long text into several posts.

/// The most characters of one post. Slack takes 40,000 and recommends 4,000; what is escaped counts as it is
/// written.
pub const MOST_CHARS: usize = 3_500;
/// Closes a code block that is cut, and opens it again.
const FENCE: &str = "```";
/// Characters kept free for closing a code block and opening it again.
const FENCE_ROOM: usize = 8;
/// The fewest characters that posts are cut to.
const FEWEST_CHARS: usize = 64;
/// Characters of a mark or entity that is not cut. Ours are shorter; a longer one is cut like words.
const MOST_MARK_CHARS: usize = 2_500;

/// Cuts a text of Slack's markup into posts of at most [`MOST_CHARS`] characters: between paragraphs where
/// it can, else between lines, else between characters, never inside a link or an escaped character. A code
/// block that is cut is closed and opened again. Nothing is lost but white space around the cuts.
pub fn split_into_posts(text: &str) -> Vec<String> {
    parts_of(text, MOST_CHARS)
}

/// Does the same with another number of characters, of which there have to be some more than a code block's marks take.
pub fn parts_of(text: &str, most_chars: usize) -> Vec<String> {
    let mut posts = PostSplitter::of(most_chars.max(FEWEST_CHARS));
    for paragraph in split_into_paragraphs(text) {
        posts.add_paragraph(&paragraph);
    }
    posts.close();
    posts.done
}

/// The paragraphs of a text, which empty lines separate. A code block belongs to one paragraph, even with empty lines.
fn split_into_paragraphs(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line == FENCE {
            in_code = !in_code;
        }
        if line.trim().is_empty() && !in_code {
            all.extend((!lines.is_empty()).then(|| lines.join("\n")));
            lines.clear();
        } else {
            lines.push(line);
        }
    }
    all.extend((!lines.is_empty()).then(|| lines.join("\n")));
    all
}

struct PostSplitter {
    /// The most characters of one post.
    most: usize,
    done: Vec<String>,
    open: String,
    /// Characters of `open`.
    length: usize,
    in_code: bool,
}

impl PostSplitter {
    fn of(most: usize) -> Self {
        Self { most, done: Vec::new(), open: String::new(), length: 0, in_code: false }
    }

    fn add_paragraph(&mut self, paragraph: &str) {
        let length = paragraph.chars().count();
        let gap = if self.open.is_empty() { "" } else { "\n\n" };
        if self.length + gap.len() + length <= self.most {
            self.push(gap);
            self.push(paragraph);
            return;
        }
        self.close();
        if length <= self.most {
            self.push(paragraph);
            return;
        }
        for line in paragraph.split('\n') {
            self.add_line(line);
        }
    }

    fn add_line(&mut self, line: &str) {
        let is_fence = line == FENCE;
        let pieces = pieces_of_line(line, self.most - 2 * FENCE_ROOM);
        for (nth, piece) in pieces.iter().enumerate() {
            let gap = if nth > 0 || self.open.is_empty() { "" } else { "\n" };
            let room = if is_fence { 0 } else { FENCE_ROOM };
            if self.length + gap.len() + piece.chars().count() + room > self.most {
                self.close();
                self.reopen();
            } else {
                self.push(gap);
            }
            self.push(piece);
        }
        if is_fence {
            self.in_code = !self.in_code;
        }
    }

    /// Begins the next post with the code block that was cut.
    fn reopen(&mut self) {
        if self.in_code {
            self.push(FENCE);
            self.push("\n");
        }
    }

    fn close(&mut self) {
        let mut post = std::mem::take(&mut self.open);
        self.length = 0;
        if self.in_code {
            post.push('\n');
            post.push_str(FENCE);
        }
        if !post.trim().is_empty() {
            self.done.push(post);
        }
    }

    fn push(&mut self, text: &str) {
        self.open.push_str(text);
        self.length += text.chars().count();
    }
}

/// A line in pieces of at most `most` characters, none of which ends inside a link or an escaped character.
fn pieces_of_line(line: &str, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut length = 0;
    for atom in atoms_of_line(line, most.min(MOST_MARK_CHARS)) {
        let size = atom.chars().count();
        if length + size > most {
            all.push(String::new());
            length = 0;
        }
        if let Some(piece) = all.last_mut() {
            piece.push_str(atom);
        }
        length += size;
    }
    all
}

/// The pieces of a line that cannot be cut: links, escaped characters, single characters.
///
/// A mark ends before the next one begins, so that a text full of beginnings is still read in linear time.
fn atoms_of_line(line: &str, most_chars: usize) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let tail = rest.get(first.len_utf8()..)?;
        let end = match first {
            '<' => {
                tail.find(['<', '>']).filter(|end| tail.get(*end..).is_some_and(|end| end.starts_with('>')))
            }
            '&' => tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '#'),
            _ => None,
        };
        let end = end.filter(|end| first != '&' || tail.get(*end..).is_some_and(|end| end.starts_with(';')));
        let whole = end.and_then(|end| rest.get(..=end + first.len_utf8()));
        let whole = whole.filter(|atom| atom.chars().count() <= most_chars);
        let atom = whole.or_else(|| rest.get(..first.len_utf8()))?;
        rest = rest.strip_prefix(atom)?;
        Some(atom)
    })
}
