//! A mission file that was read: its parts, and everything that is wrong with it.

use robot::MissionId;

use crate::format::front::{self, Front};
use crate::format::hidden;
use crate::format::source::Source;
use crate::format::yaml;
use crate::problem::{Faults, Located, Problem, Problems};

/// The longest title, in characters.
pub(crate) use crate::format::front::TITLE_CHARS_MAX;

/// A mission file that was read, with or without problems.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The text and its parts.
    pub source: Source,
    /// The values of the keys; a wrong one has its default here and a problem below.
    pub front: Front,
    /// The keys of the front matter in the order of the file, with their places.
    pub keys: Vec<Located<String>>,
    /// Everything that is wrong.
    pub problems: Problems,
    /// The front matter as it is written; none without one, or if it is no YAML.
    pub(crate) root: Option<yaml::Node>,
}

/// Reads the bytes of a mission file. Total: what is wrong is told in [`Parsed::problems`]. A file without front matter
/// is a mission whose text is the file.
#[must_use]
pub fn parse(bytes: &[u8]) -> Parsed {
    let mut faults = Faults::default();
    let mut unreadable = None;
    let source = Source::read(bytes, &mut unreadable);
    let root = source.front().and_then(|span| yaml::read(source.text(), span, &mut faults));
    let entries = root.as_ref().map(yaml::Node::entries).unwrap_or_default();
    let front = front::read(entries, &mut faults);
    if let Some(fault) = unreadable {
        faults.add(fault);
    }
    hidden::find(&source, &mut faults);
    let keys = entries.iter().map(|entry| Located { value: entry.key.clone(), span: entry.key_span }).collect();
    let problems = faults.told(&source);
    Parsed { source, front, keys, problems, root }
}

impl Parsed {
    /// The title: from the front matter, else the first heading, else the id.
    #[must_use]
    pub fn title(&self, id: &MissionId) -> String {
        let title = self.front.title.as_ref().map(|title| title.value.clone());
        title.or_else(|| heading(self.source.body())).unwrap_or_else(|| id.to_string())
    }

    /// The errors that are told; without any, the file can be activated as far as the file alone can say.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.listed.iter().filter(|problem| problem.severity == crate::problem::Severity::Error)
    }
}

/// The first heading of the text, cut to the length of a title.
fn heading(body: &str) -> Option<String> {
    let heading = body.lines().find_map(|line| line.strip_prefix("# "))?.trim();
    Some(heading.chars().take(TITLE_CHARS_MAX).collect()).filter(|title: &String| !title.is_empty())
}
