//! Characters that a server cut in half. A character beyond the basic plane is two escapes in JSON, and a server that
//! cuts its stream between them sends two strings that no JSON reader takes.

use std::borrow::Cow;

/// Joins the halves over the events of one stream.
#[derive(Debug, Default)]
pub(crate) struct Halves {
    /// The first half that ended a string of an earlier event, as an escape.
    first: Option<String>,
}

impl Halves {
    /// `json` with whole characters only: a first half at the end of a string waits for its second, any other half
    /// becomes the replacement character.
    pub fn mend<'a>(&mut self, json: &'a str) -> Cow<'a, str> {
        if !json.contains("\\ud") && !json.contains("\\uD") {
            return Cow::Borrowed(json);
        }
        let mut mended = String::with_capacity(json.len());
        let mut rest = json;
        while let Some(at) = rest.find('\\') {
            mended.push_str(&rest[..at]);
            rest = &rest[at..];
            rest = self.escape(rest, &mut mended);
        }
        mended.push_str(rest);
        Cow::Owned(mended)
    }

    /// Takes the escape that `text` begins with; gives what follows it.
    fn escape<'a>(&mut self, text: &'a str, mended: &mut String) -> &'a str {
        let Some(half) = half(text) else {
            let end = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
            mended.push_str(&text[..end]);
            return &text[end..];
        };
        let (escape, rest) = text.split_at(ESCAPE_BYTES);
        match half {
            Half::First if self::half(rest) == Some(Half::Second) => {
                mended.push_str(&text[..2 * ESCAPE_BYTES]);
                return &rest[ESCAPE_BYTES..];
            }
            Half::First if rest.starts_with('"') => self.first = Some(escape.to_owned()),
            Half::Second if let Some(first) = self.first.take() => {
                mended.push_str(&first);
                mended.push_str(escape);
            }
            Half::First | Half::Second => mended.push(char::REPLACEMENT_CHARACTER),
        }
        rest
    }
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
    fn a_half_without_its_other_half_is_replaced() {
        check(&[r#""\udd16""#], &["\u{fffd}"]);
        check(&[r#""\ud83e and more""#, r#""x""#], &["\u{fffd} and more", "x"]);
    }

    #[test]
    fn whole_characters_and_other_escapes_stay() {
        check(&[r#""\ud83e\udd16 \\ud83e \"\n\u00e9""#], &["🤖 \\ud83e \"\né"]);
    }
}
