//! What may wake the agent, and what it is then told. All that waits for a start is told in one turn.

use std::collections::BTreeMap;

use agent::AlertNotice;
use robot::{Instant, Trust};
use world::arousal::{Arousal, Boost, WakeCause};
use world::{AlertId, Fire, RuleMove};

/// Values that one turn is told.
const VALUES_MAX: usize = 16;
/// Rules and failures that one turn is told by name.
const NAMES_MAX: usize = 20;

/// The arousal of one agent, with the words of what waits.
#[derive(Debug, Default)]
pub(super) struct Wakes {
    arousal: Arousal,
    notices: BTreeMap<WakeCause, AlertNotice>,
}

/// A turn that starts by itself.
pub(super) struct Woken {
    pub(super) notice: AlertNotice,
    /// The rules among its causes.
    pub(super) rules: Vec<AlertId>,
}

impl Wakes {
    /// A rule fired.
    pub fn fired(&mut self, fire: &Fire) {
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
        self.notices.insert(WakeCause::Rule(fire.alert.clone()), notice);
    }

    /// The agent is to be told of a failure.
    pub fn tell(&mut self, notice: AlertNotice, at: Instant) {
        self.arousal.tell(&notice.alert, Boost::Fallback, at);
        self.notices.insert(WakeCause::Told(notice.alert.clone()), notice);
    }

    /// A person wrote, or a link is lost.
    pub fn stir(&mut self, boost: Boost) {
        self.arousal.stir(boost);
    }

    /// Whether a turn that no alert asks for may start by itself now.
    pub fn may_start(&self, now: Instant) -> bool {
        // The built-in interpreter costs nothing, so there is no budget that could be spent.
        self.arousal.may_start(true, now)
    }

    /// A job came due; its turn starts by itself, or a person starts it.
    pub fn due(&mut self, by_itself: bool, now: Instant) {
        self.arousal.stir(Boost::Schedule);
        if by_itself {
            self.arousal.note_start(now);
        }
    }

    /// A rule's predicate says something else.
    pub fn follow(&mut self, moved: &RuleMove) {
        self.arousal.follow(moved);
        if moved.condition == world::RuleCondition::False {
            self.notices.remove(&WakeCause::Rule(moved.alert.clone()));
        }
    }

    /// A rule is gone.
    pub fn forget(&mut self, rule: &AlertId) {
        self.arousal.drop_cause(rule);
        self.notices.remove(&WakeCause::Rule(rule.clone()));
    }

    /// Beats; true if a turn waits for its start.
    pub fn tick(&mut self, now: Instant) -> bool {
        self.arousal.tick(now);
        self.arousal.is_queued()
    }

    /// The turn that starts now, if one may.
    pub fn start(&mut self, now: Instant) -> Option<Woken> {
        // The built-in interpreter costs nothing, so there is no budget that could be spent.
        let causes = self.arousal.start(true, now)?;
        let notices: Vec<_> = causes.iter().filter_map(|cause| self.notices.remove(cause)).collect();
        let rule = |cause: WakeCause| match cause {
            WakeCause::Rule(rule) => Some(rule),
            WakeCause::Told(_) => None,
        };
        Some(Woken { notice: merged(notices), rules: causes.into_iter().filter_map(rule).collect() })
    }

    /// A turn that started by itself ended.
    pub fn ended(&mut self, failed: bool, now: Instant) {
        self.arousal.ended(failed, now);
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
    use robot::Now;

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
        let woken = wakes.start(Instant::default()).unwrap();
        assert_eq!(woken.rules, [AlertId("al-a".into()), AlertId("al-b".into())]);
        assert_eq!(woken.notice.alert, "al-a, al-b, safety:rover-1:breach");
        assert_eq!(woken.notice.trust, Trust::Text);
    }

    #[test]
    fn a_07_of_a_storm_a_turn_is_told_twenty_by_name_and_how_many_more() {
        let mut wakes = Wakes::default();
        (0..50).for_each(|n| wakes.fired(&fire(&format!("{n:02}"), 2.0)));
        let woken = wakes.start(Instant::default()).unwrap();
        assert_eq!(woken.rules.len(), 50);
        assert!(woken.notice.alert.ends_with("al-19, +30 more"), "{}", woken.notice.alert);
    }

    #[test]
    fn r_07_a_rule_that_woke_too_often_starts_none() {
        let mut wakes = Wakes::default();
        wakes.fired(&fire("a", 0.0));
        assert!(!wakes.tick(Instant::default()) && wakes.start(Instant::default()).is_none());
    }
}
