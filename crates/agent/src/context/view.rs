//! The request a transcript stands for. Within an epoch it only grows at its end, and it is legal whatever the
//! transcript holds: every call has exactly one result, right after it.

mod message;
mod nudge;

use std::collections::BTreeSet;
use std::sync::Arc;

use llm::{Caps, Choice, MarkWish, PrefixBound, Request, ThinkingWish, ToolChoice, ToolDecl, TransientMark};
use robot::ConversationId;

use crate::context::visible::VisibleEntries;
use crate::side_calls::side::sampling;
use crate::{
    CacheMarks, ChoiceRule, EntryKind, FinalCall, Marker, Policy, Profile, QuoteKey, ResumeText, ThinkingRule,
    Transcript, continuation,
};
use message::Rendering;

pub(crate) use nudge::NudgeWay;

/// Text of a message that only fills a place: some templates want a user's message last.
const NOTHING: &str = ".";

/// Parts that stay the same in every request of an epoch.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub session: ConversationId,
    pub system: Vec<String>,
    pub tools: Arc<[ToolDecl]>,
    pub policy: Policy,
    pub caps: Caps,
    /// Tools whose results are data that is worked with: no mask touches them.
    pub data_bearing: BTreeSet<String>,
    /// The secret that tags of quoted text are made with.
    pub quote_key: QuoteKey,
}

/// Parts that differ from one call to the next.
#[derive(Debug, Clone)]
pub(crate) struct CallForm {
    /// The turn has no other call.
    pub is_final: bool,
    /// Some models call tools although they were told not to; the last try leaves the tools out.
    pub with_tools: bool,
    pub profile: Profile,
    /// Hints for this call only: they are in no transcript and in no other request. Hints that stay, see
    /// [`NudgeWay::is_kept`], are entries.
    pub nudges: Vec<String>,
}

/// Renders `transcript` for one call.
pub(crate) fn view(transcript: &Transcript, frame: &Frame, form: &CallForm) -> Request {
    let Frame { policy, caps, .. } = frame;
    let rendering = Rendering::new(transcript, frame);
    let mut system = frame.system.clone();
    system.extend(rendering.in_system());
    system.extend(resumed(transcript, policy));
    let mut messages = rendering.messages();
    let way = NudgeWay::of(policy, caps);
    let transient = (!form.nudges.is_empty() && way != NudgeWay::InSystem).then_some(messages.len());
    if way == NudgeWay::InSystem {
        system.extend(form.nudges.iter().cloned());
    } else {
        messages.extend(form.nudges.iter().map(|nudge| message::of_loop(way.speaker(), None, nudge)));
    }
    let tools = if form.with_tools { Arc::clone(&frame.tools) } else { Arc::new([]) };
    Request {
        session: frame.session.clone(),
        epoch: transcript.epoch(),
        system,
        choice: choice(policy, caps, form.is_final),
        tools,
        messages,
        output_max: output_max(policy, caps, form.profile),
        thinking: thinking(policy, form.profile),
        sampling: sampling(caps, policy.sampling.main),
        marks: marks(policy.cache.marks),
        drop_blocks: drops_blocks(transcript, caps),
        transient_from: transient,
    }
}

/// The next request as far as it is known, for a server that can read it ahead: one token of answer.
pub(crate) fn warm(transcript: &Transcript, frame: &Frame) -> Request {
    let form = CallForm { is_final: false, with_tools: true, profile: Profile::Deliberate, nudges: Vec::new() };
    let mut request = view(transcript, frame, &form);
    request.output_max = 1;
    let ends_with_reply = request.messages.last().is_none_or(|last| last.speaker == llm::Speaker::Assistant);
    // A request of nothing but system and tools is one that no server takes.
    if request.messages.is_empty() || (ends_with_reply && frame.caps.user_last) {
        request.transient_from = Some(request.messages.len());
        request.messages.push(message::of_loop(llm::Speaker::User, None, NOTHING));
    }
    request
}

/// Most tokens of a reply.
#[must_use]
pub fn output_max(policy: &Policy, caps: &Caps, profile: Profile) -> u32 {
    // Servers refuse a request for more output than their model can write.
    let most = policy.sampling.output_max.map_or(caps.output_max, |most| most.min(caps.output_max));
    match profile {
        Profile::Reflex => most.min(policy.route.reflex_tokens),
        Profile::Deliberate => most,
    }
}

/// A wish that the model cannot follow is not sent, except that the last call must not call tools.
fn choice(policy: &Policy, caps: &Caps, is_final: bool) -> ToolChoice {
    match (policy.tools.choice, policy.budget.final_call) {
        (ChoiceRule::Required, _) if caps.choice_required == Choice::Yes => ToolChoice::Required,
        (ChoiceRule::AutoNoneLast, FinalCall::ForceText) if is_final => ToolChoice::None,
        (ChoiceRule::Required | ChoiceRule::AutoNoneLast | ChoiceRule::Auto, _) => ToolChoice::Auto,
    }
}

/// A model that cannot be kept from thinking thinks as little as it can: its wire form knows how.
const fn thinking(policy: &Policy, profile: Profile) -> ThinkingWish {
    match (policy.thinking, profile) {
        (ThinkingRule::OffInReflex, Profile::Reflex) => ThinkingWish::Off,
        (ThinkingRule::OffInReflex, Profile::Deliberate) | (ThinkingRule::Own, _) => ThinkingWish::Own,
    }
}

const fn marks(wish: CacheMarks) -> MarkWish {
    let (messages, system, transient) = match wish {
        CacheMarks::Off => (false, false, TransientMark::BeforeTransient),
        CacheMarks::System => (false, true, TransientMark::BeforeTransient),
        CacheMarks::Messages => (true, false, TransientMark::SecondToLast),
        CacheMarks::SystemAndMessages => (true, true, TransientMark::BeforeTransient),
    };
    MarkWish { messages, system, transient }
}

/// True if thinking that is sent back is bound to its prefix.
pub(crate) fn is_prefix_bound(caps: &Caps) -> bool {
    match caps.prefix_bound {
        PrefixBound::No => false,
        PrefixBound::Drops | PrefixBound::Rejects => true,
    }
}

/// Once the past was edited inside a turn, the provider is told for the rest of the conversation to drop thinking that
/// no longer fits instead of refusing it.
fn drops_blocks(transcript: &Transcript, caps: &Caps) -> bool {
    let entries = transcript.entries();
    // Between turns old thinking is left out anyway; inside a turn it goes back with the results that follow.
    is_prefix_bound(caps)
        && entries.iter().enumerate().any(|(at, entry)| is_epoch(&entry.kind) && is_within_turn(&entries[..at]))
}

const fn is_epoch(kind: &EntryKind) -> bool {
    matches!(kind, EntryKind::Marker(Marker::Epoch { .. }))
}

/// True if a turn is open after `entries`: results are there, and the model has not been called with them.
fn is_within_turn(entries: &[crate::Entry]) -> bool {
    let newest = entries.iter().rev().find(|entry| match entry.kind {
        // These end a turn, so results before them are no sign of one that is open.
        EntryKind::Marker(Marker::Cancelled { .. } | Marker::Refused { .. } | Marker::Resumed) => true,
        EntryKind::Marker(
            Marker::Epoch { .. } | Marker::MaskLine { .. } | Marker::Flushed | Marker::CutByLength { .. },
        )
        | EntryKind::Summary(_)
        | EntryKind::Volatile
        | EntryKind::Nudge => false,
        EntryKind::User | EntryKind::Assistant | EntryKind::ToolResult => true,
    });
    newest.is_some_and(|entry| entry.kind == EntryKind::ToolResult)
}

/// The first entry whose thinking is still shown: what is older than the newest change of epoch is not, except that a
/// turn that was open then keeps all of its own.
fn thinking_from(transcript: &Transcript) -> u64 {
    let entries = transcript.entries();
    let Some(at) = entries.iter().rposition(|entry| is_epoch(&entry.kind)) else { return 0 };
    let began = entries[..at].iter().rfind(|entry| entry.kind == EntryKind::User);
    match began {
        Some(began) if is_within_turn(&entries[..at]) => began.id,
        Some(_) | None => entries[at].id,
    }
}

/// Note of a design in the system text once a session was read back from disk.
fn resumed(transcript: &Transcript, policy: &Policy) -> Option<String> {
    let is_resumed = || transcript.entries().iter().any(|entry| entry.kind == EntryKind::Marker(Marker::Resumed));
    (policy.resume.text == ResumeText::System && is_resumed()).then(|| continuation().to_owned())
}

/// Number of messages that a model is shown.
#[must_use]
pub fn messages_shown(transcript: &Transcript) -> usize {
    VisibleEntries::of(transcript).entries.len()
}

#[cfg(test)]
mod tests;
