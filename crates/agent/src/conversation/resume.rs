//! Repair of a transcript after its process has died in the middle of a turn: a result for every call that has none,
//! and a note that the turn was interrupted. Nothing of it is run again.

use llm::{Block, CallId};
use robot::{Effect, Origin, Trust};
use serde_json::{Value, json};

use crate::{Entry, EntryKind, EntryPlace, Marker, Transcript};

/// A call whose result nobody knows.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// The call.
    pub id: CallId,
    /// Its tool.
    pub name: String,
    /// Its arguments; null if they cannot be read.
    pub args: Value,
}

impl OpenCall {
    /// The error that stands for its result. `robots` is how the robots it may have moved stand now, for a call that
    /// moves something.
    #[must_use]
    pub fn interrupted(&self, effect: Effect, robots: Option<Value>) -> Value {
        let mut error = json!({ "code": "interrupted", "message": "interrupted, not known if it ran" });
        match effect {
            Effect::Read | Effect::Write => {}
            // Only a call that may have moved something leaves it open how the robots stand.
            Effect::Actuate | Effect::Irreversible => error["robots"] = robots.unwrap_or(Value::Null),
        }
        error
    }
}

impl Transcript {
    /// The calls of the newest reply that have no result. Older ones are closed by the view.
    #[must_use]
    pub fn open_calls(&self) -> Vec<OpenCall> {
        let after_reply = |entry: &&Entry| matches!(entry.kind, EntryKind::ToolResult | EntryKind::Marker(_));
        let results = self.entries().iter().rev().take_while(after_reply).count();
        let at = self.entries().len() - results;
        let (before, results) = self.entries().split_at(at);
        let Some(reply) = before.last().filter(|entry| entry.kind == EntryKind::Assistant) else { return Vec::new() };
        let has_result = |id: &CallId| {
            let blocks = results.iter().flat_map(|entry| &entry.blocks);
            blocks.into_iter().any(|block| matches!(block, Block::Result { call, .. } if call == id))
        };
        let open = reply.blocks.iter().filter_map(|block| match block {
            Block::Call { id, name, args_raw } if !has_result(id) => {
                // Arguments that cannot be read were refused before anything ran, so nothing is lost with them.
                let args = serde_json::from_str(args_raw).unwrap_or_default();
                Some(OpenCall { id: id.clone(), name: name.clone(), args })
            }
            Block::Call { .. } | Block::Text { .. } | Block::Result { .. } => None,
        });
        open.collect()
    }

    /// True if, since the last message, the conversation was read back or a person had it go on.
    pub(crate) fn is_resumed(&self) -> bool {
        let newest = self.entries().iter().rev().take_while(|entry| entry.kind != EntryKind::User);
        newest.into_iter().any(|entry| entry.kind == EntryKind::Marker(Marker::Resumed))
    }

    /// The entries that close an interrupted turn: one error result for each of `calls`, then the note.
    #[must_use]
    pub fn repair(&self, calls: &[(OpenCall, Value)], at_ms: i64) -> Vec<Entry> {
        // The entries only add to the end of the view, so no epoch begins with them.
        let (epoch, first) = (self.epoch(), self.next_id());
        let results = calls.iter().map(|(call, error)| {
            let result =
                Block::Result { call: call.id.clone(), json: error.to_string(), is_error: true, trust: Trust::Trusted };
            (EntryKind::ToolResult, vec![result], Origin::Tool(call.name.clone()))
        });
        let note = (EntryKind::Marker(Marker::Resumed), Vec::new(), Origin::System);
        let entries = results.chain([note]).zip(first..);
        entries
            .map(|((kind, blocks, origin), id)| Entry::new(EntryPlace { id, epoch, at_ms }, kind, blocks, origin))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::visible::VisibleEntries;

    fn entry(id: u64, kind: EntryKind, blocks: Vec<Block>) -> Entry {
        Entry::new(EntryPlace { id, epoch: 0, at_ms: 0 }, kind, blocks, Origin::Agent)
    }

    fn words(text: &str) -> Block {
        Block::Text { text: text.into(), trust: Trust::Trusted }
    }

    fn call(id: &str) -> Block {
        Block::Call { id: CallId(id.into()), name: "send_command".into(), args_raw: r#"{"robot":"arm-1"}"#.into() }
    }

    fn result(id: &str) -> Block {
        Block::Result { call: CallId(id.into()), json: "{}".into(), is_error: false, trust: Trust::Trusted }
    }

    fn transcript(entries: Vec<Entry>) -> Transcript {
        let mut transcript = Transcript::default();
        entries.into_iter().for_each(|entry| transcript.push(entry));
        transcript
    }

    fn open(entries: Vec<Entry>) -> Vec<String> {
        transcript(entries).open_calls().into_iter().map(|call| call.id.0).collect()
    }

    #[test]
    fn x_10_a_call_without_a_result_is_open_wherever_the_process_died() {
        let said = || entry(0, EntryKind::User, vec![words("go")]);
        let reply = || entry(1, EntryKind::Assistant, vec![words("on it"), call("c1"), call("c2")]);
        let first = || entry(2, EntryKind::ToolResult, vec![result("c1")]);
        assert_eq!(open(vec![said()]), Vec::<String>::new());
        assert_eq!(open(vec![said(), reply()]), ["c1", "c2"]);
        assert_eq!(open(vec![said(), reply(), first()]), ["c2"]);
        let second = entry(3, EntryKind::ToolResult, vec![result("c2")]);
        assert_eq!(open(vec![said(), reply(), first(), second]), Vec::<String>::new());
        let next = entry(3, EntryKind::User, vec![words("and now?")]);
        assert_eq!(open(vec![said(), reply(), first(), next]), Vec::<String>::new(), "the view closes what is older");
    }

    #[test]
    fn x_10_x_11_each_open_call_gets_one_error_and_the_turn_one_note() {
        let reply = entry(1, EntryKind::Assistant, vec![call("c1"), call("c2")]);
        let mut transcript = transcript(vec![entry(0, EntryKind::User, vec![words("go")]), reply]);
        let closed: Vec<(OpenCall, Value)> = transcript
            .open_calls()
            .into_iter()
            .zip([(Effect::Read, None), (Effect::Actuate, Some(json!([{ "robot": "arm-1", "state": "disarmed" }])))])
            .map(|(call, (effect, robots))| {
                let error = call.interrupted(effect, robots);
                (call, error)
            })
            .collect();
        assert_eq!(closed[0].1["robots"], Value::Null, "a read moves nothing");
        assert_eq!(closed[1].1["robots"][0]["state"], "disarmed");
        assert_eq!(closed[1].0.args["robot"], "arm-1");
        let entries = transcript.repair(&closed, 7);
        let kinds: Vec<_> = entries.iter().map(|entry| (entry.id, entry.kind.clone())).collect();
        let resumed = EntryKind::Marker(Marker::Resumed);
        assert_eq!(kinds, [(2, EntryKind::ToolResult), (3, EntryKind::ToolResult), (4, resumed)]);
        entries.into_iter().for_each(|entry| transcript.push(entry));
        assert!(transcript.open_calls().is_empty(), "a second start finds nothing to do");
    }

    #[test]
    fn s_44_a_model_is_shown_nothing_of_what_was_said_before_the_conversation_began_anew() {
        let mut transcript = transcript(vec![entry(0, EntryKind::User, vec![words("old")])]);
        transcript.push(transcript.reset(1));
        transcript.push(Entry::new(
            EntryPlace { id: 2, epoch: 1, at_ms: 0 },
            EntryKind::User,
            vec![words("new")],
            Origin::System,
        ));
        let shown: Vec<u64> = VisibleEntries::of(&transcript).entries.iter().map(|entry| entry.id).collect();
        assert_eq!(shown, [2]);
    }
}
