//! Words that a desk message may begin with and that are for the station, not for the agent: `/loop`, `/steer` and
//! `/cancel`.

use runtime::error::OpError;

use crate::code::AgentCode;

/// Model calls that a turn may be given.
const CALLS_MIN: u32 = 1;
const CALLS_MAX: u32 = 50;

/// Such a word with what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// Model calls that a turn may make from now on, 1 to 50.
    Loop(u32),
    /// For the turn that runs.
    Steer(&'a str),
    /// Ends the turn that runs.
    Cancel,
}

impl<'a> Word<'a> {
    /// The word that `text` begins with; none if it is for the agent. `/cancel m` cancels a mission, which is a command.
    pub fn of(text: &'a str) -> Result<Option<Self>, OpError> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("/loop", number) => {
                let calls = number.parse().ok().filter(|calls| (CALLS_MIN..=CALLS_MAX).contains(calls));
                let out_of_range = || {
                    let message = format!("/loop takes a number of model calls, {CALLS_MIN} to {CALLS_MAX}.");
                    OpError { message, ..OpError::out_of_range("text", CALLS_MIN, CALLS_MAX) }
                };
                calls.map(|calls| Some(Self::Loop(calls))).ok_or_else(out_of_range)
            }
            ("/steer", "") => {
                Err(OpError::bad_input(AgentCode::BadMessage, "text", "/steer takes what the turn is to hear."))
            }
            ("/steer", text) => Ok(Some(Self::Steer(text))),
            ("/cancel", "") => Ok(Some(Self::Cancel)),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_04_three_words_are_for_the_station_and_everything_else_for_the_agent() {
        let check = |text: &str, expected: Result<Option<Word>, &str>| {
            let found = Word::of(text);
            assert_eq!(
                found.as_ref().map_err(|error| error.code.as_str()),
                expected.as_ref().map_err(|code| *code),
                "{text}"
            );
        };
        check("/loop 8", Ok(Some(Word::Loop(8))));
        check("/LOOP  50", Ok(Some(Word::Loop(50))));
        for text in ["/loop", "/loop 0", "/loop 51", "/loop many", "/loop 3 4"] {
            check(text, Err("out_of_range"));
        }
        check(" /steer go slower ", Ok(Some(Word::Steer("go slower"))));
        check("/steer", Err("bad_message"));
        check("/cancel", Ok(Some(Word::Cancel)));
        for text in ["/cancel patrol", "/loops 3", "cancel", "steer", "/status", "", "/"] {
            check(text, Ok(None));
        }
    }
}
