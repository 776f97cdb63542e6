//! The content of a command's card: judged now, in the station's own words.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};

use robot::{AgentId, Command, FrameId, Instant, Motion, RawCommand};
use safety::approval::tier::{Circumstances, PERSON_RULE, PersonSeen, Tier, reasons_for_care, tier_of};
use safety::{Binding, Precondition, Present, RobotState, Unit, Verdict};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::facts::{self, People};
use super::motion_words;
use super::reach::reach_m;
use crate::code::StationCode;
use crate::operations::SEND_COMMAND;
use crate::station::Station;
use fleet::Approval;
use fleet::RobotHandle;
use fleet::{Judged, Submission, gate};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{
    LinkState, PreconditionRow, Preview, PreviewKind, Proposal, ProposalFact, ProposalReason, StartPose,
};

/// Points of a way that a card draws; more would not be told apart.
const PREVIEW_POINTS_MAX: usize = 256;

/// A command judged now, with all that a card shows of it.
pub(super) struct Content {
    pub judged: Judged,
    pub present: Present,
    pub tier: (Tier, &'static str),
    /// Everything that the tier follows from.
    about: Circumstances,
    pub sentence: String,
    pub facts: Vec<ProposalFact>,
    pub input: Value,
    /// Everything known now, whether the card relies on it or not.
    known: Vec<ProposalFact>,
    /// Keys of the people that a card names, if one of them is near.
    near: Vec<String>,
    pub preview: Option<Preview>,
}

/// A judgement with everything that it is about.
pub(super) struct Moment<'a> {
    pub agent: &'a AgentId,
    pub raw: &'a RawCommand,
    pub people: &'a People,
    pub tainted: bool,
    pub unit: Arc<RobotHandle>,
    pub state: RobotState,
    pub judged: Judged,
    pub now: Instant,
    /// True if the robot has not moved since it was armed.
    pub first_motion: bool,
}

/// The binding and facts that an approval was given for, for the last look before sending.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pub binding: Binding,
    /// Names of the facts it relied on.
    pub facts: Vec<String>,
    /// Every rule that asked for the most care.
    pub care: BTreeSet<&'static str>,
    pub station: Weak<Station>,
}

impl Content {
    /// Judges `raw` as a command of `agent` and writes down what a card shows.
    pub fn of(
        station: &Arc<Station>,
        agent: &AgentId,
        raw: &RawCommand,
        people: &People,
        tainted: bool,
    ) -> Result<Self, OpError> {
        let unit = station.fleet.unit(&raw.robot)?;
        // Read before the judgement: what changes meanwhile is found at the next look, not missed.
        let state = unit.robot_state();
        let judged = gate::check(&station.fleet, &unit, &by_agent(agent, raw));
        let now = station.runtime.clock.now().station;
        let first_motion = unit.control().first_motion;
        Self::of_judged(station, Moment { agent, raw, people, tainted, unit, state, judged, now, first_motion })
    }

    /// The same of a command that was judged in the state of `moment`.
    pub fn of_judged(station: &Arc<Station>, moment: Moment<'_>) -> Result<Self, OpError> {
        let Moment { agent, raw, people, tainted, unit, state, judged, now, first_motion } = moment;
        let preview = judged.parsed.as_ref().and_then(|command| preview(&unit, command, &judged.verdict, &state, now));
        let person = person(&unit, Look { state: &state, judged: &judged, now }, people, preview.as_ref());
        // The manifest says so: nothing in a command makes an actuator harmless.
        let contact_free = unit.manifest.actuators.iter().any(|known| known.id == raw.actuator && known.contact_free);
        let about = Circumstances {
            tainted,
            escape: matches!(raw.motion, robot::RawMotion::Escape(_)),
            first_motion,
            contact_free,
            person,
            ..Circumstances::of_motion(&judged.verdict)
        };
        let tier = tier_of(&about);
        let mut known = facts::of_robot(&unit, now);
        let mut used = known.clone();
        let of_people = people.facts(now);
        let near = of_people.iter().filter(|_| person.is_near()).map(|fact| fact.key.clone()).collect();
        // Somebody who was seen decides about the tier, so the approval rests on those facts too.
        known.extend(of_people);
        if person != PersonSeen::Nobody {
            used.clone_from(&known);
        }
        let input = canonical_input(raw);
        let action_hash = action_hash(agent, raw, &input)?;
        let used_fresh = used.iter().all(|fact| facts::is_fresh(fact.freshness));
        let look = Look { state: &state, judged: &judged, now };
        let present = present(station, &unit, look, action_hash, used_fresh);
        let sentence = motion_words::sentence(agent, &unit.manifest, judged.parsed.as_ref(), raw);
        Ok(Self { judged, present, tier, about, sentence, facts: used, input, known, near, preview })
    }

    /// The same of a step that a person saw when activating its mission.
    pub fn seen(self) -> Self {
        let about = Circumstances { seen: true, ..self.about };
        Self { tier: tier_of(&about), about, ..self }
    }

    /// True if it is judged as one that a person saw.
    pub const fn is_seen(&self) -> bool {
        self.about.seen
    }

    /// Every rule that asks for the most care of somebody who has seen nothing beforehand: a step that an activation has
    /// shown may become a card later, and is no surprise by that.
    pub fn care(&self) -> BTreeSet<&'static str> {
        reasons_for_care(&Circumstances { seen: false, ..self.about }).collect()
    }

    /// The first rule that asks for care which whoever reads a card of `tier` with the facts `shown` cannot know of: the
    /// card was judged under the rules in `care`.
    pub fn more_care(&self, tier: Tier, care: &BTreeSet<&'static str>, shown: &[ProposalFact]) -> Option<&'static str> {
        let (tier_now, rule) = self.tier;
        if tier_now > tier {
            return Some(rule);
        }
        let is_shown = |key: &String| shown.iter().any(|fact| fact.key == *key);
        let has_come = || Some(PERSON_RULE).filter(|_| !self.near.iter().all(is_shown));
        reasons_for_care(&self.about).find(|rule| !care.contains(rule)).or_else(has_come)
    }

    /// The preconditions now of an action that was judged on `bound` and showed `shown`.
    pub fn against(&self, bound: &Binding, shown: &[ProposalFact]) -> Vec<PreconditionRow> {
        let present =
            Present { facts_fresh: all_fresh(shown.iter().map(|fact| &fact.key), &self.known), ..self.present.clone() };
        bound.check(&present).into_iter().map(|(code, holds)| PreconditionRow { code, holds }).collect()
    }

    /// Puts what was judged into the card. A tier never falls while a card waits, and a re-check gives no more time.
    pub fn fill(self, proposal: &mut Proposal, now: robot::Now) {
        let (tier, tier_rule) = self.tier;
        if tier > proposal.tier {
            proposal.tier = tier;
            proposal.tier_rule = tier_rule.to_owned();
            let last_ms = now.station.mono_ms() + tier.lifetime_ms();
            if last_ms < proposal.expires_mono_ms {
                proposal.expires_mono_ms = last_ms;
                proposal.expires_at = now.unix_s() + unix_s(tier.lifetime_ms());
            }
        }
        let binding = self.present.binding;
        proposal.facts = self.facts;
        proposal.preview = self.preview;
        proposal.explanation = self.judged.explanation;
        proposal.set_version = self.judged.verdict.set_version;
        proposal.snapshot_seq = self.judged.verdict.snapshot_seq;
        proposal.lease_epoch = binding.lease_epoch;
        proposal.start_pose = binding.start.map(|pose| StartPose {
            frame: pose.frame,
            position_m: pose.position_m,
            orientation: pose.orientation.map(robot::UnitQuaternion::xyzw),
        });
        proposal.verdict_id = Some(self.judged.verdict.id);
        proposal.verdict = Some(Arc::new(self.judged.verdict));
    }
}

impl Approval for Bound {
    fn broken(&self, unit: &RobotHandle, submission: &Submission, judged: &Judged) -> Option<(Precondition, String)> {
        let Some(station) = self.station.upgrade() else {
            return Some((Precondition::SameAction, "the station ends".to_owned()));
        };
        let now = station.runtime.clock.now().station;
        let mut known = facts::of_robot(unit, now);
        // An agent that is gone approves nothing.
        let Some(agent) = submission.by.agent().and_then(|id| station.runner.agents.get(id).ok()) else {
            return Some((Precondition::SameAction, "the agent is gone".to_owned()));
        };
        let (people, state) = (People::around(&station, &agent), unit.robot_state());
        let look = Look { state: &state, judged, now };
        if self.has_come(unit, look, &people) {
            return Some((Precondition::FactsFresh, "a person has come near".to_owned()));
        }
        known.extend(people.facts(now));
        // An action that cannot be hashed is not the one that was approved.
        let hash = action_hash(&agent.id, &submission.raw, &canonical_input(&submission.raw)).unwrap_or_default();
        let fresh = all_fresh(self.facts.iter(), &known);
        let present = present(&station, unit, look, hash, fresh);
        let broken = self.binding.broken(&present)?;
        Some((broken, self.binding.why(broken, &present)))
    }
}

impl Bound {
    /// True if somebody is near of whom the approval did not know.
    fn has_come(&self, unit: &RobotHandle, look: Look<'_>, people: &People) -> bool {
        let Look { state, judged, now } = look;
        let way = judged.parsed.as_ref().and_then(|command| preview(unit, command, &judged.verdict, state, now));
        let is_shown = |key: &str| self.facts.iter().any(|shown| shown == key);
        person(unit, look, people, way.as_ref()).is_near()
            && (!self.care.contains(PERSON_RULE) || people.has_come(is_shown))
    }
}

pub(super) fn by_agent(agent: &AgentId, raw: &RawCommand) -> Submission {
    Submission::new(raw.clone(), Session::of_agent(agent))
}

/// A time in whole seconds of the wire.
pub(super) fn unix_s(ms: u64) -> i64 {
    i64::try_from(ms / 1000).unwrap_or(i64::MAX)
}

/// The operation, robot, actuator and form of motion: what screens show together.
pub(super) fn group(raw: &RawCommand) -> String {
    let form = match &raw.motion {
        robot::RawMotion::PoseGoal(_) => "pose_goal",
        robot::RawMotion::Path(_) => "path",
        robot::RawMotion::Velocity(_) => "velocity",
        robot::RawMotion::Joints(_) => "joints",
        robot::RawMotion::Escape(_) => "escape",
        robot::RawMotion::Gripper(_) => "gripper",
        robot::RawMotion::Switch(_) => "switch",
    };
    format!("send_command/{}/{}/{form}", raw.robot, raw.actuator)
}

/// The input as the station reads it: nothing that it ignores is left to be hashed or shown.
fn canonical_input(raw: &RawCommand) -> Value {
    serde_json::to_value(raw).unwrap_or_default()
}

fn all_fresh<'a>(mut used: impl Iterator<Item = &'a String>, known: &[ProposalFact]) -> bool {
    used.all(|key| known.iter().any(|fact| fact.key == *key && facts::is_fresh(fact.freshness)))
}

/// A look at a robot, and at a command as it is judged then.
#[derive(Clone, Copy)]
struct Look<'a> {
    state: &'a RobotState,
    judged: &'a Judged,
    now: Instant,
}

fn present(station: &Station, unit: &RobotHandle, look: Look<'_>, action_hash: String, facts_fresh: bool) -> Present {
    let Look { state, judged, now } = look;
    let binding = Binding {
        action_hash,
        set_version: unit.limits.load().version(),
        lease_epoch: state.epoch,
        latch_generation: state.latch_generation,
        start: state.pose.get(now, unit.pose_max_age_ms()).ok().cloned(),
    };
    // A stop that was pressed while no robot was known binds those that come later.
    let unstopped = state.armed && !state.latched && !station.fleet.stops.station_bound();
    let link_live = unit.link_state(now) == LinkState::Live;
    Present { binding, facts_fresh, link_live, unstopped, overall: judged.verdict.overall }
}

// Without a pose nobody can be judged to be far away.
fn person(unit: &RobotHandle, look: Look<'_>, people: &People, preview: Option<&Preview>) -> PersonSeen {
    let Look { state, judged, now } = look;
    if let Some(Preview { frame, from, path, .. }) = preview {
        let way: Vec<[f64; 3]> = std::iter::once(*from).chain(path.iter().copied()).collect();
        return people.near(&unit.manifest, frame, &way);
    }
    let standing = match state.pose.get(now, unit.pose_max_age_ms()) {
        Ok(pose) => people.near(&unit.manifest, &pose.frame, &[pose.position_m]),
        // Without a pose nobody can be told to be far away.
        Err(_) => people.near(&unit.manifest, &unit.manifest.default_frame, &[]),
    };
    match (standing, &judged.parsed) {
        (PersonSeen::At(away_m), Some(command)) => {
            PersonSeen::At(away_m - reach_m(&unit.manifest, command, state, now))
        }
        (seen, _) => seen,
    }
}

/// SHA-256 over the canonical JSON of operation, input, robot, agent and mission.
fn action_hash(agent: &AgentId, raw: &RawCommand, input: &Value) -> Result<String, OpError> {
    let action = json!({
        "operation": SEND_COMMAND,
        "input": input,
        "robot": raw.robot,
        "agent": agent,
        "mission": raw.mission_id,
    });
    hash_of(&action)
}

/// SHA-256 over canonical JSON, hex.
pub(super) fn hash_of(action: &Value) -> Result<String, OpError> {
    // Canonical, so that the order of fields makes no other action of the same one.
    let canonical = serde_json_canonicalizer::to_vec(action)
        .map_err(|error| OpError::new(StationCode::NotHashable, error.to_string()))?;
    Ok(hex::encode(Sha256::digest(canonical)))
}

/// The way of a command as it was judged, if one can be predicted.
pub(super) fn preview(
    unit: &RobotHandle,
    command: &Command,
    verdict: &Verdict,
    state: &RobotState,
    now: Instant,
) -> Option<Preview> {
    let pose = state.pose.get(now, unit.pose_max_age_ms()).ok()?;
    let frame: FrameId = pose.frame.clone();
    let into_pose_frame = unit.manifest.static_transform(&command.frame, &frame)?;
    let (points, speed_mps): (Vec<[f64; 3]>, Option<f64>) = match &command.motion {
        Motion::PoseGoal { position_m, speed_mps, .. } => (vec![*position_m], *speed_mps),
        Motion::Path { points_m, speed_mps } => (points_m.to_vec(), *speed_mps),
        Motion::Escape { position_m, speed_mps } => (vec![*position_m], *speed_mps),
        Motion::Velocity { .. } | Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => {
            return None;
        }
    };
    let points: Vec<[f64; 3]> = points.into_iter().map(|point| into_pose_frame.apply(point)).collect();
    let to = *points.last()?;
    let steps = std::iter::once(pose.position_m).chain(points.iter().copied()).zip(&points);
    let length_m: f64 = steps.map(|(from, to)| distance_m(from, *to)).sum();
    let margins = verdict.items.iter().filter(|item| item.unit == Unit::M && item.margin.is_finite());
    Some(Preview {
        frame,
        from: pose.position_m,
        to,
        path: some_of(&points),
        length_m,
        clearance_m: margins.map(|item| item.margin).min_by(f64::total_cmp),
        duration_s: speed_mps.filter(|speed| *speed > 0.0).map(|speed| length_m / speed),
        kind: PreviewKind::StraightEstimate,
    })
}

/// At most so many points as a card draws, evenly chosen, the last one always.
fn some_of(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let every = points.len().div_ceil(PREVIEW_POINTS_MAX).max(1);
    let mut chosen: Vec<[f64; 3]> = points.iter().rev().step_by(every).copied().collect();
    chosen.reverse();
    chosen
}

fn distance_m(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The first failed condition.
pub(super) fn broken(rows: &[PreconditionRow]) -> Option<ProposalReason> {
    let failed = rows.iter().find(|row| !row.holds);
    failed.map(|row| ProposalReason::Precondition { precondition: row.code })
}

#[cfg(test)]
mod tests;
