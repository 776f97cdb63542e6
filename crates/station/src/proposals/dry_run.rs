//! Motions of a mission as cards would show them, while no card is made and nothing is sent.

use std::sync::Arc;

use agent::{Permission, permission};
use agent_runner::AgentUnit;
use missions::MissionCode;
use robot::{Effect, RawCommand, Stops};
use safety::Constraint;

use super::Proposals;
use super::content::{Content, Moment};
use super::facts::People;
use crate::station::Station;
use fleet::{DryJudged, DryRun};
use mission_runner::{DryMotion, DryMotions};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{MissionDryApproval, MissionDryApprovalKind, MissionDryMotion, MissionDryStart};

/// Limits of all motions together that one answer holds.
const ROWS_MAX: usize = 10_000;

impl Proposals {
    /// Judges the motions one after the other, each from where the one before would end, under `limits`.
    pub async fn dry_run(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        motions: DryMotions,
        limits: Vec<Constraint>,
    ) -> Result<Vec<DryMotion>, OpError> {
        let DryMotions { robots, prefix, commands, .. } = motions;
        let run = DryRun::begin(&station.fleet, robots.iter(), &prefix, limits).await?;
        let (station, agent) = (Arc::clone(station), Arc::clone(agent));
        // Judging many long ways takes a while, and others wait for this thread.
        let judged = tokio::task::spawn_blocking(move || judged(&station, &agent, run, &commands)).await;
        judged.map_err(|error| {
            tracing::error!(%error, "a dry run panicked");
            OpError::new(fleet::FleetCode::ValidatorError, "The safety gate failed; nothing was sent.")
        })?
    }
}

fn judged(
    station: &Arc<Station>,
    agent: &AgentUnit,
    mut run: DryRun,
    commands: &[RawCommand],
) -> Result<Vec<DryMotion>, OpError> {
    let people = People::around(station, agent);
    let mut rows = 0;
    let mut motions = Vec::with_capacity(commands.len());
    for raw in commands {
        let dry = run.judge(&station.fleet, &Session::of_agent(&agent.id), raw)?;
        rows += dry.judged.explanation.len();
        if rows > ROWS_MAX {
            let message = format!("The dry run would list more than {ROWS_MAX} limits.");
            return Err(OpError::new(MissionCode::DryRunTooLong, message));
        }
        motions.push(motion(station, agent, raw, dry, &people)?);
    }
    Ok(motions)
}

fn motion(
    station: &Arc<Station>,
    agent: &AgentUnit,
    raw: &RawCommand,
    dry: DryJudged,
    people: &People,
) -> Result<DryMotion, OpError> {
    let DryJudged { unit, judged, state, now, .. } = dry;
    let (first_motion, tainted) = (dry.is_first_motion, false);
    let moment = Moment { agent: &agent.id, raw, people, tainted, unit, state, judged, now, first_motion };
    let content = Content::of_judged(station, moment)?;
    let start = match (dry.is_start_open, dry.is_measured) {
        (true, _) => MissionDryStart::Open,
        (false, true) => MissionDryStart::Measured,
        (false, false) => MissionDryStart::Predicted,
    };
    let (tier, tier_rule) = content.tier;
    // A standing approval ends with a change of the limits that it was given under.
    let covers =
        || dry.in_force && station.proposals.standing.covering(station, agent, (raw, &content), false).is_some();
    let kind = match permission(&agent.turns.mode_now(&station.runner), Effect::Actuate, Stops::No) {
        Permission::Deny => MissionDryApprovalKind::Refused,
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

/// Seconds that a motion takes by its own numbers.
fn takes_s(content: &Content) -> Option<f64> {
    let named = content.judged.parsed.as_ref().and_then(|command| match &command.motion {
        robot::Motion::PoseGoal { duration_s, .. } => *duration_s,
        robot::Motion::Path { .. } | robot::Motion::Velocity { .. } | robot::Motion::Joints { .. } => None,
        robot::Motion::Gripper { .. } | robot::Motion::Switch { .. } | robot::Motion::Escape { .. } => None,
    });
    named.or_else(|| content.preview.as_ref()?.duration_s)
}
