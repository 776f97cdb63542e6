//! The commissioning of a robot as its gate's folder has it: no robot is needed for it, and nothing is moved.

use std::fmt;
use std::path::Path;

use jiff::Timestamp;
use robot::{BaseTimeout, CommissionedPart, CommissioningState, CommissioningStep, Manifest, StepOutcome, StepResult};

use super::record::{Hashes, Kept, RecordFile};
use crate::adapter::Means;
use crate::error::GateError;
use crate::setup::Setup;
use crate::state::key_if_made;

/// The commissioning of one robot, for people.
#[derive(Debug)]
pub struct Standing {
    robot: String,
    state: CommissioningState,
}

/// The commissioning of the robot whose wiring is at `config`. It may be read while the gate runs.
///
/// # Errors
/// Says which file cannot be used.
pub fn commissioning(config: &Path, state: Option<&Path>) -> Result<Standing, GateError> {
    let setup = Setup::read(config, state)?;
    let hashes = Hashes::of_setup(&setup)?;
    let robot = setup.manifest.id.clone();
    let loaded = match key_if_made(&setup.state)? {
        Some(key) => RecordFile::new(&setup.state, key, robot.clone(), hashes).load(),
        // The key signs the record: without one there is none that counts.
        None => Ok(Kept::default()),
    };
    let state = state_of(&setup.manifest, &setup.means()?, loaded);
    Ok(Standing { robot: robot.to_string(), state })
}

/// The state that a record leaves, or the parts for which it does not count.
pub(super) fn state_of(
    manifest: &Manifest,
    means: &Means,
    loaded: Result<Kept, Vec<CommissionedPart>>,
) -> CommissioningState {
    let Means { stops, takes_velocities, takes_joints, .. } = means;
    let needed = CommissioningStep::needed(manifest, stops.len() > 1, *takes_velocities, *takes_joints);
    let (kept, changed) = match loaded {
        Ok(kept) => (kept, Vec::new()),
        Err(changed) => (Kept::default(), changed),
    };
    let is_possible = |step: &CommissioningStep| step.is_possible(manifest, *takes_joints);
    let not_possible = needed.iter().copied().filter(|step| !is_possible(step)).collect();
    let mut state = CommissioningState {
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
    take_in(&mut state, kept, *takes_velocities);
    state
}

/// Takes in what is on disk.
pub(super) fn take_in(state: &mut CommissioningState, kept: Kept, takes_velocities: bool) {
    state.missing = CommissioningState::first_missing(&state.needed, &kept.steps);
    state.base_timeout = BaseTimeout::of(&kept.steps);
    // Without the step nobody has seen it stop by itself: that of an arm takes velocities and has no such step.
    let has_step = |step| state.needed.contains(&step);
    let may_go_on = has_step(CommissioningStep::Silence) || has_step(CommissioningStep::Joints) || !takes_velocities;
    state.keeps_moving = may_go_on && state.base_timeout.keeps_moving();
    state.results = kept.steps;
    state.accepted = kept.accepted;
}

impl Standing {
    /// True if the robot may be armed for ordinary work.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state.missing.is_none()
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, step: CommissioningStep) -> fmt::Result {
        let Some(result) = self.state.results.iter().find(|result| result.step == step) else {
            let mark = if self.state.not_possible.contains(&step) { "impossible" } else { "not done" };
            return writeln!(f, "{mark:<11}{}", step.words());
        };
        let mark = if result.outcome.counts() { "ok" } else { "FAILED" };
        writeln!(f, "{mark:<11}{:<28} {}", step.words(), said(result))
    }

    fn conclusion(&self) -> String {
        if !self.state.changed.is_empty() {
            let changed: Vec<&str> = self.state.changed.iter().map(|part| part_words(*part)).collect();
            return format!(
                "Not commissioned: since it was, this is another: {}. Carry the steps out again.",
                changed.join(", ")
            );
        }
        match self.state.missing {
            Some(step) => format!(
                "Not commissioned: {} is missing. Somebody at the hardware stop carries the steps out in the window: Safety, \
                 {}, Commissioning.",
                step.words(),
                self.robot
            ),
            None => "Commissioned.".to_owned(),
        }
    }

    fn silence(&self) -> Option<String> {
        if self.state.missing.is_some() || !self.state.keeps_moving {
            return None;
        }
        Some(match &self.state.accepted {
            Some(accepted) => format!(
                "It keeps moving if its gate dies, which {} has accepted on {}: {}",
                accepted.person,
                time(accepted.at_ms),
                // A terminal obeys the controls in a text, and a station has chosen this one.
                accepted.reason.replace(char::is_control, " ")
            ),
            None => {
                "It keeps moving if its gate dies: it takes no velocities, and goals only under supervision, until an \
                     Admin accepts that."
                    .to_owned()
            }
        })
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Commissioning of {}", self.robot)?;
        self.state.needed.iter().try_for_each(|step| self.row(f, *step))?;
        writeln!(f, "{}", self.conclusion())?;
        self.silence().map_or(Ok(()), |silence| writeln!(f, "{silence}"))
    }
}

/// Outcome, figures, person and time of a step.
fn said(result: &StepResult) -> String {
    let most = |text: Option<String>| text.map(|text| format!(" of at most {text}")).unwrap_or_default();
    let mut said = vec![outcome_words(result.outcome).to_owned()];
    said.extend(result.time_ms.map(|ms| format!("{ms} ms{}", most(result.time_ms_max.map(|max| format!("{max} ms"))))));
    said.extend(
        result.distance_m.map(|m| format!("{m:.3} m{}", most(result.distance_m_max.map(|max| format!("{max:.3} m"))))),
    );
    said.push(format!("{}, {}", result.person, time(result.at_ms)));
    said.join(" · ")
}

/// A time, to the second.
fn time(at_ms: i64) -> String {
    let time = Timestamp::from_millisecond(at_ms - at_ms.rem_euclid(1_000));
    time.map_or_else(|_| "an unknown time".to_owned(), |time| time.to_string())
}

const fn outcome_words(outcome: StepOutcome) -> &'static str {
    match outcome {
        StepOutcome::Passed => "passed",
        StepOutcome::NoSuchAxis => "it has no such axis",
        StepOutcome::WrongWay => "it moved another way",
        StepOutcome::DoesNotMove => "a joint did not follow",
        StepOutcome::StopsWorse => "it stops worse than its manifest says",
        StepOutcome::KeepsMoving => "it kept moving, and the gate stopped it",
        StepOutcome::MeansFails => "a means of stopping failed",
        StepOutcome::NotVisible => "the gate does not see it",
    }
}

const fn part_words(part: CommissionedPart) -> &'static str {
    match part {
        CommissionedPart::Manifest => "the manifest",
        CommissionedPart::Wiring => "the wiring",
        CommissionedPart::Program => "the robot's program",
        CommissionedPart::Record => "the record, which this gate's key has not signed",
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use robot::StepResult;

    use super::*;
    use crate::state::StateFolder;

    /// The example rover's files in a folder of their own; the path of the wiring.
    fn rover(folder: &Path) -> PathBuf {
        for name in ["rover-9.gate.toml", "rover-9.toml", "exec_robot.py"] {
            let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
            std::fs::copy(example, folder.join(name)).unwrap();
        }
        folder.join("rover-9.gate.toml")
    }

    fn passed(step: CommissioningStep) -> StepResult {
        StepResult {
            step,
            outcome: StepOutcome::Passed,
            time_ms: Some(40),
            distance_m: Some(0.001),
            time_ms_max: Some(1_000),
            distance_m_max: Some(0.048),
            speeds: Vec::new(),
            joints: Vec::new(),
            means: Vec::new(),
            person: "Ada".to_owned(),
            at_ms: 1_000,
        }
    }

    /// Stores results as the gate of this wiring would.
    fn store(config: &Path, steps: &[CommissioningStep]) {
        let setup = Setup::read(config, None).unwrap();
        let key = StateFolder::open(&setup.state).unwrap().key().unwrap();
        let hashes = Hashes::of_setup(&setup).unwrap();
        let file = RecordFile::new(&setup.state, key, setup.manifest.id.clone(), hashes);
        file.save(&Kept { steps: steps.iter().copied().map(passed).collect(), accepted: None }).unwrap();
    }

    #[test]
    fn rg_03_the_terminal_shows_each_step_with_its_figures_and_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let config = rover(folder.path());
        let new = commissioning(&config, None).unwrap();
        assert!(!new.is_complete());
        assert!(new.to_string().contains("not done   direction along x\n"), "{new}");
        assert!(new.to_string().contains("Not commissioned: direction along x is missing."), "{new}");

        store(&config, &[CommissioningStep::AxisX]);
        let begun = commissioning(&config, None).unwrap().to_string();
        let row = "ok         direction along x            passed · 40 ms of at most 1000 ms · 0.001 m of at most 0.048 m · \
                   Ada, 1970-01-01T00:00:01Z\n";
        assert!(begun.contains(row), "{begun}");
        assert!(begun.contains("Not commissioned: direction along y is missing."), "{begun}");

        store(&config, &new.state.needed);
        let done = commissioning(&config, None).unwrap();
        assert!(done.is_complete() && done.to_string().ends_with("Commissioned.\n"), "{done}");
    }

    #[test]
    fn rg_32_an_arm_that_takes_velocities_keeps_moving_as_far_as_anybody_has_measured_and_a_switch_does_not() {
        let arm = include_str!("../../examples/ur-1.toml");
        let latch = arm.split("joints = [").next().unwrap().replace("kind = \"tool\"", "kind = \"switch\"");
        for (text, keeps_moving) in [(arm, true), (latch.as_str(), false)] {
            let manifest = Manifest::parse(text, "ur-1").unwrap();
            let means = Means { stops: Vec::new(), base_timeout: None, takes_velocities: true, takes_joints: true };
            let needed = CommissioningStep::needed(&manifest, false, true, true);
            let kept = Kept { steps: needed.into_iter().map(passed).collect(), accepted: None };
            let state = state_of(&manifest, &means, Ok(kept));
            assert_eq!((state.missing, state.keeps_moving), (None, keeps_moving), "{:?}", state.needed);
        }
    }

    #[test]
    fn rg_32_a_reason_is_printed_without_the_controls_that_a_terminal_obeys() {
        let manifest = Manifest::parse(include_str!("../../examples/ur-1.toml"), "ur-1").unwrap();
        let means = Means { stops: Vec::new(), base_timeout: None, takes_velocities: true, takes_joints: true };
        let needed = CommissioningStep::needed(&manifest, false, true, true);
        let reason = "a \u{1b}[2Jfence\nall around".to_owned();
        let accepted = Some(robot::Acceptance { person: "Dana".to_owned(), reason, at_ms: 7 });
        let kept = Kept { steps: needed.into_iter().map(passed).collect(), accepted };
        let shown = Standing { robot: "ur-1".to_owned(), state: state_of(&manifest, &means, Ok(kept)) }.to_string();
        assert!(shown.ends_with(": a  [2Jfence all around\n"), "{shown}");
    }

    #[test]
    fn rg_03_a_commissioning_of_other_files_is_shown_as_void_with_the_file_that_changed() {
        let folder = tempfile::tempdir().unwrap();
        let config = rover(folder.path());
        let needed = commissioning(&config, None).unwrap().state.needed;
        store(&config, &needed);
        let program = folder.path().join("exec_robot.py");
        let text = std::fs::read_to_string(&program).unwrap();
        std::fs::write(&program, format!("{text}\n")).unwrap();
        let void = commissioning(&config, None).unwrap();
        assert!(!void.is_complete());
        assert!(void.to_string().contains("this is another: the robot's program."), "{void}");
    }
}
