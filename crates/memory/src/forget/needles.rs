//! The texts that must not be found any more, in every form in which a file may hold them.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::phrase::{Parts, Phrase, holds_words};

/// A shorter text is in too many others to be taken out of all of them.
const CHARS_MIN: usize = 12;

/// Finds and replaces a set of texts, and phrases. Made once: looking costs the same for one text and for a thousand.
#[derive(Debug, Clone, Default)]
pub struct Needles {
    finding: Option<AhoCorasick>,
    replacing: Option<AhoCorasick>,
    phrases: Vec<Phrase>,
}

impl Needles {
    /// The texts of at least twelve characters: plain, as JSON, as JSON in ASCII, and as JSON within JSON.
    #[must_use]
    pub fn of(texts: &[String]) -> Self {
        let long = texts.iter().map(|text| text.trim()).filter(|text| !is_short(text));
        let mut forms: Vec<String> = long.flat_map(forms).collect();
        forms.sort_unstable();
        forms.dedup();
        if forms.is_empty() {
            return Self::default();
        }
        // Both can only fail for more patterns than fit into memory.
        // Two automata: streams can be searched by the standard kind only, and replacing has to take
        // the longest form.
        let finding = AhoCorasick::new(&forms).ok();
        let replacing = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms).ok();
        Self { finding, replacing, phrases: Vec::new() }
    }

    /// These and a phrase of any length, in any case and normal form.
    #[must_use]
    pub fn and_phrase(mut self, phrase: &str) -> Self {
        self.phrases.extend(Phrase::of(phrase));
        self
    }

    /// These and the texts of less than twelve characters, each as a phrase: only as words of their own do they mean
    /// what was said.
    #[must_use]
    pub fn and_short(mut self, texts: &[String]) -> Self {
        let short: BTreeSet<&str> = texts.iter().map(|text| text.trim()).filter(|text| is_short(text)).collect();
        self.phrases.extend(Phrase::any_of(short));
        self
    }

    /// The phrases alone; nothing if there is none.
    #[must_use]
    pub fn phrases_alone(&self) -> Self {
        Self { phrases: self.phrases.clone(), ..Self::default() }
    }

    /// The texts alone.
    #[must_use]
    pub fn texts_alone(&self) -> Self {
        Self { phrases: Vec::new(), ..self.clone() }
    }

    /// True if there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finding.is_none() && self.phrases.is_empty()
    }

    /// True if something is too short to be told from parts of other words in bytes that are no text.
    pub(super) fn has_short(&self) -> bool {
        self.phrases.iter().any(Phrase::is_short)
    }

    /// True if `bytes` hold one of the texts.
    #[must_use]
    pub fn is_in(&self, bytes: impl AsRef<[u8]>) -> bool {
        let bytes = bytes.as_ref();
        self.is_text_in(bytes) || self.phrases.iter().any(|phrase| phrase.is_in(bytes))
    }

    /// The same, where a longer word that contains a phrase counts too.
    #[must_use]
    pub fn is_part_of(&self, bytes: impl AsRef<[u8]>) -> bool {
        let bytes = bytes.as_ref();
        self.is_text_in(bytes) || self.phrases.iter().any(|phrase| phrase.is_part_of(bytes, Parts::Telling))
    }

    fn is_text_in(&self, bytes: &[u8]) -> bool {
        self.finding.as_ref().is_some_and(|finding| finding.is_match(bytes))
    }

    /// True if the bytes of `reader` hold one of the texts, or a phrase if only in a longer word.
    pub(super) fn is_read_from(&self, mut reader: impl Read + Seek, parts: Parts) -> std::io::Result<bool> {
        if let Some(finding) = &self.finding
            && finding.stream_find_iter(&mut reader).next().transpose()?.is_some()
        {
            return Ok(true);
        }
        for phrase in &self.phrases {
            reader.rewind()?;
            if phrase.is_read_from(&mut reader, parts)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `text` with `mark` in the place of each of the texts; none if it holds none. Of JSON only the words are replaced
    /// by which a phrase is found, not what gives it its form.
    #[must_use]
    pub fn replaced(&self, text: &str, mark: &str) -> Option<String> {
        let without_texts = self.replacing.as_ref().filter(|replacing| replacing.is_match(text)).map(|replacing| {
            let marks = vec![mark; replacing.patterns_len()];
            replacing.replace_all(text, &marks)
        });
        self.phrases.iter().fold(without_texts, |kept, phrase| {
            let without = phrase.replaced(kept.as_deref().unwrap_or(text), mark);
            without.or(kept)
        })
    }

    /// `held` without forgotten texts, but for those without which it could not be read or would not be valid; none
    /// if it is as before.
    #[must_use]
    pub fn without<T: Serialize + DeserializeOwned>(
        &self,
        held: &T,
        mark: &str,
        is_valid: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let text = serde_json::to_string(held).ok()?;
        let is_readable = |text: &str| serde_json::from_str::<T>(text).is_ok_and(|kept| is_valid(&kept));
        serde_json::from_str(&self.replaced_if(&text, mark, is_readable)?).ok()
    }

    /// The same where the result can still be read: if it could not be, each value of JSON, or each line of another
    /// text, is replaced by itself, and stays if nothing can be read without it. None if nothing was replaced.
    #[must_use]
    pub fn replaced_if(&self, text: &str, mark: &str, is_readable: impl Fn(&str) -> bool) -> Option<String> {
        let whole = self.replaced(text, mark)?;
        let value = json(text);
        if is_readable(&whole) && (value.is_none() || json(&whole).is_some()) {
            return Some(whole);
        }
        match value {
            Some(value) => self.replaced_by_value(value, mark, is_readable),
            None => self.replaced_by_line(text, mark, is_readable),
        }
    }

    fn replaced_by_line(&self, text: &str, mark: &str, is_readable: impl Fn(&str) -> bool) -> Option<String> {
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let mut changed = false;
        for n in 0..lines.len() {
            let Some(without) = self.replaced(&lines[n], mark) else { continue };
            let held = std::mem::replace(&mut lines[n], without);
            if is_readable(&lines.concat()) {
                changed = true;
            } else {
                lines[n] = held;
            }
        }
        changed.then(|| lines.concat())
    }

    fn replaced_by_value(&self, mut value: Value, mark: &str, is_readable: impl Fn(&str) -> bool) -> Option<String> {
        let mut places = Vec::new();
        self.find_places(&value, "", &mut places);
        let mut changed = false;
        for place in places {
            // Tried on a copy: a place without which the text cannot be read keeps its words.
            let mut tried = value.clone();
            let Some(word) = tried.pointer_mut(&place) else { continue };
            *word = self.without_words(word, mark);
            if is_readable(&tried.to_string()) {
                value = tried;
                changed = true;
            }
        }
        changed.then(|| value.to_string())
    }

    /// Places in `value` that hold something replaceable, as JSON pointers.
    fn find_places(&self, value: &Value, at: &str, places: &mut Vec<String>) {
        let known = places.len();
        match value {
            Value::String(text) if self.replaced(text, "").is_some() => places.push(at.to_owned()),
            // A forgotten number may stand in JSON without quotes.
            Value::Number(number) if self.is_in(number.to_string()) => places.push(at.to_owned()),
            Value::Array(items) => {
                for (n, item) in items.iter().enumerate() {
                    self.find_places(item, &format!("{at}/{n}"), places);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields.iter().filter(|(name, field)| holds_words(fields, name, field)) {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    self.find_places(field, &format!("{at}/{name}"), places);
                }
            }
            Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
        // A text that is JSON itself may stand here as what it says.
        let is_whole = !at.is_empty() && (value.is_object() || value.is_array());
        if is_whole && places.len() == known && self.is_text_in(value.to_string().as_bytes()) {
            places.push(at.to_owned());
        }
    }

    fn without_words(&self, word: &Value, mark: &str) -> Value {
        let kept = word.as_str().and_then(|text| self.replaced(text, mark));
        Value::String(kept.unwrap_or_else(|| mark.to_owned()))
    }

    /// The same for bytes that may be no text.
    pub(crate) fn replaced_bytes(&self, bytes: &[u8], mark: &str) -> Option<Vec<u8>> {
        let without_texts = self.replacing.as_ref().filter(|replacing| replacing.is_match(bytes)).map(|replacing| {
            let marks = vec![mark; replacing.patterns_len()];
            replacing.replace_all_bytes(bytes, &marks)
        });
        self.phrases.iter().fold(without_texts, |kept, phrase| {
            let without = phrase.replaced_bytes(kept.as_deref().unwrap_or(bytes), mark);
            without.or(kept)
        })
    }
}

/// Too short to be taken out of the middle of other words.
fn is_short(text: &str) -> bool {
    text.chars().count() < CHARS_MIN
}

/// An object or a list.
fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().filter(|value: &Value| value.is_object() || value.is_array())
}

fn forms(text: &str) -> Vec<String> {
    let escaped = inside(text);
    // The result of a tool is JSON in a text of a JSON line, where every escape is escaped again.
    let in_ascii = ascii(&escaped);
    vec![text.to_owned(), inside(&escaped), inside(&in_ascii), in_ascii, escaped]
}

/// As it stands between the quotes of a JSON string.
fn inside(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// As writers of JSON put it that escape whatever is not ASCII.
fn ascii(escaped: &str) -> String {
    let mut written = String::with_capacity(escaped.len());
    let mut units = [0; 2];
    for c in escaped.chars() {
        if c.is_ascii() {
            written.push(c);
        } else {
            for unit in c.encode_utf16(&mut units) {
                written.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    written
}

/// The phrase in an intent; see [`hidden`].
pub(super) mod hidden_phrase {
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(phrase: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
        super::hidden::serialize(phrase.as_slice(), serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        Ok(super::hidden::deserialize(deserializer)?.pop())
    }
}

/// The texts in an intent, so that looking for one of them does not find the intent itself.
pub(super) mod hidden {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(texts: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        texts.iter().map(hex::encode).collect::<Vec<String>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        let hidden = Vec::<String>::deserialize(deserializer)?;
        let text_of = |hex: &String| String::from_utf8(hex::decode(hex).ok()?).ok();
        hidden.iter().map(|hex| text_of(hex).ok_or_else(|| serde::de::Error::custom("no hidden text"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e2_12_a_text_is_found_plain_and_escaped_once_and_twice() {
        let text = "the \"vault\" code\nis ä-4711 😀";
        let needles = Needles::of(&[text.to_owned(), "too short".to_owned()]);
        let json = serde_json::json!({ "content": text }).to_string();
        let twice = serde_json::json!({ "result": json }).to_string();
        let ascii = r#"{"content": "the \"vault\" code\nis \u00e4-4711 \ud83d\ude00"}"#;
        for held in [text, &json, &twice, ascii] {
            assert!(needles.is_in(held), "{held}");
            let replaced = needles.replaced(held, "[x]").unwrap();
            assert!(replaced.contains("[x]") && !replaced.contains("vault") && !needles.is_in(&replaced));
        }
        for other in ["the \"vault\" code", "too short", ""] {
            assert!(!needles.is_in(other), "{other}");
        }
        assert!(Needles::of(&["too short".into()]).is_empty());
    }

    #[test]
    fn e2_12_a_short_text_is_looked_for_as_a_phrase() {
        let needles = Needles::default().and_short(&["PIN 4711".into(), "Kim".into(), "a text that is long".into()]);
        for held in ["the pin 4711.", "{\"text\":\"Kim\"}", "xPIN 4711x"] {
            assert!(needles.is_part_of(held), "{held}");
        }
        for other in ["kimono", "pin 471", "a text that is long"] {
            assert!(!needles.is_part_of(other), "{other}");
        }
        assert_eq!(needles.replaced("Kim has PIN 4711", "[x]").as_deref(), Some("[x] has [x]"));
    }

    #[test]
    fn e2_12_of_json_that_must_be_read_as_a_type_only_what_the_type_leaves_free_is_replaced() {
        let needles = Needles::default().and_phrase("high");
        let text = r#"{"level":"high","why":"too high","values":{"a/b":"High"},"list":["high",3]}"#;
        let is_readable = |text: &str| json(text).is_some_and(|value| value["level"] == "high");
        let kept = needles.replaced_if(text, "[x]", is_readable).unwrap();
        let expected = r#"{"level":"high","list":["[x]",3],"values":{"a/b":"[x]"},"why":"too [x]"}"#;
        assert_eq!(json(&kept), json(expected));
        assert_eq!(needles.replaced_if(r#"{"level":"high"}"#, "[x]", is_readable), None);
        let numbers = Needles::default().and_phrase("4711");
        let kept = numbers.replaced_if(r#"{"seq":4711,"value":4711}"#, "[x]", |text| text.contains("\"seq\":4711"));
        assert_eq!(kept.as_deref(), Some(r#"{"seq":4711,"value":"[x]"}"#));
        let own_mark = Needles::default().and_phrase("forgotten");
        let kept = own_mark.replaced_if(r#"{"a":"forgotten"}"#, "[forgotten tb-1]", |_| true);
        assert_eq!(kept.as_deref(), Some(r#"{"a":"[forgotten tb-1]"}"#));
    }

    #[test]
    fn e2_13_a_text_is_found_across_the_parts_in_which_a_file_is_read() {
        struct Slow<'a>(&'a [u8]);
        impl std::io::Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let count = self.0.len().min(buffer.len()).min(5);
                buffer[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        impl std::io::Seek for Slow<'_> {
            fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
                Ok(0)
            }
        }
        let needles = Needles::of(&["the vault code is 4711".into()]);
        assert!(needles.is_read_from(Slow(b"and so the vault code is 4711 for now"), Parts::Telling).unwrap());
        assert!(!needles.is_read_from(Slow(b"and so the vault code is 4712 for now"), Parts::Telling).unwrap());
    }
}
