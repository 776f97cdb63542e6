//! Missions that have ended while robots moved for them.

use std::collections::BTreeMap;

use robot::{MissionId, RobotId};

/// Missions that have ended, and whose limits still bind: each with the robots that moved for it and do not stand yet.
#[derive(Default)]
pub(crate) struct Ending(BTreeMap<MissionId, Vec<RobotId>>);

impl Ending {
    /// Notes that a mission has ended while these robots moved for it.
    pub fn note(&mut self, id: &MissionId, moving: Vec<RobotId>) {
        self.0.insert(id.clone(), moving);
    }

    /// Those for which nothing moves any more.
    pub fn standing(&mut self, still_moving: impl Fn(Vec<RobotId>) -> Vec<RobotId>) -> Vec<MissionId> {
        let robots = self.0.values_mut().filter(|robots| !robots.is_empty());
        robots.for_each(|robots| *robots = still_moving(std::mem::take(robots)));
        self.0.iter().filter(|(_, robots)| robots.is_empty()).map(|(id, _)| id.clone()).collect()
    }

    /// Forgets a mission whose limits bind no more.
    pub fn forget(&mut self, id: &MissionId) {
        self.0.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ml_23_limits_of_a_mission_that_ends_while_its_robot_moves_are_due_once_that_stands() {
        let [weld, patrol] = ["weld", "patrol"].map(|id| MissionId::new(id).unwrap());
        let robot = |id: &str| RobotId::new(id).unwrap();
        let mut ending = Ending::default();
        ending.note(&weld, vec![robot("arm-1"), robot("rover-1")]);
        ending.note(&patrol, Vec::new());
        assert_eq!(ending.standing(|robots| robots), std::slice::from_ref(&patrol));
        let only_arm = |robots: Vec<RobotId>| robots.into_iter().filter(|id| *id == robot("arm-1")).collect();
        assert_eq!(ending.standing(only_arm), std::slice::from_ref(&patrol), "the arm still moves");
        assert_eq!(ending.standing(|_| Vec::new()), [patrol.clone(), weld.clone()]);
        ending.forget(&patrol);
        assert_eq!(ending.standing(|robots| robots), [weld], "what moved afterwards is none of it");
    }
}
