//! Lines of daily logs and of transcripts without what is forgotten.

use robot::ConversationId;
use serde_json::{Value, json};

use super::{Needles, Removal};
use crate::episodic::Episode;

/// Fields of a transcript's line that hold words.
const WORDS: [&str; 3] = ["content", "text", "partial"];

/// The fate of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Stays,
    Becomes(String),
    Goes,
}

/// A line of a daily log. A record that is not forgotten itself, and holds a forgotten text, stays without its words.
pub(super) fn of_log(line: &str, removal: &Removal) -> Line {
    let Removal { forgetting, needles, .. } = removal;
    match Episode::parse(line) {
        Some(episode) if forgetting.has(&episode.id) => Line::Goes,
        Some(episode) if needles.is_in(&episode.content) => {
            Line::Becomes(Episode { content: forgetting.mark(), ..episode }.line())
        }
        Some(_) => Line::Stays,
        None => of_text(line, removal),
    }
}

/// A line of the transcript `session`. Each block that holds a forgotten text, or comes from a forgotten record, gives
/// way to the mark; ids and the pairs of calls and results stay, and so does whatever the line cannot be read without.
pub(super) fn of_transcript(line: &str, session: &ConversationId, removal: &Removal) -> Line {
    let Removal { forgetting, needles, readers } = removal;
    let Ok(mut entry) = serde_json::from_str::<Value>(line) else { return of_text(line, removal) };
    let is_forgotten = entry["id"].as_u64().is_some_and(|id| forgetting.has_entry(session, id));
    if !is_forgotten && !needles.is_in(line) {
        return Line::Stays;
    }
    // A line that could not be read before is no worse afterwards, so its words may go.
    let was_readable = (readers.line)(line);
    let is_readable = |text: &str| !was_readable || (readers.line)(text);
    let changed = forget_in(&mut entry, is_forgotten, &forgetting.mark(), needles).then(|| entry.to_string());
    let changed = changed.filter(|text| is_readable(text));
    // A field that holds no words of the conversation holds the text: the line goes on without it.
    let text = needles.replaced_if(changed.as_deref().unwrap_or(line), &forgetting.mark(), is_readable);
    text.or(changed).map_or(Line::Stays, Line::Becomes)
}

fn of_text(line: &str, Removal { forgetting, needles, .. }: &Removal) -> Line {
    needles.replaced(line, &forgetting.mark()).map_or(Line::Stays, Line::Becomes)
}

/// Replaces words in `value` and below. True if anything was replaced.
fn forget_in(value: &mut Value, is_forgotten: bool, mark: &str, needles: &Needles) -> bool {
    let mut changed = false;
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                // The mark is left alone, so that a step that is repeated after a crash finds nothing to change.
                let goes = field.as_str().is_some_and(|text| text != mark && (is_forgotten || needles.is_in(text)));
                if goes && WORDS.contains(&name.as_str()) {
                    *field = Value::from(mark);
                    changed = true;
                } else if goes && name == "arguments" {
                    // Arguments are the JSON of an object, in a text.
                    *field = Value::from(json!({ "forgotten": mark }).to_string());
                    changed = true;
                } else {
                    changed |= forget_in(field, is_forgotten, mark, needles);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                changed |= forget_in(item, is_forgotten, mark, needles);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    changed
}
