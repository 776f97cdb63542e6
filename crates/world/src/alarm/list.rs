//! Every alarm of a station. What rules and the station itself see comes in, what changed goes out.

use std::collections::{BTreeMap, BTreeSet};

use robot::{AgentId, Now, RobotId, word};

use super::flood::Flood;
use super::record::Condition;
use super::{
    Alarm, AlarmEvent, AlarmEventKind, AlarmId, AlarmSource, AlarmState, AlarmStep, BuiltIn, Definition, Of, Priority,
};
use crate::alert::{RuleCondition, RuleMove};

/// Alarms kept at most; beyond, one that is over makes room. More than an agent's rules and all built-in ones.
const ALARMS_MAX: usize = 20_000;
/// Time for which an alarm that is over stays in the list of all, milliseconds.
const OVER_KEPT_MS: i64 = 24 * 3_600 * 1_000;
/// Interval between reminders that an alarm is out of service.
const NAG_EVERY: std::time::Duration = std::time::Duration::from_secs(24 * 3_600);

/// All alarms.
#[derive(Debug, Default)]
pub struct AlarmList {
    pub(super) alarms: BTreeMap<AlarmSource, Alarm>,
    pub(super) by_id: BTreeMap<AlarmId, AlarmSource>,
    /// Those that time alone may change.
    timed: BTreeSet<AlarmSource>,
    /// Those that differ from what was last handed out for storing.
    dirty: BTreeSet<AlarmSource>,
    pub(super) seq: u64,
    pub(super) flood: Flood,
}

/// Changes to the list of alarms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// For the record.
    pub events: Vec<AlarmEvent>,
    /// Notices for people beside the list.
    pub notices: Vec<AlarmNotice>,
    /// The list looks different.
    pub changed: bool,
}

/// Something about alarms that people are told beside the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmNotice {
    /// Stable code, snake_case.
    pub code: &'static str,
    /// Human-readable sentence.
    pub sentence: String,
    /// Whose alarm it is about; none for one of the station, or all of them.
    pub agent: Option<AgentId>,
}

/// The observed condition of one alarm.
struct Seen {
    source: AlarmSource,
    agent: Option<AgentId>,
    condition: RuleCondition,
    /// Number of times it became true since the last look.
    edges: u64,
    suppressed: bool,
}

impl AlarmList {
    /// Takes in that a rule of `agent` moved. `id` names its alarm if it has none yet; `locate` finds the robot of a
    /// key expression.
    pub fn follow(
        &mut self,
        agent: &AgentId,
        moved: &RuleMove,
        id: AlarmId,
        locate: impl Fn(&str) -> Option<RobotId>,
    ) -> Report {
        let Some(terms) = &moved.alarm else { return Report::default() };
        let definition = || {
            let first = moved.values.first();
            Definition {
                code: moved.alert.0.clone(),
                message: moved.message(),
                limit: Some(moved.predicate.to_string()),
                terms: terms.as_ref().clone(),
                urgent: false,
                mission: moved.mission.clone(),
                robot: first.and_then(|value| locate(&value.source)),
                provider: first.map(|value| value.provider.0.to_string()),
                never_hidden: false,
            }
        };
        let seen = Seen {
            source: rule_source(agent, moved),
            agent: Some(agent.clone()),
            condition: moved.condition,
            edges: moved.edges,
            suppressed: moved.suppressed,
        };
        self.see(seen, id, definition, moved.at)
    }

    /// Says that a built-in alarm's condition is there. `id` names it if it is new.
    pub fn raise(&mut self, alarm: BuiltIn, of: &Of, message: String, id: AlarmId, now: Now) -> Report {
        let seen = Seen {
            source: of.source(alarm),
            agent: of.agent.clone(),
            condition: RuleCondition::True,
            edges: 1,
            suppressed: false,
        };
        self.see(seen, id, || of.definition(alarm, message), now)
    }

    /// Says that a built-in alarm's condition is gone.
    pub fn clear(&mut self, alarm: BuiltIn, of: &Of, now: Now) -> Report {
        let source = of.source(alarm);
        // Said already: touching the alarm again would only have it written to the disk once more.
        if self.alarms.get(&source).is_none_or(|known| known.condition == Condition::False) {
            return Report::default();
        }
        let seen = Seen { source, agent: None, condition: RuleCondition::False, edges: 0, suppressed: false };
        // Known, so that neither an id nor a definition is asked for.
        self.see(seen, AlarmId(String::new()), || of.definition(alarm, String::new()), now)
    }

    /// Says that the moments that built-in alarms of the last run tell of are over, and what this run finds anew.
    pub fn end_moments(&mut self, now: Now) -> Report {
        let moments: Vec<String> = BuiltIn::ALL.iter().filter(|alarm| alarm.is_moment()).map(word).collect();
        let anew: Vec<String> = BuiltIn::ALL.iter().filter(|alarm| alarm.is_found_anew()).map(word).collect();
        let is_over = |alarm: &&Alarm| {
            let code = &alarm.definition.code;
            // Stale since it was restored: this run has not found it.
            let is_left = alarm.source_stale && anew.contains(code);
            alarm.condition == Condition::True && (is_left || moments.contains(code))
        };
        let sources: Vec<_> = self.alarms.values().filter(is_over).map(|alarm| alarm.source.clone()).collect();
        let mut report = Report::default();
        for source in sources {
            if let Some(alarm) = self.alarms.get_mut(&source) {
                look(alarm, RuleCondition::False, now, &mut report);
                return_if_due(alarm, &mut self.seq, now, &mut report);
            }
            self.touched(&source);
        }
        report
    }

    /// True while the condition of a built-in alarm is there.
    #[must_use]
    pub fn is_raised(&self, alarm: BuiltIn, of: &Of) -> bool {
        self.alarms.get(&of.source(alarm)).is_some_and(|known| known.condition == Condition::True)
    }

    fn see(&mut self, seen: Seen, id: AlarmId, definition: impl FnOnce() -> Definition, at: Now) -> Report {
        let mut report = Report::default();
        if !self.alarms.contains_key(&seen.source) {
            // An alarm begins with an edge; a condition that was never true makes none.
            if seen.edges == 0 {
                return report;
            }
            self.make_room();
            let alarm = Alarm::new(id, seen.source.clone(), seen.agent.clone(), definition());
            self.by_id.insert(alarm.id.clone(), seen.source.clone());
            self.alarms.insert(seen.source.clone(), alarm);
        } else if seen.edges > 0
            && let Some(alarm) = self.alarms.get_mut(&seen.source)
        {
            // The newest edge words the alarm: the message holds the values of its moment.
            alarm.definition = definition();
        }
        let Some(alarm) = self.alarms.get_mut(&seen.source) else { return report };
        report.changed |= alarm.suppressed != seen.suppressed || alarm.rule_gone || alarm.rule_paused;
        // A rule that speaks is neither gone nor paused any more.
        (alarm.suppressed, alarm.rule_gone, alarm.rule_paused) = (seen.suppressed, false, false);
        let was_normal = alarm.state == AlarmState::Normal;
        become_true(alarm, seen.edges, &mut self.seq, at, &mut report);
        look(alarm, seen.condition, at, &mut report);
        return_if_due(alarm, &mut self.seq, at, &mut report);
        // An alarm that comes back before it is over is known to people, and adds nothing to a flood.
        let raised = was_normal && report.events.iter().any(|event| event.kind == AlarmEventKind::Raised);
        if raised && let Some(notice) = self.flood.raised(at) {
            report.notices.push(notice);
        }
        self.touched(&seen.source);
        report
    }

    /// Lets time pass: off-delays, shelves, what is said once a minute or a day, the end of a flood.
    pub fn tick(&mut self, now: Now) -> Report {
        let mut report = Report::default();
        // Taken as a whole, because looking at an alarm may put it back.
        for source in std::mem::take(&mut self.timed) {
            let Some(alarm) = self.alarms.get_mut(&source) else { continue };
            let before = (alarm.state, alarm.shelved.is_some());
            return_if_due(alarm, &mut self.seq, now, &mut report);
            if alarm.shelved_until.is_some_and(|until| now.station >= until) {
                unshelve(alarm, &mut self.seq, now, None, &mut report);
            }
            if let Some(returns) = alarm.chatter.tell(now.station) {
                let sentence = format!("{} came and went {returns} times.", alarm.definition.message);
                report.notices.push(AlarmNotice { code: "alarm_chattering", sentence, agent: alarm.agent.clone() });
                report.changed = true;
            }
            if alarm.out_of_service.is_some()
                && alarm.nagged.is_none_or(|nagged| now.station.since(nagged) >= NAG_EVERY)
            {
                alarm.nagged = Some(now.station);
                let sentence = format!("The alarm \"{}\" is out of service.", alarm.definition.terms.cause);
                let agent = alarm.agent.clone();
                report.notices.push(AlarmNotice { code: "alarm_out_of_service", sentence, agent });
            }
            if before != (alarm.state, alarm.shelved.is_some()) {
                self.touched(&source);
            } else {
                self.set_timed(source);
            }
        }
        if let Some(notice) = self.flood.tick(now) {
            report.notices.push(notice);
            report.changed = true;
        }
        report
    }

    /// Says that the rule of `agent` that was `id` is not there any more. Its alarm stays until somebody has seen it.
    pub fn retire(&mut self, agent: &AgentId, id: &crate::AlertId, now: Now) -> Report {
        self.for_rule(agent, id, now, |alarm, seq, at, report| {
            alarm.rule_gone = true;
            report.changed = true;
            end_if_gone(alarm, seq, at);
        })
    }

    /// Says that the mission of the rule `id` of `agent` does not run, so that nothing follows its condition.
    pub fn pause(&mut self, agent: &AgentId, id: &crate::AlertId, now: Now) -> Report {
        self.for_rule(agent, id, now, |alarm, _, _, report| {
            alarm.rule_paused = true;
            report.changed = true;
        })
    }

    fn for_rule(
        &mut self,
        agent: &AgentId,
        id: &crate::AlertId,
        now: Now,
        change: impl FnOnce(&mut Alarm, &mut u64, Now, &mut Report),
    ) -> Report {
        let mut report = Report::default();
        let is_its = |alarm: &&mut Alarm| alarm.agent.as_ref() == Some(agent) && alarm.definition.code == id.0;
        let Some(alarm) = self.alarms.values_mut().find(is_its) else { return report };
        change(alarm, &mut self.seq, now, &mut report);
        let source = alarm.source.clone();
        self.touched(&source);
        report
    }

    /// Takes forgotten texts out of what the alarms of `agent` say: `replaced` gives a text without them, if it held
    /// one.
    pub fn forget(&mut self, agent: &AgentId, replaced: impl Fn(&str) -> Option<String>) {
        let is_its = |alarm: &&mut Alarm| alarm.agent.as_ref() == Some(agent);
        let says = |alarm: &mut Alarm| alarm.texts().any(|text| replaced(text).is_some());
        let said: Vec<AlarmSource> = self
            .alarms
            .values_mut()
            .filter(is_its)
            .filter_map(|alarm| says(alarm).then(|| alarm.source.clone()))
            .collect();
        for source in said {
            // The source quotes the rule's predicate, so that the alarm may go on under another one.
            let Some(mut alarm) = self.alarms.remove(&source) else { continue };
            self.dirty.remove(&source);
            self.timed.remove(&source);
            for text in alarm.texts() {
                if let Some(kept) = replaced(text) {
                    *text = kept;
                }
            }
            let source = alarm.source.clone();
            self.by_id.insert(alarm.id.clone(), source.clone());
            self.alarms.insert(source.clone(), alarm);
            self.touched(&source);
        }
    }

    /// Every alarm, by source.
    pub fn alarms(&self) -> impl Iterator<Item = &Alarm> {
        self.alarms.values()
    }

    /// One alarm.
    #[must_use]
    pub fn alarm(&self, id: &AlarmId) -> Option<&Alarm> {
        self.alarms.get(self.by_id.get(id)?)
    }

    /// Has these alarms stored again as they are: what was written of them is not so.
    pub fn mark_unsaved<'a>(&mut self, ids: impl IntoIterator<Item = &'a AlarmId>) {
        for id in ids {
            if let Some(source) = self.by_id.get(id).cloned() {
                self.dirty.insert(source);
            }
        }
    }

    /// The owners of alarms that changed since they were last taken: agents, or none for the station.
    pub fn dirty_owners(&self) -> BTreeSet<Option<AgentId>> {
        self.dirty.iter().filter_map(|source| self.alarms.get(source)).map(|alarm| alarm.agent.clone()).collect()
    }

    /// The alarms of `owner` that changed since they were last taken.
    pub fn take_dirty(&mut self, owner: Option<&AgentId>) -> Vec<Alarm> {
        let mut taken = Vec::new();
        self.dirty.retain(|source| {
            // One that has left the list is taken off as well: there is nothing to store any more.
            let alarm = self.alarms.get(source);
            let is_others = alarm.is_some_and(|alarm| alarm.agent.as_ref() != owner);
            taken.extend(alarm.filter(|_| !is_others).cloned());
            is_others
        });
        taken
    }

    /// Notes that `source` changed: it is stored, and looked at by the clock if it has to be.
    pub(super) fn touched(&mut self, source: &AlarmSource) {
        self.dirty.insert(source.clone());
        self.set_timed(source.clone());
    }

    pub(super) fn set_timed(&mut self, source: AlarmSource) {
        let is_timed = |alarm: &Alarm| {
            alarm.false_since.is_some()
                || alarm.shelved_until.is_some()
                || alarm.out_of_service.is_some()
                || alarm.chatter.is_counting()
        };
        if self.alarms.get(&source).is_some_and(is_timed) {
            self.timed.insert(source);
        } else {
            self.timed.remove(&source);
        }
    }

    fn make_room(&mut self) {
        if self.alarms.len() < ALARMS_MAX {
            return;
        }
        // An alarm that is over loses only its history here: if it comes back, it is made anew.
        let over = self.alarms.values().filter(|alarm| alarm.state == AlarmState::Normal || alarm.rule_gone);
        // If none is over, the least urgent give way. Priorities 1 and 2 never do: the list grows instead.
        let oldest = over.min_by_key(|alarm| alarm.seq).or_else(|| {
            self.alarms.values().filter(|alarm| alarm.priority() > Priority::SECOND).min_by_key(|alarm| alarm.seq)
        });
        if let Some(alarm) = oldest {
            let (source, id) = (alarm.source.clone(), alarm.id.clone());
            self.alarms.remove(&source);
            self.by_id.remove(&id);
        }
    }

    /// Forgets alarms of removed rules that are over for a day; those of others are looked up by their source again.
    pub fn forget_old(&mut self, now: Now) {
        let is_old = |alarm: &Alarm| {
            let since_ms = alarm.raised_ms.max(alarm.returned_ms).unwrap_or(0);
            alarm.state == AlarmState::Normal && alarm.rule_gone && now.wall_ms.saturating_sub(since_ms) > OVER_KEPT_MS
        };
        let old: Vec<_> =
            self.alarms.values().filter(|alarm| is_old(alarm)).map(|alarm| alarm.source.clone()).collect();
        for source in old {
            if let Some(alarm) = self.alarms.remove(&source) {
                self.by_id.remove(&alarm.id);
            }
            self.dirty.remove(&source);
            self.timed.remove(&source);
        }
    }
}

fn rule_source(agent: &AgentId, moved: &RuleMove) -> AlarmSource {
    let mission = moved.mission.as_ref().map_or("", |mission| mission.as_str());
    AlarmSource(format!("rule/{agent}/{mission}/{}", moved.predicate))
}

/// The condition became true `edges` times. One of them is no news if the alarm holds it for true already: after a
/// restart nobody knows that it was ever false.
fn become_true(alarm: &mut Alarm, edges: u64, seq: &mut u64, at: Now, report: &mut Report) {
    let known = u64::from(alarm.condition == Condition::True && edges > 0);
    let after_loss = alarm.condition == Condition::Lost;
    for _ in known..edges {
        // No state refuses this step.
        let Ok(stepped) = alarm.state.step(AlarmStep::True { after_loss }, alarm.definition.terms.latching) else {
            continue;
        };
        let moved = stepped.state != alarm.state || stepped.counts;
        if !moved {
            continue;
        }
        let kind = if stepped.counts { AlarmEventKind::RaisedAgain } else { AlarmEventKind::Raised };
        alarm.count = if stepped.counts { alarm.count + 1 } else { 1 };
        alarm.state = stepped.state;
        alarm.raised_ms = Some(at.wall_ms);
        if !stepped.counts {
            alarm.returned_ms = None;
        }
        alarm.acknowledged = None;
        *seq += 1;
        alarm.seq = *seq;
        let event = AlarmEvent { detail: Some(alarm.definition.message.clone()), ..alarm.event(kind, at) };
        report.events.push(event);
        report.changed = true;
    }
    if edges > 0 {
        (alarm.condition, alarm.false_since) = (Condition::True, None);
    }
}

/// Applies the present condition, as the data says it, to `alarm`.
fn look(alarm: &mut Alarm, condition: RuleCondition, at: Now, report: &mut Report) {
    let is_active = matches!(alarm.state, AlarmState::UnackActive | AlarmState::AckActive);
    let stale = match condition {
        RuleCondition::True => {
            (alarm.condition, alarm.false_since) = (Condition::True, None);
            false
        }
        RuleCondition::False => {
            alarm.condition = Condition::False;
            if is_active {
                alarm.false_since.get_or_insert(at.station);
            }
            false
        }
        RuleCondition::Unknown | RuleCondition::Lost => {
            // A return that waits for its off-delay waits for fresh data first.
            alarm.false_since = None;
            // Only what was there before the loss can have gone and come back unseen.
            if condition == RuleCondition::Lost && alarm.condition == Condition::True {
                alarm.condition = Condition::Lost;
            }
            is_active
        }
    };
    report.changed |= stale != alarm.source_stale;
    alarm.source_stale = stale;
}

fn return_if_due(alarm: &mut Alarm, seq: &mut u64, now: Now, report: &mut Report) {
    let Some(due) = alarm.returns_at().filter(|due| now.station >= *due) else { return };
    alarm.false_since = None;
    let Ok(stepped) = alarm.state.step(AlarmStep::False, alarm.definition.terms.latching) else { return };
    // The return is dated at the end of the off-delay, not at the tick that notices it.
    let at = Now { station: due, wall_ms: now.wall_ms_of(due) };
    alarm.state = stepped.state;
    alarm.returned_ms = Some(at.wall_ms);
    alarm.chatter.returned(due);
    *seq += 1;
    alarm.seq = *seq;
    report.events.push(alarm.event(AlarmEventKind::Returned, at));
    report.changed = true;
}

/// Takes an alarm off the shelf. It was hidden there, so one that is still active counts as unacknowledged.
pub(super) fn unshelve(alarm: &mut Alarm, seq: &mut u64, now: Now, by: Option<&str>, report: &mut Report) {
    (alarm.shelved, alarm.shelved_until) = (None, None);
    if alarm.state == AlarmState::AckActive && alarm.condition != Condition::False {
        alarm.state = AlarmState::UnackActive;
        alarm.acknowledged = None;
    }
    *seq += 1;
    alarm.seq = *seq;
    let event = AlarmEvent { by: by.map(str::to_owned), ..alarm.event(AlarmEventKind::Unshelved, now) };
    report.events.push(event);
    report.changed = true;
}

/// Ends an acknowledged alarm whose rule was removed: its condition is not watched any more.
pub(super) fn end_if_gone(alarm: &mut Alarm, seq: &mut u64, now: Now) {
    if alarm.rule_gone && alarm.state == AlarmState::AckActive {
        alarm.state = AlarmState::Normal;
        (alarm.condition, alarm.false_since, alarm.source_stale) = (Condition::False, None, false);
        alarm.returned_ms = Some(now.wall_ms);
        *seq += 1;
        alarm.seq = *seq;
    }
}
