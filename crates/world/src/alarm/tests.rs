use super::list::Report;
use super::*;
use crate::alert::{AlertId, RuleCondition, RuleMove};
use proptest::prelude::*;
use robot::{AgentId, Instant, Now, RobotId};
use std::sync::Arc;

mod list;
mod people;
mod table;

/// Wall clock at the start of the station clock.
const START_MS: i64 = 1_772_000_000_000;

pub(super) fn at(secs: u64) -> Now {
    Now { station: Instant::from_millis(secs * 1_000), wall_ms: START_MS + i64::try_from(secs * 1_000).unwrap() }
}

fn terms(consequence: Consequence, time_to_respond_secs: f64) -> AlarmTerms {
    AlarmTerms {
        cause: "Something has happened.".into(),
        consequence,
        response: "Do something about it.".into(),
        time_to_respond_secs,
        latching: false,
        off_delay_secs: 0.0,
    }
}

/// A list that follows rules by name.
struct Rig {
    list: AlarmList,
    terms: AlarmTerms,
    robot: Option<RobotId>,
    suppressed: bool,
    events: Vec<AlarmEvent>,
    notices: Vec<String>,
}

impl Rig {
    fn new() -> Self {
        Self::with(terms(Consequence::Damage, 300.0))
    }

    fn with(terms: AlarmTerms) -> Self {
        let (list, events, notices) = (AlarmList::default(), Vec::new(), Vec::new());
        Self { list, terms, robot: None, suppressed: false, events, notices }
    }

    fn agent() -> AgentId {
        AgentId::new("main").unwrap()
    }

    fn id(name: &str) -> AlarmId {
        AlarmId(format!("am-{name}"))
    }

    /// The rule `name` says `condition` at `secs`; `edges` times it became true.
    fn sees(&mut self, name: &str, condition: RuleCondition, edges: u64, secs: u64) {
        let value = crate::AlertValue {
            key: crate::Key::new("x").unwrap(),
            value: robot::Scalar::Int(1),
            confidence: None,
            age_ms: 0,
            source: "lab/x".into(),
            received_ms: 0,
            n: None,
            provider: crate::ProviderId("cp-1".into()),
        };
        let moved = RuleMove {
            alert: AlertId(format!("al-{name}")),
            mission: None,
            predicate: format!("{name} = 1").into(),
            description: None,
            condition,
            edges,
            suppressed: self.suppressed,
            alarm: Some(Arc::new(self.terms.clone())),
            values: vec![value],
            at: at(secs),
        };
        let robot = self.robot.clone();
        let report = self.list.follow(&Self::agent(), &moved, Self::id(name), |_| robot.clone());
        self.take(report);
    }

    fn take(&mut self, report: Report) {
        self.events.extend(report.events);
        self.notices.extend(report.notices.into_iter().map(|notice| notice.code.to_owned()));
    }

    /// It became true.
    fn edge(&mut self, name: &str, secs: u64) {
        self.sees(name, RuleCondition::True, 1, secs);
    }

    fn falls(&mut self, name: &str, secs: u64) {
        self.sees(name, RuleCondition::False, 0, secs);
    }

    fn tick(&mut self, secs: u64) {
        let report = self.list.tick(at(secs));
        self.take(report);
    }

    fn act(&mut self, act: &PersonAct, secs: u64) -> Result<(), ActRefused> {
        self.list.act(act, "dana", at(secs)).map(drop)
    }

    fn acknowledge(&mut self, name: &str, secs: u64) {
        let act = PersonAct::Acknowledge { ids: vec![Self::id(name)], seq: u64::MAX };
        self.act(&act, secs).unwrap();
    }

    fn alarm(&self, name: &str) -> &Alarm {
        self.list.alarm(&Self::id(name)).unwrap()
    }

    fn row(&self, name: &str, secs: u64) -> AlarmRow {
        self.list.row(self.alarm(name), at(secs))
    }

    /// The ids of a preset, in order.
    fn ids(&self, preset: AlarmPreset, secs: u64) -> Vec<String> {
        let rows = self.list.rows(preset, None, |_| true, at(secs));
        rows.into_iter().map(|row| row.id.0.trim_start_matches("am-").to_owned()).collect()
    }
}
