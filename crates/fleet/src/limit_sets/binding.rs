//! The constraints that bind a robot: its own, and those of every mission that names it.

use std::cell::LazyCell;
use std::sync::Arc;

use robot::{MissionId, RobotId};
use safety::Constraint;

use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::state::seals::Owner;
use crate::surroundings::MissionRobots;

impl Fleet {
    /// The robots that `constraint` binds.
    pub fn bound_by(&self, constraint: &Constraint) -> Vec<Arc<RobotHandle>> {
        let binds = self.binds();
        self.units().into_iter().filter(|unit| binds(constraint, unit.id())).collect()
    }

    /// The constraints of `all` that bind `robot`.
    pub fn binding(&self, all: &[Constraint], robot: &RobotId) -> Vec<Constraint> {
        let binds = self.binds();
        all.iter().filter(|constraint| binds(constraint, robot)).cloned().collect()
    }

    /// True if constraints of `owner` bind `robot`.
    pub(super) fn owns(&self, owner: &Owner, robot: &RobotId) -> bool {
        match owner {
            Owner::Robot(bound) => bound == robot,
            Owner::Mission(mission) => may_name(&self.objector.mission_robots(), mission, robot),
        }
    }

    /// Tells whether a constraint binds a robot. The missions are asked for once, and only if one matters.
    fn binds(&self) -> impl Fn(&Constraint, &RobotId) -> bool {
        let missions = LazyCell::new(|| self.objector.mission_robots());
        move |constraint, robot| match (&constraint.robot, &constraint.mission) {
            (Some(bound), _) => bound == robot,
            (None, Some(mission)) => may_name(&missions, mission, robot),
            (None, None) => false,
        }
    }
}

/// True if `mission` names `robot`. One that is gone or cannot be read might: its limits bind.
fn may_name(missions: &MissionRobots, mission: &MissionId, robot: &RobotId) -> bool {
    missions.get(mission).is_none_or(|named| named.as_ref().is_none_or(|robots| robots.contains(robot)))
}
