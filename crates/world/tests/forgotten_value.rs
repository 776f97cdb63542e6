//! One value, published by hand and forgotten, must never keep a rule true and an agent busy for hours. A day of station
//! time over rules, arousal and alarms, with a model that takes 150 s for every answer. The phase, which is what is
//! random about a day, is printed by the failing case.
#![expect(clippy::unwrap_used, reason = "a step that cannot be taken has failed the day")]

use std::collections::VecDeque;
use std::sync::Arc;

use proptest::prelude::*;
use robot::{AgentId, Field, HeaderMeta, Instant, Now, Row, Sample, Scalar, Scanned};
use serde_json::json;
use world::alarm::{AlarmId, AlarmList, AlarmPreset, AlarmRow, AlarmState, PersonAct, StoredAlarm};
use world::arousal::{Arousal, Autonomous, WakeCause};
use world::{AlertId, AlertRule, Provider, ProviderConfig, ProviderId, RuleHistory, RuleNews, RuleQueue, World};

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;
const WORKING_DAY: u64 = 8 * HOUR;
/// An autonomous turn is cancelled after this time; the model would take longer.
const TURN_SECS: u64 = 120;
/// Turns that the day's budget pays for.
const BUDGET_TURNS: usize = 100;
/// Station clock at the beginning; it has a head start, so that what was before has a place on it.
const BEGIN_SECS: u64 = 2 * DAY;

fn at(secs: u64) -> Now {
    let ms = i64::try_from(secs * 1_000).unwrap();
    Now { station: Instant::from_millis((BEGIN_SECS + secs) * 1_000), wall_ms: 1_772_000_000_000 + ms }
}

/// Outcome of a day.
#[derive(Debug, Default)]
struct Day {
    world: World,
    queue: RuleQueue,
    arousal: Arousal,
    alarms: AlarmList,
    /// Rules by id, as they would be stored.
    rules: Vec<(AlertId, AlertRule)>,
    names: u64,
    running_until: Option<u64>,
    fires: Vec<u64>,
    edges: u64,
    turns: Vec<u64>,
    /// When people wrote, and how long they waited for their turn.
    people: VecDeque<u64>,
    waited: Vec<u64>,
}

impl Day {
    fn new(rules: usize) -> Self {
        let mut day = Self { world: empty_world(), ..Self::default() };
        for n in 0..rules {
            let predicate = if n == 0 { "motion.level > 0.5".to_owned() } else { format!("motion.level > 0.5{n:02}") };
            day.register(&predicate, 0);
        }
        day
    }

    fn register(&mut self, predicate: &str, secs: u64) {
        let rule: AlertRule = serde_json::from_value(json!({
            "predicate": predicate, "debounce_secs": 60, "arousal_boost": 2.0,
            "alarm": {
                "cause": "Something moves in the hall.", "consequence": "damage", "response": "Look into the hall.",
                "time_to_respond_secs": 300,
            },
        }))
        .unwrap();
        self.names += 1;
        let id = AlertId(format!("al-{}", self.names));
        self.rules.push((id.clone(), rule.clone()));
        let (_, mut changes) = self.world.register_alert(id, rule, at(secs)).unwrap();
        self.queue.push(&mut changes);
    }

    fn unregister_first(&mut self, secs: u64) {
        let (id, _) = self.rules.remove(0);
        self.world.remove_alert(&id, at(secs));
        self.arousal.drop_cause(&id);
        self.alarms.retire(&agent(), &id, at(secs));
    }

    fn publish(&mut self, level: f64, secs: u64) {
        let provider = self.world.providers().next().unwrap();
        let field = |path: &robot::FieldPath| match path.to_string().as_str() {
            "level" => Field::Scalar(Scalar::Float(level)),
            _ => Field::Missing,
        };
        let row = Row { fields: provider.plan().paths.iter().map(field).collect() };
        let scanned = Scanned { header: HeaderMeta::default(), rows: vec![row], rows_cut: 0 };
        let sample = Sample {
            key_expr: "lab/hall/motion".into(),
            encoding: "application/json".into(),
            payload: Arc::from([]),
            stamp_ms: None,
            received: at(secs).station,
            received_ms: at(secs).wall_ms,
            n: 0,
        };
        let mut changes = self.world.apply(&ProviderId("cp-1".into()), &sample, Ok(&scanned), at(secs));
        self.queue.push(&mut changes);
    }

    /// One second: time passes, what rules did has its effects, turns end and start.
    fn second(&mut self, secs: u64) {
        let now = at(secs);
        let mut changes = self.world.tick(now);
        self.queue.push(&mut changes);
        for one in self.queue.take() {
            match one {
                RuleNews::Fired(fire) => {
                    self.fires.push(secs);
                    self.arousal.fired(&fire.alert, fire.arousal_boost, fire.at.station);
                }
                RuleNews::Moved(moved) => {
                    self.edges += moved.edges;
                    self.arousal.follow(&moved);
                    self.names += 1;
                    self.alarms.follow(&agent(), &moved, AlarmId(format!("am-{}", self.names)), |_| None);
                }
            }
        }
        self.alarms.tick(now);
        self.arousal.tick(now.station);
        if self.running_until.is_some_and(|until| secs >= until) {
            self.running_until = None;
            self.arousal.ended(Autonomous { reactive: true, failed: true }, now.station);
        }
        if self.running_until.is_some() {
            return;
        }
        // A person goes first, and is answered before the next turn by itself.
        if let Some(wrote) = self.people.pop_front() {
            self.waited.push(secs - wrote);
        }
        if let Some(causes) = self.arousal.start(self.turns.len() < BUDGET_TURNS, now.station) {
            let rule = |cause: WakeCause| match cause {
                WakeCause::Rule(id) => Some(id),
                WakeCause::Told(_) => None,
            };
            let ids: Vec<_> = causes.into_iter().filter_map(rule).collect();
            self.world.rules_woke(&ids, now);
            self.turns.push(secs);
            self.running_until = Some(secs + TURN_SECS);
        }
    }

    /// The process is killed and started again: what the database holds comes back, nothing else.
    fn restart(&mut self, secs: u64) {
        let now = at(secs);
        let mut world = empty_world();
        for (id, rule) in &self.rules {
            let record = self.world.rule_record(id).unwrap();
            world.remember_rule(None, rule.predicate.clone(), RuleHistory::of_record(&record, now), now);
            world.register_alert(id.clone(), rule.clone(), now).unwrap();
        }
        let mut alarms = AlarmList::default();
        for alarm in self.alarms.alarms() {
            alarms.restore(StoredAlarm::from(alarm), alarm.agent.clone(), now);
        }
        (self.world, self.alarms, self.queue) = (world, alarms, RuleQueue::default());
        (self.arousal, self.running_until) = (Arousal::default(), None);
    }

    fn alarm(&self, secs: u64) -> AlarmRow {
        self.alarms.rows(AlarmPreset::All, None, |_| true, at(secs)).remove(0)
    }

    fn most_turns_in(&self, span: u64) -> usize {
        let within = |from: &u64| self.turns.iter().filter(|turn| (*from..from + span).contains(*turn)).count();
        self.turns.iter().map(within).max().unwrap_or(0)
    }

    /// no rule is noisier than this, whatever its key does.
    fn check_bounds(&self) {
        assert!(self.fires.windows(2).all(|pair| pair[1] - pair[0] >= 60), "fires come 60 s apart");
        assert!(self.most_turns_in(HOUR) <= 3, "{:?}", self.turns);
        assert!(self.turns.len() <= 12, "{:?}", self.turns);
        assert!(!self.turns.is_empty());
    }
}

fn agent() -> AgentId {
    AgentId::new("main").unwrap()
}

fn empty_world() -> World {
    let config: ProviderConfig = serde_json::from_value(json!({
        "topic_pattern": "lab/hall/motion", "world_state_key_template": "motion.level", "value_field": "level",
        "max_age_secs": 30,
    }))
    .unwrap();
    let mut world = World::new();
    world.add_provider(Provider::compile(ProviderId("cp-1".into()), config).unwrap()).unwrap();
    world
}

/// True and false, five seconds each.
fn alternates(secs: u64, phase: u64) -> Option<f64> {
    let within = secs + phase;
    within.is_multiple_of(5).then(|| if (within / 5).is_multiple_of(2) { 0.9 } else { 0.1 })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn cw_26_a_value_that_is_published_once_fires_once_and_wakes_once(phase in 0_u64..60) {
        let mut day = Day::new(1);
        for secs in 0..DAY {
            if secs == phase {
                day.publish(0.9, secs);
            }
            day.second(secs);
        }
        assert_eq!((day.fires.len(), day.turns.len(), day.edges), (1, 1, 1));
        let row = day.alarm(DAY);
        assert_eq!((row.state, row.flags.source_stale, row.count), (AlarmState::UnackActive, true, 1));
        assert_eq!(day.arousal.level(), 0.0);
        let due = day.world.tick(at(DAY)).next_due;
        assert!(due.is_none_or(|due| due > at(DAY).station), "nothing but forgetting the value is left to do");
    }

    #[test]
    fn cw_27_a_value_that_stays_for_hours_fires_once_and_one_acknowledgement_silences_it(phase in 0_u64..60) {
        let mut day = Day::new(1);
        for secs in 0..DAY {
            if (phase..phase + 17 * HOUR).contains(&secs) {
                day.publish(0.9, secs);
            }
            day.second(secs);
            if secs == 5 * HOUR {
                let row = day.alarm(secs);
                let act = PersonAct::Acknowledge { ids: vec![row.id], seq: row.seq };
                day.alarms.act(&act, "dana", at(secs)).unwrap();
            }
        }
        assert_eq!((day.fires.len(), day.turns.len()), (1, 1));
        assert_eq!(day.alarm(DAY).state, AlarmState::AckActive);
    }

    #[test]
    fn cw_28_a_value_that_comes_and_goes_keeps_to_the_debounce_and_the_quota(phase in 0_u64..10) {
        let mut day = Day::new(1);
        for secs in 0..DAY {
            if let Some(level) = alternates(secs, phase) {
                day.publish(level, secs);
            }
            day.second(secs);
        }
        day.check_bounds();
        let row = day.alarm(DAY);
        assert!(row.flags.chattering);
        assert_eq!(row.count, day.edges, "every edge is counted");
        assert!((8_639..=8_641).contains(&day.edges), "{}", day.edges);
    }

    #[test]
    fn cw_29_a_restart_every_twenty_seconds_fires_nothing_anew(phase in 0_u64..20) {
        let mut day = Day::new(1);
        for secs in 0..DAY {
            if secs == phase {
                day.publish(0.9, secs);
            }
            day.second(secs);
            if secs % 20 == 19 {
                day.restart(secs);
            }
        }
        assert_eq!((day.fires.len(), day.turns.len()), (1, 1));
        assert_eq!(day.alarm(DAY).state, AlarmState::UnackActive);
    }

    #[test]
    fn cw_29_debounce_and_quota_survive_restarts(phase in 0_u64..10) {
        let mut day = Day::new(1);
        for secs in 0..DAY {
            if let Some(level) = alternates(secs, phase) {
                day.publish(level, secs);
            }
            day.second(secs);
            if secs % 20 == 19 {
                day.restart(secs);
            }
        }
        day.check_bounds();
    }

    #[test]
    fn cw_30_registering_the_rule_anew_every_minute_changes_no_bound(phase in 0_u64..10) {
        let mut day = Day::new(1);
        for secs in 0..DAY {
            if let Some(level) = alternates(secs, phase) {
                day.publish(level, secs);
            }
            day.second(secs);
            if secs % 60 == 59 {
                day.unregister_first(secs);
                day.register("motion.level > 0.5", secs);
            }
        }
        day.check_bounds();
        assert_eq!(day.alarms.alarms().count(), 1, "one source, one alarm");
    }

    #[test]
    fn cw_31_fifty_rules_on_one_key_leave_room_for_a_person(phase in 0_u64..10) {
        let mut day = Day::new(50);
        // A working day: the hour and the budget are what could be passed.
        for secs in 0..WORKING_DAY {
            if let Some(level) = alternates(secs, phase) {
                day.publish(level, secs);
            }
            if secs % 1_800 == phase {
                day.people.push_back(secs);
            }
            day.second(secs);
        }
        assert!(day.most_turns_in(HOUR) <= 20 && day.turns.len() <= BUDGET_TURNS, "{}", day.turns.len());
        assert!(day.waited.len() >= 15 && day.waited.iter().all(|waited| *waited <= TURN_SECS), "{:?}", day.waited);
    }
}
