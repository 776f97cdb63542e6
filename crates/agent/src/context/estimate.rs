//! Token counts of requests without a tokenizer: the provider's measurement beats an estimate from characters.

use llm::{Block, Request, RequestMessage, Usage};
use serde::{Deserialize, Serialize};

use crate::Estimator;

/// Tokens that a message takes besides its words.
const MESSAGE_TOKENS: u64 = 10;

/// A provider's measurement of an earlier request of this conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The epoch of that request: in another one the past was edited, and the figure says nothing.
    pub epoch: u32,
    /// Number of its messages.
    pub messages: usize,
    /// Its input, tokens.
    pub input: u64,
}

impl Measured {
    /// The measurement that the answer to `request` brings; none if the provider only guessed or was silent.
    #[must_use]
    pub fn of(request: &Request, usage: &Usage) -> Option<Self> {
        // Transient messages are gone in the next request, so only those before them can be found there again.
        let messages = request.transient_from.unwrap_or(request.messages.len());
        let measured = Self { epoch: request.epoch, messages, input: usage.input() };
        (!usage.estimated && measured.input > 0).then_some(measured)
    }
}

/// The tokens of `request`.
#[must_use]
pub fn estimate(estimator: Estimator, request: &Request, measured: Option<Measured>) -> u64 {
    let measured = measured.filter(|known| known.epoch == request.epoch && known.messages <= request.messages.len());
    match (estimator, measured) {
        (Estimator::QuarterAndTen, _) | (Estimator::MeasuredThenTail, None) => quarter_and_ten(request),
        (Estimator::Quarter, _) => all_chars(request) / 4,
        (Estimator::ThreeAndHalf, _) => three_and_half(all_chars(request)),
        (Estimator::Measured, known) => known.map_or(0, |known| known.input),
        (Estimator::MeasuredThenTail, Some(known)) => {
            // Only what came after the measured request is guessed, so the error does not grow with the
            // conversation.
            let tail: u64 = request.messages[known.messages..].iter().map(message_chars).sum();
            known.input + three_and_half(tail)
        }
    }
}

/// The tokens that `chars` characters take by themselves.
pub(crate) const fn tokens_of_chars(estimator: Estimator, chars: u64) -> u64 {
    match estimator {
        Estimator::QuarterAndTen | Estimator::Quarter => chars / 4,
        Estimator::ThreeAndHalf | Estimator::Measured | Estimator::MeasuredThenTail => three_and_half(chars),
    }
}

fn quarter_and_ten(request: &Request) -> u64 {
    all_chars(request) / 4 + MESSAGE_TOKENS * as_u64(request.messages.len())
}

const fn three_and_half(chars: u64) -> u64 {
    chars.saturating_mul(2) / 7
}

fn all_chars(request: &Request) -> u64 {
    let system: u64 = request.system.iter().map(|text| chars(text)).sum();
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| chars(&tool.name) + chars(&tool.description) + chars(&tool.input_schema.to_string()))
        .sum();
    system + tools + request.messages.iter().map(message_chars).sum::<u64>()
}

fn message_chars(message: &RequestMessage) -> u64 {
    message.blocks.iter().map(block_chars).sum()
}

pub(crate) fn block_chars(block: &Block) -> u64 {
    match block {
        Block::Text { text, .. } => chars(text),
        Block::Call { name, args_raw, .. } => chars(name) + chars(args_raw),
        Block::Result { json, .. } => chars(json),
    }
}

fn chars(text: &str) -> u64 {
    as_u64(text.chars().count())
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::request;

    /// Messages of these lengths, and what each way of counting makes of them.
    fn check(lengths: &[usize], measured: Option<Measured>, expected: [u64; 5]) {
        let words: Vec<String> = lengths.iter().map(|length| "ä".repeat(*length)).collect();
        let request = request(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let ways = [
            Estimator::QuarterAndTen,
            Estimator::ThreeAndHalf,
            Estimator::Measured,
            Estimator::Quarter,
            Estimator::MeasuredThenTail,
        ];
        assert_eq!(ways.map(|way| estimate(way, &request, measured)), expected, "{lengths:?} {measured:?}");
    }

    #[test]
    fn s_20_b_41_tokens_by_characters_and_by_what_was_measured() {
        let measured = |epoch, messages| Some(Measured { epoch, messages, input: 5_000 });
        check(&[], None, [0, 0, 0, 0, 0]);
        check(&[4_000, 400], None, [1_120, 1_257, 0, 1_100, 1_120]);
        check(&[4_000, 400], measured(0, 1), [1_120, 1_257, 5_000, 1_100, 5_114]);
        check(&[4_000, 400], measured(0, 2), [1_120, 1_257, 5_000, 1_100, 5_000]);
        // A measurement from before the past was edited counts no more.
        check(&[4_000, 400], measured(1, 1), [1_120, 1_257, 0, 1_100, 1_120]);
        check(&[4_000, 400], measured(0, 3), [1_120, 1_257, 0, 1_100, 1_120]);
    }

    #[test]
    fn s_20_a_guess_is_no_measure_and_a_transient_tail_was_not_kept() {
        let mut sent = request(&["a", "b", "hint"]);
        sent.transient_from = Some(2);
        let usage = Usage { in_fresh: 10, cache_read: 30, ..Usage::default() };
        assert_eq!(Measured::of(&sent, &usage), Some(Measured { epoch: 0, messages: 2, input: 40 }));
        assert_eq!(Measured::of(&sent, &Usage { estimated: true, ..usage }), None);
        assert_eq!(Measured::of(&sent, &Usage::default()), None);
    }
}
