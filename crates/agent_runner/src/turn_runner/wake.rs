//! Causes that may wake the agent, and the notices of them. All that waits for a start is told in one turn.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agent::{AlertNotice, Message};
use memory::forget::Needles;
use robot::{Instant, MissionId, Now, Trust};
use world::arousal::{Arousal, Autonomous, Boost, WakeCause};
use world::{AlertId, Fire, RuleCondition, RuleMove};

use super::state::WakesRecord;
use crate::recall::removal::without;

/// Values that one turn is told.
const VALUES_MAX: usize = 16;
/// Alerts that wait for a turn over a restart; far more than one turn is told by name.
const WAITING_SAVED_MAX: usize = 256;
/// Rules and failures that one turn is told by name.
const NAMES_MAX: usize = 20;

/// Messages that may wait, each for a turn of its own; the oldest gives way to one more.
const MESSAGES_MAX: usize = 16;

/// The arousal of one agent, with the words of what waits.
#[derive(Debug, Default)]
pub(super) struct Wakes {
    arousal: Arousal,
    notices: BTreeMap<WakeCause, AlertNotice>,
    /// Messages that are each to be heard in a turn of their own.
    messages: VecDeque<Message>,
    /// Causes whose turn made room for a person; each is put back once.
    put_back: BTreeSet<WakeCause>,
    /// Causes of an earlier run: they are none until their rule is seen to be true.
    earlier: BTreeMap<AlertId, AlertNotice>,
    /// Something is different from what is stored.
    changed: bool,
    /// The day's money is spent: no turn starts by itself until there is more.
    budget_spent: bool,
    /// Missions of which the money is spent: their alerts start no turn.
    spent_missions: BTreeSet<MissionId>,
}

/// A turn that starts by itself.
pub(super) enum Woken {
    /// Because of alerts.
    Alerts(Causes),
    /// Because of something that nobody decided on in time, or that ended by itself.
    Told(Message),
}

/// The causes of a turn, with their notices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Causes {
    notices: Vec<(WakeCause, AlertNotice)>,
    /// All of them made room before.
    pub again: bool,
}

impl Causes {
    /// The rules among them.
    pub fn rules(&self) -> impl Iterator<Item = &AlertId> {
        self.notices.iter().filter_map(|(cause, _)| rule_of(cause))
    }

    /// The alerts among them, with their words.
    pub fn alerts(&self) -> Vec<(AlertId, AlertNotice)> {
        let alerts = self.notices.iter().filter_map(|(cause, notice)| Some((rule_of(cause)?.clone(), notice.clone())));
        alerts.collect()
    }

    /// One notice of all.
    pub fn merged(&self) -> AlertNotice {
        merged(self.notices.iter().map(|(_, notice)| notice.clone()).collect())
    }
}

impl Wakes {
    /// Goes on from what an earlier run has stored.
    pub fn restored(record: WakesRecord, now: Now) -> Self {
        let mut wakes = Self { arousal: Arousal::restored(&record.arousal, now), ..Self::default() };
        wakes.take_up(record.waiting);
        wakes
    }

    /// Alerts of an earlier run: each is a cause again once its rule is seen to be true.
    pub fn take_up(&mut self, alerts: Vec<(AlertId, AlertNotice)>) {
        self.changed |= !alerts.is_empty();
        self.earlier.extend(alerts);
    }

    /// The record to be stored, if it differs from the one taken before.
    pub fn take_changed(&mut self, now: Now) -> Option<WakesRecord> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let alert = |(cause, notice): (&WakeCause, &AlertNotice)| Some((rule_of(cause)?.clone(), notice.clone()));
        let waiting = self.notices.iter().filter_map(alert);
        let earlier = self.earlier.iter().map(|(rule, notice)| (rule.clone(), notice.clone()));
        // Those of this run first: their rules are known to be true.
        let waiting = waiting.chain(earlier).take(WAITING_SAVED_MAX).collect();
        Some(WakesRecord { arousal: self.arousal.record(now), waiting })
    }

    /// Notes that the record taken last was not stored.
    pub fn note_changed(&mut self) {
        self.changed = true;
    }

    /// A rule fired.
    pub fn fired(&mut self, fire: &Fire) {
        if fire.mission.as_ref().is_some_and(|mission| self.spent_missions.contains(mission)) {
            return;
        }
        self.changed = true;
        self.arousal.fired(&fire.alert, fire.arousal_boost, fire.at.station);
        if fire.woke_too_often {
            return;
        }
        let values = fire.values.iter().map(|value| format!("{} = {}", value.key, value.value)).collect();
        let notice = AlertNotice {
            alert: fire.alert.0.clone(),
            predicate: fire.predicate.clone(),
            values,
            // Values of an alert may quote a sensor's text.
            trust: Trust::Text,
        };
        // It fired anew, so the words of the run before are outdated.
        self.earlier.remove(&fire.alert);
        self.notices.insert(WakeCause::Rule(fire.alert.clone()), notice);
    }

    /// The agent is to be told of a failure.
    pub fn tell(&mut self, notice: AlertNotice, at: Instant) {
        self.changed = true;
        self.arousal.tell(&notice.alert, Boost::Fallback, at);
        self.notices.insert(WakeCause::Told(notice.alert.clone()), notice);
    }

    /// The agent is to hear `message` in a turn of its own.
    pub fn hear(&mut self, message: Message) {
        if self.messages.len() >= MESSAGES_MAX {
            self.messages.pop_front();
        }
        self.messages.push_back(message);
    }

    /// A person wrote, or a link is lost.
    pub fn stir(&mut self, boost: Boost) {
        self.changed = true;
        self.arousal.stir(boost);
    }

    /// True if a turn that no alert asks for may start by itself now.
    pub fn may_start(&self, now: Instant) -> bool {
        self.arousal.may_start(!self.budget_spent, now)
    }

    /// Notes that the day's money is spent, or that there is some again.
    pub fn set_budget_spent(&mut self, spent: bool) {
        self.budget_spent = spent;
    }

    /// Notes the missions of which the money is spent.
    pub fn set_spent_missions(&mut self, missions: BTreeSet<MissionId>) {
        self.spent_missions = missions;
    }

    /// A job came due; its turn starts by itself, or a person starts it.
    pub fn due(&mut self, by_itself: bool, now: Instant) {
        self.changed = true;
        self.arousal.stir(Boost::Schedule);
        // It counts against the hour like every turn that starts by itself.
        if by_itself {
            self.arousal.note_start(now);
        }
    }

    /// A rule's predicate says something else.
    pub fn follow(&mut self, moved: &RuleMove) {
        self.arousal.follow(moved);
        match moved.condition {
            RuleCondition::True => {
                if let Some(notice) = self.earlier.remove(&moved.alert) {
                    self.put_in(WakeCause::Rule(moved.alert.clone()), notice, moved.at.station);
                }
            }
            RuleCondition::False => self.drop_words(&moved.alert),
            // A source that has fallen silent says nothing about the condition, so the cause stays.
            RuleCondition::Unknown | RuleCondition::Lost => {}
        }
    }

    /// A rule is gone.
    pub fn forget(&mut self, rule: &AlertId) {
        self.arousal.drop_cause(rule);
        self.drop_words(rule);
    }

    /// Takes forgotten texts out of the words of what waits.
    pub fn forget_words(&mut self, needles: &Needles, mark: &str) {
        for notice in self.notices.values_mut().chain(self.earlier.values_mut()) {
            if let Some(kept) = without(notice, needles, mark) {
                *notice = kept;
                self.changed = true;
            }
        }
        self.messages.retain(|message| !needles.is_in(message.text()));
    }

    fn drop_words(&mut self, rule: &AlertId) {
        let was_earlier = self.earlier.remove(rule).is_some();
        let had_words = self.notices.remove(&WakeCause::Rule(rule.clone())).is_some();
        self.changed |= was_earlier || had_words;
    }

    /// Beats; true if a turn waits for its start.
    pub fn tick(&mut self, now: Instant) -> bool {
        let level = self.arousal.level();
        self.arousal.tick(now);
        self.changed |= level != self.arousal.level();
        self.arousal.is_queued() || !self.messages.is_empty()
    }

    /// The turn that starts now, if one may.
    pub fn start(&mut self, now: Instant) -> Option<Woken> {
        if !self.messages.is_empty() && self.may_start(now) {
            self.changed = true;
            self.arousal.note_start(now);
            return self.messages.pop_front().map(Woken::Told);
        }
        let causes = self.arousal.start(!self.budget_spent, now)?;
        self.changed = true;
        // A new cause among them may make room once more.
        let again = causes.iter().all(|cause| self.put_back.contains(cause));
        let with_words = |cause: WakeCause| self.notices.remove(&cause).map(|notice| (cause, notice));
        Some(Woken::Alerts(Causes { notices: causes.into_iter().filter_map(with_words).collect(), again }))
    }

    /// Puts back what a turn was about that made room for a person; each cause once, and only while `holds`.
    pub fn put_back(&mut self, causes: Causes, holds: impl Fn(&AlertId) -> bool, now: Instant) {
        for (cause, notice) in causes.notices {
            if rule_of(&cause).is_none_or(&holds) && self.put_back.insert(cause.clone()) {
                self.put_in(cause, notice, now);
            }
        }
    }

    /// A turn about `causes` came to its end: were they to come again, they may be put back again.
    pub fn dealt_with(&mut self, causes: &Causes) {
        for (cause, _) in &causes.notices {
            self.put_back.remove(cause);
        }
    }

    fn put_in(&mut self, cause: WakeCause, notice: AlertNotice, at: Instant) {
        self.changed = true;
        self.arousal.put_back(cause.clone(), at);
        self.notices.insert(cause, notice);
    }

    /// A turn that started by itself ended.
    pub fn ended(&mut self, turn: Autonomous, now: Instant) {
        self.changed = true;
        self.arousal.ended(turn, now);
    }
}

fn rule_of(cause: &WakeCause) -> Option<&AlertId> {
    match cause {
        WakeCause::Rule(rule) => Some(rule),
        WakeCause::Told(_) => None,
    }
}

/// One notice of all.
fn merged(mut notices: Vec<AlertNotice>) -> AlertNotice {
    if notices.len() == 1
        && let Some(only) = notices.pop()
    {
        return only;
    }
    let more = notices.len().saturating_sub(NAMES_MAX);
    let named = || notices.iter().take(NAMES_MAX);
    let join = |of: fn(&AlertNotice) -> &str, between: &str| {
        let mut joined = named().map(of).collect::<Vec<_>>().join(between);
        if more > 0 {
            joined.push_str(&format!("{between}+{more} more"));
        }
        joined
    };
    // One untrusted notice makes the whole untrusted.
    let is_text = notices.iter().any(|notice| notice.trust == Trust::Text);
    AlertNotice {
        alert: join(|notice| &notice.alert, ", "),
        predicate: join(|notice| &notice.predicate, "; "),
        values: notices.iter().flat_map(|notice| notice.values.clone()).take(VALUES_MAX).collect(),
        trust: if is_text { Trust::Text } else { Trust::Typed },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fire(name: &str, arousal_boost: f64) -> Fire {
        Fire {
            alert: AlertId(format!("al-{name}")),
            mission: None,
            predicate: format!("{name} > 0.5"),
            description: None,
            arousal_boost,
            woke_too_often: arousal_boost == 0.0,
            is_alarm: false,
            merged: 1,
            values: Vec::new(),
            at: Now::default(),
        }
    }

    fn alerts(woken: Option<Woken>) -> Causes {
        match woken {
            Some(Woken::Alerts(causes)) => causes,
            Some(Woken::Told(_)) | None => panic!("no turn about alerts started"),
        }
    }

    #[test]
    fn a_05_what_waits_is_told_in_one_turn() {
        let mut wakes = Wakes::default();
        wakes.fired(&fire("a", 1.0));
        assert!(wakes.start(Instant::default()).is_none(), "a small boost starts none");
        wakes.fired(&fire("b", 2.0));
        let failure = AlertNotice {
            alert: "safety:rover-1:breach".into(),
            predicate: "The robot is where it may not be.".into(),
            values: Vec::new(),
            trust: Trust::Typed,
        };
        wakes.tell(failure, Instant::default());
        let causes = alerts(wakes.start(Instant::default()));
        assert!(causes.rules().eq([&AlertId("al-a".into()), &AlertId("al-b".into())]));
        let notice = causes.merged();
        assert_eq!(notice.alert, "al-a, al-b, safety:rover-1:breach");
        assert_eq!(notice.trust, Trust::Text);
    }

    #[test]
    fn a_07_of_a_storm_a_turn_is_told_twenty_by_name_and_how_many_more() {
        let mut wakes = Wakes::default();
        (0..50).for_each(|n| wakes.fired(&fire(&format!("{n:02}"), 2.0)));
        let causes = alerts(wakes.start(Instant::default()));
        assert_eq!(causes.rules().count(), 50);
        let alert = causes.merged().alert;
        assert!(alert.ends_with("al-19, +30 more"), "{alert}");
    }

    #[test]
    fn r_07_a_rule_that_woke_too_often_starts_none() {
        let mut wakes = Wakes::default();
        wakes.fired(&fire("a", 0.0));
        assert!(!wakes.tick(Instant::default()) && wakes.start(Instant::default()).is_none());
    }

    fn at(secs: u64) -> Instant {
        Instant::from_millis(secs * 1_000)
    }

    fn moved(name: &str, condition: RuleCondition) -> RuleMove {
        RuleMove {
            alert: AlertId(format!("al-{name}")),
            mission: None,
            predicate: "x".into(),
            description: None,
            condition,
            edges: 0,
            suppressed: false,
            alarm: None,
            values: Vec::new(),
            at: Now::default(),
        }
    }

    const DONE: Autonomous = Autonomous { reactive: true, failed: false };

    #[test]
    fn a_08_what_made_room_for_a_person_is_put_back_once_and_only_while_it_holds() {
        let mut wakes = Wakes::default();
        wakes.fired(&fire("a", 2.0));
        wakes.fired(&fire("b", 2.0));
        let causes = alerts(wakes.start(at(0)));
        assert!(!causes.again);
        wakes.ended(DONE, at(1));
        wakes.put_back(causes, |rule| rule.0 == "al-a", at(1));
        assert!(wakes.start(at(30)).is_none());
        let causes = alerts(wakes.start(at(31)));
        assert!(causes.again && causes.rules().eq([&AlertId("al-a".into())]));
        wakes.ended(DONE, at(32));
        wakes.put_back(causes.clone(), |_| true, at(32));
        assert!(wakes.start(at(90)).is_none(), "it made room twice");
        wakes.dealt_with(&causes);
        wakes.fired(&fire("a", 2.0));
        assert!(!alerts(wakes.start(at(120))).again, "a new fire begins anew");
    }

    #[test]
    fn x_11_an_alert_of_an_earlier_run_wakes_nobody_before_its_condition_is_seen_to_hold() {
        let mut wakes = Wakes::default();
        wakes.fired(&fire("a", 2.0));
        wakes.fired(&fire("b", 2.0));
        let stored = serde_json::to_string(&wakes.take_changed(Now::default()).unwrap()).unwrap();
        assert!(wakes.take_changed(Now::default()).is_none(), "nothing has changed since");
        let mut restored = Wakes::restored(serde_json::from_str(&stored).unwrap(), Now::default());
        assert!(restored.start(at(60)).is_none());
        restored.follow(&moved("a", RuleCondition::Unknown));
        restored.follow(&moved("b", RuleCondition::False));
        assert!(restored.start(at(60)).is_none());
        restored.follow(&moved("b", RuleCondition::True));
        assert!(restored.start(at(60)).is_none(), "it was false meanwhile");
        restored.follow(&moved("a", RuleCondition::True));
        assert_eq!(alerts(restored.start(at(60))).merged().predicate, "a > 0.5");
    }

    #[test]
    fn k_04_a_spent_budget_keeps_every_turn_away_until_there_is_more() {
        let mut wakes = Wakes::default();
        wakes.fired(&fire("a", 2.0));
        wakes.set_budget_spent(true);
        assert!(!wakes.may_start(at(0)) && wakes.start(at(0)).is_none());
        wakes.set_budget_spent(false);
        assert!(wakes.start(at(0)).is_some());
    }

    #[test]
    fn k_03_a_rule_of_a_mission_without_money_starts_no_turn_and_any_other_does() {
        let mut wakes = Wakes::default();
        let mission = MissionId::new("patrol").unwrap();
        let of_mission = Fire { mission: Some(mission.clone()), ..fire("a", 2.0) };
        wakes.set_spent_missions(BTreeSet::from([mission]));
        wakes.fired(&of_mission);
        assert!(!wakes.tick(at(0)) && wakes.start(at(0)).is_none());
        wakes.fired(&fire("b", 2.0));
        assert!(alerts(wakes.start(at(0))).rules().eq([&AlertId("al-b".into())]));
        wakes.ended(DONE, at(1));
        wakes.set_spent_missions(BTreeSet::new());
        wakes.fired(&of_mission);
        assert!(wakes.start(at(60)).is_some(), "there is money again");
    }

    #[test]
    fn a_08_what_is_to_be_heard_has_a_turn_of_its_own() {
        let mut wakes = Wakes::default();
        let notice =
            AlertNotice { alert: "x".into(), predicate: String::new(), values: Vec::new(), trust: Trust::Typed };
        wakes.hear(Message::alert(&notice, None));
        assert!(wakes.tick(at(0)));
        assert!(matches!(wakes.start(at(0)), Some(Woken::Told(_))));
        assert!(wakes.start(at(0)).is_none());
    }
}
