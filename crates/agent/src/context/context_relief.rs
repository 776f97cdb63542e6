//! Relief of a context that fills: one step at a time, measured again after each that frees something.

use llm::Caps;
use serde::{Deserialize, Serialize};

use crate::{Compact, FlushTo, HardStep, Moment, OverflowStep, Policy, Ratio, Reached, Room};

/// Load of a context, in tokens and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Tokens of the next request, see [`crate::context::estimate`].
    pub used: u64,
    /// Tokens that marks are shares of, see [`room`].
    pub room: u64,
    /// Messages shown.
    pub messages: u64,
    /// Tokens that would go if the mask line moved now; none if it cannot.
    pub mask_frees: Option<u64>,
    /// True if a compaction would find something to summarise.
    pub can_compact: bool,
    /// True if entries came after the last flush.
    pub can_flush: bool,
}

/// Relief already given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Relieved {
    /// Facts were saved in this epoch.
    pub flushed: bool,
    /// Facts were saved, or could not be, for the compaction under way.
    pub facts: bool,
    /// The mask line has moved for this call.
    pub masked: bool,
    /// Passes of compaction in this turn.
    pub passes: u32,
    /// The last pass freed too little, or there is nothing left to free.
    pub exhausted: bool,
    /// The emergency was tried in this turn.
    pub emergency: bool,
}

/// Place of the loop between two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Before the first call of a turn.
    TurnStart,
    /// The same in a conversation that was taken up again.
    Resumed,
    /// Before any other.
    Within,
}

/// The next step of relief, taken before the next call or with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The call is made as it is.
    Call,
    /// Facts are saved by a side call.
    Flush,
    /// The mask line moves.
    Mask,
    /// Old messages become a summary.
    Compact,
    /// The same with a shorter summary, and every result cleared.
    Emergency,
    /// The call is made with a warning that the context fills.
    Warn,
    /// The call is made with a warning to save what is worth keeping.
    WarnFlush,
    /// The call is made; the next one is the last.
    NextIsFinal,
    /// This call is the last.
    Final,
}

/// The tokens that marks are shares of.
#[must_use]
pub fn room(policy: &Policy, caps: &Caps, output_max: u32) -> u64 {
    let window = window(policy, caps);
    match policy.compact.room {
        Room::Window => window,
        Room::WindowLessOutput => window.saturating_sub(output_max.into()),
    }
}

/// The tokens that a context may have at all.
#[must_use]
pub fn window(policy: &Policy, caps: &Caps) -> u64 {
    policy.compact.window.map_or(caps.window, |held_to| held_to.min(caps.window)).into()
}

/// Picks the next step. A model whose thinking is bound to its prefix lets the past be edited only between turns.
#[must_use]
pub fn pressure(policy: &Policy, standing: Standing, prefix_bound: bool, load: &Load, done: &Relieved) -> Step {
    let compact = &policy.compact;
    let is_now = |moment| is_due(moment, standing, prefix_bound);
    let is_taken_up = standing == Standing::Resumed && policy.resume.compact;
    let compacts = compact.enabled && (is_taken_up || is_now(compact.moment));
    // Facts come first: once results are masked and messages summarised, no model can read them any more.
    if compacts && flush_is_due(compact, load, done) {
        return Step::Flush;
    }
    // A mask costs no call of a model and keeps the call and its outcome, so it is tried before a summary.
    if is_now(policy.mask.when) && mask_is_due(policy, load, done) {
        return Step::Mask;
    }
    if compacts && let Some(step) = compaction(policy, load, done) {
        return step;
    }
    with_the_call(compact, load)
}

/// The next remedy for a reported overflow, after those `tried` in this turn; none if all were, yet the turn goes on.
#[must_use]
pub fn after_overflow(policy: &Policy, tried: &[OverflowStep]) -> Option<OverflowStep> {
    policy.on_overflow.iter().copied().find(|step| !tried.contains(step))
}

/// True if another pass is worthwhile after one that brought the context from `before` to `after` tokens.
#[must_use]
pub fn has_gained(compact: &Compact, before: u64, after: u64) -> bool {
    let freed = before.saturating_sub(after);
    // A pass that freed nothing would free nothing the next time either, whatever share the policy asks for.
    freed > 0 && compact.gain_min.is_none_or(|least| least.compare(freed, before).is_ge())
}

/// True if the conversation fits as it is, and is not so long that the policy wants it shorter at any price.
pub(crate) fn has_room(compact: &Compact, load: &Load) -> bool {
    load.used < load.room && !is_reached(compact, compact.hard_at, load)
}

fn is_due(moment: Moment, standing: Standing, prefix_bound: bool) -> bool {
    match (moment, standing) {
        (Moment::Never | Moment::Compaction, _) | (Moment::TurnStart, Standing::Within) => false,
        (Moment::TurnStart | Moment::EachCall, Standing::TurnStart | Standing::Resumed) => true,
        // An edit in the middle of a turn would lose thinking that the provider has bound to its prefix.
        (Moment::EachCall, Standing::Within) => !prefix_bound,
    }
}

fn flush_is_due(compact: &Compact, load: &Load, done: &Relieved) -> bool {
    match compact.flush {
        FlushTo::RememberNote => load.can_flush && !done.flushed && is_reached(compact, compact.flush_at, load),
        FlushTo::Off | FlushTo::Knowledge | FlushTo::Warning => false,
    }
}

fn mask_is_due(policy: &Policy, load: &Load, done: &Relieved) -> bool {
    !done.masked && load.mask_frees.is_some_and(|tokens| tokens >= policy.mask.frees_min_tokens.into())
}

/// The phases of a compaction: facts, results, summary, pass after pass, then the emergency.
fn compaction(policy: &Policy, load: &Load, done: &Relieved) -> Option<Step> {
    let compact = &policy.compact;
    let too_many = compact.messages.is_some_and(|most| load.messages >= most.into());
    let is_full = is_reached(compact, compact.trigger, load);
    if (is_full || too_many) && load.can_compact && !done.exhausted && done.passes < compact.passes {
        let saves_facts = match compact.flush {
            // The first pass has saved the facts of everything that later passes summarise.
            FlushTo::Knowledge | FlushTo::RememberNote => done.passes == 0 && !done.facts && load.can_flush,
            FlushTo::Off | FlushTo::Warning => false,
        };
        let masks = policy.mask.when == Moment::Compaction && mask_is_due(policy, load, done);
        return Some(match (saves_facts, masks) {
            (true, _) => Step::Flush,
            (false, true) => Step::Mask,
            (false, false) => Step::Compact,
        });
    }
    let is_emergency = compact.hard == HardStep::Emergency && is_reached(compact, compact.hard_at, load);
    (is_emergency && !done.emergency && load.can_compact).then_some(Step::Emergency)
}

/// The last call beats a warning.
fn with_the_call(compact: &Compact, load: &Load) -> Step {
    let is_hard = is_reached(compact, compact.hard_at, load);
    match (compact.hard, is_hard) {
        (HardStep::Final, true) => return Step::Final,
        (HardStep::NextIsFinal, true) => return Step::NextIsFinal,
        (HardStep::Nothing | HardStep::Emergency | HardStep::ResetOnOverflow, _)
        | (HardStep::Final | HardStep::NextIsFinal, false) => {}
    }
    if is_reached(compact, compact.warn_at, load) {
        return Step::Warn;
    }
    match compact.flush {
        FlushTo::Warning if is_reached(compact, compact.flush_at, load) => Step::WarnFlush,
        FlushTo::Off | FlushTo::Knowledge | FlushTo::Warning | FlushTo::RememberNote => Step::Call,
    }
}

fn is_reached(compact: &Compact, mark: Option<Ratio>, load: &Load) -> bool {
    mark.is_some_and(|mark| {
        let used = mark.compare(load.used, load.room);
        match compact.reached {
            Reached::At => used.is_ge(),
            Reached::Beyond => used.is_gt(),
        }
    })
}

#[cfg(test)]
mod tests;
