//! The front matter as a tree of plain lists, mappings and scalars, each with its place in the file. What makes YAML
//! clever is refused here: anchors, aliases, tags, merge keys, directives and further documents.

use std::borrow::Cow;
use std::collections::BTreeSet;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StructureStyle};

use crate::problem::{Fault, Faults, ProblemCode, Span};

/// The deepest nesting of lists and mappings.
const DEPTH_MAX: usize = 16;
/// The most lists, mappings and scalars.
const NODES_MAX: usize = 4_096;
/// The longest scalar, in characters.
const SCALAR_CHARS_MAX: usize = 4_096;
/// The key that would merge another mapping into this one.
const MERGE: &str = "<<";

/// A list, mapping or scalar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub span: Span,
    pub value: Value,
}

/// The content of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A scalar as it reads after its escapes.
    Scalar { text: String, style: Style },
    /// `[a, b]`, or lines with `-`.
    List { items: Vec<Node>, is_flow: bool },
    /// `{a: b}`, or lines with `a: b`.
    Map { entries: Vec<Entry>, is_flow: bool },
    /// Something that was refused already; nothing is said about it again.
    Refused,
}

/// A key and its value in a mapping.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Span,
    pub value: Node,
}

/// Notation of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Without quotes: may be a number, `true`, `false` or `null`.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// Lines behind `|` or `>`.
    Block,
}

/// The meaning of a plain scalar in the core schema, of which only the plainest spellings are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Plain<'n> {
    Null,
    Bool(bool),
    Number(f64),
    Text(&'n str),
}

impl Node {
    /// The meaning of a scalar; quoted ones are text.
    pub fn plain(&self) -> Option<Plain<'_>> {
        let Value::Scalar { text, style } = &self.value else { return None };
        Some(match (style, text.as_str()) {
            (Style::Plain, "" | "~" | "null") => Plain::Null,
            (Style::Plain, "true") => Plain::Bool(true),
            (Style::Plain, "false") => Plain::Bool(false),
            (Style::Plain, text) => number(text).map_or(Plain::Text(text), Plain::Number),
            (Style::Single | Style::Double | Style::Block, text) => Plain::Text(text),
        })
    }

    /// True if the value is as good as left out.
    pub fn is_null(&self) -> bool {
        self.plain() == Some(Plain::Null)
    }

    /// The kind of value, for people.
    pub fn kind(&self) -> &'static str {
        match (&self.value, self.plain()) {
            (Value::List { .. }, _) => "a list",
            (Value::Map { .. }, _) => "a mapping",
            (_, Some(Plain::Null)) => "nothing",
            (_, Some(Plain::Bool(_))) => "true or false",
            (_, Some(Plain::Number(_))) => "a number",
            (Value::Scalar { .. } | Value::Refused, Some(Plain::Text(_)) | None) => "text",
        }
    }

    /// The entries of a mapping; none of anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map { entries, .. } => entries,
            Value::Scalar { .. } | Value::List { .. } | Value::Refused => &[],
        }
    }

    /// The node at a path such as `x[0]` or `limits.speed`; none if there is none.
    pub fn descend(&self, path: &str) -> Option<&Self> {
        let mut node = self;
        for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
            node = match (&node.value, step.strip_suffix(']')) {
                (Value::List { items, .. }, Some(at)) => items.get(at.parse::<usize>().ok()?)?,
                (Value::Map { entries, .. }, None) => &entries.iter().find(|entry| entry.key == step)?.value,
                (Value::List { .. } | Value::Map { .. } | Value::Scalar { .. } | Value::Refused, _) => return None,
            };
        }
        Some(node)
    }
}

/// A number as JSON spells it: no `.inf`, `0x1`, `1_000`, `1.`, `+1`, `01`.
fn number(text: &str) -> Option<f64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_whole = digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let is_number = is_whole && digits(part) && digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    // `parse` alone takes `inf`, `nan` and `+1`, and turns `1e999` into infinity.
    text.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// The mapping in `front`, a range of `text`; none if it is empty or no mapping. A syntax error ends the reading with
/// that one fault.
pub(crate) fn read(text: &str, front: Span, faults: &mut Faults) -> Option<Node> {
    let options = granit_parser::options! {
        // The parser reports what it would otherwise resolve: an alias can grow a small file without bound.
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        emit_comments: false,
        disallow_directives: true,
        flow_nesting_limit: DEPTH_MAX,
        block_nesting_limit: DEPTH_MAX,
    };
    let mut tree = Tree { text, front, open: Vec::new(), root: None, nodes: 0, documents: 0, faults };
    for event in Parser::new_from_str_with_options(front.of(text), options) {
        let taken = match event {
            Ok((event, span)) => tree.take(event, tree.place(span)),
            Err(error) => Err(tree.syntax(&error)),
        };
        if let Err(fault) = taken {
            tree.faults.add(fault);
            // One syntax error makes every later place a guess.
            return None;
        }
    }
    let root = tree.root.filter(|root| !root.is_null() && root.value != Value::Refused)?;
    if !matches!(root.value, Value::Map { .. }) {
        let message = format!("The front matter is {} and should be keys with values.", root.kind());
        faults.add(Fault::new(ProblemCode::WrongType, root.span, message, "Write lines such as `title: Patrol`."));
        return None;
    }
    Some(root)
}

/// A collection that is being read.
enum Open {
    List { from: usize, items: Vec<Node>, is_flow: bool },
    Map { from: usize, entries: Vec<Entry>, is_flow: bool, key: Option<(String, Span)>, seen: BTreeSet<String> },
}

struct Tree<'f> {
    text: &'f str,
    front: Span,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
    documents: usize,
    faults: &'f mut Faults,
}

impl Tree<'_> {
    /// Bytes of the file for a place in the front matter.
    fn place(&self, span: granit_parser::Span) -> Span {
        let bytes = span.byte_range().unwrap_or_default();
        Span::new(self.front.from + bytes.start, self.front.from + bytes.end)
    }

    fn syntax(&self, error: &ScanError) -> Fault {
        let at = self.front.from + error.marker().byte_offset().unwrap_or_default();
        let at = Span::new(at, at);
        if *error.kind() == ErrorKind::DirectiveDisallowed {
            return feature(at, "a directive");
        }
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            return too_deep(at);
        }
        let message = format!("The front matter is no YAML here: {}.", error.info());
        Fault::new(ProblemCode::YamlSyntax, at, message, "Check quotes, brackets, colons and indentation.")
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Comment(..) => Ok(()),
            Event::DocumentStart(..) => {
                self.documents += 1;
                // A reader sees one list of keys; a second document could hide another.
                if self.documents > 1 { Err(feature(span, "a second document")) } else { Ok(()) }
            }
            Event::Anchor(..) => {
                self.faults.add(feature(span, "an anchor"));
                Ok(())
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.faults.add(feature(span, "an alias"));
                // A node all the same, so that the key before it does not take the next value.
                self.close(Node { span, value: Value::Refused })
            }
            Event::Scalar(text, style, _, tag) => {
                self.no_tag(tag.is_some(), span);
                self.scalar(&text, style, span)
            }
            Event::SequenceStart(style, _, tag) => {
                self.no_tag(tag.is_some(), span);
                let is_flow = style == StructureStyle::Flow;
                self.begin(Open::List { from: span.from, items: Vec::new(), is_flow }, span)
            }
            Event::MappingStart(style, _, tag) => {
                self.no_tag(tag.is_some(), span);
                let is_flow = style == StructureStyle::Flow;
                let seen = BTreeSet::new();
                self.begin(Open::Map { from: span.from, entries: Vec::new(), is_flow, key: None, seen }, span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            // The parser may learn new events; what is not understood here must not be ignored.
            _ => Err(feature(span, "something that this version does not know")),
        }
    }

    fn no_tag(&mut self, is_there: bool, span: Span) {
        if is_there {
            self.faults.add(feature(span, "a tag"));
        }
    }

    fn count(&mut self, span: Span) -> Result<(), Fault> {
        self.nodes += 1;
        if self.nodes <= NODES_MAX {
            return Ok(());
        }
        let message = format!("The front matter has more than {NODES_MAX} values.");
        Err(Fault::new(ProblemCode::TooLarge, span, message, "Divide the mission into several."))
    }

    fn begin(&mut self, open: Open, span: Span) -> Result<(), Fault> {
        self.count(span)?;
        if self.open.len() >= DEPTH_MAX {
            return Err(too_deep(span));
        }
        self.open.push(open);
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Fault> {
        let node = match self.open.pop() {
            Some(Open::List { from, items, is_flow }) => {
                let from = if is_flow { from } else { self.first_dash(from) };
                let to = if is_flow { span.to } else { items.last().map_or(from, |last| last.span.to) };
                Node { span: Span::new(from, to), value: Value::List { items, is_flow } }
            }
            Some(Open::Map { from, entries, is_flow, .. }) => {
                let to = if is_flow { span.to } else { entries.last().map_or(from, |last| last.value.span.to) };
                Node { span: Span::new(from, to), value: Value::Map { entries, is_flow } }
            }
            None => return Ok(()),
        };
        self.close(node)
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Result<(), Fault> {
        self.count(span)?;
        if text.chars().count() > SCALAR_CHARS_MAX {
            let message = format!("The text has more than {SCALAR_CHARS_MAX} characters.");
            self.faults.add(Fault::new(ProblemCode::TooLarge, span, message, "Move it below the second `---`."));
            return self.close(Node { span, value: Value::Refused });
        }
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::Single,
            ScalarStyle::DoubleQuoted => Style::Double,
            ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
        };
        let span = if style == Style::Block { self.with_header(span) } else { span };
        self.close(Node { span, value: Value::Scalar { text: text.to_owned(), style } })
    }

    /// The first dash of a block list; the parser tells the first entry's place if the list is not indented.
    fn first_dash(&self, from: usize) -> usize {
        let is_dash = self.text.get(from..).is_some_and(|rest| rest.starts_with('-'));
        let before = self.text.get(self.front.from..from).and_then(|before| before.rfind('-'));
        before.filter(|_| !is_dash).map_or(from, |dash| self.front.from + dash)
    }

    /// A block scalar from its `|` or `>` on, of which the parser tells the lines alone, to its last line that is not
    /// empty.
    fn with_header(&self, span: Span) -> Span {
        let before = self.text.get(self.front.from..span.from).unwrap_or_default().trim_end_matches([' ', '\r', '\n']);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let is_header = |(at, _): &(usize, &str)| {
            let rest = before.get(line + at + 1..).unwrap_or_default().trim_start_matches(['-', '+']);
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '+']);
            rest.trim().is_empty() || rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#')
        };
        let header = before.get(line..).and_then(|line| line.match_indices(['|', '>']).find(is_header));
        let from = header.map_or(span.from, |(at, _)| self.front.from + line + at);
        let to = from + Span::new(from, span.to).of(self.text).trim_end().len();
        Span::new(from, to)
    }

    /// Puts a finished node into what it is part of.
    fn close(&mut self, node: Node) -> Result<(), Fault> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Map { entries, key, seen, .. }) => match key.take() {
                None => {
                    let (name, fault) = named(&node);
                    if let Some(fault) = fault {
                        self.faults.add(fault);
                    }
                    *key = Some((name.into_owned(), node.span));
                }
                Some((name, key_span)) => {
                    // YAML readers differ in which of two equal keys counts, so neither may.
                    if !seen.insert(name.clone()) && !name.is_empty() {
                        let message = format!("`{name}` stands in this mapping a second time.");
                        self.faults.add(Fault::new(ProblemCode::DuplicateKey, key_span, message, "Keep one of them."));
                    } else {
                        entries.push(Entry { key: name, key_span, value: node });
                    }
                }
            },
        }
        Ok(())
    }
}

/// The name that a key is; empty, with the fault, if it is none.
fn named(node: &Node) -> (Cow<'_, str>, Option<Fault>) {
    match &node.value {
        Value::Scalar { text, style: Style::Plain } if text == MERGE => {
            ("".into(), Some(feature(node.span, "a merge key")))
        }
        Value::Scalar { text, .. } if !text.is_empty() => (text.into(), None),
        Value::Refused => ("".into(), None),
        Value::Scalar { .. } | Value::List { .. } | Value::Map { .. } => {
            let message = format!("A key is a word, and this is {}.", node.kind());
            ("".into(), Some(Fault::new(ProblemCode::WrongType, node.span, message, "Write `key: value`.")))
        }
    }
}

fn feature(span: Span, found: &str) -> Fault {
    let message = format!("Mission files use plain YAML, and this is {found}.");
    Fault::new(ProblemCode::YamlFeature, span, message, "Write the values out.")
}

fn too_deep(span: Span) -> Fault {
    let message = format!("Lists and mappings are nested more than {DEPTH_MAX} deep.");
    Fault::new(ProblemCode::TooDeep, span, message, "Nest them less.")
}
