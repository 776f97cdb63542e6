//! Texts that are too long for where they stand.

/// The end of a text that was cut.
const CUT: &str = "\n[cut]";

/// `text` up to the last line with which it has at most `chars_max` characters, and a mark if something is missing.
pub(crate) fn cut_at_line(text: &str, chars_max: usize) -> String {
    // By characters: cutting at a byte could split one and panic.
    if text.chars().nth(chars_max).is_none() {
        return text.to_owned();
    }
    let room = chars_max.saturating_sub(CUT.len());
    let end = text.char_indices().nth(room).map_or(text.len(), |(end, _)| end);
    let kept = text.get(..end).unwrap_or_default();
    // Whole lines, so that no instruction is read without its end.
    let kept = kept.rsplit_once('\n').map_or(kept, |(whole, _)| whole);
    format!("{kept}{CUT}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ml_31_ml_32_a_long_text_is_cut_at_a_line_with_a_mark_and_stays_within_its_bound() {
        assert_eq!(cut_at_line("one\ntwo\nthree, four, five", 15), "one\ntwo\n[cut]");
        assert_eq!(cut_at_line("one\ntwo", 7), "one\ntwo");
        assert_eq!(cut_at_line("äöüäöüäöü", 8), "äö\n[cut]");
        assert_eq!(cut_at_line("äöüäöüäöü", 2), "\n[cut]", "the mark stands whatever room there is");
    }
}
