//! Samples of a robot or sensor: the raw sample, the paths a reader wants from it, and the scalars found there.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Instant;

/// One message as it arrived.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The concrete key expression it was put on.
    pub key_expr: Arc<str>,
    /// The declared encoding, for example `application/json`; may be empty.
    pub encoding: Arc<str>,
    /// The bytes.
    pub payload: Arc<[u8]>,
    /// The transport's own time stamp, Unix milliseconds.
    pub stamp_ms: Option<i64>,
    /// Station clock at arrival.
    pub received: Instant,
    /// Wall clock at arrival, Unix milliseconds.
    pub received_ms: i64,
    /// Counts what arrived by its subscription: with key expression and arrival it names the sample.
    pub n: u64,
}

/// Codec of a sample's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Codec {
    /// By declared encoding, else by looking at the first bytes.
    #[default]
    Auto,
    /// JSON text.
    Json,
    /// CBOR.
    Cbor,
    /// One scalar as UTF-8 text.
    Text,
}

/// Treatment of a map of exactly `header` and `body`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum EnvelopeMode {
    /// Unwrap it; paths then start in `body`.
    #[default]
    Auto,
    /// Leave it.
    None,
}

/// One step of a [`FieldPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathStep {
    /// A map key.
    Name(String),
    /// An array index from 0.
    Index(usize),
}

/// Start of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
enum PathRoot {
    /// The row.
    #[default]
    Row,
    /// `$`: the document after unwrapping.
    Document,
    /// `$$`: the raw document with its header.
    Raw,
}

/// A way into a document: `name`, `a.b.c`, `a[2].b`, `'odd name'.x`, `$.frame_id`, `$$.header.ts_ns`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldPath {
    root: PathRoot,
    steps: Vec<PathStep>,
}

/// Refusal of a text that is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}")]
pub struct PathError {
    /// Character position from 1.
    pub column: usize,
    /// Syntax that was expected there.
    pub expected: &'static str,
}

/// The most steps a path may have.
const PATH_STEPS_MAX: usize = 16;

impl FieldPath {
    /// Reads the text form.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        PathParser { chars: text.chars().collect(), at: 0 }.parse()
    }

    /// The steps from the path's root.
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// True for a path that starts with `$`: it is resolved in the document, not in the row.
    #[must_use]
    pub fn starts_in_document(&self) -> bool {
        self.root == PathRoot::Document
    }

    /// True for a path that starts with `$$`: it is resolved in the raw document with its header.
    #[must_use]
    pub fn starts_in_raw(&self) -> bool {
        self.root == PathRoot::Raw
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = match self.root {
            PathRoot::Row => "",
            PathRoot::Document => "$",
            PathRoot::Raw => "$$",
        };
        f.write_str(root)?;
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Index(index) => write!(f, "[{index}]")?,
                PathStep::Name(name) => {
                    if i > 0 || !root.is_empty() {
                        f.write_str(".")?;
                    }
                    write_name(f, name)?;
                }
            }
        }
        Ok(())
    }
}

fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if !name.is_empty() && name.chars().all(is_bare) {
        return f.write_str(name);
    }
    write!(f, "'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

struct PathParser {
    chars: Vec<char>,
    at: usize,
}

impl PathParser {
    fn parse(mut self) -> Result<FieldPath, PathError> {
        let root = match (self.eat('$'), self.eat('$')) {
            (false, _) => PathRoot::Row,
            (true, false) => PathRoot::Document,
            (true, true) => PathRoot::Raw,
        };
        let mut steps = Vec::new();
        if root == PathRoot::Row {
            steps.push(PathStep::Name(self.name()?));
        }
        while self.at < self.chars.len() {
            if steps.len() >= PATH_STEPS_MAX {
                return Err(self.error("at most 16 steps"));
            }
            if self.eat('.') {
                steps.push(PathStep::Name(self.name()?));
            } else if self.eat('[') {
                steps.push(PathStep::Index(self.index()?));
            } else {
                return Err(self.error("'.', '[' or the end"));
            }
        }
        Ok(FieldPath { root, steps })
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.chars.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn name(&mut self) -> Result<String, PathError> {
        for quote in ['\'', '"'] {
            if self.eat(quote) {
                return self.quoted(quote);
            }
        }
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let name: String = rest.iter().take_while(|c| is_bare(**c)).collect();
        if name.is_empty() {
            return Err(self.error("a field name"));
        }
        // Bare names are ASCII: each character is a byte.
        self.at += name.len();
        Ok(name)
    }

    fn quoted(&mut self, quote: char) -> Result<String, PathError> {
        let mut name = String::new();
        loop {
            let escaped = self.eat('\\');
            let Some(&c) = self.chars.get(self.at) else {
                return Err(self.error("the closing quote"));
            };
            self.at += 1;
            if c == quote && !escaped {
                return Ok(name);
            }
            name.push(c);
        }
    }

    fn index(&mut self) -> Result<usize, PathError> {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let digits: String = rest.iter().take_while(|c| c.is_ascii_digit()).collect();
        let index = digits.parse().map_err(|_| self.error("an index"))?;
        self.at += digits.len();
        if self.eat(']') { Ok(index) } else { Err(self.error("']'")) }
    }

    fn error(&self, expected: &'static str) -> PathError {
        PathError { column: self.at + 1, expected }
    }
}

/// A [`Scalar`] that is still where it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScalarRef<'a> {
    /// An exact integer.
    Int(i64),
    /// A finite number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(&'a str),
}

impl ScalarRef<'_> {
    /// Puts it into `place`, where a text that is there lends its memory to the new one; false if it was there already.
    pub fn store(self, place: &mut Scalar) -> bool {
        match (self, place) {
            (Self::Text(text), Scalar::Text(known)) => {
                if known == text {
                    return false;
                }
                known.clear();
                known.push_str(text);
            }
            (said, place) => {
                if said == ScalarRef::from(&*place) {
                    return false;
                }
                *place = said.into();
            }
        }
        true
    }
}

impl<'a> From<&'a Scalar> for ScalarRef<'a> {
    fn from(scalar: &'a Scalar) -> Self {
        match scalar {
            Scalar::Int(int) => Self::Int(*int),
            Scalar::Float(float) => Self::Float(*float),
            Scalar::Bool(truth) => Self::Bool(*truth),
            Scalar::Text(text) => Self::Text(text),
        }
    }
}

impl From<ScalarRef<'_>> for Scalar {
    fn from(said: ScalarRef<'_>) -> Self {
        match said {
            ScalarRef::Int(int) => Self::Int(int),
            ScalarRef::Float(float) => Self::Float(float),
            ScalarRef::Bool(truth) => Self::Bool(truth),
            ScalarRef::Text(text) => Self::Text(text.to_owned()),
        }
    }
}

/// A number, boolean or text. Not-a-number and infinity never become one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum Scalar {
    /// An exact integer.
    Int(#[ts(type = "number")] i64),
    /// A finite number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
}

impl Scalar {
    /// The scalar as it is written: a text bare, everything else as in JSON.
    #[must_use]
    pub fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Int(int) => Cow::Owned(int.to_string()),
            // With its point, which a whole number keeps in JSON.
            Self::Float(float) => Cow::Owned(format!("{float:?}")),
            Self::Bool(truth) => Cow::Owned(truth.to_string()),
        }
    }

    /// The scalar as a number, if it is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "a number is compared within 1e-9 relative anyway")]
            Self::Int(int) => Some(*int as f64),
            Self::Float(float) => Some(*float),
            Self::Bool(_) | Self::Text(_) => None,
        }
    }

    /// The scalar as text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Int(_) | Self::Float(_) | Self::Bool(_) => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            Self::Float(float) => float.fmt(f),
            Self::Bool(truth) => truth.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Value at one path of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Field {
    /// Nothing.
    #[default]
    Missing,
    /// Null, a map, an array, a byte string, or a number that is not finite.
    NotScalar,
    /// A usable value.
    Scalar(Scalar),
}

/// Fields that a reader wants from every sample of a key expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScanPlan {
    /// Codec of the bytes.
    pub codec: Codec,
    /// Treatment of `{header, body}`.
    pub envelope: EnvelopeMode,
    /// The array whose elements are the rows; without it a top-level array fans out by itself.
    pub rows: Option<FieldPath>,
    /// The wanted fields; a row's fields have the same order.
    pub paths: Vec<FieldPath>,
}

/// One row of a sample: a field for each path of the plan, in its order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// Same length and order as [`ScanPlan::paths`].
    pub fields: Vec<Field>,
}

/// Facts about a sample in an envelope's header, or in a ROS header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeaderMeta {
    /// The source's own time, as given: a number whose unit follows from its magnitude.
    pub ts_ns: Option<i64>,
    /// The source's own counter.
    pub monotonic_seq: Option<i64>,
    /// Instance of the source that sent it.
    pub source_instance: Option<String>,
    /// URI of the schema of the body.
    pub schema_uri: Option<String>,
}

/// A decoded sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scanned {
    /// The envelope's metadata.
    pub header: HeaderMeta,
    /// The rows; empty if the array of rows is empty.
    pub rows: Vec<Row>,
    /// Rows beyond the limit that were not read.
    pub rows_cut: usize,
}

/// Reason that a sample or row gives no entry. Each is counted by name; nothing is dropped silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RejectReason {
    /// Larger than 1 MiB or with too many nodes.
    TooLarge,
    /// Nested deeper than 64.
    TooDeep,
    /// The bytes are not what the codec says.
    Undecodable,
    /// The bytes are a message of ROS 2 as it goes over the wire, in CDR, whose definition is not known.
    LooksLikeRos2,
    /// A used path stands twice in one map.
    Ambiguous,
    /// The path of the rows is no array.
    NoRows,
    /// The filter is not true.
    Filtered,
    /// A key part has characters a key cannot have, or is missing.
    KeyRejected,
    /// The value's path holds nothing.
    MissingValue,
    /// The value's path holds a map, an array or bytes.
    NotScalar,
    /// The confidence is no finite number in [0, 1].
    BadConfidence,
    /// Older than what its source already said.
    OutOfOrder,
    /// The provider has its most keys, and all are named by rules.
    KeysCapped,
}

/// Reads the wanted fields from a sample's bytes; implemented per codec by `bridge`.
pub trait Scan {
    /// Fills `plan` from `sample`. Never panics, recurses at most 64 deep.
    fn scan(&self, sample: &Sample, plan: &ScanPlan) -> Result<Scanned, RejectReason>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prints_paths_in_the_form_it_reads() {
        for text in ["zone", "a.b.c", "a[2].b", "'odd name'.x", "$.frame_id", "$$.header.ts_ns", "$", "'it\\'s'"] {
            assert_eq!(FieldPath::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn names_the_column_of_a_bad_path() {
        for (text, column) in [("", 1), ("a..b", 3), ("a[x]", 3), ("a[1", 4), ("a b", 2), ("'open", 6)] {
            assert_eq!(FieldPath::parse(text).unwrap_err().column, column, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_path_text_panics(text in any::<String>()) {
            if let Ok(path) = FieldPath::parse(&text) {
                prop_assert_eq!(FieldPath::parse(&path.to_string()).unwrap(), path);
            }
        }
    }
}
