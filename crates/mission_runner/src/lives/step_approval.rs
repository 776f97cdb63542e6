//! The activation of a text as the approval of the steps of its runs.

use missions::format::front::{Approval, Goal};
use robot::{Now, RawCommand};
use serde_json::Value;

use super::{Lives, Version};
use crate::mission_files::folder::hash_of;
use crate::surroundings::StepOf;
use runtime::lock::lock;

impl Lives {
    /// The person whose activation approves that the step `of` sends `raw` by `operation` now; none if none does. Its text
    /// says so, is the one that the person saw and that is in force, and asks for exactly this command; nothing has
    /// interrupted the run that carries it out.
    pub fn activated_by(&self, of: &StepOf, operation: &str, raw: &RawCommand, now: Now) -> Option<String> {
        let lives = lock(&self.lives);
        let life = lives.get(&of.mission).filter(|life| life.is_running())?;
        let (version, run) = (life.version.as_ref()?, life.run.as_ref()?);
        let activation = &version.activation;
        let is_in_force = activation.id == of.activation && activation.hash == of.hash;
        // What was forgotten out of the text since then is not what the person saw.
        let is_whole = hash_of(&activation.source) == activation.hash;
        let approves = version.file.parsed.front.approval == Approval::Activation && !version.is_expired(now);
        let is_carried_out = run.id == of.run && run.carries_out(of.goal, of.attempt);
        let is_its = version.file.robots.contains(&raw.robot) && version.asks_for(of.goal, operation, raw);
        (is_in_force && is_whole && approves && is_carried_out && is_its).then(|| activation.by.clone())
    }
}

impl Version {
    /// True if its goal with this number asks for exactly this command.
    fn asks_for(&self, number: usize, operation: &str, raw: &RawCommand) -> bool {
        let goal = self.file.parsed.front.goals.get(number).map(|goal| &goal.value);
        let Some(Goal::Step { operation: asked, input, .. }) = goal else { return false };
        let written = serde_json::from_value::<RawCommand>(Value::Object(input.clone()));
        let of_mission = |written: RawCommand| RawCommand { mission_id: Some(self.file.id.clone()), ..written };
        asked == operation && written.is_ok_and(|written| of_mission(written) == *raw)
    }
}

#[cfg(test)]
mod tests {
    use memory::StoredActivation;
    use missions::MissionFile;
    use missions::lifecycle::{Act, Cause, Phase, State, Status};
    use missions::run::{Run, RunStart};
    use robot::MissionId;
    use std::sync::Arc;
    use world::cron::Zone;

    use super::*;
    use crate::lives::{Life, StoppedBy};

    const STEP: &str = "{operation: move, input: {robot: arm-1, actuator: arm, motion: {switch: {on: true}}}}";

    fn id() -> MissionId {
        MissionId::new("reach").unwrap()
    }

    /// A version of the mission that `dana` activated.
    fn version(front: &str) -> Arc<Version> {
        let source = format!("---\nrobots: [arm-1]\n{front}goals: [{STEP}, {STEP}]\n---\n");
        let file = MissionFile::read(id(), &source).unwrap();
        let activation = StoredActivation {
            id: "act-1".into(),
            hash: hash_of(&source),
            at_ms: 0,
            by: "dana".into(),
            source,
            accepted: None,
            granted: None,
            role: None,
            reason: None,
            dry_run: None,
        };
        Arc::new(Version::new(activation, file, &Zone::utc(), Now::default()))
    }

    /// The mission works on its first goal, for which something may have been sent.
    fn life(front: &str) -> Life {
        let start = RunStart { id: "run-1".into(), number: 1, start: None };
        let mut run = Run::new(start, 2, 0);
        assert!(run.dispatch(1));
        let state = State { status: Status::Active, phase: Phase::Running, cause: None };
        let (version, run) = (Some(version(front)), Some(run));
        Life { state, since_ms: 0, version, run, runs: 1, triggers: Vec::new(), row_version: 1, unsaved: None }
    }

    fn lives(life: Life) -> Lives {
        let lives = Lives::default();
        lives.put(&id(), life);
        lives
    }

    fn step(life: &Life) -> StepOf {
        let hash = life.version.as_ref().unwrap().activation.hash.clone();
        StepOf { mission: id(), activation: "act-1".into(), hash, run: "run-1".into(), goal: 0, attempt: 1 }
    }

    fn command(robot: &str, is_on: bool, mission: Option<&str>) -> RawCommand {
        let motion = serde_json::json!({ "switch": { "on": is_on } });
        let raw = serde_json::json!({ "robot": robot, "actuator": "arm", "motion": motion, "mission_id": mission });
        serde_json::from_value(raw).unwrap()
    }

    fn wanted() -> RawCommand {
        command("arm-1", true, Some("reach"))
    }

    const APPROVES: &str = "approval: activation\n";

    #[test]
    fn ml_24_an_activation_approves_exactly_the_step_that_its_run_carries_out() {
        let life = life(APPROVES);
        let step = || step(&life);
        let lives = lives(life.clone());
        let approved =
            |of: &StepOf, operation: &str, raw: &RawCommand| lives.activated_by(of, operation, raw, Now::default());
        assert_eq!(approved(&step(), "move", &wanted()).as_deref(), Some("dana"));
        for other in [
            StepOf { mission: MissionId::new("other").unwrap(), ..step() },
            StepOf { activation: "act-0".into(), ..step() },
            StepOf { hash: "h0".into(), ..step() },
            StepOf { run: "run-0".into(), ..step() },
            StepOf { goal: 1, ..step() },
            StepOf { attempt: 2, ..step() },
        ] {
            assert_eq!(approved(&other, "move", &wanted()), None, "{other:?}");
        }
        assert_eq!(approved(&step(), "send", &wanted()), None, "it asks for another operation");
        for other in [
            command("arm-1", false, Some("reach")),
            command("arm-2", true, Some("reach")),
            command("arm-1", true, None),
            command("arm-1", true, Some("other")),
        ] {
            assert_eq!(approved(&step(), "move", &other), None, "{other:?}");
        }
    }

    #[test]
    fn ml_24_ml_11_an_activation_approves_nothing_while_its_mission_stands_still_or_its_text_does_not_say_so() {
        let approved_at = |life: Life, now| {
            let step = step(&life);
            lives(life).activated_by(&step, "move", &wanted(), now)
        };
        let approved = |life| approved_at(life, Now::default());
        assert_eq!(approved(life(APPROVES)).as_deref(), Some("dana"));
        assert_eq!(approved(life("")), None, "silence is no consent");
        assert_eq!(approved(life("approval: ask\n")), None);
        let in_phase = |phase| Life { state: State { phase, ..life(APPROVES).state }, ..life(APPROVES) };
        assert_eq!(approved(in_phase(Phase::Live)), None);
        assert_eq!(approved(Life { run: None, ..life(APPROVES) }), None);
        let expiring = life("approval: activation\nexpires: 2026-01-01T00:00:00Z\n");
        let late = Now { wall_ms: 1_800_000_000_000, ..Now::default() };
        assert_eq!(approved_at(expiring, late), None, "its time is over");
        let mut cut = Version::clone(&version(APPROVES));
        cut.activation.source.push('.');
        assert_eq!(approved(Life { version: Some(Arc::new(cut)), ..life(APPROVES) }), None, "not what dana saw");

        let (step, lives) = (step(&life(APPROVES)), lives(life(APPROVES)));
        let by = StoppedBy { actor: "dana".into(), reason: None };
        assert_eq!(lives.stand_still(&id(), &Act::Pause(Cause::Person("dana".into())), by, 7), Ok(true));
        assert_eq!(lives.activated_by(&step, "move", &wanted(), Now::default()), None, "it is paused");
    }
}
