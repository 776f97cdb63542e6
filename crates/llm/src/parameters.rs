//! Size of a model, read from its name: `qwen2.5-0.5b-instruct`, `mixtral-8x7b`, `SmolLM2-135M`.

/// The number of parameters that a name or a size like `8.0B` says; nothing if it says none.
pub(crate) fn in_name(name: &str) -> Option<u64> {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    // A name may also give the size of the part in use, as `30B-A3B` does; the model's own is the larger.
    words.filter_map(size).max()
}

/// `8b`, `0.5B`, `135M`, `8x7b`, or `E4B` for as many parameters as are in use at a time.
fn size(word: &str) -> Option<u64> {
    let (digits, scale) = match word.as_bytes().last()? {
        b'b' | b'B' => (&word[..word.len() - 1], 1e9),
        b'm' | b'M' => (&word[..word.len() - 1], 1e6),
        _ => return None,
    };
    let digits = digits.strip_prefix(['e', 'E']).unwrap_or(digits);
    let (experts, each) = digits.split_once(['x', 'X']).unwrap_or(("1", digits));
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| (0.0..1e5).contains(number));
    let parameters = (number(experts)? * number(each)? * scale).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between nothing and 1e19")]
    (parameters > 0.0).then_some(parameters as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fp_18_the_size_of_a_model_is_read_from_its_name() {
        let check = |name: &str, expected: Option<u64>| assert_eq!(in_name(name), expected, "{name}");
        check("qwen2.5-0.5b-instruct-q4_k_m.gguf", Some(500_000_000));
        check("llama3.2:3b", Some(3_000_000_000));
        check("meta-llama/Llama-3.1-8B-Instruct", Some(8_000_000_000));
        check("SmolLM2-135M-Instruct", Some(135_000_000));
        check("mixtral-8x7b", Some(56_000_000_000));
        check("Qwen3-30B-A3B", Some(30_000_000_000));
        check("8.0B", Some(8_000_000_000));
        check("google/gemma-3n-E4B-it", Some(4_000_000_000));
        check("gemma3n:e2b", Some(2_000_000_000));
        for name in
            ["claude-sonnet-4-5", "gpt-5.1", "gemini-2.5-pro", "b", "xb", "1e9b", "infb", "eb", "ee4b", "", "club-mix"]
        {
            check(name, None);
        }
    }
}
