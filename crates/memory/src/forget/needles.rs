//! The texts that must not be found any more, in every form in which a file may hold them.

use std::io::{Read, Seek};

use aho_corasick::{AhoCorasick, MatchKind};

use super::phrase::Phrase;

/// A shorter text is in too many others to be taken out of all of them.
const CHARS_MIN: usize = 12;

/// Finds and replaces a set of texts, and a phrase that was typed. Made once: looking costs the same for one text and
/// for a thousand.
#[derive(Debug, Clone, Default)]
pub struct Needles {
    finding: Option<AhoCorasick>,
    replacing: Option<AhoCorasick>,
    phrase: Option<Phrase>,
}

impl Needles {
    /// The texts of at least twelve characters: plain, as JSON, as JSON in ASCII, and as JSON within JSON.
    #[must_use]
    pub fn of(texts: &[String]) -> Self {
        let long = texts.iter().map(|text| text.trim()).filter(|text| text.chars().count() >= CHARS_MIN);
        let mut forms: Vec<String> = long.flat_map(forms).collect();
        forms.sort_unstable();
        forms.dedup();
        if forms.is_empty() {
            return Self::default();
        }
        // Both can only fail for more patterns than fit into memory.
        let finding = AhoCorasick::new(&forms).ok();
        let replacing = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms).ok();
        Self { finding, replacing, phrase: None }
    }

    /// These and a phrase of any length, in any case and normal form.
    #[must_use]
    pub fn and_phrase(self, phrase: &str) -> Self {
        Self { phrase: Phrase::of(phrase), ..self }
    }

    /// The phrase alone; nothing if there is none.
    #[must_use]
    pub fn phrase_alone(&self) -> Self {
        Self { phrase: self.phrase.clone(), ..Self::default() }
    }

    /// The texts alone.
    #[must_use]
    pub fn texts_alone(&self) -> Self {
        Self { phrase: None, ..self.clone() }
    }

    /// True if there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finding.is_none() && self.phrase.is_none()
    }

    /// Whether `bytes` hold one of the texts.
    #[must_use]
    pub fn is_in(&self, bytes: impl AsRef<[u8]>) -> bool {
        let bytes = bytes.as_ref();
        self.finding.as_ref().is_some_and(|finding| finding.is_match(bytes))
            || self.phrase.as_ref().is_some_and(|phrase| phrase.is_in(bytes))
    }

    /// The same, where a longer word that contains the phrase counts too.
    #[must_use]
    pub fn is_part_of(&self, bytes: impl AsRef<[u8]>) -> bool {
        let bytes = bytes.as_ref();
        self.finding.as_ref().is_some_and(|finding| finding.is_match(bytes))
            || self.phrase.as_ref().is_some_and(|phrase| phrase.is_part_of(bytes))
    }

    /// True if the bytes of `reader` hold one of the texts, or the phrase if only in a longer word.
    pub(crate) fn is_read_from(&self, mut reader: impl Read + Seek) -> std::io::Result<bool> {
        if let Some(finding) = &self.finding
            && finding.stream_find_iter(&mut reader).next().transpose()?.is_some()
        {
            return Ok(true);
        }
        let Some(phrase) = &self.phrase else { return Ok(false) };
        reader.rewind()?;
        phrase.is_read_from(reader)
    }

    /// `text` with `mark` in the place of each of the texts; none if it holds none. Of JSON only the words are replaced
    /// by which a phrase is found, not what gives it its form.
    #[must_use]
    pub fn replaced(&self, text: &str, mark: &str) -> Option<String> {
        let without_texts = self.replacing.as_ref().filter(|replacing| replacing.is_match(text)).map(|replacing| {
            let marks = vec![mark; replacing.patterns_len()];
            replacing.replace_all(text, &marks)
        });
        let phrase = self.phrase.as_ref();
        let without_phrase = phrase.and_then(|phrase| phrase.replaced(without_texts.as_deref().unwrap_or(text), mark));
        without_phrase.or(without_texts)
    }

    /// The same for bytes that may be no text.
    pub(crate) fn replaced_bytes(&self, bytes: &[u8], mark: &str) -> Option<Vec<u8>> {
        let without_texts = self.replacing.as_ref().filter(|replacing| replacing.is_match(bytes)).map(|replacing| {
            let marks = vec![mark; replacing.patterns_len()];
            replacing.replace_all_bytes(bytes, &marks)
        });
        let phrase = self.phrase.as_ref();
        let without_phrase =
            phrase.and_then(|phrase| phrase.replaced_bytes(without_texts.as_deref().unwrap_or(bytes), mark));
        without_phrase.or(without_texts)
    }
}

fn forms(text: &str) -> Vec<String> {
    let escaped = inside(text);
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
        let hex = |text: &String| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        texts.iter().map(hex).collect::<Vec<String>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        let hidden = Vec::<String>::deserialize(deserializer)?;
        hidden.iter().map(|hex| text_of(hex).ok_or_else(|| serde::de::Error::custom("no hidden text"))).collect()
    }

    fn text_of(hex: &str) -> Option<String> {
        let digits: Vec<u8> =
            hex.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect::<Option<_>>()?;
        let bytes = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
        String::from_utf8(bytes).ok()
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
        assert!(needles.is_read_from(Slow(b"and so the vault code is 4711 for now")).unwrap());
        assert!(!needles.is_read_from(Slow(b"and so the vault code is 4712 for now")).unwrap());
    }
}
