//! The part of a mission file that the station acts on today. A file that asks for more is refused: a limit or a goal that
//! nothing enforces must not look as if it were in force.

use robot::{MissionId, RobotId};

use crate::hidden::{HiddenText, hidden_text};
use crate::parsed::parse;
use crate::problem::ProblemCode;

/// The keys that the station acts on.
const ACTED_ON: [&str; 3] = ["title", "robots", "depends_on"];

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
    /// The word of a [`ProblemCode`].
    pub code: &'static str,
    /// Line of the file, from 1.
    pub line: usize,
    /// Sentences that say what is wrong and what to write.
    pub message: String,
}

impl MissionFile {
    /// Reads the text of `missions/<id>.md`. A file without front matter is valid: its text is the mission.
    ///
    /// # Errors
    /// The first problem of the file, hidden text apart, which is told in `hidden`; or a key that the station does not act
    /// on.
    pub fn read(id: MissionId, text: &str) -> Result<Self, MissionError> {
        let parsed = parse(text.as_bytes());
        if let Some(problem) = parsed.errors().find(|problem| problem.code != ProblemCode::HiddenText) {
            let key = problem.key.as_ref().map_or_else(String::new, |key| format!("`{key}`: "));
            let message = format!("{key}{} {}", problem.message, problem.help);
            return Err(MissionError { code: problem.code.into(), line: problem.start.line, message });
        }
        let error = |code: ProblemCode, byte: usize, message: String| MissionError {
            code: code.into(),
            line: parsed.source.position(byte).line,
            message,
        };
        if let Some(key) = parsed.keys.iter().find(|key| !ACTED_ON.contains(&key.value.as_str())) {
            let message = format!("The station does not act on `{}`. Remove the key.", key.value);
            return Err(error(ProblemCode::UnknownKey, key.span.from, message));
        }
        if let Some(itself) = parsed.front.depends_on.iter().find(|mission| mission.value == id) {
            let message = "A mission cannot depend on itself. Remove its id from `depends_on`.".to_owned();
            return Err(error(ProblemCode::OutOfRange, itself.span.from, message));
        }
        let body = parsed.source.body().to_owned();
        let title = parsed.title(&id);
        let robots = parsed.front.robots.into_iter().map(|robot| robot.value).collect();
        let depends_on = parsed.front.depends_on.into_iter().map(|mission| mission.value).collect();
        Ok(Self { id, title, robots, depends_on, body, hidden: hidden_text(text) })
    }
}
