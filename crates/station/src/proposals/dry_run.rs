//! Motions of a mission as cards would show them, while no card is made and nothing is sent. That the agent has control of
//! the robot is taken as given: people see to it before a start.

use std::sync::Arc;

use agent::{Permission, permission};
use agent_runner::AgentUnit;
use missions::MissionCode;
use missions::format::front::Approval;
use robot::{Effect, RawCommand, Stops};
use safety::Constraint;
use safety::approval::tier::Tier;

use super::Proposals;
use super::content::{self, Content, Moment};
use super::facts::People;
use crate::station::Station;
use fleet::limit_sets::{ChangedVerdict, Trial};
use fleet::{DryJudged, DryRun};
use mission_runner::{DryAnswer, DryMotion, DryMotions};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{
    MissionDryApproval, MissionDryApprovalKind, MissionDryMotion, MissionDryRecorded, MissionDryRecordedCommand,
    MissionDryStart,
};

/// Limits of all motions together that one answer holds.
const ROWS_MAX: usize = 10_000;
/// Recorded commands that one answer lists; its counts say how many there are.
const RECORDED_MAX: usize = 50;

impl Proposals {
    /// Judges the motions one after the other, each from where the one before would end, under `limits`, and recorded
    /// commands if that is asked for.
    pub async fn dry_run(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        motions: DryMotions,
        limits: Vec<Constraint>,
    ) -> Result<DryAnswer, OpError> {
        let DryMotions { robots, prefix, commands, approval, recorded, .. } = motions;
        let mut run = DryRun::begin(&station.fleet, robots.iter(), &prefix, limits).await?;
        let trial = if recorded { Some(run.try_on_recorded(&station.fleet).await?) } else { None };
        let (station, agent) = (Arc::clone(station), Arc::clone(agent));
        // Judging many long paths would hold up the other tasks of an async thread.
        let judged = tokio::task::spawn_blocking(move || {
            let recorded = trial.map(|trial| tried(&run, trial));
            Ok(DryAnswer { motions: judged(&station, &agent, &mut run, &commands, approval)?, recorded })
        });
        let judged = judged.await;
        judged.map_err(|error| {
            tracing::error!(%error, "a dry run panicked");
            OpError::new(fleet::FleetCode::ValidatorError, "The safety gate failed; nothing was sent.")
        })?
    }
}

fn judged(
    station: &Arc<Station>,
    agent: &AgentUnit,
    run: &mut DryRun,
    commands: &[RawCommand],
    approval: Approval,
) -> Result<Vec<DryMotion>, OpError> {
    let asker = Asker { station, agent, people: &People::around(station, agent), approval };
    let mut rows = 0;
    let mut motions = Vec::with_capacity(commands.len());
    for raw in commands {
        let dry = run.judge(&station.fleet, &Session::of_agent(&agent.id), raw)?;
        rows += dry.judged.explanation.len();
        if rows > ROWS_MAX {
            let message = format!("The dry run would list more than {ROWS_MAX} limits.");
            return Err(OpError::new(MissionCode::DryRunTooLong, message));
        }
        motions.push(motion(asker, raw, dry)?);
    }
    Ok(motions)
}

/// The agent that would ask for the motions, with the approval that it would have and the people who could give another.
#[derive(Clone, Copy)]
struct Asker<'a> {
    station: &'a Arc<Station>,
    agent: &'a AgentUnit,
    people: &'a People,
    approval: Approval,
}

fn motion(asker: Asker<'_>, raw: &RawCommand, dry: DryJudged) -> Result<DryMotion, OpError> {
    let Asker { station, agent, people, approval } = asker;
    let DryJudged { unit, judged, state, now, .. } = dry;
    let (first_motion, tainted) = (dry.is_first_motion, false);
    let moment = Moment { agent: &agent.id, raw, people, tainted, unit, state, judged, now, first_motion };
    let content = Content::of_judged(station, moment)?;
    let is_seen = approval == Approval::Activation;
    let content = if is_seen { content.seen() } else { content };
    let start = match (dry.is_start_open, dry.is_measured) {
        (true, _) => MissionDryStart::Open,
        (false, true) => MissionDryStart::Measured,
        (false, false) => MissionDryStart::Predicted,
    };
    let (tier, tier_rule) = content.tier;
    // A standing approval ends with a change of the limits that it was given under.
    let covers = || dry.in_force && station.proposals.standing.covering(station, agent, raw, &content, false).is_some();
    let kind = match permission(&agent.turns.mode_now(&station.runner), Effect::Actuate, Stops::No) {
        Permission::Deny => MissionDryApprovalKind::Refused,
        Permission::Allow | Permission::Ask if is_seen && tier < Tier::High => MissionDryApprovalKind::Activation,
        Permission::Allow | Permission::Ask if covers() => MissionDryApprovalKind::Standing,
        Permission::Allow | Permission::Ask => MissionDryApprovalKind::Asked,
    };
    let approval = MissionDryApproval { kind, tier: Some(tier), tier_rule: Some(tier_rule.to_owned()) };
    let (takes_s, is_allowed) = (takes_s(&content), content.judged.allowed());
    let Content { judged, preview, .. } = content;
    let checked = judged.into_checked();
    let motion = MissionDryMotion {
        robot: raw.robot.clone(),
        actuator: raw.actuator.clone(),
        verdict: checked.verdict,
        explanation: checked.explanation,
        sentence: checked.sentence,
        start,
        preview,
    };
    Ok(DryMotion { motion, is_allowed, approval, takes_s })
}

/// The recorded commands whose verdict changes, each with every limit and its way.
fn tried(run: &DryRun, trial: Trial) -> MissionDryRecorded {
    let Trial { recorded, to_deny, to_allow } = trial;
    let (denied, allowed) = (to_deny.count, to_allow.count);
    let mut changed: Vec<ChangedVerdict> = to_deny.listed.into_iter().chain(to_allow.listed).collect();
    changed.sort_by_key(|changed| changed.wall_ms);
    changed.truncate(RECORDED_MAX);
    let changed = changed.into_iter().filter_map(|changed| recorded_command(run, changed)).collect();
    MissionDryRecorded { commands: recorded, to_deny: denied, to_allow: allowed, changed }
}

fn recorded_command(run: &DryRun, changed: ChangedVerdict) -> Option<MissionDryRecordedCommand> {
    let (unit, explanation) = run.explain(&changed)?;
    let ChangedVerdict { wall_ms, inputs, verdict } = changed;
    let motion = MissionDryMotion {
        robot: inputs.command.robot.clone(),
        actuator: inputs.command.actuator.clone(),
        preview: content::preview(unit, &inputs.command, &verdict, &inputs.state, inputs.now),
        explanation,
        sentence: verdict.sentence(),
        verdict: Arc::new(verdict),
        start: MissionDryStart::Measured,
    };
    Some(MissionDryRecordedCommand { at_ms: wall_ms, motion })
}

/// Seconds that a motion takes by its own numbers.
fn takes_s(content: &Content) -> Option<f64> {
    let named = content.judged.parsed.as_ref().and_then(|command| match &command.motion {
        robot::Motion::PoseGoal { duration_s, .. } => *duration_s,
        robot::Motion::Path { .. } | robot::Motion::Velocity { .. } | robot::Motion::Joints { .. } => None,
        robot::Motion::Gripper { .. } | robot::Motion::Switch { .. } | robot::Motion::Escape { .. } => None,
    });
    named.or_else(|| content.preview.as_ref()?.duration_s)
}
