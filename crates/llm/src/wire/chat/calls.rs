//! Tool calls that come in pieces. Servers disagree on what ties the pieces together.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::wire::CALLS_MAX;
use crate::wire::ids::LocalIds;
use crate::{Block, CallId, Delta, Request, SidecarBlock};

/// Longer arguments are not looked at to tell one call from the next: that would be done for every piece.
const WHOLE_BYTES_MAX: usize = 16 * 1024;

/// A piece of a call.
#[derive(Debug, Default)]
pub(in crate::wire) struct Fragment<'a> {
    /// The server's number of the call.
    pub index: Option<u64>,
    /// Its place in the list it came in.
    pub position: usize,
    /// The server's name of the call; may be empty.
    pub id: &'a str,
    /// The tool; may be empty.
    pub name: &'a str,
    /// More of the arguments.
    pub arguments: &'a str,
    /// A gateway's signature of the call.
    pub signature: Option<&'a Value>,
}

/// The calls of one reply.
#[derive(Debug)]
pub(in crate::wire) struct Calls {
    calls: Vec<Call>,
    /// For calls that have no name of their own.
    local: LocalIds,
    /// Names of calls in this conversation.
    taken: BTreeSet<String>,
    left_out: LeftOut,
}

/// Calls that are not kept.
#[derive(Debug, Default)]
struct LeftOut {
    count: u64,
    /// The newest of them: more of it may come.
    index: Option<u64>,
    id: String,
}

impl LeftOut {
    /// Counts the call that a piece begins; what carries on the newest one is no other call.
    fn note(&mut self, fragment: &Fragment<'_>) {
        let goes_on = fragment.index.is_some() && fragment.index == self.index
            || !fragment.id.is_empty() && fragment.id == self.id
            || fragment.name.is_empty();
        if self.count > 0 && goes_on {
            return;
        }
        self.count += 1;
        self.index = fragment.index;
        fragment.id.clone_into(&mut self.id);
    }
}

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    raw_id: String,
    id: String,
    name: String,
    args_raw: String,
    signature: Option<String>,
    is_ended: bool,
}

impl Calls {
    /// None yet, in the answer to `request`.
    pub fn new(request: &Request) -> Self {
        let blocks = request.messages.iter().flat_map(|message| &message.blocks);
        let taken = blocks.filter_map(|block| match block {
            Block::Call { id, .. } => Some(id.0.clone()),
            Block::Text { .. } | Block::Result { .. } => None,
        });
        Self {
            calls: Vec::new(),
            local: LocalIds::after(request),
            taken: taken.collect(),
            left_out: LeftOut::default(),
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Calls beyond the bound.
    pub const fn left_out(&self) -> u64 {
        self.left_out.count
    }

    /// Takes a piece. Calls beyond the bound are counted and left out.
    pub fn push(&mut self, fragment: &Fragment<'_>, deltas: &mut Vec<Delta>) {
        let at = match self.place(fragment) {
            Some(at) => at,
            None if self.calls.len() == CALLS_MAX => return self.left_out.note(fragment),
            None => {
                self.calls.push(Call { index: fragment.index, ..Call::default() });
                self.calls.len() - 1
            }
        };
        let is_begun = !self.calls[at].id.is_empty();
        let call = &mut self.calls[at];
        if call.raw_id.is_empty() {
            fragment.id.clone_into(&mut call.raw_id);
        }
        if call.name.is_empty() {
            fragment.name.clone_into(&mut call.name);
        }
        if let Some(signature) = fragment.signature {
            call.signature = Some(signature.to_string());
        }
        call.args_raw.push_str(fragment.arguments);
        if is_begun {
            let json = fragment.arguments.to_owned();
            deltas.extend((!json.is_empty()).then_some(Delta::CallArgs { index: at, json }));
        } else if !call.name.is_empty() {
            // A call is announced once its name is known; servers may send id and name in different pieces.
            self.begin(at, deltas);
        }
    }

    /// A whole call that came without a name of its own.
    pub fn push_whole(&mut self, name: &str, arguments: &str, deltas: &mut Vec<Delta>) {
        let position = self.calls.len();
        self.push(&Fragment { position, name, arguments, ..Fragment::default() }, deltas);
    }

    /// Says all that was said of the calls so far once more.
    pub fn repeat(&self, deltas: &mut Vec<Delta>) {
        for (index, call) in self.calls.iter().enumerate().filter(|(_, call)| !call.id.is_empty()) {
            deltas.push(Delta::CallStart { index, id: CallId(call.id.clone()), name: call.name.clone() });
            let json = call.args_raw.clone();
            deltas.extend((!json.is_empty()).then_some(Delta::CallArgs { index, json }));
            deltas.extend(call.is_ended.then_some(Delta::CallEnd { index }));
        }
    }

    /// No more pieces come.
    pub fn end(&mut self, deltas: &mut Vec<Delta>) {
        for at in 0..self.calls.len() {
            if self.calls[at].id.is_empty() {
                self.begin(at, deltas);
            }
            let is_new = !std::mem::replace(&mut self.calls[at].is_ended, true);
            deltas.extend(is_new.then_some(Delta::CallEnd { index: at }));
        }
    }

    /// The calls in the provider's form.
    pub fn into_blocks(self) -> impl Iterator<Item = SidecarBlock> {
        self.calls.into_iter().map(|call| {
            let args = call.args_raw.trim();
            // Some servers write `null` for no arguments.
            let args_raw = if args.is_empty() || args == "null" { "{}".to_owned() } else { call.args_raw };
            SidecarBlock::Call { id: CallId(call.id), name: call.name, args_raw, sig: call.signature }
        })
    }

    /// The call that a piece belongs to; none if it begins a new one.
    fn place(&self, fragment: &Fragment<'_>) -> Option<usize> {
        let has_id = !fragment.id.is_empty();
        let is_named =
            |call: &Call| call.raw_id == fragment.id && fragment.index.is_none_or(|at| call.index == Some(at));
        if has_id && let Some(at) = self.calls.iter().rposition(is_named) {
            return Some(at);
        }
        let at = match fragment.index {
            Some(index) => self.calls.iter().rposition(|call| call.index == Some(index))?,
            None if has_id => return None,
            None => self.by_position(fragment)?,
        };
        // Some servers number every call 0, and some invent a new id for each piece of one call: only a tool of its
        // own after a call that is complete begins another call.
        let call = &self.calls[at];
        let is_other = has_id && !call.raw_id.is_empty() || fragment.index.is_none();
        let begins = !fragment.name.is_empty() && !call.name.is_empty() && is_other && is_whole(&call.args_raw);
        (!begins).then_some(at)
    }

    fn by_position(&self, fragment: &Fragment<'_>) -> Option<usize> {
        let call = self.calls.get(fragment.position)?;
        let is_more = fragment.name.is_empty() && !call.args_raw.is_empty() && is_whole(&call.args_raw);
        Some(if is_more { self.calls.len() - 1 } else { fragment.position })
    }

    fn begin(&mut self, at: usize, deltas: &mut Vec<Delta>) {
        let call = &mut self.calls[at];
        // Some servers count ids anew in every reply, and a result has to name one call of the conversation.
        let is_free = !call.raw_id.is_empty() && !self.taken.contains(&call.raw_id);
        call.id = if is_free { call.raw_id.clone() } else { self.local.next().0 };
        self.taken.insert(call.id.clone());
        deltas.push(Delta::CallStart { index: at, id: CallId(call.id.clone()), name: call.name.clone() });
        let json = call.args_raw.clone();
        deltas.extend((!json.is_empty()).then_some(Delta::CallArgs { index: at, json }));
    }
}

/// True if these are all arguments of a call: none, or one JSON object.
fn is_whole(args_raw: &str) -> bool {
    args_raw.trim().is_empty()
        || args_raw.len() <= WHOLE_BYTES_MAX && serde_json::from_str::<serde_json::Map<String, Value>>(args_raw).is_ok()
}
