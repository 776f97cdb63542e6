//! The list as a person reads it: what is hidden and why, in which order, grouped in a flood.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use robot::{AgentId, MissionId, Now, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::record::Condition;
use super::{
    Alarm, AlarmId, AlarmList, AlarmSource, AlarmState, Consequence, FloodRow, OutOfService, Priority, Shelved,
};
use crate::AlertValue;

/// Period that the list of all covers, milliseconds.
const ALL_MS: i64 = 24 * 3_600 * 1_000;

/// A selection of alarms for the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AlarmPreset {
    /// Alarms that are neither over nor hidden.
    #[default]
    Active,
    /// Active alarms that nobody has acknowledged.
    Unacknowledged,
    /// Alarms that people hid for a while.
    Shelved,
    /// Alarms hidden by design: by their rule, or with their robot's lost link.
    Suppressed,
    /// Alarms that administrators took out of service.
    OutOfService,
    /// All alarms of the last 24 hours, also those that are over.
    All,
}

/// Special conditions of an alarm. All false is the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlarmFlags {
    /// The data does not say whether the condition is there.
    pub source_stale: bool,
    /// It comes and goes so fast that its sound is off.
    pub chattering: bool,
    /// It waits for a reset after its condition is gone.
    pub latching: bool,
    /// Its rule's mission does not run.
    pub rule_paused: bool,
    /// Its rule was removed.
    pub rule_gone: bool,
    /// It can be neither shelved nor taken out of service.
    pub never_hidden: bool,
}

/// The alarms that stand behind the first of a flood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Group {
    /// The first of the group.
    pub first_out: AlarmId,
    /// Number of its alarms.
    pub count: usize,
    /// The most urgent of its priorities.
    pub worst: Priority,
}

/// One alarm as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlarmRow {
    /// `am-<uuid>`.
    pub id: AlarmId,
    /// Whose it is; null for the station's own.
    pub agent: Option<AgentId>,
    /// 1 to 4.
    pub priority: Priority,
    /// Its state.
    pub state: AlarmState,
    /// When it was last raised, Unix seconds.
    #[ts(type = "number | null")]
    pub raised_at: Option<i64>,
    /// When its condition last went, Unix seconds.
    #[ts(type = "number | null")]
    pub returned_at: Option<i64>,
    /// The rule's id, or a built-in alarm's code.
    pub source: String,
    /// Human-readable event, with the values of that moment.
    pub message: String,
    /// The rule's predicate.
    pub limit: Option<String>,
    /// Present values of the rule's keys, with their ages.
    pub values_now: Vec<AlertValue>,
    /// Its mission.
    pub mission: Option<MissionId>,
    /// Its robot.
    pub robot: Option<RobotId>,
    /// The cause, in the words of the rule's author.
    pub cause: String,
    /// The consequence if nobody responds.
    pub consequence: Consequence,
    /// The operator's response.
    pub response: String,
    /// Time to respond, seconds.
    pub time_to_respond_secs: f64,
    /// The person who acknowledged it.
    pub acknowledged_by: Option<String>,
    /// When, Unix seconds.
    #[ts(type = "number | null")]
    pub acknowledged_at: Option<i64>,
    /// Number of times its condition came while it was not over.
    #[ts(type = "number")]
    pub count: u64,
    /// Its special conditions.
    pub flags: AlarmFlags,
    /// Hidden for a while.
    pub shelved: Option<Shelved>,
    /// Out of service.
    pub out_of_service: Option<OutOfService>,
    /// The alarm under which it is hidden.
    pub suppressed_by: Option<String>,
    /// Number of alarms hidden under this one.
    pub hidden_under_it: usize,
    /// In a flood: the group it belongs to.
    pub group: Option<Group>,
    /// Number of its last change; acknowledging names the greatest that was on the screen.
    #[ts(type = "number")]
    pub seq: u64,
}

/// Numbers of alarms of each kind, also of those that the list does not show.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlarmCounts {
    /// Not over, not hidden.
    pub active: usize,
    /// Of these, seen by nobody.
    pub unacknowledged: usize,
    /// Shelved.
    pub shelved: usize,
    /// Hidden by design.
    pub suppressed: usize,
    /// Out of service.
    pub out_of_service: usize,
    /// The flood that runs.
    pub flood: Option<FloodRow>,
}

/// The reason that an alarm is not in the list.
enum Hidden {
    OutOfService,
    Shelved,
    Suppressed(AlarmSource),
}

impl AlarmList {
    /// The alarms of `preset`, those of agents for which `is_for` holds, unacknowledged first, then by priority, then
    /// the newest. `since_ms` leaves out what was neither raised nor returned after it.
    pub fn rows(
        &self,
        preset: AlarmPreset,
        since_ms: Option<i64>,
        is_for: impl Fn(Option<&AgentId>) -> bool,
        now: Now,
    ) -> Vec<AlarmRow> {
        let since_ms = since_ms.or((preset == AlarmPreset::All).then(|| now.wall_ms.saturating_sub(ALL_MS)));
        let is_new = |alarm: &Alarm| {
            // An open alarm is listed however old it is.
            let is_open = preset == AlarmPreset::All && alarm.state != AlarmState::Normal;
            let last_ms = alarm.raised_ms.max(alarm.returned_ms);
            is_open || since_ms.is_none_or(|since_ms| last_ms.is_some_and(|last_ms| last_ms >= since_ms))
        };
        let hidden_under = self.hidden_under();
        let groups = self.groups();
        let wanted = self
            .alarms
            .values()
            .filter(|alarm| is_for(alarm.agent.as_ref()) && is_new(alarm) && self.is_in(alarm, preset));
        let mut rows: Vec<_> = wanted
            .map(|alarm| {
                let mut row = self.row(alarm, now);
                row.hidden_under_it = hidden_under.get(&alarm.source).copied().unwrap_or(0);
                row.group = groups.get(&alarm.source).cloned();
                row
            })
            .collect();
        rows.sort_by_key(|row| (!row.state.is_unacknowledged(), row.priority, Reverse(row.raised_at), row.id.clone()));
        rows
    }

    /// One alarm as it is listed.
    #[must_use]
    pub fn row(&self, alarm: &Alarm, now: Now) -> AlarmRow {
        let unix_s = |ms: i64| ms.div_euclid(1_000);
        let Alarm { definition, .. } = alarm;
        let terms = &definition.terms;
        let suppressed_by = match self.hidden(alarm) {
            Some(Hidden::Suppressed(cause)) => {
                Some(self.alarms.get(&cause).map_or("rule".to_owned(), |c| c.id.0.clone()))
            }
            Some(Hidden::OutOfService | Hidden::Shelved) | None => None,
        };
        AlarmRow {
            id: alarm.id.clone(),
            agent: alarm.agent.clone(),
            priority: alarm.priority(),
            state: alarm.state,
            raised_at: alarm.raised_ms.map(unix_s),
            returned_at: alarm.returned_ms.map(unix_s),
            source: definition.code.clone(),
            message: definition.message.clone(),
            limit: definition.limit.clone(),
            values_now: Vec::new(),
            mission: definition.mission.clone(),
            robot: definition.robot.clone(),
            cause: terms.cause.clone(),
            consequence: terms.consequence,
            response: terms.response.clone(),
            time_to_respond_secs: terms.time_to_respond_secs,
            acknowledged_by: alarm.acknowledged.as_ref().map(|(by, _)| by.clone()),
            acknowledged_at: alarm.acknowledged.as_ref().map(|(_, ms)| unix_s(*ms)),
            count: alarm.count,
            flags: AlarmFlags {
                source_stale: alarm.source_stale,
                chattering: alarm.is_chattering(now.station),
                latching: terms.latching,
                rule_paused: alarm.rule_paused,
                rule_gone: alarm.rule_gone,
                never_hidden: definition.never_hidden,
            },
            shelved: alarm.shelved.clone(),
            out_of_service: alarm.out_of_service.clone(),
            suppressed_by,
            hidden_under_it: 0,
            group: None,
            seq: alarm.seq,
        }
    }

    /// Numbers of alarms of each kind, for the agents of `is_for`.
    pub fn counts(&self, is_for: impl Fn(Option<&AgentId>) -> bool) -> AlarmCounts {
        let mut counts = AlarmCounts {
            flood: self.flood.running().map(|flood| FloodRow { since: flood.first.unix_s(), count: flood.count }),
            ..AlarmCounts::default()
        };
        for alarm in self.alarms.values().filter(|alarm| is_for(alarm.agent.as_ref())) {
            let of = |preset| usize::from(self.is_in(alarm, preset));
            counts.active += of(AlarmPreset::Active);
            counts.unacknowledged += of(AlarmPreset::Unacknowledged);
            counts.shelved += of(AlarmPreset::Shelved);
            counts.suppressed += of(AlarmPreset::Suppressed);
            counts.out_of_service += of(AlarmPreset::OutOfService);
        }
        counts
    }

    fn is_in(&self, alarm: &Alarm, preset: AlarmPreset) -> bool {
        let is_open = alarm.state != AlarmState::Normal;
        match preset {
            AlarmPreset::All => true,
            AlarmPreset::Active => is_open && self.hidden(alarm).is_none(),
            AlarmPreset::Unacknowledged => alarm.state.is_unacknowledged() && self.hidden(alarm).is_none(),
            AlarmPreset::Shelved => matches!(self.hidden(alarm), Some(Hidden::Shelved)),
            AlarmPreset::OutOfService => matches!(self.hidden(alarm), Some(Hidden::OutOfService)),
            AlarmPreset::Suppressed => is_open && matches!(self.hidden(alarm), Some(Hidden::Suppressed(_))),
        }
    }

    fn hidden(&self, alarm: &Alarm) -> Option<Hidden> {
        // Looked at first, so that neither a person nor a rule nor a lost link hides these.
        if alarm.definition.never_hidden {
            return None;
        }
        if alarm.out_of_service.is_some() {
            return Some(Hidden::OutOfService);
        }
        if alarm.shelved.is_some() {
            return Some(Hidden::Shelved);
        }
        if alarm.suppressed {
            return Some(Hidden::Suppressed(alarm.source.clone()));
        }
        let cause = AlarmSource::link_lost(alarm.definition.robot.as_ref()?);
        // Without a link the other alarms of a robot follow from that one; those of the first priority
        // stay visible.
        if cause == alarm.source || alarm.priority() == Priority::FIRST {
            return None;
        }
        // Under a cause that nobody is shown, it would be gone without a trace.
        let hides = |cause: &Alarm| cause.condition == Condition::True && self.hidden(cause).is_none();
        self.alarms.get(&cause).is_some_and(hides).then_some(Hidden::Suppressed(cause))
    }

    /// The number of open alarms hidden under each alarm.
    fn hidden_under(&self) -> BTreeMap<AlarmSource, usize> {
        let mut under = BTreeMap::new();
        for alarm in self.alarms.values().filter(|alarm| alarm.state != AlarmState::Normal) {
            if let Some(Hidden::Suppressed(cause)) = self.hidden(alarm) {
                *under.entry(cause).or_insert(0) += 1;
            }
        }
        under
    }

    /// In a flood: the groups of its alarms, each under the one that came first. Priority 1 stays outside.
    fn groups(&self) -> BTreeMap<AlarmSource, Group> {
        let Some(flood) = self.flood.running() else { return BTreeMap::new() };
        let mut by_place: BTreeMap<String, Vec<&Alarm>> = BTreeMap::new();
        let of_flood = self.alarms.values().filter(|alarm| {
            self.is_in(alarm, AlarmPreset::Active)
                && alarm.priority() > Priority::FIRST
                && alarm.raised_ms.is_some_and(|raised_ms| raised_ms >= flood.first.wall_ms)
        });
        for alarm in of_flood {
            let definition = &alarm.definition;
            let robot = definition.robot.as_ref().map(|robot| format!("robot/{robot}"));
            let mission = || definition.mission.as_ref().map(|mission| format!("mission/{mission}"));
            let provider = || definition.provider.as_ref().map(|provider| format!("provider/{provider}"));
            let place = robot.or_else(mission).or_else(provider).unwrap_or_default();
            by_place.entry(place).or_default().push(alarm);
        }
        let mut groups = BTreeMap::new();
        for alarms in by_place.values() {
            let first = alarms.iter().min_by_key(|alarm| (alarm.raised_ms, alarm.seq));
            let worst = alarms.iter().map(|alarm| alarm.priority()).min();
            let (Some(first), Some(worst), true) = (first, worst, alarms.len() > 1) else { continue };
            let group = Group { first_out: first.id.clone(), count: alarms.len(), worst };
            groups.extend(alarms.iter().map(|alarm| (alarm.source.clone(), group.clone())));
        }
        groups
    }
}
