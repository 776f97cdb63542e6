//! One alarm with all that is known of it.

use std::collections::VecDeque;
use std::time::Duration;

use robot::{AgentId, Instant, MissionId, Now, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AlarmId, AlarmSource, AlarmState, AlarmTerms, Priority};

/// So many returns within [`CHATTER_WITHIN`] are chattering.
const CHATTER_RETURNS: usize = 3;
const CHATTER_WITHIN: Duration = Duration::from_secs(60);

/// Definition of an alarm, independent of its state; stored with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// The rule's id, or a built-in alarm's code.
    pub code: String,
    /// Human-readable event, with the values of that moment.
    pub message: String,
    /// The rule's predicate.
    pub limit: Option<String>,
    /// Cause, consequence, response.
    pub terms: AlarmTerms,
    /// One priority step higher than the terms say.
    pub urgent: bool,
    /// Its mission.
    pub mission: Option<MissionId>,
    /// Its robot.
    pub robot: Option<RobotId>,
    /// The provider of its first key.
    pub provider: Option<String>,
    /// It can be neither shelved nor suppressed.
    pub never_hidden: bool,
}

impl Definition {
    /// By its terms.
    #[must_use]
    pub fn priority(&self) -> Priority {
        let consequence = self.terms.consequence;
        let priority = self.terms.priority();
        // The same one step that a short time to respond gives, so that the two do not add up.
        if self.urgent { priority.min(Priority::of(consequence, 0.0)) } else { priority }
    }
}

/// Hidden by a person for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Shelved {
    /// Until then, Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: i64,
    /// By whom.
    pub by: String,
    /// The person's reason.
    pub reason: String,
}

/// Taken out of service by an administrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutOfService {
    /// Since then, Unix milliseconds.
    #[ts(type = "number")]
    pub since_ms: i64,
    /// By whom.
    pub by: String,
    /// The administrator's reason.
    pub reason: String,
}

/// An event of an alarm, for the record and for windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmEvent {
    /// Id of the alarm.
    pub alarm: AlarmId,
    /// The agent whose database has it; the station's without one.
    pub agent: Option<AgentId>,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Kind of event.
    pub kind: AlarmEventKind,
    /// Name of the person; `None` for what happened by itself.
    pub by: Option<String>,
    /// The message, or a person's reason.
    pub detail: Option<String>,
}

/// The kinds of [`AlarmEvent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of the table of states, and of a person's acts")]
pub enum AlarmEventKind {
    Raised,
    RaisedAgain,
    Returned,
    Acknowledged,
    Shelved,
    Unshelved,
    Reset,
    OutOfService,
    InService,
}

/// The condition behind an alarm, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Condition {
    /// It is so.
    True,
    /// It is not so.
    #[default]
    False,
    /// The data was lost while it was so; when it is seen again, that is news.
    Lost,
}

/// One alarm.
#[derive(Debug, Clone, PartialEq)]
pub struct Alarm {
    /// Its id.
    pub id: AlarmId,
    /// Its origin.
    pub source: AlarmSource,
    /// The agent it belongs to; without one it is the station's.
    pub agent: Option<AgentId>,
    /// Its definition.
    pub definition: Definition,
    /// Its state.
    pub state: AlarmState,
    /// When it was last raised, Unix milliseconds.
    pub raised_ms: Option<i64>,
    /// When its condition last went, Unix milliseconds.
    pub returned_ms: Option<i64>,
    /// Number of times its condition came while the alarm was not over.
    pub count: u64,
    /// The person who acknowledged it, and when, Unix milliseconds.
    pub acknowledged: Option<(String, i64)>,
    /// Hidden for a while.
    pub shelved: Option<Shelved>,
    /// Not shown as an alarm.
    pub out_of_service: Option<OutOfService>,
    /// Number of its last change, of all changes of all alarms.
    pub seq: u64,
    /// The data does not say whether the condition is there.
    pub source_stale: bool,
    /// Its rule's mission does not run.
    pub rule_paused: bool,
    /// Its rule was removed.
    pub rule_gone: bool,
    /// Its `suppress_when` is true.
    pub(crate) suppressed: bool,
    pub(crate) condition: Condition,
    /// Since when the condition is false without the alarm having returned.
    pub(crate) false_since: Option<Instant>,
    pub(crate) shelved_until: Option<Instant>,
    /// When it was last said that it is out of service.
    pub(crate) nagged: Option<Instant>,
    pub(crate) chatter: Chatter,
}

/// The newest returns, and what was said of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Chatter {
    newest: VecDeque<Instant>,
    untold: u64,
    told: Option<Instant>,
}

impl Chatter {
    pub(crate) fn returned(&mut self, at: Instant) {
        if self.newest.len() >= CHATTER_RETURNS {
            self.newest.pop_front();
        }
        self.newest.push_back(at);
        self.untold += 1;
    }

    /// True while a return lies within the window, so that it has to be looked at again.
    pub(crate) fn is_counting(&self) -> bool {
        !self.newest.is_empty()
    }

    /// True while as many returns as that lie within the window.
    pub(crate) fn is_chattering(&self, at: Instant) -> bool {
        self.newest.len() >= CHATTER_RETURNS
            && self.newest.front().is_some_and(|first| at.since(*first) < CHATTER_WITHIN)
    }

    /// Number of returns since it was last reported, once a minute; `None` if no report is due.
    pub(crate) fn tell(&mut self, at: Instant) -> Option<u64> {
        self.newest.retain(|returned| at.since(*returned) < CHATTER_WITHIN);
        let due = self.told.is_none_or(|told| at.since(told) >= CHATTER_WITHIN);
        if !due || !self.is_chattering(at) {
            return None;
        }
        self.told = Some(at);
        Some(std::mem::take(&mut self.untold))
    }
}

impl Alarm {
    /// An alarm that has never been raised.
    pub(crate) fn new(id: AlarmId, source: AlarmSource, agent: Option<AgentId>, definition: Definition) -> Self {
        Self {
            id,
            source,
            agent,
            definition,
            state: AlarmState::Normal,
            raised_ms: None,
            returned_ms: None,
            count: 0,
            acknowledged: None,
            shelved: None,
            out_of_service: None,
            seq: 0,
            source_stale: false,
            rule_paused: false,
            rule_gone: false,
            suppressed: false,
            condition: Condition::False,
            false_since: None,
            shelved_until: None,
            nagged: None,
            chatter: Chatter::default(),
        }
    }

    /// 1 to 4.
    #[must_use]
    pub fn priority(&self) -> Priority {
        self.definition.priority()
    }

    /// True while it chatters.
    #[must_use]
    pub fn is_chattering(&self, at: Instant) -> bool {
        self.chatter.is_chattering(at)
    }

    /// Every text of it that somebody outside this program has worded. Its source quotes its rule.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let Definition { message, limit, terms, .. } = &mut self.definition;
        let hidden = self.shelved.as_mut().map(|shelved| &mut shelved.reason);
        let reasons = hidden.into_iter().chain(self.out_of_service.as_mut().map(|service| &mut service.reason));
        [&mut self.source.0, message, &mut terms.cause, &mut terms.response].into_iter().chain(limit).chain(reasons)
    }

    pub(crate) fn off_delay(&self) -> Duration {
        // `AlarmTerms::check` has bounded it: this conversion panics on anything that is no duration.
        Duration::from_secs_f64(self.definition.terms.off_delay_secs)
    }

    /// The moment the alarm returns if the condition stays false.
    pub(crate) fn returns_at(&self) -> Option<Instant> {
        self.false_since.map(|since| since.plus(self.off_delay()))
    }

    pub(crate) fn event(&self, kind: AlarmEventKind, at: Now) -> AlarmEvent {
        let (alarm, agent) = (self.id.clone(), self.agent.clone());
        AlarmEvent { alarm, agent, at_ms: at.wall_ms, kind, by: None, detail: None }
    }
}
