//! One means of stopping that is tried alone.

use std::time::Duration;

use robot::{MeansOutcome, MeansResult, Now, StepOutcome, StopMeans};

use super::{Moves, RAN_ON, Round, Series, Stop, ms_of, time_s_max, whole_ms};
use crate::commission::measure::{Bounds, Look, Next};

/// Time beyond that of a stop by every means at once.
const SLACK_S: f64 = 0.5;
/// Time for the answer of a robot that stands.
const ANSWER_WITHIN_S: f64 = 2.0;
/// A means has to stop a base so much earlier than the base stops by itself.
const BEFORE_S: f64 = 0.1;
/// A base that stops by itself sooner shows nothing of what else has stopped it.
const TOLD_APART_S: f64 = 0.25;

impl Series {
    /// Looks whether the robot comes to stand, and has answered. A means that fails ends the step, and with it the
    /// robot's motion by all of them.
    pub(super) fn attempt(&mut self, round: &Round, stop: Stop, look: &Look, bounds: &Bounds, now: Now) -> Next {
        let Some(means) = &round.means else { return Next::End(None) };
        let took = now.station.since(stop.since);
        let by_itself_s = self.by_itself.map(|time| time.as_secs_f64());
        let is_told_apart = by_itself_s.is_none_or(|time_s| time_s >= TOLD_APART_S);
        let most_s = time_s_max(stop, bounds) + SLACK_S;
        // A base that its own watchdog has stopped would otherwise pass for one that the means has stopped.
        let time_s_max = match round.moves {
            Moves::Nothing => ANSWER_WITHIN_S,
            Moves::Velocity(_) if is_told_apart => by_itself_s.map_or(most_s, |time_s| most_s.min(time_s - BEFORE_S)),
            Moves::Velocity(_) | Moves::Joint(..) => most_s,
        };
        let is_late = took.as_secs_f64() > time_s_max;
        let is_answered = look.is_answered || !means.is_answered();
        let outcome = match round.moves {
            Moves::Nothing if is_answered => MeansOutcome::Answered,
            Moves::Nothing if is_late => MeansOutcome::NoAnswer,
            Moves::Nothing => return Next::GoOn,
            Moves::Joint(..) if self.has_run_on(round, look) => MeansOutcome::KeptMoving,
            Moves::Velocity(_) | Moves::Joint(..) => match (look.stands, is_answered) {
                (true, true) if !is_late => stood(means, is_told_apart || !matches!(round.moves, Moves::Velocity(_))),
                (_, _) if !is_late => return Next::GoOn,
                (_, true) if means.may_stop_nothing() => MeansOutcome::StopsNothing,
                (_, true) => MeansOutcome::KeptMoving,
                (_, false) => MeansOutcome::NoAnswer,
            },
        };
        self.note_means(round, outcome, took, time_s_max, now)
    }

    fn note_means(&mut self, round: &Round, outcome: MeansOutcome, took: Duration, time_s_max: f64, now: Now) -> Next {
        let Some(means) = round.means.clone() else { return Next::End(None) };
        let (has_stopped, has_ended) = match outcome {
            MeansOutcome::Stopped => (true, true),
            MeansOutcome::Answered => (false, true),
            MeansOutcome::StopsNothing | MeansOutcome::KeptMoving | MeansOutcome::NoAnswer => (false, false),
        };
        self.found.means.push(MeansResult {
            means,
            outcome,
            time_ms: has_ended.then(|| whole_ms(took)),
            distance_m: has_stopped.then_some(self.track.stopping_m),
            time_ms_max: ms_of(time_s_max),
        });
        if outcome.counts() {
            self.next_round(now, Next::Hold)
        } else {
            self.over(StepOutcome::MeansFails, now.wall_ms)
        }
    }

    /// True of a joint that has gone to its goal in spite of the means.
    fn has_run_on(&self, round: &Round, look: &Look) -> bool {
        let Moves::Joint(arm, joint) = round.moves else { return false };
        let ways = self.plan.joint(arm, joint).and_then(|(arm, _)| self.ways(arm, look));
        let commanded = self.track.commanded;
        ways.is_some_and(|ways| ways[joint] * commanded.signum() >= RAN_ON * commanded.abs())
    }
}

/// The outcome of a means after which the robot stands; what cannot be told from silence is no more than an answer.
fn stood(means: &StopMeans, is_told_apart: bool) -> MeansOutcome {
    match means {
        // While zeros are sent the base hears velocities, so that its own timeout cannot have stopped it.
        StopMeans::Zeros => MeansOutcome::Stopped,
        _ if is_told_apart => MeansOutcome::Stopped,
        StopMeans::Lock => MeansOutcome::StopsNothing,
        StopMeans::Goals(_) | StopMeans::Cancel(_) | StopMeans::Service(_) => MeansOutcome::Answered,
    }
}
