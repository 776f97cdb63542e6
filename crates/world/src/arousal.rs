//! Arousal of an agent, and when it is reason enough to wake the agent. No beat and no level calls a model by itself: a
//! start needs a cause that still holds.

mod breaker;
mod record;

pub use record::ArousalRecord;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use robot::Instant;

use crate::{AlertId, RuleCondition, RuleMove};
use breaker::Breaker;

/// The highest arousal.
const AROUSAL_MAX: f64 = 20.0;
/// From this arousal on a fire wakes the agent: one default alert is enough.
const WAKE_THRESHOLD: f64 = 1.5;
/// Share of the arousal that a calm beat leaves.
const CALM_FACTOR: f64 = 0.7;
/// Less than this is none.
const AROUSAL_MIN: f64 = 0.01;
/// The beat without arousal, seconds.
const BEAT_SECS: f64 = 60.0;
/// The fastest beat, seconds.
const BEAT_SECS_MIN: f64 = 5.0;
/// Least time between the end of one reactive turn and the start of the next.
const SPACING: Duration = Duration::from_secs(30);
/// Autonomous turns in an hour.
const TURNS_PER_HOUR: usize = 20;
const HOUR: Duration = Duration::from_secs(3_600);
/// Causes that may wait for one turn: every rule an agent may have, and failures of its robots.
const CAUSES_MAX: usize = 11_000;

/// Sources of arousal beside rules, which bring their own boost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boost {
    /// A robot's fallback asks for the agent.
    Fallback,
    /// A person wrote.
    Message,
    /// A job came due.
    Schedule,
    /// A robot's link is lost.
    LinkLost,
}

impl Boost {
    /// Arousal that it adds.
    #[must_use]
    pub const fn amount(self) -> f64 {
        match self {
            Self::Fallback | Self::Message => 2.0,
            Self::Schedule => 1.0,
            Self::LinkLost => 3.0,
        }
    }
}

/// The cause of a turn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WakeCause {
    /// A rule fired. It holds until its predicate is false.
    Rule(AlertId),
    /// Another cause, by name. It holds until the agent has been told.
    Told(String),
}

/// The end of a turn that started by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Autonomous {
    /// It was about an alert: the next such turn keeps its distance.
    pub reactive: bool,
    /// The model, the time or the disk failed it.
    pub failed: bool,
}

/// The wakefulness of one agent.
#[derive(Debug, Default)]
pub struct Arousal {
    level: f64,
    /// The last beat; none before the first.
    beat: Option<Instant>,
    /// An edge or a message came since the last beat.
    stirred: bool,
    /// Causes that have arisen since the last start, and still hold.
    waiting: BTreeMap<WakeCause, Instant>,
    /// The level reached the threshold with what waits.
    queued: bool,
    running: bool,
    last_ended: Option<Instant>,
    /// When autonomous turns started in the last hour, at most as many as there may be.
    started: VecDeque<Instant>,
    breaker: Breaker,
}

impl Arousal {
    /// Level of arousal, 0 to 20.
    #[must_use]
    pub const fn level(&self) -> f64 {
        self.level
    }

    /// A person wrote, a job came due, or a robot's link is lost: more goes on, and nobody is woken by it.
    pub fn stir(&mut self, boost: Boost) {
        self.raise(boost.amount());
    }

    /// A rule fired with `boost`. Without a boost it wakes nobody.
    pub fn fired(&mut self, rule: &AlertId, boost: f64, at: Instant) {
        if boost > 0.0 {
            self.wake(WakeCause::Rule(rule.clone()), boost, at);
        } else {
            // The fire still counts as activity, so that the level does not decay at the next beat.
            self.stirred = true;
        }
    }

    /// The agent is to be told `what`.
    pub fn tell(&mut self, what: impl Into<String>, boost: Boost, at: Instant) {
        self.wake(WakeCause::Told(what.into()), boost.amount(), at);
    }

    /// Follows what rules say: one whose predicate is false is no reason any more.
    pub fn follow(&mut self, moved: &RuleMove) {
        self.stirred |= moved.edges > 0;
        // Only a known falsehood ends the cause: lost data gives no all-clear.
        if moved.condition == RuleCondition::False {
            self.drop_cause(&moved.alert);
        }
    }

    /// A rule is gone, and is no reason any more.
    pub fn drop_cause(&mut self, rule: &AlertId) {
        self.waiting.remove(&WakeCause::Rule(rule.clone()));
        self.queued &= !self.waiting.is_empty();
    }

    /// Puts back a cause whose turn made room for a person, or ended with the process. Nothing new has happened, so
    /// the level stays.
    pub fn put_back(&mut self, cause: WakeCause, at: Instant) {
        if self.waiting.len() < CAUSES_MAX {
            self.waiting.insert(cause, at);
            self.queued = true;
        }
    }

    fn wake(&mut self, cause: WakeCause, boost: f64, at: Instant) {
        self.raise(boost);
        if self.waiting.len() < CAUSES_MAX {
            self.waiting.insert(cause, at);
        }
        self.queued |= self.level >= WAKE_THRESHOLD;
    }

    fn raise(&mut self, boost: f64) {
        self.stirred = true;
        self.level = (self.level + boost).clamp(0.0, AROUSAL_MAX);
    }

    /// When the next beat is due, after one at `last`.
    #[must_use]
    pub fn beat_after(&self, last: Instant) -> Instant {
        last.plus(Duration::from_secs_f64((BEAT_SECS / (1.0 + self.level)).max(BEAT_SECS_MIN)))
    }

    /// Beats, if a beat is due: what is calm decays.
    pub fn tick(&mut self, now: Instant) {
        let last = *self.beat.get_or_insert(now);
        if now < self.beat_after(last) {
            return;
        }
        self.beat = Some(now);
        if !std::mem::take(&mut self.stirred) {
            self.level *= CALM_FACTOR;
            if self.level < AROUSAL_MIN {
                self.level = 0.0;
            }
        }
    }

    /// True if a turn waits for its start.
    #[must_use]
    pub const fn is_queued(&self) -> bool {
        self.queued
    }

    /// Starts the turn that waits, if it may start now: its causes, all merged into one. `budget_open` is false once
    /// the day's money is spent.
    pub fn start(&mut self, budget_open: bool, now: Instant) -> Option<Vec<WakeCause>> {
        let spaced = self.last_ended.is_none_or(|ended| now.since(ended) >= SPACING);
        // What may not start now stays queued, with its causes.
        if !self.queued || !spaced || !self.may_start(budget_open, now) {
            return None;
        }
        self.queued = false;
        self.note_start(now);
        Some(std::mem::take(&mut self.waiting).into_keys().collect())
    }

    /// True if any autonomous turn, also one that no alert asks for, may start now.
    #[must_use]
    pub fn may_start(&self, budget_open: bool, now: Instant) -> bool {
        let in_hour = self.started.iter().filter(|at| now.since(**at) < HOUR).count();
        !self.running && budget_open && in_hour < TURNS_PER_HOUR && !self.breaker.is_open(now)
    }

    /// Counts the start of an autonomous turn.
    pub fn note_start(&mut self, now: Instant) {
        if self.started.len() >= TURNS_PER_HOUR {
            self.started.pop_front();
        }
        self.started.push_back(now);
        self.running = true;
    }

    /// The autonomous turn ended. Three failures in a row keep the next away for a while.
    pub fn ended(&mut self, turn: Autonomous, now: Instant) {
        self.running = false;
        if turn.reactive {
            self.last_ended = Some(now);
        }
        self.breaker.note(turn.failed, now);
    }

    /// True while failures keep autonomous turns away.
    #[must_use]
    pub fn is_breaker_open(&self, now: Instant) -> bool {
        self.breaker.is_open(now)
    }
}

#[cfg(test)]
mod tests;
