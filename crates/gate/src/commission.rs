//! The robot's commissioning: which steps it needs, what came of them, and what that leaves of motion.

mod measure;
mod record;

use std::sync::Arc;
use std::time::Duration;

use bridge::commissioning::{CommissionAct, CommissionMessage, GateReport};
use bridge::envelope::{Failure, Status};
use robot::{
    Acceptance, BaseTimeout, CollisionMonitor, Command, CommissionedPart, CommissioningState, CommissioningStep,
    GateAccount, GateFacts, GatePlacement, Instant, Manifest, Motion, Now, Reason, RobotId, StepPhase, Supervision,
};
use safety::Commissioning;

use crate::adapter::{Facts, Means};
use crate::code::GateCode;
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

/// Time after which a robot without a declared base timeout counts as one that does not stop in silence.
const SILENCE_MAX: Duration = Duration::from_secs(2);
/// Time beyond a declared base timeout.
const SILENCE_SLACK: Duration = Duration::from_millis(500);
/// A step that is over stays over until its button was let go, or not heard of, for this long.
const OVER_FOR: Duration = Duration::from_millis(500);
/// The longest reason of an acceptance.
const REASON_CHARS_MAX: usize = 500;
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
    run: Option<Run>,
    /// The last step, its end, and when its button was last heard of.
    over: Option<(CommissioningStep, Status, Instant)>,
    reported: Option<Instant>,
    reports: u64,
    is_news: bool,
}

/// Place of an admitted velocity in the step that is under way.
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
        let bad = |error: std::io::Error| GateError::new(GateCode::BadCommand, format!("the robot's program: {error}"));
        let hashes = Hashes::of(&setup.manifest_text, setup.wiring.text(), &setup.program_files()).map_err(bad)?;
        let file = RecordFile::new(folder.path(), folder.key()?, setup.manifest.id.clone(), hashes);
        let placement = match setup.wiring.placement {
            Placement::Beside => GatePlacement::Beside,
            Placement::Onboard => GatePlacement::Onboard,
        };
        Ok(Self::of(&setup.manifest, placement, facts, means, file))
    }

    fn of(manifest: &Manifest, placement: GatePlacement, facts: &Facts, means: Means, file: RecordFile) -> Self {
        let needed = CommissioningStep::needed(manifest, means.several_stops, means.takes_velocities);
        let (kept, changed) = match file.load() {
            Ok(kept) => (kept, Vec::new()),
            Err(changed) => (Kept::default(), changed),
        };
        let not_possible = needed.iter().copied().filter(|step| !step.is_possible()).collect();
        let commissioning = CommissioningState {
            missing: None,
            base_timeout: BaseTimeout::NotMeasured,
            keeps_moving: true,
            accepted: None,
            needed,
            not_possible,
            results: Vec::new(),
            changed,
            running: None,
            broken_off: None,
        };
        let moves = manifest.actuators.iter().map(|actuator| actuator.id.to_string()).collect();
        let mut opened = Self {
            robot: manifest.id.clone(),
            account: GateAccount { placement, facts: shown(facts, moves), commissioning },
            supervised: match manifest.supervision {
                Supervision::Required => true,
                Supervision::Unattended => false,
            },
            takes_velocities: means.takes_velocities,
            bounds: Bounds {
                reaction_s: manifest.stop.reaction_s,
                decel_mps2: manifest.stop.decel_mps2,
                localisation_error_m: manifest.body.localisation_error_m,
                silence_max: means.base_timeout.map_or(SILENCE_MAX, |declared| declared + SILENCE_SLACK),
            },
            file: Arc::new(file),
            saving: None,
            run: None,
            over: None,
            reported: None,
            reports: 0,
            is_news: true,
        };
        opened.take_kept(kept);
        opened
    }

    /// Takes in what is on disk.
    fn take_kept(&mut self, kept: Kept) {
        let state = &mut self.account.commissioning;
        state.missing = CommissioningState::first_missing(&state.needed, &kept.steps);
        state.base_timeout = BaseTimeout::of(&kept.steps);
        // Without the step nobody has seen it stop by itself.
        let may_go_on = state.needed.contains(&CommissioningStep::Silence) || !self.takes_velocities;
        state.keeps_moving = may_go_on && state.base_timeout.keeps_moving();
        state.results = kept.steps;
        state.accepted = kept.accepted;
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
        match &message.act {
            CommissionAct::Run(step) => (self.wanted(*step, &message.person, now), Next::GoOn),
            CommissionAct::Accept(reason) => (self.accept(&message.person, reason, wall_ms), Next::GoOn),
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
            return if run.phase() == StepPhase::Moving { Status::Received } else { Status::Running };
        }
        if let Some((over, status, heard)) = &mut self.over
            && *over == step
            && (self.saving.is_some() || now.since(*heard) < OVER_FOR)
        {
            *heard = now;
            return *status;
        }
        if self.saving.is_some() {
            return Status::Running;
        }
        let CommissioningState { needed, not_possible, .. } = &self.account.commissioning;
        let motion = self.account.commissioning.motion_of(step);
        let is_possible = needed.contains(&step) && !not_possible.contains(&step);
        if !is_possible || (motion.is_none() && step != CommissioningStep::HardwareStop) {
            return Status::Refused(Reason::NotCommissioned);
        }
        let run = Run::begin(step, motion, person.to_owned(), now);
        let status = if motion.is_some() { Status::Received } else { Status::Running };
        self.account.commissioning.broken_off = None;
        self.over = None;
        self.run = Some(run);
        self.is_news = true;
        status
    }

    /// Keeps the word of a person that the robot is commanded although it keeps moving when its gate dies. It counts once
    /// the disk has it.
    fn accept(&mut self, person: &str, reason: &str, at_ms: i64) -> Status {
        let state = &self.account.commissioning;
        let is_given = (1..=REASON_CHARS_MAX).contains(&reason.chars().count());
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
    pub fn part_of(&self, command: &Command) -> Part {
        let Some(run) = &self.run else { return if self.over.is_some() { Part::Late } else { Part::None } };
        let Motion::Velocity { linear_mps, angular_radps } = &command.motion else { return Part::None };
        let asked = robot::StepMotion { linear_mps: *linear_mps, angular_radps: *angular_radps }.components();
        let within = |(asked, step): (f64, f64)| 0.0 <= asked && asked <= step;
        if !asked.into_iter().zip(run.motion().components()).all(within) {
            return Part::None;
        }
        if run.phase() == StepPhase::Moving { Part::Motion } else { Part::Late }
    }

    /// The robot's adapter has refused the velocity of the step.
    pub fn note_refused(&mut self, reason: Reason, now: Now) {
        if reason == Reason::NotProvable
            && let Some(run) = &self.run
        {
            self.take(run.cannot(now.wall_ms), now.station);
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
        let Some(run) = &mut self.run else { return Next::GoOn };
        let phase = run.phase();
        let next = run.look(look, &self.bounds, now);
        self.is_news |= phase != run.phase();
        self.take(next, now.station)
    }

    /// Takes in the end of a step.
    fn take(&mut self, next: Next, now: Instant) -> Next {
        let Next::End(result) = &next else { return next };
        let Some(run) = self.run.take() else { return Next::GoOn };
        let kept = result.as_deref().map(|result| self.kept().with(result.clone()));
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
            self.take_kept(kept);
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

    /// The report that is due.
    pub fn report(&mut self, boot: u64, now: Instant) -> Option<GateReport> {
        let every = if self.run.is_some() { RUNNING_EVERY } else { REPORT_EVERY };
        if !self.is_news && self.reported.is_some_and(|last| now.since(last) < every) {
            return None;
        }
        self.is_news = false;
        self.reported = Some(now);
        self.reports += 1;
        let mut account = self.account.clone();
        account.commissioning.running = self.run.as_ref().map(Run::shown);
        Some(GateReport { robot: self.robot.clone(), boot, n: self.reports, account })
    }

    /// The parts that have changed since an earlier commissioning.
    pub fn changed(&self) -> &[CommissionedPart] {
        &self.account.commissioning.changed
    }
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
