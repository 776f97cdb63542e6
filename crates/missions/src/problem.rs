//! Problems of a mission file: what is wrong, at which place, and what to write instead.

use robot::MissionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::format::source::Source;

/// The most problems that are told of one file; further ones are counted.
pub const PROBLEMS_MAX: usize = 100;

/// The kind of a problem. Its word on the wire is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "MissionProblemCode")]
#[ts(rename = "MissionProblemCode")]
pub enum ProblemCode {
    /// A text is no id.
    BadId,
    /// The input of a step or job is not one that its operation takes.
    BadInput,
    /// A predicate does not parse.
    BadPredicate,
    /// A time, duration or time zone is none.
    BadTime,
    /// The limits on a robot contradict one another.
    ConstraintConflict,
    /// A limit's type or parameters are wrong.
    ConstraintInvalid,
    /// Nothing writes a key of the world state that the mission looks at.
    DanglingKey,
    /// The mission waits for itself.
    DependencyCycle,
    /// There is no mission of that id.
    DependencyMissing,
    /// The mission waits for one that never completes by itself.
    DependencyNeverCompletes,
    /// A key stands in a mapping twice.
    DuplicateKey,
    /// A list names one thing twice.
    DuplicateValue,
    /// A standing approval is asked for beyond the limits in force.
    EnvelopeTooWide,
    /// The file of a mission that was activated is gone.
    FileMissing,
    /// The disk refuses to read the file.
    FileUnreadable,
    /// A key that would grant a right.
    ForbiddenKey,
    /// A step that no limit in force would let pass.
    GoalNeverAllowed,
    /// Text that a reader would not see.
    HiddenText,
    /// A mission of this id was cancelled, which is final.
    IdCancelled,
    /// Cron text does not parse.
    InvalidCron,
    /// A robot may not move for want of limits.
    MotionWithoutLimits,
    /// A limit that demands less than another one that binds already.
    NoEffect,
    /// A link, a folder, a device, or a file whose name does not end in `.md`.
    NotAFile,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// A number, or the length of a text or list, is outside its range.
    OutOfRange,
    /// A provider that is legal and odd.
    ProviderWarning,
    /// Two missions could want one part of a robot at once.
    ResourceConflict,
    /// A failure would start a mission that cannot be started so.
    SpawnMissing,
    /// A time that is over.
    TimeInPast,
    /// Lists and mappings are nested too deeply.
    TooDeep,
    /// The file, its front matter, or a part of it is too long.
    TooLarge,
    /// The folder has more mission files than count.
    TooManyFiles,
    /// The front matter has no end.
    UnclosedFrontMatter,
    /// The robot has no such actuator.
    UnknownActuator,
    /// A key that no mapping of this kind has.
    UnknownKey,
    /// There is no such operation, or a mission may not call it.
    UnknownOperation,
    /// The robot has no such part.
    UnknownResource,
    /// There is no such robot, or it is none of the mission's.
    UnknownRobot,
    /// The value is of another type than the key takes.
    WrongType,
    /// A feature of YAML that mission files do not use.
    YamlFeature,
    /// The front matter is no YAML.
    YamlSyntax,
}

impl std::fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// Weight of a problem of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "MissionSeverity")]
#[ts(rename = "MissionSeverity")]
pub enum Severity {
    /// The file cannot be activated.
    Error,
    /// A person accepts it when the file is activated.
    Warning,
}

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MissionSpan")]
pub struct Span {
    /// The first byte.
    pub from: usize,
    /// The byte behind the last.
    pub to: usize,
}

impl Span {
    /// The range from one byte to another.
    #[must_use]
    pub const fn new(from: usize, to: usize) -> Self {
        Self { from, to }
    }

    /// The part of `text` that it covers; empty if it does not fit.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.from..self.to).unwrap_or_default()
    }
}

/// A position in a file as people count: from 1, a tab being one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column in Unicode scalar values.
    pub column: usize,
    /// Column in UTF-16 code units, as editors of web pages count.
    pub column_utf16: usize,
}

/// A value together with its place in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// A place in another mission's file that a problem is about too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[schemars(rename = "MissionPlace")]
#[ts(rename = "MissionPlace")]
pub struct Related {
    /// The other mission.
    pub mission: MissionId,
    /// Line of its file, from 1.
    pub line: usize,
    /// Column in Unicode scalar values, from 1.
    pub column: usize,
    /// A sentence that says what stands there.
    pub message: String,
}

/// A problem of a mission file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Its kind.
    pub code: ProblemCode,
    /// Its weight.
    pub severity: Severity,
    /// The first character it is about.
    pub start: Position,
    /// The position behind the last.
    pub end: Position,
    /// The same place in bytes of the file.
    pub bytes: Span,
    /// Path of the key, for example `goals[2].timeout_secs`; none if it is about the file or its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// A sentence that says what is wrong.
    pub message: String,
    /// A sentence that says what to write.
    pub help: String,
    /// Places in the files of other missions that it is about too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
}

impl Problem {
    /// A problem of a file as a whole, whose text is not known. Its place is where the file begins.
    #[must_use]
    pub fn of_file(code: ProblemCode, severity: Severity, message: String, help: String) -> Self {
        let start = Position { line: 1, column: 1, column_utf16: 1 };
        let (bytes, key, related) = (Span::default(), None, Vec::new());
        Self { code, severity, start, end: start, bytes, key, message, help, related }
    }

    /// The problem in words: its key, what is wrong and what to write.
    #[must_use]
    pub fn sentence(&self) -> String {
        let key = self.key.as_ref().map_or_else(String::new, |key| format!("`{key}`: "));
        format!("{key}{} {}", self.message, self.help)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} {}", self.start.line, self.start.column, self.code)?;
        if let Some(key) = &self.key {
            write!(f, " {key}")?;
        }
        write!(f, ": {} {}", self.message, self.help)
    }
}

/// All problems of one file, in the order of their places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems {
    /// The first 100.
    pub listed: Vec<Problem>,
    /// The number of further ones.
    pub unlisted: usize,
    /// True if one of all is an error.
    pub has_error: bool,
}

impl Problems {
    /// The problems of both, in the order of their places.
    pub(crate) fn and(mut self, further: Self) -> Self {
        self.listed.extend(further.listed);
        self.listed.sort_by_key(|problem| (problem.bytes.from, problem.code));
        let dropped = self.listed.len().saturating_sub(PROBLEMS_MAX);
        self.listed.truncate(PROBLEMS_MAX);
        let unlisted = self.unlisted + further.unlisted + dropped;
        Self { listed: self.listed, unlisted, has_error: self.has_error || further.has_error }
    }
}

/// A problem whose position has not been counted yet.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    code: ProblemCode,
    severity: Severity,
    span: Span,
    key: Option<String>,
    message: String,
    help: String,
    related: Vec<Related>,
}

impl Fault {
    /// An error at `span`.
    pub fn new(code: ProblemCode, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (message.into(), help.into());
        Self { code, severity: Severity::Error, span, key: None, message, help, related: Vec::new() }
    }

    /// The same as a warning.
    pub fn into_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// The same, with places in other files.
    pub fn beside(self, related: Vec<Related>) -> Self {
        Self { related, ..self }
    }

    /// The same, about the key with this path.
    pub fn about(self, key: &str) -> Self {
        Self { key: (!key.is_empty()).then(|| key.to_owned()), ..self }
    }
}

/// Collects the problems of one file; keeps no more than it can tell.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    found: Vec<Fault>,
    dropped: usize,
    has_error: bool,
}

impl Faults {
    pub fn add(&mut self, fault: Fault) {
        // Noted at once: the fault itself may be dropped, and the file must not pass for it.
        self.has_error |= fault.severity == Severity::Error;
        self.found.push(fault);
        // Only now and then, so that a file of a hundred thousand faults is not sorted at each of them.
        if self.found.len() > 2 * PROBLEMS_MAX {
            self.keep_first();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    fn keep_first(&mut self) {
        self.found.sort_by_key(|fault| (fault.span.from, fault.code));
        self.dropped += self.found.len().saturating_sub(PROBLEMS_MAX);
        self.found.truncate(PROBLEMS_MAX);
    }

    /// The problems with their positions in `source`.
    pub fn told(mut self, source: &Source) -> Problems {
        self.keep_first();
        let told = |fault: Fault| Problem {
            code: fault.code,
            severity: fault.severity,
            start: source.position(fault.span.from),
            end: source.position(fault.span.to),
            bytes: fault.span,
            key: fault.key,
            message: fault.message,
            help: fault.help,
            related: fault.related,
        };
        let listed = self.found.into_iter().map(told).collect();
        Problems { listed, unlisted: self.dropped, has_error: self.has_error }
    }
}
