//! Completion gate of a turn. Cheap signs come first; a judge, which is a model call, only if they do not decide.

use llm::{Caps, Request};
use robot::{ConversationId, Trust};
use serde::{Deserialize, Serialize};

use crate::side_calls::side::SideCall;
use crate::text::{cut, head};
use crate::words::{begins, entries, has_word, is_entry, stands_in};
use crate::{Demand, GateWhen, Policy};

const ACKNOWLEDGEMENTS: &str = include_str!("../data/acknowledgements.txt");
const ACKNOWLEDGEMENT_WORDS: &str = include_str!("../data/acknowledgement_words.txt");
const OPENINGS: &str = include_str!("../data/progress_openings.txt");
const PROMISES: &str = include_str!("../data/promises.txt");
const DEEDS: &str = include_str!("../data/deeds.txt");
const DEMANDS: &str = include_str!("../data/grounding_demands.txt");
const CONTROL_TOKENS: &str = include_str!("../data/control_tokens.txt");
const GROUNDED: &str = include_str!("prompts/judge_grounded.md");
const ADEQUACY: &str = include_str!("prompts/judge_adequacy.md");

/// Outputs of work tools that the gate remembers.
pub const PREVIEWS_MAX: usize = 8;
/// Characters of each.
pub const PREVIEW_CHARS: usize = 280;
/// Characters of a single word that says nothing.
const WORD_CHARS_MAX: usize = 20;
/// Characters in which a promise stands.
const PROMISE_CHARS: usize = 150;
/// After so many failures a reply that was cut by length is taken as it is.
const FAILURES_BEFORE_CUT: u32 = 2;
/// Previews that an answer is compared with and that a judge reads.
const PREVIEWS_READ: usize = 3;
/// Characters of a preview that a judge reads.
const JUDGED_PREVIEW_CHARS: usize = 220;
/// Characters of the request that a judge reads.
const REQUEST_CHARS: usize = 1_200;
/// Characters of an answer that the grounded judge reads.
const GROUNDED_CHARS: usize = 1_000;
/// Characters of an answer that the adequacy judge reads.
const ADEQUACY_CHARS: usize = 2_000;
/// Tokens of the grounded judge's answer.
const GROUNDED_TOKENS: u32 = 40;
/// Tokens of the adequacy judge's answer.
const ADEQUACY_TOKENS: u32 = 64;
/// Letters of a word that two texts can share by more than chance.
const TOKEN_CHARS_MIN: usize = 4;
/// Such words of each text that are compared.
const TOKENS_MAX: usize = 12;

/// Facts about a turn that decide if it may end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnFacts {
    /// The request that the turn answers.
    pub request: String,
    /// Every text the person saw: what was said, delivered in between, and the last one.
    pub seen: String,
    /// The last text, without what was said by a tool.
    pub last_text: String,
    /// Work tools that ran.
    pub works: u32,
    /// Those of them that succeeded.
    pub succeeded: u32,
    /// The newest call of a work tool failed.
    pub last_failed: bool,
    /// Any call of a work tool failed.
    pub any_failed: bool,
    /// The model called `end_turn`.
    pub ended_by_tool: bool,
    /// The last reply was cut by length.
    pub cut_by_length: bool,
    /// Refusals of the gate in this turn.
    pub failures: u32,
    /// Outputs of work tools, newest first, see [`preview`].
    pub previews: Vec<String>,
    /// Demand that the router found, if there is a router.
    pub demand: Option<Demand>,
}

/// A judge: a call of the model that reads what was asked for and what was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// Checks that the answer reflects what the tools returned.
    Grounded,
    /// Checks that the work asked for was done and not only promised.
    Adequacy,
}

/// Verdict of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// The turn may end.
    Done,
    /// It goes on, and the model is told why.
    Continue(String),
    /// A judge is asked.
    Ask(Judge),
}

/// True if the gate looks at this turn at all.
#[must_use]
pub fn gate_is_on(policy: &Policy, facts: &TurnFacts) -> bool {
    match policy.gate.when {
        GateWhen::Off => false,
        GateWhen::Always => true,
        GateWhen::OnDoubt => {
            let wants_work = match facts.demand {
                Some(Demand::Grounded | Demand::Exact) => true,
                Some(Demand::Chat | Demand::Deep) | None => false,
            };
            facts.any_failed || (wants_work && facts.succeeded == 0)
        }
    }
}

/// Judges the end of a turn by its signs. After as many failures as the policy allows it is done.
#[must_use]
pub fn inspect(policy: &Policy, facts: &TurnFacts) -> GateVerdict {
    // After that many refusals people are served better by the answer as it is than by none.
    if !gate_is_on(policy, facts) || facts.failures >= policy.gate.loops {
        return GateVerdict::Done;
    }
    let seen = visible(&facts.seen);
    let last = visible(&facts.last_text);
    if facts.ended_by_tool {
        // A model that ends the turn although nothing succeeded may have given up, so a judge looks.
        return if facts.succeeded > 0 { GateVerdict::Done } else { GateVerdict::Ask(Judge::Adequacy) };
    }
    if facts.cut_by_length && facts.failures >= FAILURES_BEFORE_CUT {
        let advice = "Your replies are cut off by their length. Write long output into a file and say where it is.";
        return if seen.is_empty() { go_on(advice) } else { GateVerdict::Done };
    }
    if seen.is_empty() {
        return go_on("Nothing of this turn was visible to the person. Answer in words.");
    }
    if is_progress(&last) {
        return go_on("You reported that you are working. Do what you announced, then give the result.");
    }
    let is_bare = is_acknowledgement(&last);
    if is_bare && facts.works > 0 {
        return go_on("You acknowledged without an answer. Say what the results are.");
    }
    if demands_grounding(facts) && facts.works == 0 {
        return go_on("An answer from what is really there was asked for. Look it up with your tools first.");
    }
    if facts.last_failed && is_bare {
        return go_on("The last tool failed. Say what failed, or do it another way.");
    }
    // With results at hand the answer can be compared with them, otherwise only with the request.
    GateVerdict::Ask(if facts.works > 0 && facts.succeeded > 0 { Judge::Grounded } else { Judge::Adequacy })
}

/// Asks a judge.
#[must_use]
pub fn judge_request(
    judge: Judge,
    session: &ConversationId,
    caps: &Caps,
    policy: &Policy,
    facts: &TurnFacts,
) -> Request {
    let (prompt, output_max, chars) = match judge {
        Judge::Grounded => (GROUNDED, GROUNDED_TOKENS, GROUNDED_CHARS),
        Judge::Adequacy => (ADEQUACY, ADEQUACY_TOKENS, ADEQUACY_CHARS),
    };
    let results: String = match judge {
        Judge::Grounded => facts
            .previews
            .iter()
            .take(PREVIEWS_READ)
            .map(|preview| format!("Result: {}\n", cut(preview, JUDGED_PREVIEW_CHARS)))
            .collect(),
        Judge::Adequacy => String::new(),
    };
    // A hint and no verdict: an answer may be in another language than the results.
    let is_foreign = judge == Judge::Grounded && ignores_results(&facts.seen, &facts.previews);
    let hint = if is_foreign { "\nThe answer shares no longer word with the results." } else { "" };
    let asked = head(&facts.request, REQUEST_CHARS);
    let answer = head(&facts.seen, chars);
    let text = format!("Asked for: {asked}\n{results}Answer: {answer}{hint}");
    let (system, temperature) = (prompt.trim_end().to_owned(), policy.sampling.judges);
    // The text quotes results of tools, so it is trusted no more than any of them.
    SideCall { session, caps, temperature, output_max, system, text, trust: Trust::Text }.request()
}

/// Verdict from a judge's answer. One that failed or said neither word lets the turn pass.
#[must_use]
pub fn judged(answer: Option<&str>) -> GateVerdict {
    // Small models print the word in bold, in quotes or as code.
    let answer = answer.unwrap_or_default().trim_start_matches(['*', '"', '`', ' ', '\n']);
    // `get` gives nothing where a slice would end inside a character and panic.
    match answer.get(.."CONTINUE:".len()) {
        Some(word) if word.eq_ignore_ascii_case("CONTINUE:") => {
            let missing = answer["CONTINUE:".len()..].trim_matches([' ', '*', '\n']);
            let missing = if missing.is_empty() { "What was asked for is not there yet." } else { missing };
            go_on(missing)
        }
        Some(_) | None => GateVerdict::Done,
    }
}

/// The beginning of a work tool's output, which the gate remembers.
#[must_use]
pub fn preview(json: &str) -> String {
    cut(json, PREVIEW_CHARS)
}

/// True if an answer has nothing to do with the newest results: no longer word in common, no digit and no path.
fn ignores_results(answer: &str, previews: &[String]) -> bool {
    // A digit or a path was most likely taken from a result, in whatever language the answer is.
    if previews.is_empty() || answer.contains(|c: char| c.is_ascii_digit() || c == '/') {
        return false;
    }
    let said: Vec<String> = tokens(answer);
    !previews.iter().take(PREVIEWS_READ).any(|preview| tokens(preview).iter().any(|token| said.contains(token)))
}

fn go_on(missing: &str) -> GateVerdict {
    GateVerdict::Continue(format!("[Not done] {missing}"))
}

/// The text without what some models print when they have nothing to say.
fn visible(text: &str) -> String {
    let mut small = text.to_lowercase();
    for token in entries(CONTROL_TOKENS) {
        small = small.replace(token, "");
    }
    small.trim().to_owned()
}

fn is_acknowledgement(small: &str) -> bool {
    let bare = small.trim_end_matches(['.', '!', '?', ' ']);
    let is_word = !bare.contains(char::is_whitespace) && small.chars().count() <= WORD_CHARS_MAX;
    is_entry(ACKNOWLEDGEMENTS, bare) || (is_word && is_entry(ACKNOWLEDGEMENT_WORDS, bare))
}

fn is_progress(small: &str) -> bool {
    let start = head(small, PROMISE_CHARS);
    let promises = stands_in(PROMISES, start) && entries(DEEDS).any(|deed| has_word(start, deed));
    begins(OPENINGS, small) || promises
}

fn demands_grounding(facts: &TurnFacts) -> bool {
    stands_in(DEMANDS, &facts.request.to_lowercase())
}

fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= TOKEN_CHARS_MIN);
    words.take(TOKENS_MAX).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests;
