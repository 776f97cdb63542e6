//! The text of the note files: sections, who wrote them, and what may be changed. `knowledge.md` has sections under
//! `## Title`; in `MEMORY.md` each note is one, up to its stamp.

use super::{Note, NoteError, Stamp};

/// Keeps a section from every writer but a person.
const LOCK: &str = "<!-- locked -->";
const STAMP_OPEN: &str = "<!-- ";
const STAMP_CLOSE: &str = " -->";
const HEADING: &str = "## ";
/// The trust word of untrusted text.
const UNVOUCHED: &str = "text";
/// Sections that the refusal of a full file names.
const OLDEST_NAMED: usize = 5;
/// Characters of a note that name it.
const NAME_CHARS_MAX: usize = 60;

/// The words of a section, and how far they can be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Without heading, stamp and lock.
    pub text: String,
    /// True if only a person may change it.
    pub is_locked: bool,
}

/// A section as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The heading it stands under; none in `MEMORY.md`.
    pub title: Option<String>,
    /// Without heading, stamp and lock.
    pub text: String,
    /// True if only a person may change it.
    pub is_locked: bool,
    /// Its origin; none if somebody wrote it by hand.
    pub stamp: Option<Stamp>,
}

/// The first lines of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// Lines of people and of the station.
    pub vouched: String,
    /// Lines taken from untrusted text.
    pub unvouched: String,
}

/// A piece of a file, by the lines it takes.
struct Section<'a> {
    title: Option<&'a str>,
    lines: std::ops::Range<usize>,
    is_locked: bool,
    stamp: Option<Stamp>,
}

/// The file with `note` in it.
pub(super) fn remember(text: &str, note: &Note) -> Result<String, NoteError> {
    let words = harmless(&note.text);
    let stamp = &note.stamp;
    let stamp = format!("{STAMP_OPEN}{}, {}, {}, {}{STAMP_CLOSE}", stamp.id, stamp.from, stamp.at, stamp.trust);
    let Some(title) = &note.title else { return Ok(appended(text, &format!("{words}\n{stamp}"))) };
    let Some(known) = titled(text).into_iter().find(|section| section.has_title(title)) else {
        return Ok(appended(text, &format!("{HEADING}{}\n\n{words}\n{stamp}", title.trim())));
    };
    if known.is_locked && !note.by_person {
        return Err(NoteError::Locked { title: title.trim().to_owned() });
    }
    // A person may reword a locked section, and it stays locked.
    let lock = if known.is_locked { format!("{LOCK}\n") } else { String::new() };
    let all: Vec<&str> = text.lines().collect();
    let before = all[..=known.lines.start].join("\n");
    let after = all[known.lines.end..].join("\n");
    let after = if after.is_empty() { String::new() } else { format!("\n{after}\n") };
    Ok(format!("{before}\n\n{words}\n{lock}{stamp}\n{after}"))
}

/// The section called `title`.
pub(super) fn find(text: &str, title: &str) -> Option<Written> {
    let section = titled(text).into_iter().find(|section| section.has_title(title))?;
    Some(Written { text: section.words(text), is_locked: section.is_locked })
}

/// Every section that says something, in the order of the file.
pub(super) fn all(text: &str, by_title: bool) -> Vec<Listed> {
    let sections = if by_title { titled(text) } else { stamped(text) };
    let listed = |section: Section<'_>| Listed {
        title: section.title.map(|title| title.trim().to_owned()),
        text: section.words(text),
        is_locked: section.is_locked,
        stamp: section.stamp,
    };
    sections.into_iter().map(listed).filter(|section| !section.text.is_empty() || section.title.is_some()).collect()
}

/// The sections that may be removed, oldest first; what has no stamp is oldest.
pub(super) fn oldest(text: &str, by_title: bool) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut sections = if by_title { titled(text) } else { stamped(text) };
    sections.retain(|section| !section.is_locked);
    sections.sort_by_key(|section| section.stamp.as_ref().map(|stamp| stamp.at.clone()));
    let name = |section: &Section| {
        let first = lines[section.lines.clone()].iter().find(|line| !line.trim().is_empty());
        let name = section.title.or(first.copied()).unwrap_or_default();
        name.chars().take(NAME_CHARS_MAX).collect()
    };
    sections.iter().map(name).take(OLDEST_NAMED).collect()
}

/// The first lines, trusted and untrusted ones apart. Stamps say which is which and are left out.
pub(super) fn lines(text: &str, lines_max: usize) -> Lines {
    let all: Vec<&str> = text.lines().take(lines_max).collect();
    let mut lines = Lines::default();
    for section in stamped(text) {
        // A section without a stamp was written by hand, by a person with access to the agent's folder.
        let is_vouched = section.stamp.as_ref().is_none_or(|stamp| stamp.trust != UNVOUCHED);
        let into = if is_vouched { &mut lines.vouched } else { &mut lines.unvouched };
        for line in all.iter().take(section.lines.end).skip(section.lines.start) {
            if parse_stamp(line).is_none() && !line.trim().is_empty() {
                into.push_str(line);
                into.push('\n');
            }
        }
    }
    lines
}

impl Section<'_> {
    /// Its lines in `text` without heading, stamp and lock.
    fn words(&self, text: &str) -> String {
        let heading = usize::from(self.title.is_some());
        let lines = text.lines().skip(self.lines.start + heading).take(self.lines.len() - heading);
        let words: Vec<&str> = lines.filter(|line| line.trim() != LOCK && parse_stamp(line).is_none()).collect();
        words.join("\n").trim().to_owned()
    }

    fn has_title(&self, title: &str) -> bool {
        self.title.is_some_and(|own| own.trim().to_lowercase() == title.trim().to_lowercase())
    }
}

/// Pieces that begin with a heading.
fn titled(text: &str) -> Vec<Section<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(HEADING)).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let pieces = starts.iter().zip(ends);
    pieces.map(|(start, end)| section(&lines, *start..end, lines[*start].strip_prefix(HEADING))).collect()
}

/// Pieces that end with a stamp; the last may have none.
fn stamped(text: &str) -> Vec<Section<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let stamps = (0..lines.len()).filter(|at| parse_stamp(lines[*at]).is_some()).map(|at| at + 1);
    let mut start = 0;
    let mut sections = Vec::new();
    for end in stamps.chain([lines.len()]) {
        if start < end {
            sections.push(section(&lines, start..end, None));
        }
        start = end;
    }
    sections
}

fn section<'a>(lines: &[&'a str], range: std::ops::Range<usize>, title: Option<&'a str>) -> Section<'a> {
    let own = &lines[range.clone()];
    let is_locked = own.iter().any(|line| line.trim() == LOCK);
    let stamp = own.iter().rev().find_map(|line| parse_stamp(line));
    Section { title, lines: range, is_locked, stamp }
}

fn parse_stamp(line: &str) -> Option<Stamp> {
    let inner = line.trim().strip_prefix(STAMP_OPEN)?.strip_suffix(STAMP_CLOSE)?;
    let mut parts = inner.split(", ").map(str::to_owned);
    let stamp = Stamp { id: parts.next()?, from: parts.next()?, at: parts.next()?, trust: parts.next()? };
    // A comment with more parts was not written by this program.
    parts.next().is_none().then_some(stamp)
}

/// Words that can neither begin a section nor lock one or vouch for one.
fn harmless(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace("<!--", "&lt;!--");
        if line.starts_with('#') { format!("\\{line}") } else { line }
    };
    text.trim().lines().map(line).collect::<Vec<_>>().join("\n")
}

fn appended(text: &str, piece: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { format!("{piece}\n") } else { format!("{text}\n\n{piece}\n") }
}
