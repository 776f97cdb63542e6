//! The robot's commissioning: which steps it needs, what came of them, and what that leaves of motion.

mod measure;
mod record;
mod rounds;
mod standing;
mod step_run;

use std::sync::Arc;
use std::time::Duration;

use bridge::commissioning::{CommissionAct, CommissionMessage, GateReport};
use bridge::envelope::{Failure, Status};
use robot::{
    Acceptance, BaseTimeout, CollisionMonitor, Command, CommissionedPart, CommissioningState, CommissioningStep,
    GateAccount, GateFacts, GatePlacement, Instant, Manifest, Now, Reason, RobotId, StepOutcome, StepPhase, StepWish,
    Supervision,
};
use safety::Commissioning;

use crate::adapter::{Facts, Means};
use crate::error::GateError;
use crate::setup::Setup;
use crate::state::StateFolder;
use crate::wiring::Placement;
use measure::Run;
pub use measure::{Bounds, Look, Next};
#[cfg(feature = "exec")]
pub use record::hash_of_files;
pub use record::{Hashes, RecordFile};
use record::{Kept, Saving};
pub(crate) use rounds::Plan;
use rounds::{Begin, Found, Series};
pub use standing::{Standing, commissioning};
use standing::{state_of, take_in};
use step_run::StepRun;

/// Time after which a robot without a declared base timeout counts as one that does not stop in silence.
const SILENCE_MAX: Duration = Duration::from_secs(2);
/// Time beyond a declared base timeout.
const SILENCE_SLACK: Duration = Duration::from_millis(500);
/// A step that is over stays over until its button was let go, or not heard of, for this long.
const OVER_FOR: Duration = Duration::from_millis(500);
/// The longest reason of an acceptance.
const REASON_CHARS_MAX: usize = 500;
/// The longest name of a person.
const PERSON_CHARS_MAX: usize = 100;
/// Period of reports.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// Period of reports while a step is under way.
const RUNNING_EVERY: Duration = Duration::from_millis(200);

/// The commissioning of one robot.
pub struct Commission {
    robot: RobotId,
    account: GateAccount,
    supervised: bool,
    takes_velocities: bool,
    bounds: Bounds,
    file: Arc<RecordFile>,
    /// A result or an acceptance that is on its way to the disk.
    saving: Option<Saving>,
    plan: Arc<Plan>,
    run: Option<StepRun>,
    /// Nobody was in control at the last look.
    is_free: bool,
    /// The results of the rounds before a step was broken off: begun again, it goes on after them.
    left: Option<(CommissioningStep, Found)>,
    /// The motion that the step was last told to wait for.
    told: Option<StepWish>,
    /// The last step, its end, and when its button was last heard of.
    over: Option<(CommissioningStep, Status, Instant)>,
    reported: Option<Instant>,
    reports: u64,
    is_news: bool,
}

/// Place of an admitted motion in the step that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The robot is to carry it out.
    Motion,
    /// It comes after the motion of the step has ended, which ends it as well.
    Late,
    /// It belongs to no step.
    None,
}

impl Commission {
    /// The commissioning that the folder's record, the files and the adapter's properties make.
    pub fn open(setup: &Setup, folder: &StateFolder, facts: &Facts, means: Means) -> Result<Self, GateError> {
        let hashes = Hashes::of_setup(setup)?;
        let file = RecordFile::new(folder.path(), folder.key()?, setup.manifest.id.clone(), hashes);
        let placement = match setup.wiring.placement {
            Placement::Beside => GatePlacement::Beside,
            Placement::Onboard => GatePlacement::Onboard,
        };
        Ok(Self::of(&setup.manifest, placement, facts, means, file))
    }

    fn of(manifest: &Manifest, placement: GatePlacement, facts: &Facts, means: Means, file: RecordFile) -> Self {
        let commissioning = state_of(manifest, &means, file.load());
        let Means { stops, base_timeout, takes_velocities, takes_joints } = means;
        let moves = manifest.actuators.iter().map(|actuator| actuator.id.to_string()).collect();
        Self {
            robot: manifest.id.clone(),
            account: GateAccount {
                placement,
                manifest: Some(manifest.hash.clone()),
                facts: shown(facts, moves),
                unanswered: Vec::new(),
                commissioning,
            },
            supervised: match manifest.supervision {
                Supervision::Required => true,
                Supervision::Unattended => false,
            },
            takes_velocities,
            bounds: Bounds {
                reaction_s: manifest.stop.reaction_s,
                decel_mps2: manifest.stop.decel_mps2,
                localisation_error_m: manifest.body.localisation_error_m,
                silence_max: base_timeout.map_or(SILENCE_MAX, |declared| declared + SILENCE_SLACK),
            },
            file: Arc::new(file),
            saving: None,
            plan: Arc::new(Plan::new(manifest, takes_joints, stops)),
            run: None,
            is_free: false,
            left: None,
            told: None,
            over: None,
            reported: None,
            reports: 0,
            is_news: true,
        }
    }

    /// The motion that is left to a claim for ordinary work.
    pub fn left(&self) -> Commissioning {
        let CommissioningState { missing, keeps_moving, accepted, .. } = &self.account.commissioning;
        match missing {
            Some(_) => Commissioning::Missing,
            None if *keeps_moving && accepted.is_none() => Commissioning::KeepsMoving { supervised: self.supervised },
            None => Commissioning::Complete,
        }
    }

    /// Takes in the wish of a person; gives how far the step is, and what the gate does.
    pub fn hear(&mut self, message: &CommissionMessage, now: Now) -> (Status, Next) {
        let Now { station: now, wall_ms } = now;
        let person = name_of(&message.person);
        match &message.act {
            CommissionAct::Run(step) => (self.wanted(*step, &person, now), Next::GoOn),
            CommissionAct::Accept(reason) => (self.accept(&person, reason, wall_ms), Next::GoOn),
            CommissionAct::LetGo => {
                let next = self.run.as_ref().map_or(Next::GoOn, |run| run.let_go(wall_ms));
                let next = self.take(next, now);
                if let Some((_, _, heard)) = &mut self.over {
                    *heard = now.minus(OVER_FOR);
                }
                (Status::Received, next)
            }
        }
    }

    /// Received while the step wants velocities, running while the gate measures by itself, done when it is over.
    fn wanted(&mut self, step: CommissioningStep, person: &str, now: Instant) -> Status {
        if let Some(run) = &mut self.run {
            if run.step() != step {
                return Status::Refused(Reason::Lease);
            }
            run.renew(now);
            return if run.wants_motion() { Status::Received } else { Status::Running };
        }
        // A button that is still held must not begin the step again that has just ended.
        if let Some((over, status, heard)) = &mut self.over
            && *over == step
            && (self.saving.is_some() || now.since(*heard) < OVER_FOR)
        {
            *heard = now;
            return *status;
        }
        // The record decides what may begin next, and may still fail to be written.
        if self.saving.is_some() {
            return Status::Running;
        }
        let Some(run) = self.step_run(step, person.to_owned(), now) else {
            return Status::Refused(Reason::NotCommissioned);
        };
        let status = if run.wants_motion() { Status::Received } else { Status::Running };
        self.account.commissioning.broken_off = None;
        self.over = None;
        self.run = Some(run);
        self.is_news = true;
        status
    }

    /// A step from its beginning; none if it is not needed, cannot be carried out, or comes after one that is missing.
    fn step_run(&mut self, step: CommissioningStep, person: String, now: Instant) -> Option<StepRun> {
        let state = &self.account.commissioning;
        if !state.needed.contains(&step) || state.not_possible.contains(&step) {
            return None;
        }
        let motion = state.motion_of(step);
        let found = self.left.take().filter(|(left, _)| *left == step).map(|(_, found)| found).unwrap_or_default();
        let one = |motion| StepRun::One(Run::begin(step, motion, person.clone(), now, self.is_free));
        match step {
            CommissioningStep::AxisX | CommissioningStep::AxisY | CommissioningStep::AxisTurn => {}
            CommissioningStep::StopFromSpeed | CommissioningStep::Silence => {}
            CommissioningStep::HardwareStop => return Some(one(None)),
            CommissioningStep::Joints => {
                return Some(StepRun::Series(Series::of_joints(&self.plan, Begin { found, person, now })));
            }
            CommissioningStep::EachStop => {
                // The direction of a motion is shown before a means has to stop it.
                let has_passed = |step| {
                    state.results.iter().any(|result| result.step == step && result.outcome == StepOutcome::Passed)
                };
                let moves_base = state.needed.contains(&CommissioningStep::AxisX);
                // Without the measured timeout a stop cannot be told from the base stopping by itself.
                let by_itself = match state.base_timeout {
                    BaseTimeout::NotMeasured | BaseTimeout::Never => None,
                    BaseTimeout::After(ms) => Some(Duration::from_millis(ms.into())),
                };
                let is_measured = motion.is_some() && state.base_timeout != BaseTimeout::NotMeasured;
                let is_ready =
                    (!moves_base || is_measured) && (!self.plan.has_joints() || has_passed(CommissioningStep::Joints));
                let begin = Begin { found, person: person.clone(), now };
                let rounds = || Series::of_stops(&self.plan, motion, by_itself, begin);
                return is_ready.then(rounds).map(StepRun::Series);
            }
        }
        motion.map(|motion| one(Some(motion)))
    }

    /// Keeps the word of a person that the robot is commanded although it keeps moving when its gate dies. It counts
    /// once the disk has it.
    fn accept(&mut self, person: &str, reason: &str, at_ms: i64) -> Status {
        let state = &self.account.commissioning;
        let is_given = (1..=REASON_CHARS_MAX).contains(&reason.chars().count());
        // During a step it is not known yet what there is to accept.
        if !state.keeps_moving || !is_given || self.run.is_some() {
            return Status::Refused(Reason::NotCommissioned);
        }
        let is_this = |accepted: &Acceptance| accepted.person == person && accepted.reason == reason;
        if state.accepted.as_ref().is_some_and(is_this) {
            return Status::Done;
        }
        if self.saving.is_none() {
            let accepted = Acceptance { person: person.to_owned(), reason: reason.to_owned(), at_ms };
            let kept = Kept { accepted: Some(accepted), ..self.kept() };
            self.saving = Some(Saving::begin(&self.file, kept, false));
        }
        Status::Running
    }

    /// The part that a command has in the step that is under way.
    pub fn part_of(&mut self, command: &Command, now: Instant) -> Part {
        match &mut self.run {
            Some(run) => run.part_of(command, now),
            // It was on its way when the step ended.
            None if self.over.is_some() => Part::Late,
            None => Part::None,
        }
    }

    /// The robot's adapter has refused the motion of the step.
    pub fn note_refused(&mut self, reason: Reason, now: Now) {
        if let Some(run) = &mut self.run {
            let next = run.note_refused(reason == Reason::NotProvable, now.wall_ms);
            self.take(next, now.station);
        }
    }

    /// The robot has failed, was stopped or was held by somebody else: nothing is measured any more.
    pub fn break_off(&mut self, now: Instant) {
        if self.run.is_some() {
            self.take(Next::End(None), now);
        }
    }

    /// True while the robot is held for a step that measures how it stops.
    pub fn measures_a_stop(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.phase() == StepPhase::Stopping)
    }

    /// Takes in a look at the robot.
    pub fn look(&mut self, look: &Look, now: Now) -> Next {
        self.look_at_disk();
        self.is_free = !look.local;
        let Some(run) = &mut self.run else { return Next::GoOn };
        let phase = run.phase();
        let next = run.look(look, &self.bounds, now);
        let wants = run.wants();
        self.is_news |= phase != run.phase() || wants != self.told;
        self.told = wants;
        self.take(next, now.station)
    }

    /// Takes in the end of a step.
    fn take(&mut self, next: Next, now: Instant) -> Next {
        let Next::End(result) = &next else { return next };
        let Some(run) = self.run.take() else { return Next::GoOn };
        self.left = run.found().filter(|_| result.is_none());
        let kept = result.as_deref().map(|result| self.kept().with(result.clone()));
        // For the robot the step is over at once; its result counts when the disk has it, which may take its time.
        self.saving = kept.map(|kept| Saving::begin(&self.file, kept, true));
        self.over = Some((run.step(), Status::Running, now));
        if self.saving.is_none() {
            self.end(false);
        }
        self.is_news = true;
        next
    }

    fn kept(&self) -> Kept {
        let CommissioningState { results, accepted, .. } = &self.account.commissioning;
        Kept { steps: results.clone(), accepted: accepted.clone() }
    }

    /// A result or an acceptance counts once the disk has it.
    fn look_at_disk(&mut self) {
        let Some(saved) = self.saving.as_ref().and_then(Saving::ended) else { return };
        let Some(Saving { kept, ends_step, .. }) = self.saving.take() else { return };
        if let Err(error) = &saved {
            tracing::error!(robot = %self.robot, %error, "the commissioning cannot be stored, and what is new does not count");
        } else {
            take_in(&mut self.account.commissioning, kept, self.takes_velocities);
            // The new record is one of the files as they are.
            self.account.commissioning.changed.clear();
        }
        if ends_step {
            self.end(saved.is_ok());
        }
        self.is_news = true;
    }

    fn end(&mut self, kept: bool) {
        let Some((step, status, _)) = &mut self.over else { return };
        *status = if kept { Status::Done } else { Status::Failed(Failure::Held) };
        self.account.commissioning.broken_off = (!kept).then_some(*step);
        self.is_news = true;
    }

    /// Takes in the collision monitors, if they have changed.
    pub fn note_monitors(&mut self, monitors: Option<Vec<CollisionMonitor>>) {
        if let Some(monitors) = monitors {
            self.account.facts.collision_monitors = monitors;
            self.is_news = true;
        }
    }

    /// Takes in the names of what is to answer the newest stop and has not.
    pub fn note_unanswered(&mut self, names: Vec<String>) {
        // A report goes out at once for news, so that what is the same must be none.
        if self.account.unanswered != names {
            self.account.unanswered = names;
            self.is_news = true;
        }
    }

    /// The report that is due.
    pub fn report(&mut self, boot: u64, now: Instant) -> Option<GateReport> {
        // A person watches the figures while a step runs.
        let every = if self.run.is_some() { RUNNING_EVERY } else { REPORT_EVERY };
        if !self.is_news && self.reported.is_some_and(|last| now.since(last) < every) {
            return None;
        }
        self.is_news = false;
        self.reported = Some(now);
        self.reports += 1;
        let mut account = self.account.clone();
        account.commissioning.running = self.run.as_ref().map(StepRun::shown);
        Some(GateReport { robot: self.robot.clone(), boot, n: self.reports, account })
    }

    /// The parts that have changed since an earlier commissioning.
    pub fn changed(&self) -> &[CommissionedPart] {
        &self.account.commissioning.changed
    }
}

/// The name of a person as it stands in the record: a station chooses it, and a record that is too long is void.
fn name_of(person: &str) -> String {
    person.chars().filter(|letter| !letter.is_control()).take(PERSON_CHARS_MAX).collect()
}

fn shown(facts: &Facts, moves: Vec<String>) -> GateFacts {
    let Facts { adapter, hold, stop, last_to_command, base_timeout, foreign } = facts;
    let [adapter, hold, stop] = [adapter, hold, stop].map(|text| (*text).to_owned());
    let [last_to_command, base_timeout, foreign] =
        [last_to_command, base_timeout, foreign].map(|text| (*text).to_owned());
    let collision_monitors = Vec::new();
    GateFacts { adapter, moves, hold, stop, last_to_command, base_timeout, foreign, collision_monitors }
}

#[cfg(test)]
impl Commission {
    /// One whose record holds these results.
    pub fn with(
        manifest: &Manifest,
        facts: &Facts,
        means: Means,
        folder: &std::path::Path,
        steps: &[robot::StepResult],
    ) -> Self {
        let hashes = Hashes::of("", "", &[]).unwrap();
        let key = bridge::signing::SigningKey::from_seed(&[8; 32]);
        let file = RecordFile::new(folder, key, manifest.id.clone(), hashes);
        file.save(&Kept { steps: steps.to_vec(), accepted: None }).unwrap();
        Self::of(manifest, GatePlacement::Beside, facts, means, file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_30_the_name_of_a_person_in_the_record_is_a_line_of_bounded_length() {
        assert_eq!(name_of("Ada \u{1b}[2JLovelace\n"), "Ada [2JLovelace");
        assert_eq!(name_of(&"x".repeat(500_000)).len(), PERSON_CHARS_MAX);
    }
}
