//! The one range of text that a change replaces, and the text that it puts there.

use serde_json::Value as Json;

use super::write::{flow, scalar};
use super::{Change, File};
use crate::format::yaml::{Entry, Node, Value};
use crate::problem::Span;

/// A range and the text that takes its place.
pub(super) struct Splice {
    pub at: Span,
    pub text: String,
}

impl Splice {
    fn insert(at: usize, text: String) -> Self {
        Self { at: Span::new(at, at), text }
    }
}

/// The text that makes `change`, after which `key` has the value `wanted`; none if the file is written in a way in
/// which there is no such text.
pub(super) fn of(file: &File, key: &str, change: &Change, wanted: Option<&Json>) -> Option<Splice> {
    let entries = file.root.as_ref().map(Node::entries).unwrap_or_default();
    let place = entries.iter().position(|entry| entry.key == key);
    let (Some(place), Some(wanted)) = (place, wanted) else {
        return match (place, wanted) {
            (Some(place), None) => file.without_entry(entries, place),
            (None, Some(wanted)) => file.with_key(key, wanted),
            (Some(_), Some(_)) | (None, None) => None,
        };
    };
    let entry = entries.get(place)?;
    match (change, &entry.value.value) {
        (Change::Insert(index, item), Value::List { items, is_flow }) if !items.is_empty() => {
            if *is_flow {
                insert_in_flow(items, *index, item)
            } else {
                file.insert_line(&entry.value, items, *index, item)
            }
        }
        (Change::ReplaceEntry(index, item), Value::List { items, .. }) => {
            items.get(*index).filter(|old| !is_empty(old)).map(|old| file.replaced(old, item))
        }
        (Change::RemoveEntry(index), Value::List { items, is_flow }) if items.len() > 1 => {
            if *is_flow {
                without_item(items, *index)
            } else {
                file.without_line(&entry.value, items, *index)
            }
        }
        _ => file.with_value(entry, wanted),
    }
}

impl File {
    /// The line end of the file.
    fn line_end(&self) -> &'static str {
        let text = self.source.text();
        match text.find('\n') {
            // That of the first line, so that a file from Windows does not get two kinds.
            Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
            Some(_) | None => "\n",
        }
    }

    /// The byte at which the line of `at` begins.
    fn line_start(&self, at: usize) -> Option<usize> {
        Some(self.source.text().get(..at)?.rfind('\n').map_or(0, |end| end + 1))
    }

    /// The byte behind the line of `at`, its end included.
    fn next_line(&self, at: usize) -> Option<usize> {
        self.source.text().get(at..)?.find('\n').map(|end| at + end + 1)
    }

    /// A new key: before the closing fence, in the braces that the keys stand in, or in front matter of its own.
    fn with_key(&self, key: &str, value: &Json) -> Option<Splice> {
        let end = self.line_end();
        let line = format!("{}: {}", scalar(key, crate::format::yaml::Style::Plain), flow(value));
        let Some(front) = self.source.front() else {
            return Some(Splice::insert(self.source.body_span().from, format!("---{end}{line}{end}---{end}")));
        };
        match self.root.as_ref().map(|root| (root, &root.value)) {
            Some((root, Value::Map { entries, is_flow: true })) => Some(match entries.last() {
                Some(last) => Splice::insert(last.value.span.to, format!(", {line}")),
                None => Splice::insert(root.span.from + 1, line),
            }),
            Some(_) | None => Some(Splice::insert(front.to, format!("{line}{end}"))),
        }
    }

    fn without_entry(&self, entries: &[Entry], place: usize) -> Option<Splice> {
        let entry = entries.get(place)?;
        // An empty value has no bytes, and its line ends behind the key.
        let last_byte = entry.key_span.to.max(entry.value.span.to);
        let is_flow = matches!(self.root.as_ref().map(|root| &root.value), Some(Value::Map { is_flow: true, .. }));
        let at = if !is_flow {
            Span::new(self.line_start(entry.key_span.from)?, self.next_line(last_byte)?)
        } else if let Some(next) = entries.get(place + 1) {
            Span::new(entry.key_span.from, next.key_span.from)
        } else if let Some(before) = place.checked_sub(1).and_then(|before| entries.get(before)) {
            Span::new(before.value.span.to, last_byte)
        } else {
            Span::new(entry.key_span.from, last_byte)
        };
        Some(Splice { at, text: String::new() })
    }

    /// A key that has a value gets another one.
    fn with_value(&self, entry: &Entry, value: &Json) -> Option<Splice> {
        let node = &entry.value;
        if is_empty(node) {
            let colon = self.source.text().get(entry.key_span.to..)?.find(':')?;
            return Some(Splice::insert(entry.key_span.to + colon + 1, format!(" {}", flow(value))));
        }
        let block = match (&node.value, value) {
            (Value::List { items, is_flow: false }, Json::Array(new)) if !items.is_empty() && !new.is_empty() => {
                Some(self.lines(node, new)?)
            }
            _ => None,
        };
        if let Some(text) = block {
            return Some(Splice { at: node.span, text });
        }
        // What stood on lines of its own begins behind the colon now.
        let is_block = matches!(node.value, Value::List { is_flow: false, .. } | Value::Map { is_flow: false, .. });
        if is_block {
            let colon = self.source.text().get(entry.key_span.to..)?.find(':')?;
            let at = Span::new(entry.key_span.to + colon + 1, node.span.to);
            return Some(Splice { at, text: format!(" {}", flow(value)) });
        }
        Some(self.replaced(node, value))
    }

    /// A value in the place of another one, in its quotes if it can.
    fn replaced(&self, old: &Node, value: &Json) -> Splice {
        let text = match (&old.value, value) {
            (Value::Scalar { style, .. }, Json::String(text)) => scalar(text, *style),
            _ => flow(value),
        };
        Splice { at: old.span, text }
    }

    /// The blanks before the dashes of a block list.
    fn indent(&self, list: &Node) -> Option<&str> {
        let indent = Span::new(self.line_start(list.span.from)?, list.span.from).of(self.source.text());
        // Anything else before the dash means that the list does not stand on lines of its own.
        indent.bytes().all(|byte| byte == b' ').then_some(indent)
    }

    /// The entries of a block list, from its first dash on.
    fn lines(&self, list: &Node, items: &[Json]) -> Option<String> {
        let between = format!("{}{}", self.line_end(), self.indent(list)?);
        Some(items.iter().map(|item| format!("- {}", flow(item))).collect::<Vec<_>>().join(&between))
    }

    /// The byte at which the line with the dash of an entry begins.
    fn dash_line(&self, list: &Node, items: &[Node], index: usize) -> Option<usize> {
        let indent = self.indent(list)?;
        let mut line = match index.checked_sub(1) {
            None => self.line_start(list.span.from)?,
            Some(before) => self.next_line(items.get(before)?.span.to)?,
        };
        let until = items.get(index)?.span.to;
        while line <= until {
            let rest = self.source.text().get(line..)?;
            if rest.strip_prefix(indent).is_some_and(|rest| rest.starts_with('-')) {
                return Some(line);
            }
            line = self.next_line(line)?;
        }
        None
    }

    fn insert_line(&self, list: &Node, items: &[Node], index: usize, item: &Json) -> Option<Splice> {
        let at = if index < items.len() { self.dash_line(list, items, index)? } else { self.next_line(list.span.to)? };
        Some(Splice::insert(at, format!("{}- {}{}", self.indent(list)?, flow(item), self.line_end())))
    }

    fn without_line(&self, list: &Node, items: &[Node], index: usize) -> Option<Splice> {
        let at = Span::new(self.dash_line(list, items, index)?, self.next_line(items.get(index)?.span.to)?);
        Some(Splice { at, text: String::new() })
    }
}

/// True if nothing is written where the value would stand.
fn is_empty(node: &Node) -> bool {
    node.span.from >= node.span.to
}

fn insert_in_flow(items: &[Node], index: usize, item: &Json) -> Option<Splice> {
    match items.get(index) {
        Some(next) => Some(Splice::insert(next.span.from, format!("{}, ", flow(item)))),
        None => Some(Splice::insert(items.last()?.span.to, format!(", {}", flow(item)))),
    }
}

fn without_item(items: &[Node], index: usize) -> Option<Splice> {
    let item = items.get(index)?;
    let at = match items.get(index + 1) {
        Some(next) => Span::new(item.span.from, next.span.from),
        None => Span::new(items.get(index.checked_sub(1)?)?.span.to, item.span.to),
    };
    Some(Splice { at, text: String::new() })
}
