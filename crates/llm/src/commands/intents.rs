//! Lines in people's own words: a question that a command answers is that command, and what asks for more
//! gets the commands that do it. Words are looked for anywhere in the line; the first rule that fits decides.

mod rules;

use super::grammar::{Command, Complaint, row_named};
use rules::{APPROVE, Ask, Means, NO_MODEL, RULES, Rule, SWITCH};

/// Lines that answer a question nobody has asked here.
const ANSWERS: [&str; 8] = ["yes", "no", "yep", "sure", "go ahead", "do it", "yes please", "i agree"];
/// Lines that begin a conversation, or end one.
const GREETINGS: [&str; 16] = [
    "hello",
    "hi",
    "hey",
    "hi there",
    "hello there",
    "thanks",
    "thank you",
    "good morning",
    "good evening",
    "bye",
    "goodbye",
    "ok",
    "okay",
    "test",
    "great",
    "sorry",
];

/// The meaning of `command`, if a rule fits: a command that only reads, or a hint. `complaint` is what its first
/// words came to: where a command of the grammar lacks something, that is said, unless it was never meant.
pub(super) fn meant(command: &str, complaint: &Complaint) -> Option<Result<Command, Complaint>> {
    let is_unlike = |means: &Means| matches!(means, Means::Hint(note, _) if *note == SWITCH);
    let may = |means: &Means| match complaint {
        Complaint::Unknown { .. } | Complaint::Trailing(_) => true,
        // A command was begun and lacks something, which is the better thing to say.
        Complaint::Expected(_) => is_unlike(means),
        Complaint::NotFinite(_) | Complaint::TwoReadings(_) | Complaint::Hint { .. } | Complaint::TooMany(_) => false,
    };
    let line = spaced(command);
    // The interpreter asks nothing, so such a word can only be meant for a card.
    if ANSWERS.contains(&line.trim()) {
        return Some(Ok(Command::Person(APPROVE)));
    }
    if GREETINGS.contains(&line.trim()) {
        return Some(Ok(Command::Person(NO_MODEL)));
    }
    let has = |phrase: &&str| line.contains(&format!(" {phrase} "));
    let fits = |rule: &&Rule| rule.with.iter().all(|any| any.iter().any(&has)) && !rule.without.iter().any(&has);
    Some(match RULES.iter().find(fits).map(|rule| rule.means).filter(may)? {
        Means::Ask(ask) => Ok(ask.command(&line)),
        Means::Hint(note, verbs) => {
            let odd = if let Complaint::Trailing(word) = complaint { Some(word.clone()) } else { None };
            Err(Complaint::Hint { note, rows: verbs.iter().filter_map(|verb| row_named(verb)).collect(), odd })
        }
        Means::Person(text) => Ok(Command::Person(text)),
    })
}

impl Ask {
    fn command(self, line: &str) -> Command {
        let named = line.split(' ').find(|word| is_name(word)).map(str::to_owned);
        let says = |words: &[&str]| words.iter().any(|word| line.contains(&format!(" {word} ")));
        match self {
            Self::Status => Command::Status(named),
            Self::World => Command::World(None),
            Self::Missions if says(&["running", "active", "going"]) => {
                Command::Missions(Some(mission_state("running".to_owned())))
            }
            Self::Missions if says(&["paused"]) => Command::Missions(Some("paused".to_owned())),
            Self::Missions => Command::Missions(None),
            Self::Alerts => Command::Alerts,
            Self::Proposals => Command::Proposals,
            Self::Constraints => Command::Constraints(named),
            Self::Denial => Command::Why(None),
            Self::Idle => Command::Idle(named),
            Self::Help => Command::Help(
                line.split(' ').find(|word| row_named(word).is_some_and(|_| *word != "help")).map(str::to_owned),
            ),
        }
    }
}

/// A state of missions in the station's words.
pub(super) fn mission_state(said: String) -> String {
    if said.eq_ignore_ascii_case("running") { "active".to_owned() } else { said }
}

/// `rover-1`: letters and a number, which no other word has.
fn is_name(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// In small letters, one blank around every word; what holds a name together stays.
fn spaced(command: &str) -> String {
    let small = command.to_lowercase();
    let words: Vec<&str> =
        small.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}
