//! Characters that a server cut in half. A character beyond the basic plane is two escapes in JSON, and a server that
//! cuts its stream between them sends two strings that no JSON reader takes.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// First halves that wait at once; a server that leaves more behind has lost itself.
const WAITING_MAX: usize = 64;

/// Joins the halves over the events of one stream.
#[derive(Debug, Default)]
pub(crate) struct Halves {
    /// First halves, as escapes, that ended a string each, by the place of that string: pieces of several texts may come
    /// in turn.
    waiting: Vec<(u64, String)>,
}

impl Halves {
    /// `json` with whole characters only: a first half at the end of a string waits for its second, which begins a later
    /// string in the same place; any other half becomes the replacement character.
    pub fn mend<'a>(&mut self, json: &'a str) -> Cow<'a, str> {
        // Nearly every event has no such escape and is passed on without a copy.
        if !json.contains("\\ud") && !json.contains("\\uD") {
            return Cow::Borrowed(json);
        }
        let (mut mended, mut at, mut begun) = (String::with_capacity(json.len()), 0, None);
        while let Some(next) = json[at..].find(['"', '\\']).map(|skipped| at + skipped) {
            mended.push_str(&json[at..next]);
            at = if json[next..].starts_with('"') {
                begun = if begun.is_some() { None } else { Some(next + 1) };
                mended.push('"');
                next + 1
            } else {
                self.escape(json, next, begun.unwrap_or(0), &mut mended)
            };
        }
        mended.push_str(&json[at..]);
        Cow::Owned(mended)
    }

    /// Takes the escape at `at` of a string that began at `begun`; gives where it ends.
    fn escape(&mut self, json: &str, at: usize, begun: usize, mended: &mut String) -> usize {
        let text = &json[at..];
        let Some(half) = half(text) else {
            let end = text.char_indices().nth(2).map_or(text.len(), |(end, _)| end);
            mended.push_str(&text[..end]);
            return at + end;
        };
        let (escape, rest) = text.split_at(ESCAPE_BYTES);
        match half {
            Half::First if self::half(rest) == Some(Half::Second) => {
                mended.push_str(&text[..2 * ESCAPE_BYTES]);
                return at + 2 * ESCAPE_BYTES;
            }
            // At the end of its string the second half may come with the next piece of the text.
            Half::First if rest.starts_with('"') => self.wait(place(&json[..begun]), escape),
            Half::Second
                if at == begun
                    && let Some(first) = self.first_half(place(&json[..begun])) =>
            {
                mended.push_str(&first);
                mended.push_str(escape);
            }
            Half::First | Half::Second => mended.push(char::REPLACEMENT_CHARACTER),
        }
        at + ESCAPE_BYTES
    }

    fn wait(&mut self, place: u64, escape: &str) {
        // Only one half can wait in a place: a newer one means that the older lost its other half.
        self.waiting.retain(|(other, _)| *other != place);
        if self.waiting.len() == WAITING_MAX {
            self.waiting.remove(0);
        }
        self.waiting.push((place, escape.to_owned()));
    }

    /// The half that waits in `place`; in another place only if none waits elsewhere: the first piece of a text may stand
    /// behind fields that later ones lack.
    fn first_half(&mut self, place: u64) -> Option<String> {
        let same = self.waiting.iter().position(|(other, _)| *other == place);
        let at = same.or_else(|| (self.waiting.len() == 1).then_some(0))?;
        Some(self.waiting.remove(at).1)
    }
}

/// The place of a string in its event, by what stands before it: in each piece of one text that is the same.
fn place(before: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    before.hash(&mut hasher);
    hasher.finish()
}

/// Bytes of an escape like `\ud83e`.
const ESCAPE_BYTES: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

/// The half of a character that `text` begins with.
fn half(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(events: &[&str], expected: &[&str]) {
        let mut halves = Halves::default();
        let mended: Vec<String> = events.iter().map(|event| halves.mend(event).into_owned()).collect();
        let read: Vec<String> = mended.iter().map(|json| serde_json::from_str(json).unwrap()).collect();
        assert_eq!(read, expected, "{events:?}");
    }

    #[test]
    fn a_character_cut_between_two_events_is_whole_in_the_second() {
        check(&[r#""a\ud83e""#, r#""\udd16b""#], &["a", "🤖b"]);
        check(&[r#""a\uD83E""#, r#""""#, r#""\uDD16b""#], &["a", "", "🤖b"]);
        check(&[r#""\ud83e\udd16\ud83e""#, r#""\udd16""#], &["🤖", "🤖"]);
    }

    #[test]
    fn fp_05_halves_of_texts_that_come_in_turn_are_joined_with_their_own() {
        let mut halves = Halves::default();
        let pieces = [(0, "a\\ud83e"), (1, "b\\ud83d"), (0, "\\udd16"), (1, "\\ude00!")];
        let mut texts = [String::new(), String::new()];
        for (index, piece) in pieces {
            let event = format!(r#"{{"index":{index},"delta":{{"text":"{piece}"}}}}"#);
            let read: serde_json::Value = serde_json::from_str(&halves.mend(&event)).unwrap();
            texts[index].push_str(read["delta"]["text"].as_str().unwrap());
        }
        assert_eq!(texts, ["a🤖", "b😀!"]);
    }

    #[test]
    fn fp_05_a_second_half_that_does_not_begin_a_string_is_replaced() {
        check(&[r#""a\ud83e""#, r#""b\udd16""#], &["a", "b\u{fffd}"]);
    }

    #[test]
    fn a_half_without_its_other_half_is_replaced() {
        check(&[r#""\udd16""#], &["\u{fffd}"]);
        check(&[r#""\ud83e and more""#, r#""x""#], &["\u{fffd} and more", "x"]);
    }

    #[test]
    fn whole_characters_and_other_escapes_stay() {
        check(&[r#""\ud83e\udd16 \\ud83e \"\n\u00e9""#], &["🤖 \\ud83e \"\né"]);
    }
}
