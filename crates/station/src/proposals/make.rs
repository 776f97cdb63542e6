//! Makes a proposal from a call of the agent, in the station's own words.

use std::sync::Arc;

use agent::ToolOutcome;
use robot::{Motion, RawCommand, Role};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::tier::{lifetime_ms, tier_of};
use super::{Entry, Inner, Note, OPEN_MAX, PER_MINUTE_MAX, Proposals, is_open, reference, tool_outcome};
use crate::audit::Happening;
use crate::error::{ErrorKind, OpError};
use crate::gate::{self, Judged, Submission};
use crate::session::Session;
use crate::station::Station;
use crate::unit::RobotUnit;
use crate::wire::{
    CommandStep, LinkState, Preview, PreviewKind, Proposal, ProposalFact, ProposalRef, ProposalState, Tier,
};

/// Notes that a turn may have waiting: the decision and the outcome.
const NOTES_MAX: usize = 4;
/// One minute on the station clock, milliseconds.
const MINUTE_MS: u64 = 60_000;

/// What became of asking.
pub(crate) enum Asked {
    /// A person will decide.
    Waiting(ProposalRef, mpsc::Receiver<Note>),
    /// It makes no card: it was denied, or could not be read.
    Ended(ToolOutcome),
}

/// A command judged now, with all that a card shows of it.
pub(super) struct Content {
    pub judged: Judged,
    pub set_version: u64,
    pub start_m: Option<[f64; 3]>,
    pub link: LinkState,
    tier: (Tier, &'static str),
    sentence: String,
    facts: Vec<ProposalFact>,
    preview: Option<Preview>,
}

impl Content {
    /// Puts what was judged into the card. Tier and expiry stay: a re-check gives no more time.
    pub fn fill(self, proposal: &mut Proposal) {
        let (tier, tier_rule) = self.tier;
        if tier > proposal.tier {
            proposal.tier = tier;
            proposal.tier_rule = tier_rule.to_owned();
        }
        proposal.facts = self.facts;
        proposal.preview = self.preview;
        proposal.explanation = self.judged.explanation;
        proposal.verdict = Some(Arc::new(self.judged.verdict));
    }
}

/// Judges `raw` as the agent's command and writes down what a card shows.
pub(super) fn judged_content(station: &Arc<Station>, raw: &RawCommand) -> Result<Content, OpError> {
    let unit = station.unit(&raw.robot)?;
    let judged = gate::check(station, &unit, &by_agent(raw));
    let now = station.clock.now().station;
    let measured = unit.measurements();
    let first_motion = unit.control().first_motion;
    let contact_free = unit.manifest.actuators.iter().any(|known| known.id == raw.actuator && known.contact_free);
    let facts = measured.pose.iter().map(|pose| {
        let [x, y, z] = pose.value.position_m;
        ProposalFact {
            key: format!("{}.pose", raw.robot),
            value: format!("({x:.2}, {y:.2}, {z:.2}) m in {}", pose.value.frame),
            age_ms: now.ms_since(pose.observed),
        }
    });
    Ok(Content {
        set_version: judged.verdict.set_version,
        start_m: measured.pose.as_ref().map(|pose| pose.value.position_m),
        link: unit.link_state(now),
        tier: tier_of(&judged.verdict, contact_free, first_motion),
        sentence: sentence(station, &judged, raw),
        facts: facts.collect(),
        preview: preview(&unit, &judged),
        judged,
    })
}

impl Proposals {
    /// Asks a person about a command of the agent. A denied command makes no card: its outcome is the verdict.
    pub fn ask(&self, station: &Arc<Station>, input: &Value) -> Asked {
        match self.try_ask(station, input) {
            Ok(asked) => asked,
            Err(error) => Asked::Ended(tool_outcome(&Err(error))),
        }
    }

    fn try_ask(&self, station: &Arc<Station>, input: &Value) -> Result<Asked, OpError> {
        let raw: RawCommand = serde_json::from_value(input.clone())
            .map_err(|error| OpError::bad_input("invalid_input", "motion", error.to_string()))?;
        let mut content = judged_content(station, &raw)?;
        content.judged = gate::recorded(&station.audit, &by_agent(&raw), content.judged);
        if !content.judged.allowed() {
            station.fallbacks.denied(station, &station.unit(&raw.robot)?, &content.judged.verdict.sentence());
            let outcome = content.judged.into_outcome((CommandStep::Denied, None), None);
            return Ok(Asked::Ended(tool_outcome(&Ok(outcome))));
        }
        let now = station.clock.now();
        let mut inner = self.lock();
        inner.admit(now.station.mono_ms())?;
        let (tier, tier_rule) = content.tier;
        let expires_mono_ms = now.station.mono_ms() + lifetime_ms(tier);
        let mut proposal = Proposal {
            id: format!("pr-{}", uuid::Uuid::now_v7()),
            version: 1,
            action_hash: action_hash(station, &raw, input)?,
            tier,
            tier_rule: tier_rule.to_owned(),
            role_needed: Role::Operator,
            agent: station.agent.clone(),
            robot: Some(raw.robot.clone()),
            operation: "send_command".into(),
            input: input.clone(),
            sentence: content.sentence.clone(),
            reason: String::new(),
            facts: Vec::new(),
            verdict: None,
            explanation: Vec::new(),
            preview: None,
            created_at: now.unix_s(),
            expires_at: now.unix_s() + i64::try_from(lifetime_ms(tier) / 1000).unwrap_or(0),
            expires_mono_ms,
            state: ProposalState::Waiting,
            state_reason: None,
            steps: Vec::new(),
            decided_by: None,
        };
        let (set_version, start_m) = (content.set_version, content.start_m);
        content.fill(&mut proposal);
        let (notes, waiting) = mpsc::channel(NOTES_MAX);
        let shown = reference(&proposal);
        inner
            .entries
            .insert(proposal.id.clone(), Entry { proposal: proposal.clone(), raw, set_version, start_m, notes });
        drop(inner);
        let asked = Happening::by(&Session::agent(), "proposal", "waiting");
        let about = format!("id={} robot={} tier_rule={}", proposal.id, proposal.input["robot"], proposal.tier_rule);
        station.audit.note_done(asked.about(about));
        self.tell(station, &proposal);
        Ok(Asked::Waiting(shown, waiting))
    }
}

impl Inner {
    /// Makes room for one more, or refuses it.
    fn admit(&mut self, now_mono_ms: u64) -> Result<(), OpError> {
        self.made_mono_ms.retain(|made| now_mono_ms.saturating_sub(*made) < MINUTE_MS);
        let open = self.entries.values().filter(|entry| is_open(entry.proposal.state)).count();
        if open >= OPEN_MAX || self.made_mono_ms.len() >= PER_MINUTE_MAX {
            let message = format!("At most {OPEN_MAX} proposals wait and {PER_MINUTE_MAX} are made a minute.");
            return Err(OpError::conflict("too_many_open", message));
        }
        self.made_mono_ms.push_back(now_mono_ms);
        let decided: Vec<String> =
            self.entries.iter().filter(|(_, entry)| !is_open(entry.proposal.state)).map(|(id, _)| id.clone()).collect();
        for id in decided.iter().take(decided.len().saturating_sub(super::DECIDED_MAX)) {
            self.entries.remove(id);
        }
        Ok(())
    }
}

fn by_agent(raw: &RawCommand) -> Submission {
    Submission { raw: raw.clone(), by: Session::agent(), proposal: None }
}

/// SHA-256 over the canonical JSON of operation, input, robot, agent and mission.
fn action_hash(station: &Station, raw: &RawCommand, input: &Value) -> Result<String, OpError> {
    let action = json!({
        "operation": "send_command",
        "input": input,
        "robot": raw.robot,
        "agent": station.agent,
        "mission": raw.mission_id,
    });
    let canonical = serde_json_canonicalizer::to_vec(&action)
        .map_err(|error| OpError::new(ErrorKind::Internal, "not_hashable", error.to_string()))?;
    Ok(Sha256::digest(canonical).iter().map(|byte| format!("{byte:02x}")).collect())
}

fn sentence(station: &Station, judged: &Judged, raw: &RawCommand) -> String {
    let what = judged.parsed.as_ref().map_or_else(
        || "do something".to_owned(),
        |command| format!("{} in {}", words(&command.motion), command.frame),
    );
    let force = raw.force_n.map_or_else(String::new, |force_n| format!(", at most {force_n} N"));
    format!("Agent {} wants {} to move {} {what}{force}.", station.agent, raw.robot, raw.actuator)
}

fn words(motion: &Motion) -> String {
    let at = |speed: Option<f64>| speed.map_or_else(String::new, |speed| format!(" at {speed} m/s"));
    match motion {
        Motion::PoseGoal { position_m: [x, y, z], speed_mps, .. } => format!("to ({x}, {y}, {z}) m{}", at(*speed_mps)),
        Motion::Path { points_m, speed_mps } => format!("along {} points{}", points_m.len(), at(*speed_mps)),
        Motion::Velocity { linear_mps: [x, y, z], .. } => format!("at ({x}, {y}, {z}) m/s"),
        Motion::Gripper { opening_m, speed_mps } => format!("to {opening_m} m open{}", at(*speed_mps)),
        Motion::Switch { on } => (if *on { "on" } else { "off" }).to_owned(),
    }
}

fn preview(unit: &RobotUnit, judged: &Judged) -> Option<Preview> {
    let command = judged.parsed.as_ref()?;
    let measured = unit.measurements();
    let pose = &measured.pose.as_ref()?.value;
    let frame = pose.frame.clone();
    let into_pose_frame = unit.manifest.static_transform(&command.frame, &frame)?;
    let (points, speed_mps): (Vec<[f64; 3]>, Option<f64>) = match &command.motion {
        Motion::PoseGoal { position_m, speed_mps, .. } => (vec![*position_m], *speed_mps),
        Motion::Path { points_m, speed_mps } => (points_m.to_vec(), *speed_mps),
        Motion::Velocity { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => return None,
    };
    let points: Vec<[f64; 3]> = points.into_iter().map(|point| into_pose_frame.apply(point)).collect();
    let to = *points.last()?;
    let steps = std::iter::once(pose.position_m).chain(points.iter().copied()).zip(&points);
    let length_m: f64 = steps.map(|(from, to)| super::distance(from, *to)).sum();
    let margins = judged.verdict.items.iter().filter(|item| item.unit == safety::Unit::M && item.margin.is_finite());
    Some(Preview {
        frame,
        from: pose.position_m,
        to,
        length_m,
        clearance_m: margins.map(|item| item.margin).min_by(f64::total_cmp),
        duration_s: speed_mps.filter(|speed| *speed > 0.0).map(|speed| length_m / speed),
        kind: PreviewKind::StraightEstimate,
    })
}
