//! Mission files: markdown that says what should be true, with what code has to know in front. Pure.
//!
//! A file never acts and grants no right: it names the robots its mission may ask for, and what has to be done before.
//!
//! No way leads from here to a robot:
//! ```compile_fail
//! use bridge::RobotLink;
//! ```

mod code;
mod front;
mod hidden;
pub mod lifecycle;

use robot::{MissionId, RobotId};

pub use code::MissionCode;
pub use hidden::{HiddenKind, HiddenText, hidden_text};

/// The largest mission file, in bytes.
const FILE_BYTES_MAX: usize = 256 * 1024;
/// The largest front matter, in bytes.
const FRONT_BYTES_MAX: usize = 16 * 1024;
/// The longest title, in characters.
const TITLE_CHARS_MAX: usize = 120;
/// The line that opens and closes the front matter.
const FENCE: &str = "---";

/// The mission files that come with the simulated site: id and text.
pub const EXAMPLES: [(&str, &str); 2] = [
    ("calibrate-arm", include_str!("../../../missions/calibrate-arm.md")),
    ("security-patrol", include_str!("../../../missions/security-patrol.md")),
];

/// A mission file that was read and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissionFile {
    /// The file's stem.
    pub id: MissionId,
    /// From the front matter, else the first heading, else the id.
    pub title: String,
    /// The only robots this mission may command, at most 16; none means it moves nothing.
    pub robots: Vec<RobotId>,
    /// Missions that have to be completed before this one starts, at most 64.
    pub depends_on: Vec<MissionId>,
    /// The text below the front matter, as written.
    pub body: String,
    /// Places at which the file hides text from a reader at a screen; a person is told of them before activating it.
    pub hidden: Vec<HiddenText>,
}

/// A refusal of a text as a mission file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct MissionError {
    /// `too_large`, `unclosed_front_matter`, `bad_front_matter`, `unknown_key`, `duplicate_key` or `out_of_range`.
    pub code: &'static str,
    /// Line of the file, from 1.
    pub line: usize,
    /// The expected form, a sentence.
    pub message: String,
}

/// Reads the text of `missions/<id>.md`. A file without front matter is valid: its text is the mission.
pub fn parse(id: MissionId, text: &str) -> Result<MissionFile, MissionError> {
    if text.len() > FILE_BYTES_MAX {
        return Err(error("too_large", 1, format!("a mission file has at most {FILE_BYTES_MAX} bytes")));
    }
    let Source { front, body } = split(text)?;
    let front = front.map(front::read).transpose()?.unwrap_or_default();
    front::check(&front, &id)?;
    let title = front.title.map(|title| title.value).or_else(|| heading(body)).unwrap_or_else(|| id.to_string());
    let robots = front.robots.map(|robots| robots.value).unwrap_or_default();
    let depends_on = front.depends_on.map(|missions| missions.value).unwrap_or_default();
    Ok(MissionFile { id, title, robots, depends_on, body: body.to_owned(), hidden: hidden_text(text) })
}

/// The two parts of a file. The front matter starts with the end of its opening line, so that YAML counts the lines of
/// the file.
struct Source<'a> {
    front: Option<&'a str>,
    body: &'a str,
}

fn split(text: &str) -> Result<Source<'_>, MissionError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let Some(opening) = lines.next().filter(|line| line.trim_end() == FENCE) else {
        return Ok(Source { front: None, body: text });
    };
    let mut end = opening.len();
    for line in lines {
        if line.trim_end() == FENCE {
            let front = text.get(opening.trim_end().len()..end).unwrap_or_default();
            if front.len() > FRONT_BYTES_MAX {
                return Err(error("too_large", 1, format!("the front matter has at most {FRONT_BYTES_MAX} bytes")));
            }
            return Ok(Source { front: Some(front), body: text.get(end + line.len()..).unwrap_or_default() });
        }
        end += line.len();
    }
    Err(error("unclosed_front_matter", 1, "expected a second line '---'"))
}

/// The first heading of the text, cut to the length of a title.
fn heading(body: &str) -> Option<String> {
    let heading = body.lines().find_map(|line| line.strip_prefix("# "))?.trim();
    Some(heading.chars().take(TITLE_CHARS_MAX).collect()).filter(|title: &String| !title.is_empty())
}

fn error(code: &'static str, line: usize, message: impl Into<String>) -> MissionError {
    MissionError { code, line, message: message.into() }
}

#[cfg(test)]
mod tests;
