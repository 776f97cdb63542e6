//! Difficulty of a message: a reflex can answer it, or it needs the whole loop.

use llm::{Caps, Request};
use robot::{ConversationId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::side_calls::side::SideCall;
use crate::text::head;
use crate::words::{begins, entries, has_word, is_entry, stands_in};
use crate::{Policy, RouteBy};

const GREETINGS: &str = include_str!("../data/greetings.txt");
const IDENTITY: &str = include_str!("../data/identity_questions.txt");
const CAPABILITIES: &str = include_str!("../data/capability_questions.txt");
const FILE_NOUNS: &str = include_str!("../data/file_nouns.txt");
const WORKSPACE: &str = include_str!("../data/workspace_words.txt");
const EXTENSIONS: &str = include_str!("../data/extensions.txt");
const DEEP: &str = include_str!("../data/deep_words.txt");
const MOODS: &str = include_str!("../data/strong_moods.txt");
const SLANG: &str = include_str!("../data/slang.txt");
const VERBS: &str = include_str!("../data/command_verbs.txt");
const PROMPT: &str = include_str!("prompts/router.md");

/// Shorter messages say nothing that needs thought, characters.
const TINY_CHARS: usize = 4;
/// A question of at least this length is no plain one, characters.
const QUESTION_CHARS: usize = 80;
/// From this intensity on a question is no plain one.
const CALM_BELOW: f64 = 0.6;
/// Longer messages are thought about, characters.
const LONG_CHARS: usize = 200;
/// Longer messages with slang in them may still mean something, characters.
const SLANG_CHARS_MAX: usize = 120;
/// A question mark with so little around it is a reaction, characters.
const REACTION_CHARS_MAX: usize = 18;
/// Characters of a message that the classifier reads.
const CLASSIFIER_CHARS: usize = 1_500;
/// Tokens of its answer.
const CLASSIFIER_TOKENS: u32 = 8;
/// From more doubt than this on small talk is thought about, hundredths.
const DOUBT_MAX: u32 = 60;

/// Kind of answer that a message wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Demand {
    /// Nothing has to be looked up or done.
    Chat,
    /// It must come from tools or the state of the world.
    Grounded,
    /// A command is to be carried out as it stands.
    Exact,
    /// Something to think about.
    Deep,
}

/// Depth of a turn: a reflex or the whole loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// A short answer without thinking.
    Reflex,
    /// With everything.
    Deliberate,
}

/// Route of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Routed {
    /// Depth of the turn.
    pub profile: Profile,
    /// Kind of answer wanted.
    pub demand: Demand,
    /// Doubt about that, hundredths.
    pub doubt: u32,
}

/// Circumstances of a message.
#[derive(Debug, Clone, Default)]
pub struct Scene<'a> {
    /// No person wrote it.
    pub is_automation: bool,
    /// A robot moves, or an alarm is open.
    pub is_busy: bool,
    /// Ids of robots and missions, and keys of the world.
    pub names: &'a [String],
    /// A mood that somebody else has seen in it.
    pub mood: Option<&'a str>,
}

/// Route from the words of a message alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routing {
    /// All that is needed.
    Sure(Routed),
    /// It looks like small talk: one call of the classifier tells.
    Classify,
}

/// Looks at the words of a message; nothing if the policy has no router.
#[must_use]
pub fn route(policy: &Policy, text: &str, scene: &Scene) -> Option<Routing> {
    let small = text.trim().to_lowercase();
    match policy.route.by {
        RouteBy::Off => None,
        RouteBy::Words => Some(by_words(policy, &small, text, scene)),
        RouteBy::WordsAndRobots => {
            let names_something = scene.names.iter().any(|name| has_word(&small, &name.to_lowercase()));
            let commands = begins(VERBS, small.strip_prefix('/').unwrap_or(&small));
            // Small talk names no robots, so such a message is looked into whatever else it says.
            if names_something || commands {
                return Some(deliberate(Demand::Grounded, 0));
            }
            let routing = by_words(policy, &small, text, scene);
            // While something moves or an alarm is open, a short question is most likely about that.
            Some(if scene.is_busy && routing != deliberate(Demand::Deep, 0) {
                deliberate(Demand::Grounded, 0)
            } else {
                routing
            })
        }
    }
}

/// Asks the classifier.
#[must_use]
pub fn router_request(session: &ConversationId, caps: &Caps, policy: &Policy, text: &str) -> Request {
    SideCall {
        session,
        caps,
        temperature: policy.sampling.router,
        output_max: CLASSIFIER_TOKENS,
        system: PROMPT.trim_end().to_owned(),
        text: head(text, CLASSIFIER_CHARS).to_owned(),
        trust: Trust::Trusted,
    }
    .request()
}

/// Route from the answer of the classifier; without one the whole loop runs, and looks things up.
#[must_use]
pub fn classified(answer: Option<&str>) -> Routed {
    let word = answer.unwrap_or_default().split(|c: char| !c.is_ascii_alphabetic()).find(|word| !word.is_empty());
    let (demand, doubt) = match (answer, word.map(str::to_ascii_uppercase).as_deref()) {
        (None, _) => (Demand::Grounded, 60),
        (Some(_), Some("CHAT")) => (Demand::Chat, 20),
        (Some(_), Some("EXACT")) => (Demand::Exact, 15),
        (Some(_), Some("DEEP")) => (Demand::Deep, 20),
        (Some(_), Some("GROUNDED")) => (Demand::Grounded, 15),
        (Some(_), Some(_) | None) => (Demand::Grounded, 60),
    };
    let is_small_talk = demand == Demand::Chat && doubt <= DOUBT_MAX;
    Routed { profile: if is_small_talk { Profile::Reflex } else { Profile::Deliberate }, demand, doubt }
}

/// First match wins.
fn by_words(policy: &Policy, small: &str, text: &str, scene: &Scene) -> Routing {
    let chars = small.chars().count();
    let is_identity = entries(IDENTITY).any(|phrase| has_word(small, phrase));
    // Nobody waits for a quick word of an alert or a job, and both are about something real.
    if scene.is_automation || policy.route.always_deliberate {
        return deliberate(Demand::Grounded, 0);
    }
    if chars < TINY_CHARS || is_entry(GREETINGS, bare(small)) {
        return REFLEX;
    }
    if is_identity || stands_in(CAPABILITIES, small) {
        return deliberate(Demand::Deep, 0);
    }
    if names_file(small) {
        return deliberate(Demand::Grounded, 0);
    }
    let is_question = small.contains('?');
    if is_question && chars < QUESTION_CHARS && intensity(text) < CALM_BELOW {
        // So short a question is a reaction to what was said, and needs no classifier.
        return if chars <= REACTION_CHARS_MAX { REFLEX } else { Routing::Classify };
    }
    let is_strong = scene.mood.is_some_and(|mood| is_entry(MOODS, mood));
    if stands_in(DEEP, small) || is_strong || chars > LONG_CHARS {
        return deliberate(Demand::Deep, 0);
    }
    if chars <= SLANG_CHARS_MAX && stands_in(SLANG, small) { REFLEX } else { Routing::Classify }
}

const REFLEX: Routing = Routing::Sure(Routed { profile: Profile::Reflex, demand: Demand::Chat, doubt: 0 });

const fn deliberate(demand: Demand, doubt: u32) -> Routing {
    Routing::Sure(Routed { profile: Profile::Deliberate, demand, doubt })
}

fn bare(small: &str) -> &str {
    small.trim_end_matches(['.', '!', '?', ' ', ','])
}

/// A file, a workspace, or a line of something.
fn names_file(small: &str) -> bool {
    let shows = ["list", "show", "check"].iter().any(|verb| has_word(small, verb));
    let names_line = small
        .split_whitespace()
        .zip(small.split_whitespace().skip(1))
        .any(|(word, number)| word == "line" && number.starts_with(|c: char| c.is_ascii_digit()));
    let ends_like_file = small.split_whitespace().any(|word| {
        let word = word.trim_end_matches(['.', ',', '?', '!', ')', ':', ';', '"']);
        entries(EXTENSIONS).any(|end| word.len() > end.len() && word.ends_with(end))
    });
    stands_in(WORKSPACE, small) || names_line || ends_like_file || (shows && stands_in(FILE_NOUNS, small))
}

/// Loudness of a message, 0 to 1: capitals among its letters, and exclamation marks.
fn intensity(text: &str) -> f64 {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    let marks = text.chars().filter(|c| *c == '!').count();
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    // A few capital letters are an abbreviation or an id, not a shout.
    let loud = if letters < TINY_CHARS { 0.0 } else { count(capitals) / count(letters) };
    (loud + 0.2 * count(marks)).min(1.0)
}

#[cfg(test)]
mod tests;
