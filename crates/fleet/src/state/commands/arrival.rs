//! The end of a command: a robot reports it, and it counts once the robot is measured at the goal.

use std::sync::Arc;

use robot::{CommandId, Instant, RobotId};
use safety::{Approach, Limits, OffGoal, RobotState, Unconfirmed, Unit};

use super::{Commands, Progress, Record, Step, is_over};
use runtime::wire::CommandStep;

/// For so long after the robot has reported the end its place may still be measured, milliseconds. With the time
/// between two looks it is below a second.
pub const CONFIRM_WITHIN_MS: u64 = 800;

/// The limits and the picture of one robot that its goals are looked at with.
pub(crate) struct Sight {
    pub limits: Arc<Limits>,
    pub state: RobotState,
    pub now: Instant,
}

impl Commands {
    /// Follows command `id`, which is about to be sent, to its goal. One without a goal has no way there.
    pub fn follow(&self, id: CommandId, approach: Option<Approach>) {
        let mut inner = self.lock();
        let Some(record) = inner.records.get_mut(&id).filter(|_| approach.is_some()) else { return };
        record.approach = approach;
        let robot = record.asked.robot.clone();
        inner.under_way.entry(robot).or_default().insert(id);
    }

    /// Takes in what is measured of `robot` now; `sight` is only asked while it is under way to something.
    pub(crate) fn see(&self, robot: &RobotId, sight: impl FnOnce() -> Sight) {
        if !self.is_under_way(robot) {
            return;
        }
        let Sight { limits, state, now } = sight();
        self.each_under_way(robot, |_, record| {
            record.approach.iter_mut().for_each(|approach| approach.see(&limits, &state, now));
        });
    }

    /// Takes in a speed of `robot` that was measured by something other than its pose.
    pub(crate) fn see_speed(&self, robot: &RobotId, limits: &Limits, speed_mps: f64) {
        self.each_under_way(robot, |_, record| {
            record.approach.iter_mut().for_each(|approach| approach.see_speed(limits, speed_mps));
        });
    }

    /// Notes that `robot` reports the end of `id`: done, if it is measured at the goal now. Otherwise it is looked at
    /// again until [`Commands::confirm`] gives up.
    pub(crate) fn reported_done(&self, id: CommandId, robot: &RobotId, sight: &Sight) -> Option<Step> {
        let progress = {
            let mut inner = self.lock();
            let record = inner.records.get_mut(&id).filter(|record| &record.asked.robot == robot)?;
            let step = record.progress.borrow().step;
            if is_over(step) && step != CommandStep::Unknown {
                return None;
            }
            // The wait counts from the first report; a robot that repeats it must not prolong it.
            record.reported_done.get_or_insert(sight.now);
            record.ended(sight).unwrap_or(Progress::at(CommandStep::Running))
        };
        self.set(id, progress)
    }

    /// Looks again at what `robot` has reported as done.
    pub(crate) fn confirm(&self, robot: &RobotId, sight: impl FnOnce() -> Sight) -> Vec<Step> {
        let mut waiting = false;
        self.each_under_way(robot, |_, record| waiting |= record.reported_done.is_some());
        if !waiting {
            return Vec::new();
        }
        let sight = sight();
        let mut ended = Vec::new();
        self.each_under_way(robot, |id, record| {
            let progress = record.reported_done.and_then(|_| record.ended(&sight));
            ended.extend(progress.map(|progress| (id, progress)));
        });
        ended.into_iter().filter_map(|(id, progress)| self.set(id, progress)).collect()
    }

    fn is_under_way(&self, robot: &RobotId) -> bool {
        self.lock().under_way.get(robot).is_some_and(|ids| !ids.is_empty())
    }

    fn each_under_way(&self, robot: &RobotId, mut act: impl FnMut(CommandId, &mut Record)) {
        let mut inner = self.lock();
        let ids: Vec<CommandId> = inner.under_way.get(robot).into_iter().flatten().copied().collect();
        for id in ids {
            inner.records.get_mut(&id).into_iter().for_each(|record| act(id, record));
        }
    }
}

impl Record {
    /// The end that counts, now that the robot reports one; `None` while it may still be measured at the goal.
    fn ended(&self, Sight { limits, state, now }: &Sight) -> Option<Progress> {
        let Some(approach) = &self.approach else { return Some(self.without_goal()) };
        let waited_ms = self.reported_done.map_or(0, |reported| now.ms_since(reported));
        // Where no source measures the goal, waiting cannot confirm it.
        let is_final = waited_ms >= CONFIRM_WITHIN_MS || approach.is_unmeasurable(limits);
        match approach.arrival(limits, state, *now) {
            Ok(()) => Some(Progress::at(CommandStep::Done)),
            Err(off) => is_final.then(|| Progress::off(off)),
        }
    }

    /// A velocity has no goal to miss; any other motion without an approach was not followed, so its end is not
    /// confirmed.
    fn without_goal(&self) -> Progress {
        if self.asked.input["motion"].get("velocity").is_some() {
            return Progress::at(CommandStep::Done);
        }
        Progress::off(OffGoal { why: Unconfirmed::NotMeasured, distance: None, tolerance: 0.0, unit: Unit::None })
    }
}
