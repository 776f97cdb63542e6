//! What a transcript needs after its process has died in the middle of a turn: a result for every call that has none,
//! and a note that the turn was interrupted. Nothing of it is run again.

use llm::{Block, CallId};
use robot::{Effect, Origin, Trust};
use serde_json::{Value, json};

use crate::{Entry, EntryKind, Marker, Transcript};

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
                let args = serde_json::from_str(args_raw).unwrap_or_default();
                Some(OpenCall { id: id.clone(), name: name.clone(), args })
            }
            Block::Call { .. } | Block::Text { .. } | Block::Result { .. } => None,
        });
        open.collect()
    }

    /// The entries that close an interrupted turn: one error result for each of `calls`, then the note.
    #[must_use]
    pub fn repair(&self, calls: &[(OpenCall, Value)], at_ms: i64) -> Vec<Entry> {
        let (epoch, first) = (self.epoch(), self.next_id());
        let results = calls.iter().map(|(call, error)| {
            let result =
                Block::Result { call: call.id.clone(), json: error.to_string(), is_error: true, trust: Trust::Trusted };
            (EntryKind::ToolResult, vec![result], Origin::Tool(call.name.clone()))
        });
        let note = (EntryKind::Marker(Marker::Resumed), Vec::new(), Origin::System);
        let entries = results.chain([note]).zip(first..);
        entries.map(|((kind, blocks, origin), id)| Entry { id, epoch, at_ms, kind, blocks, origin }).collect()
    }
}
