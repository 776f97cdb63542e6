//! Motions judged one after the other without any of them being sent: each from where the one before would have ended,
//! by limits that need not be in force. No lease, lock, budget or epoch is touched, and no verdict is kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{Instant, RawCommand, RawMotion, RobotId};
use safety::{Constraint, Limits, Predicted, RobotState, explain};

use crate::FleetCode;
use crate::fleet::Fleet;
use crate::gate::{self, At};
use crate::limit_sets::{ChangedVerdict, Trial, try_on_recorded};
use crate::state::robot_handle::RobotHandle;
use crate::state::submission::{Judged, Submission, rows};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::ItemRow;

/// The robots of a mission while its motions are judged without being sent.
pub struct DryRun {
    robots: BTreeMap<RobotId, Rehearsed>,
    now: Instant,
}

struct Rehearsed {
    unit: Arc<RobotHandle>,
    limits: Arc<Limits>,
    predicted: Predicted,
    /// True until a motion of it was judged.
    is_first: bool,
    /// True if its next motion would be the first since it was armed.
    is_first_motion: bool,
}

/// A motion that was judged without being sent.
pub struct DryJudged {
    /// The robot.
    pub unit: Arc<RobotHandle>,
    /// The judgement. It approves nothing.
    pub judged: Judged,
    /// The state from which the robot would begin.
    pub state: RobotState,
    /// The time at which it was judged.
    pub now: Instant,
    /// True if the robot begins from where it was measured.
    pub is_measured: bool,
    /// True if nothing says where the robot begins: it was judged from the last place that is known.
    pub is_start_open: bool,
    /// True if it is the first motion of its robot since that was armed.
    pub is_first_motion: bool,
    /// True if the limits are exactly those in force.
    pub in_force: bool,
}

impl DryRun {
    /// Begins with the measured states of `robots`, and with `limits` in the place
    /// of those whose id begins with `prefix`. Conditions that people clear before
    /// a start are taken as cleared: armed, no stop, nothing to escape from.
    pub async fn begin(
        fleet: &Arc<Fleet>,
        robots: impl Iterator<Item = &RobotId>,
        prefix: &str,
        limits: Vec<Constraint>,
    ) -> Result<Self, OpError> {
        let sets = fleet.limit_sets.with_mission(fleet, prefix, limits, robots).await?;
        let robot = |(id, limits): (RobotId, Limits)| {
            let unit = fleet.unit(&id)?;
            let measured = unit.robot_state();
            let is_first_motion = !measured.armed || unit.control().first_motion;
            let state = RobotState { armed: true, escape_only: false, latched: false, ..measured };
            let predicted = Predicted::measured(state);
            Ok((id, Rehearsed { unit, limits: Arc::new(limits), predicted, is_first: true, is_first_motion }))
        };
        let robots = sets.into_iter().map(robot).collect::<Result<_, OpError>>()?;
        Ok(Self { robots, now: fleet.runtime.clock.now().station })
    }

    /// Judges what was recorded of its robots in the last day under the limits in force and under those of the run.
    ///
    /// # Errors
    /// One of them could not be judged again.
    pub async fn try_on_recorded(&self, fleet: &Arc<Fleet>) -> Result<Trial, OpError> {
        let robots = self.robots.values();
        let sets = robots.map(|robot| (Arc::clone(&robot.unit), Arc::clone(&robot.limits))).collect();
        try_on_recorded(fleet, sets).await
    }

    /// The robot of a recorded command, and every limit of the run with its margin in that moment.
    pub fn explain(&self, changed: &ChangedVerdict) -> Option<(&RobotHandle, Vec<ItemRow>)> {
        let inputs = &changed.inputs;
        let robot = self.robots.get(&inputs.command.robot)?;
        let items = explain(&robot.limits, &inputs.state, &inputs.command, inputs.now);
        Some((&robot.unit, rows(items)))
    }

    /// Judges the next motion, and takes its robot to where that would end, whether it is allowed or not.
    pub fn judge(&mut self, fleet: &Fleet, by: &Session, raw: &RawCommand) -> Result<DryJudged, OpError> {
        let now = self.now;
        let Some(robot) = self.robots.get_mut(&raw.robot) else {
            // The file does not name it, so that no limit of it was looked up.
            return Err(OpError::not_found(FleetCode::RobotNotFound, "robot", &raw.robot));
        };
        let Rehearsed { unit, limits, predicted, is_first, is_first_motion } = robot;
        let state = predicted.state.clone();
        let submission = Submission::new(raw.clone(), by.clone());
        let at = At::answer(Arc::clone(limits), state.clone(), now);
        let judged = gate::check_at(fleet, unit, &submission, at);
        // A joint goal starts from the joints, which can be unknown while the place of the tool is known.
        let is_joint_goal = matches!(raw.motion, RawMotion::Joints(_));
        let answer = DryJudged {
            unit: Arc::clone(unit),
            state,
            now,
            is_measured: *is_first,
            is_start_open: !predicted.is_place_known || (is_joint_goal && !predicted.are_joints_known),
            is_first_motion: *is_first && *is_first_motion,
            in_force: limits.hash() == unit.limits.load().hash(),
            judged,
        };
        *is_first = false;
        if let Some(command) = &answer.judged.parsed {
            *predicted = predicted.after(&unit.manifest, command, now);
        }
        Ok(answer)
    }
}
