//! Key templates: `{label}.location` becomes `person.location`. One pass, never over what was filled in.

use std::fmt::Write as _;

use robot::{FieldPath, Scalar};

use crate::Key;
use crate::state::key::{KEY_PART_BYTES_MAX, KEY_PARTS_MAX, is_key_byte};

/// A key with placeholders, split once. The number of parts is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Vec<Piece>>,
    paths: Vec<FieldPath>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// Index into [`Template::paths`].
    Placeholder(usize),
}

/// The error for a text that is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}")]
pub struct TemplateError {
    /// Character position from 1.
    pub column: usize,
    /// Description of the text expected there.
    pub expected: &'static str,
}

/// The row has nothing that could stand in a key at some placeholder, or the key would be too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyRejected;

impl Template {
    /// Splits `text` into literals and placeholders.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let template = Splitter { chars: text.chars().collect(), at: 0, paths: Vec::new() }.split()?;
        match template.literal() {
            Some(key) if Key::new(&key).is_err() => Err(TemplateError { column: 1, expected: "a legal world key" }),
            Some(_) | None => Ok(template),
        }
    }

    /// The placeholders' paths, each once.
    #[must_use]
    pub fn paths(&self) -> &[FieldPath] {
        &self.paths
    }

    /// Writes the key into `text`, given the field of each of [`Template::paths`].
    pub(crate) fn expand<'a>(
        &self,
        text: &mut String,
        field: impl Fn(usize) -> Option<&'a Scalar>,
    ) -> Result<(), KeyRejected> {
        text.clear();
        for (i, part) in self.parts.iter().enumerate() {
            if i > 0 {
                text.push('.');
            }
            for piece in part {
                match piece {
                    Piece::Literal(literal) => text.push_str(literal),
                    Piece::Placeholder(path) => fill(text, field(*path).ok_or(KeyRejected)?)?,
                }
            }
        }
        // Values can make a part or the whole key too long, or spell the reserved word.
        if Key::is_legal(text) { Ok(()) } else { Err(KeyRejected) }
    }

    /// True if some row could give `key`: as many parts, literals equal, placeholders free.
    #[must_use]
    pub fn can_write(&self, key: &Key) -> bool {
        let mut parts = key.as_str().split('.');
        let is_so = |pieces: &Vec<Piece>| parts.next().is_some_and(|part| can_become(pieces, part));
        self.parts.iter().all(is_so) && parts.next().is_none()
    }

    /// True if both could write the same key. May say so of two that never do, if literals and placeholders are mixed
    /// within a part.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let may_equal = |(a, b): (&Vec<Piece>, &Vec<Piece>)| match (a.as_slice(), b.as_slice()) {
            ([Piece::Literal(a)], [Piece::Literal(b)]) => a == b,
            ([Piece::Literal(literal)], pieces) | (pieces, [Piece::Literal(literal)]) => can_become(pieces, literal),
            (_, _) => true,
        };
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(may_equal)
    }

    /// The key itself, if there is no placeholder.
    pub(crate) fn literal(&self) -> Option<String> {
        let mut parts = Vec::new();
        for part in &self.parts {
            match part.as_slice() {
                [Piece::Literal(literal)] => parts.push(literal.as_str()),
                _ => return None,
            }
        }
        Some(parts.join("."))
    }
}

/// Appends `scalar` as key characters: letters in lower case, runs of space, `.`, `/` and `:` as one `_`.
fn fill(text: &mut String, scalar: &Scalar) -> Result<(), KeyRejected> {
    let start = text.len();
    match scalar {
        Scalar::Int(int) => _ = write!(text, "{int}"),
        Scalar::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        // The last digits of a float differ from sample to sample, and each would be a key.
        Scalar::Float(_) => return Err(KeyRejected),
        Scalar::Text(filled) => {
            // Refused before it is copied: a sample may hold a text of a megabyte.
            if filled.len() > KEY_PART_BYTES_MAX {
                return Err(KeyRejected);
            }
            push_cleaned(text, filled)?;
        }
    }
    if text.len() == start { Err(KeyRejected) } else { Ok(()) }
}

fn push_cleaned(text: &mut String, filled: &str) -> Result<(), KeyRejected> {
    let mut in_run = false;
    for byte in filled.bytes() {
        let lower = byte.to_ascii_lowercase();
        let separates = matches!(byte, b' ' | b'.' | b'/' | b':');
        if !separates && !is_key_byte(lower) {
            return Err(KeyRejected);
        }
        if !separates {
            text.push(char::from(lower));
        } else if !in_run {
            text.push('_');
        }
        in_run = separates;
    }
    Ok(())
}

/// `text` as a placeholder would fill it in, whatever its length: letters in lower case, runs of space, `.`, `/` and
/// `:` as one `_`. None if it is empty or has other characters.
#[must_use]
pub fn key_form(text: &str) -> Option<String> {
    let mut form = String::with_capacity(text.len());
    push_cleaned(&mut form, text).ok()?;
    (!form.is_empty()).then_some(form)
}

fn can_become(pieces: &[Piece], part: &str) -> bool {
    match pieces.split_first() {
        None => part.is_empty(),
        Some((Piece::Literal(literal), rest)) => {
            part.strip_prefix(literal.as_str()).is_some_and(|left| can_become(rest, left))
        }
        Some((Piece::Placeholder(_), [])) => !part.is_empty(),
        Some((Piece::Placeholder(_), rest)) => (1..part.len()).any(|taken| can_become(rest, &part[taken..])),
    }
}

struct Splitter {
    chars: Vec<char>,
    at: usize,
    paths: Vec<FieldPath>,
}

impl Splitter {
    fn split(mut self) -> Result<Template, TemplateError> {
        let mut parts = Vec::new();
        let mut part = Vec::new();
        while let Some(&c) = self.chars.get(self.at) {
            match c {
                '{' => part.push(self.placeholder()?),
                '.' if part.is_empty() => return Err(self.error("a key part before '.'")),
                '.' if parts.len() + 1 == KEY_PARTS_MAX => return Err(self.error("at most 8 parts")),
                '.' => {
                    parts.push(std::mem::take(&mut part));
                    self.at += 1;
                }
                c if u8::try_from(c).is_ok_and(is_key_byte) => part.push(self.literal()?),
                _ => return Err(self.error("a-z, 0-9, '_', '-', '.' or '{path}'")),
            }
        }
        if part.is_empty() {
            return Err(self.error("a key part"));
        }
        parts.push(part);
        Ok(Template { parts, paths: self.paths })
    }

    fn literal(&mut self) -> Result<Piece, TemplateError> {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let literal: String = rest.iter().take_while(|c| u8::try_from(**c).is_ok_and(is_key_byte)).collect();
        if literal.len() > KEY_PART_BYTES_MAX {
            return Err(self.error("a part of at most 64 characters"));
        }
        self.at += literal.len();
        Ok(Piece::Literal(literal))
    }

    fn placeholder(&mut self) -> Result<Piece, TemplateError> {
        let open = self.at;
        let rest = self.chars.get(open + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|c| *c == '}') else {
            return Err(self.error("a closing '}'"));
        };
        let text: String = rest.iter().take(length).collect();
        let path = FieldPath::parse(&text)
            .map_err(|error| TemplateError { column: open + 1 + error.column, expected: error.expected })?;
        self.at = open + length + 2;
        let known = self.paths.iter().position(|other| *other == path);
        Ok(Piece::Placeholder(known.unwrap_or_else(|| {
            self.paths.push(path);
            self.paths.len() - 1
        })))
    }

    fn error(&self, expected: &'static str) -> TemplateError {
        TemplateError { column: self.at + 1, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expand(template: &str, fields: &[Scalar]) -> Option<String> {
        let template = Template::parse(template).unwrap();
        let mut key = String::new();
        template.expand(&mut key, |i| fields.get(i)).ok().map(|()| key)
    }

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.into())
    }

    #[test]
    fn cw_03_fills_placeholders_in_order() {
        for (template, fields, key) in [
            ("{label}.location", vec![text("dog")], "dog.location"),
            ("{label}.{zone}", vec![text("dog"), text("yard")], "dog.yard"),
            ("arm.{joint_id}.angle", vec![text("shoulder")], "arm.shoulder.angle"),
            ("{a}.x-{a}", vec![Scalar::Int(-3)], "-3.x--3"),
            ("door.{'is open'}", vec![Scalar::Bool(true)], "door.true"),
            ("{$$.header.source_instance}.up", vec![text("Cam 1: /left")], "cam_1_left.up"),
        ] {
            assert_eq!(expand(template, &fields).as_deref(), Some(key), "{template}");
        }
    }

    #[test]
    fn w1_w2_cw_04_rejects_what_cannot_stand_in_a_key() {
        let long = "a".repeat(65);
        for filled in ["{label}", "{a}", "a\nb", "", "a]b", "größe", "a,b", &long] {
            assert_eq!(expand("{label}.location", &[text(filled)]), None, "{filled:?}");
        }
        assert_eq!(expand("{label}.location", &[Scalar::Float(1.5)]), None);
        assert_eq!(expand("{label}.location", &[]), None, "a missing field");
        assert_eq!(expand("x-{label}.location", &[text(&"a".repeat(63))]), None, "a part of 65 bytes");
        assert_eq!(expand("{label}", &[text("confidence")]), None, "the reserved word");
    }

    #[test]
    fn ws_41_names_the_column_of_a_bad_template() {
        for (template, column) in [
            ("", 1),
            ("a..b", 3),
            (".a", 1),
            ("a.", 3),
            ("{{label}}.x", 2),
            ("{}.x", 2),
            ("x.{label", 3),
            ("Person.x", 1),
            ("a.b c", 4),
            ("x.}", 3),
            ("a.b.c.d.e.f.g.h.i", 16),
            ("confidence", 1),
        ] {
            assert_eq!(Template::parse(template).unwrap_err().column, column, "{template:?}");
        }
    }

    #[test]
    fn cw_11_knows_which_keys_it_can_write() {
        let key = Key::new("front_door.status").unwrap();
        for (template, can) in [
            ("front_door.status", true),
            ("front_door.{what}", true),
            ("{thing}.status", true),
            ("front_{thing}.{what}", true),
            ("{a}_{b}.status", true),
            ("back_door.{what}", false),
            ("{thing}", false),
            ("front_door{n}.status", false),
        ] {
            assert_eq!(Template::parse(template).unwrap().can_write(&key), can, "{template}");
        }
    }

    proptest! {
        #[test]
        fn ws_42_never_gives_an_illegal_key(template in "(\\{a\\}|x|-|\\.){1,6}", filled: String) {
            let (filled, mut text) = (Scalar::Text(filled), String::new());
            if let Ok(template) = Template::parse(&template)
                && template.expand(&mut text, |_| Some(&filled)).is_ok()
            {
                let key = Key::new(&text);
                prop_assert!(key.is_ok_and(|key| template.can_write(&key)));
            }
        }

        #[test]
        fn ws_41_no_text_panics(text: String) {
            let _ = Template::parse(&text);
        }
    }
}
