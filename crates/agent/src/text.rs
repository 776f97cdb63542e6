//! Parts of texts, counted in characters.

/// The first `chars` characters.
pub(crate) fn head(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(at, _)| &text[..at])
}

/// The last `chars` characters.
pub(crate) fn tail(text: &str, chars: usize) -> &str {
    let length = text.chars().count();
    text.char_indices().nth(length.saturating_sub(chars)).map_or("", |(at, _)| &text[at..])
}

/// A text of at most `head_chars` and `tail_chars` characters, with a mark where something was left out.
pub(crate) fn ends(text: &str, head_chars: usize, tail_chars: usize) -> String {
    let length = text.chars().count();
    if length <= head_chars + tail_chars {
        return text.to_owned();
    }
    let left_out = length - head_chars - tail_chars;
    format!("{}\n[… {left_out} characters left out …]\n{}", head(text, head_chars), tail(text, tail_chars))
}

/// A text of at most `chars` characters; a cut one ends with a mark.
pub(crate) fn cut(text: &str, chars: usize) -> String {
    let kept = head(text, chars);
    if kept.len() == text.len() { text.to_owned() } else { format!("{kept}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!((head("äöü", 2), tail("äöü", 2), head("ä", 5), tail("ä", 5)), ("äö", "öü", "ä", "ä"));
        assert_eq!((head("äöü", 0), tail("äöü", 0)), ("", ""));
        assert_eq!(ends("äöü", 2, 1), "äöü");
        assert_eq!(ends("äöüß", 1, 1), "ä\n[… 2 characters left out …]\nß");
        assert_eq!((cut("äöü", 3).as_str(), cut("äöü", 2).as_str()), ("äöü", "äö…"));
    }
}
