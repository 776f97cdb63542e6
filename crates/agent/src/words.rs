//! Word lists: one entry a line, in small letters; a line that begins with `#` says what the list is for.

/// The entries of a list.
pub(crate) fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// True if `text`, in small letters, is an entry.
pub(crate) fn is_entry(list: &'static str, text: &str) -> bool {
    entries(list).any(|entry| entry == text)
}

/// True if an entry stands in `text`, in small letters, with no letter or digit beside it.
pub(crate) fn stands_in(list: &'static str, text: &str) -> bool {
    entries(list).any(|entry| has_word(text, entry))
}

/// True if `text` begins with an entry.
pub(crate) fn begins(list: &'static str, text: &str) -> bool {
    entries(list).any(|entry| text.strip_prefix(entry).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// True if `word` stands in `text` with no letter or digit beside it.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}
