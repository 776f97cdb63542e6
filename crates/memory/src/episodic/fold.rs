//! Folds a text into the terms it is found by: words in lower case without diacritics; scripts that are written without
//! blanks become single characters.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The mark that voices a kana; without it the kana is another letter, not the same with an accent.
const KANA_MARKS: [char; 2] = ['\u{3099}', '\u{309a}'];

/// A term, and the part of the text it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// Lower case, no diacritics.
    pub term: String,
    /// Bytes of the text.
    pub range: Range<usize>,
    /// It and the token before are characters of a script without blanks, and stand together.
    pub joined: bool,
}

/// The terms of a text in order.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut word: Option<Range<usize>> = None;
    let mut single_end = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if is_single(c) {
            push_word(&mut tokens, text, word.take());
            let joined = single_end == Some(at);
            push(&mut tokens, text, at..end, joined);
            single_end = Some(end);
        } else if c.is_alphanumeric() || is_combining_mark(c) {
            // A mark continues the word: decomposed text has accents as characters of their own.
            word = Some(word.map_or(at, |word| word.start)..end);
        } else {
            push_word(&mut tokens, text, word.take());
        }
    }
    push_word(&mut tokens, text, word);
    tokens
}

/// The terms of a text with one blank between them: what the index holds.
pub(crate) fn fold(text: &str) -> String {
    let tokens = tokens(text);
    let mut folded = String::with_capacity(text.len());
    for token in &tokens {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(&token.term);
    }
    folded
}

fn push_word(tokens: &mut Vec<Token>, text: &str, word: Option<Range<usize>>) {
    if let Some(range) = word {
        push(tokens, text, range, false);
    }
}

fn push(tokens: &mut Vec<Token>, text: &str, range: Range<usize>, joined: bool) {
    let term = folded_word(text.get(range.clone()).unwrap_or_default());
    if !term.is_empty() {
        tokens.push(Token { term, range, joined });
    }
}

/// Upper case first: it takes apart ligatures and the sharp s, which lower case alone leaves as they are.
fn folded_word(word: &str) -> String {
    let decomposed = word.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkd();
    let plain = decomposed.filter(|c| !is_combining_mark(*c) || KANA_MARKS.contains(c));
    plain.nfc().filter(|c| c.is_alphanumeric()).collect()
}

/// Han, kana and Hangul: their words have no blanks, or endings that hide them.
const fn is_single(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3100}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e2_05_a_text_is_split_into_folded_words() {
        for (text, folded) in [
            ("Toddler near the Stairs!", "toddler near the stairs"),
            ("front_door-3: OFFEN (Größe 12,5 m)", "front door 3 offen grosse 12 5 m"),
            ("Café CAFÉ cafe\u{301}", "cafe cafe cafe"),
            ("ﬁnal ΟΔΟΣ οδός İstanbul", "final οδοσ οδοσ istanbul"),
            ("門が開いた2回", "門 が 開 い た 2 回"),
            ("문이 열렸다", "문 이 열 렸 다"),
            ("AND NEAR(\"x\") * ^col:", "and near x col"),
            ("… — ™", ""),
            ("", ""),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn e2_05_a_term_knows_where_it_stood() {
        let text = "Über 2門前 x";
        let found: Vec<_> =
            tokens(text).into_iter().map(|token| (text[token.range].to_owned(), token.joined)).collect();
        let expected = [("Über", false), ("2", false), ("門", false), ("前", true), ("x", false)];
        assert_eq!(found, expected.map(|(text, joined)| (text.to_owned(), joined)));
    }
}
