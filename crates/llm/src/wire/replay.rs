//! A conversation as a provider takes it: neighbours merged, each call with its result, what another provider said
//! without anything that only that provider can read.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::BlockKey;
use super::ids::{Ids, tool_name};
use crate::{Block, CallId, Caps, PrefixBound, Request, RequestMessage, SidecarBlock, Speaker, Stop, ThinkingWish};

/// The result of a call that has none.
const NO_RESULT: &str = r#"{"error":"the call was not run"}"#;

/// Neighbouring messages of one speaker.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn<'a> {
    pub speaker: Speaker,
    pub pieces: Vec<Piece<'a>>,
    /// The model wants this turn back unchanged and goes on with it.
    pub paused: bool,
}

/// A block and how it is found again in the next request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece<'a> {
    /// Absent on thinking, and on what is gone after this call.
    pub key: Option<BlockKey>,
    /// Gone after this call.
    pub transient: bool,
    pub part: Part<'a>,
}

/// A block, free of any format.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part<'a> {
    Text { text: &'a str, sig: Option<&'a str> },
    Thinking { text: &'a str, sig: Option<&'a str> },
    Redacted { data: &'a str },
    Call { call: &'a CallId, id: Option<String>, name: Cow<'a, str>, args_raw: &'a str, sig: Option<&'a str> },
    Result { call: &'a CallId, id: Option<String>, name: Cow<'a, str>, json: &'a str, is_error: bool },
    Item { raw: &'a serde_json::Value },
}

/// The conversation of `request` for the model of `caps`: it begins with a user's turn, speakers alternate, system
/// turns aside, and a turn with calls is followed by one that begins with their results, in their order.
/// Parts that the format cannot express, by `can_say`, are left out first.
pub(crate) fn turns<'a>(request: &'a Request, caps: &Caps, can_say: fn(&Part) -> bool) -> Vec<Turn<'a>> {
    let ids = Ids::of(caps);
    let messages = request.messages.iter().enumerate().map(|(at, message)| {
        let transient = message.entry.is_none() || request.transient_from.is_some_and(|from| at >= from);
        // A model that takes no system text in the middle reads it as a user's.
        let is_demoted = message.speaker == Speaker::System && !caps.system_mid;
        let speaker = if is_demoted { Speaker::User } else { message.speaker };
        let paused = own(message, caps).is_some_and(|sidecar| sidecar.stop == Stop::Pause);
        let mut pieces = pieces(message, transient, caps, &ids);
        pieces.retain(|piece| can_say(&piece.part));
        Turn { speaker, pieces, paused }
    });
    let mut turns = answered(place_system(merge(messages)), &ids);
    // Providers refuse a conversation that begins with the model's words.
    let begin = turns.iter().position(|turn| turn.speaker == Speaker::User).unwrap_or(turns.len());
    turns.drain(..begin);
    // A conversation that ends with the model's words asks for nothing, unless the provider has paused them.
    while turns.last().is_some_and(|last| last.speaker == Speaker::Assistant && !last.paused) {
        turns.pop();
    }
    turns
}

/// `request` without anything that only its provider can read, for one more try after it did not know it again.
pub(crate) fn without_proofs(request: &Request) -> Request {
    let messages = request.messages.iter().map(|message| RequestMessage { sidecar: None, ..message.clone() });
    Request { messages: messages.collect(), drop_blocks: true, ..request.clone() }
}

/// `request` as it is sent once its provider did not know its own words again: one that can drop them by itself gets
/// them all the same, any other one gets none.
pub(crate) fn repaired<'a>(request: &'a Request, caps: &Caps) -> Cow<'a, Request> {
    match caps.prefix_bound {
        PrefixBound::No if request.drop_blocks => {
            Cow::Owned(Request { thinking: ThinkingWish::Own, drop_blocks: false, ..without_proofs(request) })
        }
        PrefixBound::No | PrefixBound::Drops | PrefixBound::Rejects => Cow::Borrowed(request),
    }
}

fn own<'a>(message: &'a RequestMessage, caps: &Caps) -> Option<&'a crate::Sidecar> {
    message.sidecar.as_deref().filter(|sidecar| sidecar.is_of(caps))
}

fn pieces<'a>(message: &'a RequestMessage, transient: bool, caps: &Caps, ids: &Ids) -> Vec<Piece<'a>> {
    let key = |block: usize| message.entry.filter(|_| !transient).map(|entry| BlockKey { entry, block });
    let Some(sidecar) = own(message, caps) else {
        let blocks = message.blocks.iter().enumerate();
        return blocks.map(|(at, block)| Piece { key: key(at), transient, part: plain(block, ids) }).collect();
    };
    let mut canonical = 0..;
    let pieces = sidecar.blocks.iter().map(|block| {
        let part = verbatim(block, ids);
        // Only these parts are blocks of the transcript, by whose numbers marks are found again.
        let counts = matches!(part, Part::Text { .. } | Part::Call { .. });
        Piece { key: if counts { canonical.next().and_then(key) } else { None }, transient, part }
    });
    pieces.collect()
}

fn plain<'a>(block: &'a Block, ids: &Ids) -> Part<'a> {
    match block {
        Block::Text { text, .. } => Part::Text { text, sig: None },
        Block::Call { id, name, args_raw } => {
            Part::Call { call: id, id: ids.sent(id), name: tool_name(name), args_raw, sig: None }
        }
        Block::Result { call, json, is_error, .. } => {
            Part::Result { call, id: ids.sent(call), name: Cow::Borrowed(""), json, is_error: *is_error }
        }
    }
}

fn verbatim<'a>(block: &'a SidecarBlock, ids: &Ids) -> Part<'a> {
    let sig_of = |sig: &'a Option<String>| sig.as_deref().filter(|sig| !sig.is_empty());
    match block {
        SidecarBlock::Text { s, sig } => Part::Text { text: s, sig: sig_of(sig) },
        SidecarBlock::Thinking { s, sig } => Part::Thinking { text: s, sig: sig_of(sig) },
        SidecarBlock::Redacted { data } => Part::Redacted { data },
        SidecarBlock::Call { id, name, args_raw, sig } => {
            Part::Call { call: id, id: ids.sent(id), name: tool_name(name), args_raw, sig: sig_of(sig) }
        }
        SidecarBlock::Item { raw } => Part::Item { raw },
    }
}

fn merge<'a>(turns: impl IntoIterator<Item = Turn<'a>>) -> Vec<Turn<'a>> {
    let mut merged: Vec<Turn> = Vec::new();
    for turn in turns.into_iter().filter(|turn| !turn.pieces.is_empty()) {
        match merged.last_mut() {
            Some(last) if last.speaker == turn.speaker => {
                last.pieces.extend(turn.pieces);
                last.paused = turn.paused;
            }
            Some(_) | None => merged.push(turn),
        }
    }
    merged
}

/// A system turn stands between a user's and the model's, or last; anywhere else its words become a user's.
fn place_system(mut turns: Vec<Turn>) -> Vec<Turn> {
    for at in 0..turns.len() {
        let after_user = at.checked_sub(1).is_some_and(|before| turns[before].speaker == Speaker::User);
        let before_model = turns.get(at + 1).is_none_or(|next| next.speaker == Speaker::Assistant);
        if turns[at].speaker == Speaker::System && !(after_user && before_model) {
            turns[at].speaker = Speaker::User;
        }
    }
    merge(turns)
}

/// Puts the results of a turn's calls first into the turn behind it; a call without one gets an error.
fn answered<'a>(turns: Vec<Turn<'a>>, ids: &Ids) -> Vec<Turn<'a>> {
    let mut open: Vec<(&CallId, Cow<'a, str>)> = Vec::new();
    let mut done: Vec<Turn> = Vec::new();
    for mut turn in turns {
        let is_user = turn.speaker == Speaker::User;
        if is_user {
            turn.pieces = with_results(std::mem::take(&mut open), turn.pieces, ids);
        } else if !open.is_empty() {
            done.push(missing(std::mem::take(&mut open), ids));
        }
        open.extend(turn.pieces.iter().filter_map(|piece| match &piece.part {
            Part::Call { call, name, .. } => Some((*call, name.clone())),
            Part::Text { .. }
            | Part::Thinking { .. }
            | Part::Redacted { .. }
            | Part::Result { .. }
            | Part::Item { .. } => None,
        }));
        if !turn.pieces.is_empty() {
            done.push(turn);
        }
    }
    if !open.is_empty() {
        done.push(missing(open, ids));
    }
    merge(done)
}

fn missing<'a>(open: Vec<(&'a CallId, Cow<'a, str>)>, ids: &Ids) -> Turn<'a> {
    Turn { speaker: Speaker::User, pieces: with_results(open, Vec::new(), ids), paused: false }
}

/// The results of `open` in its order, then everything of `pieces` that is no result.
fn with_results<'a>(open: Vec<(&'a CallId, Cow<'a, str>)>, pieces: Vec<Piece<'a>>, ids: &Ids) -> Vec<Piece<'a>> {
    let (mut results, rest): (Vec<Piece>, Vec<Piece>) =
        pieces.into_iter().partition(|piece| matches!(piece.part, Part::Result { .. }));
    let mut seen: BTreeSet<&CallId> = BTreeSet::new();
    // Two calls under one id would otherwise ask for one result twice.
    let in_order = open.into_iter().filter(|(call, _)| seen.insert(call)).map(|(wanted, called)| {
        let found = results.iter().position(|piece| matches!(piece.part, Part::Result { call, .. } if call == wanted));
        let mut piece = found.map_or_else(
            || Piece {
                key: None,
                transient: false,
                part: Part::Result {
                    call: wanted,
                    id: ids.sent(wanted),
                    name: Cow::Borrowed(""),
                    json: NO_RESULT,
                    is_error: true,
                },
            },
            |at| results.remove(at),
        );
        if let Part::Result { name, .. } = &mut piece.part {
            *name = called;
        }
        piece
    });
    let in_order: Vec<Piece> = in_order.collect();
    // Providers want the results of a reply's calls before anything else that is said to it.
    in_order.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests;
