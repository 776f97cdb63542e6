//! Dry runs: the goals of a text in the order of a run, each motion judged as it would be, and nothing carried out.

pub(crate) mod records;

use std::collections::BTreeSet;
use std::sync::Arc;

use missions::dry_run::{Foreseen, Stage, stages};
use missions::format::front::Goal;
use missions::{Compiled, MissionCode, MissionFile, ProblemCode};
use robot::{MissionId, RawCommand, RobotId};
use serde_json::Value;

use crate::execution::limits;
use crate::mission_files::compiling::{self, Checked};
use crate::mission_files::folder::hash_of;
use crate::naming::prefix;
use crate::runner::{AgentMissions, MissionRunner};
use crate::surroundings::{DryAnswer, DryMotion, DryMotions, NotReady};
use runtime::error::OpError;
use runtime::wire::{
    MissionDryApproval, MissionDryApprovalKind, MissionDryConflict, MissionDryHindrance, MissionDryKind,
    MissionDryLock, MissionDryOutcome, MissionDryRecorded, MissionDryRun, MissionDryStep,
};

/// The text that is run, and when times in it count from.
struct Text {
    source: String,
    hash: String,
    wall_ms: i64,
}

/// The outcome of a goal, as far as it can be told beforehand.
struct GoalForecast {
    kind: MissionDryKind,
    approval: Option<MissionDryApproval>,
    motion: Option<DryMotion>,
    takes_s: Option<f64>,
}

/// The text of a dry run, and whether its limits are tried on recorded commands.
pub(crate) struct DryRunOf<'a> {
    /// SHA-256 of the text; none is the draft.
    pub hash: Option<&'a str>,
    /// True if recorded commands are judged again under the limits of the file.
    pub recorded: bool,
}

/// Runs the draft of a mission dry, or the text with this hash if it is the activated one. One run at a time.
pub(crate) async fn dry_run(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    of: DryRunOf<'_>,
) -> Result<MissionDryRun, OpError> {
    // Judging a long run takes processor time that the gate needs too.
    let _one = runner.dry_running.lock().await;
    let text = text_of(runner, agent, id, of.hash)?;
    let (file, checked) = compiling::check_as_of(runner, agent, id, text.source, text.wall_ms).await?;
    checked.check_no_error()?;
    let unreadable = |error: String| OpError::new(MissionCode::MissionUnreadable, error);
    let file = file.map_err(|error| unreadable(error.to_string()))?;
    let Some(meaning) = &checked.compiled else { return Err(unreadable("It has no meaning here.".to_owned())) };
    // Before the verdicts: what changes meanwhile makes the run one of other limits, not one of those that came later.
    let basis = runner.host.fleet.basis(&meaning.robots, &prefix(agent, id));
    let (outlooks, recorded) = outlooks(runner, agent, meaning, of.recorded).await?;
    let steps = steps(runner, agent, &file, &outlooks);
    let robots: BTreeSet<&RobotId> = steps.iter().filter_map(|step| Some(&step.motion.as_ref()?.robot)).collect();
    let hindrance = |robot: &RobotId| {
        let NotReady { sentence, why } = runner.host.fleet.not_ready(&agent.id, robot)?;
        Some(MissionDryHindrance { robot: robot.clone(), sentence, why })
    };
    let before = robots.into_iter().filter_map(hindrance).collect();
    let at_ms = runner.runtime.clock.now().wall_ms;
    let run = summed_up(MissionDryRun {
        id: format!("dry-{}", uuid::Uuid::now_v7()),
        mission_id: id.clone(),
        hash: text.hash,
        at_ms,
        before,
        conflicts: conflicts(&checked),
        takes_s: steps.last().map_or(0.0, |last| last.begins_s + last.takes_s.unwrap_or(0.0)),
        is_exact: steps.last().is_none_or(|last| last.is_exact && last.takes_s.is_some()),
        steps,
        ok: false,
        sentence: String::new(),
        outcome: MissionDryOutcome::NoGoals,
        denied: 0,
        asked: 0,
        recorded,
        basis,
    });
    records::keep(runner, agent, &run).await?;
    Ok(run)
}

/// The draft, or the activated text if `hash` names it.
fn text_of(runner: &MissionRunner, agent: &AgentMissions, id: &MissionId, hash: Option<&str>) -> Result<Text, OpError> {
    let version = agent.lives.life(id).and_then(|life| life.version);
    // As of its activation, or its times would be over and the text would not compile.
    if let Some(version) = version.filter(|version| hash == Some(&version.activation.hash)) {
        let activation = &version.activation;
        return Ok(Text {
            source: activation.source.clone(),
            hash: activation.hash.clone(),
            wall_ms: activation.at_ms,
        });
    }
    let source = agent.source(id)?;
    let found = hash_of(&source);
    if hash.is_some_and(|hash| hash != found) {
        let message = format!("{id} has another text by now. Read it again.");
        return Err(OpError::new(MissionCode::HashChanged, message));
    }
    Ok(Text { source, hash: found, wall_ms: runner.runtime.clock.now().wall_ms })
}

/// Each goal with what it would lead to, and the limits tried on recorded commands if that is asked for.
async fn outlooks(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    meaning: &Compiled,
    recorded: bool,
) -> Result<(Vec<GoalForecast>, Option<MissionDryRecorded>), OpError> {
    let commands: Vec<RawCommand> = meaning.goals.iter().filter_map(|goal| command_of(meaning, goal)).collect();
    let motions = DryMotions {
        mission: meaning.id.clone(),
        robots: meaning.robots.clone(),
        prefix: prefix(agent, &meaning.id),
        limits: limits::named(agent, meaning)?,
        commands,
        recorded,
        approval: meaning.approval,
    };
    let DryAnswer { motions, recorded } = runner.host.fleet.dry_run(&agent.id, motions).await?;
    let mut judged = motions.into_iter();
    let mut outlook = |goal: &Goal| match goal {
        // The same condition as in `command_of`, so that each verdict meets its own goal.
        Goal::Step { operation, .. } if meaning.motions.contains(operation) => {
            let motion = judged.next();
            let approval = motion.as_ref().map(|motion| motion.approval.clone());
            let takes_s = motion.as_ref().and_then(|motion| motion.takes_s);
            GoalForecast { kind: MissionDryKind::Motion, approval, motion, takes_s }
        }
        Goal::Step { operation, .. } => {
            let approval = Some(runner.host.agents.approval_of(&agent.id, operation));
            GoalForecast { kind: MissionDryKind::Call, approval, motion: None, takes_s: None }
        }
        Goal::WaitSecs(secs) => {
            GoalForecast { kind: MissionDryKind::Wait, approval: None, motion: None, takes_s: Some(f64::from(*secs)) }
        }
        Goal::WaitFor { .. } => {
            GoalForecast { kind: MissionDryKind::Wait, approval: None, motion: None, takes_s: None }
        }
        Goal::Text { .. } => {
            GoalForecast { kind: MissionDryKind::Sentence, approval: None, motion: None, takes_s: None }
        }
    };
    Ok((meaning.goals.iter().map(&mut outlook).collect(), recorded))
}

/// The command of a goal that moves a robot, for this mission.
fn command_of(meaning: &Compiled, goal: &Goal) -> Option<RawCommand> {
    let Goal::Step { operation, input, .. } = goal else { return None };
    if !meaning.motions.contains(operation) {
        return None;
    }
    let mut raw: RawCommand = serde_json::from_value(Value::Object(input.clone())).ok()?;
    // As it would be sent, because limits of a mission bind its own commands.
    raw.mission_id = Some(meaning.id.clone());
    Some(raw)
}

fn steps(
    runner: &MissionRunner,
    agent: &AgentMissions,
    file: &MissionFile,
    outlooks: &[GoalForecast],
) -> Vec<MissionDryStep> {
    let catalog = runner.robots_and_operations();
    let front = &file.parsed.front;
    let foreseen: Vec<Foreseen> = outlooks.iter().map(foreseen).collect();
    let stages = stages(&foreseen, &catalog.moving_goals(front), &catalog.locked_parts(&file.parsed));
    let step = |(number, (outlook, stage)): (usize, (&GoalForecast, Stage))| {
        let locked = runner.host.fleet.locked_by_another(&agent.id, &file.id, &stage.parts);
        MissionDryStep {
            goal: number + 1,
            text: file.goal_words(number),
            phrase: file.goal_phrase(number),
            kind: outlook.kind,
            is_reached: stage.is_reached,
            is_denied: is_denied(outlook),
            begins_s: stage.begins_s,
            is_exact: stage.is_exact,
            takes_s: outlook.takes_s,
            parts: stage.parts.into_iter().collect(),
            locked: locked.map(|locked| MissionDryLock {
                part: locked.part,
                holder: locked.holder.unwrap_or_else(|| "somebody".to_owned()),
            }),
            approval: outlook.approval.clone(),
            motion: outlook.motion.as_ref().map(|dry| dry.motion.clone()),
        }
    };
    outlooks.iter().zip(stages).enumerate().map(step).collect()
}

fn foreseen(outlook: &GoalForecast) -> Foreseen {
    Foreseen { takes_s: outlook.takes_s, passes: !is_denied(outlook) }
}

/// True if the step would be denied, or refused by the mode of the agent. A motion that nobody has judged is not
/// allowed.
fn is_denied(outlook: &GoalForecast) -> bool {
    let is_refused = |approval: &MissionDryApproval| approval.kind == MissionDryApprovalKind::Refused;
    let is_allowed = outlook.motion.as_ref().is_some_and(|dry| dry.is_allowed);
    outlook.approval.as_ref().is_some_and(is_refused) || (outlook.kind == MissionDryKind::Motion && !is_allowed)
}

/// The missions that could want the same part of a robot, as the file is told of them.
fn conflicts(checked: &Checked) -> Vec<MissionDryConflict> {
    let of_parts = checked.problems.listed.iter().filter(|problem| problem.code == ProblemCode::ResourceConflict);
    let conflict = |problem: &missions::Problem| {
        let related = problem.related.first()?;
        Some(MissionDryConflict { mission_id: related.mission.clone(), sentence: problem.message.clone() })
    };
    of_parts.filter_map(conflict).collect()
}

/// A dry run with its counts and its sentence.
fn summed_up(run: MissionDryRun) -> MissionDryRun {
    let denied: Vec<usize> = run.steps.iter().filter(|step| step.is_denied).map(|step| step.goal).collect();
    let is_asked = |step: &&MissionDryStep| {
        step.approval.as_ref().is_some_and(|approval| approval.kind == MissionDryApprovalKind::Asked) && !step.is_denied
    };
    let asked = run.steps.iter().filter(is_asked).count();
    let locked = run.steps.iter().find_map(|step| step.locked.as_ref());
    let outcome = match (denied.as_slice(), locked) {
        ([], None) if run.steps.is_empty() => MissionDryOutcome::NoGoals,
        ([], None) => MissionDryOutcome::Allowed,
        ([], Some(lock)) => MissionDryOutcome::Locked { holder: lock.holder.clone(), part: lock.part.clone() },
        ([one], _) => MissionDryOutcome::Denied { goal: *one },
        ([first, others @ ..], _) => MissionDryOutcome::SomeDenied { goal: *first, more: others.len() },
    };
    let (ok, sentence) = (denied.is_empty() && locked.is_none(), outcome.to_string());
    MissionDryRun { ok, denied: denied.len(), asked, sentence, outcome, ..run }
}
