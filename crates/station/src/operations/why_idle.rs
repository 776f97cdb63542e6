//! Everything that keeps a robot from moving, in the order in which it is mended, each with what clears it and who may.
//! Made of what the gate, arming and the state machine decide by, so that an empty list and a check that passes agree.

use robot::{GateKind, Instant, Role, SessionKind};
use safety::leases::Owner;
use safety::machine::{ActiveCause, CauseSet, Clears, SafetyCause, Severity, State};
use safety::{ArmingProblem, RobotState};

use crate::station::Station;
use fleet::RobotHandle;
use fleet::limit_sets::SetFault;
use fleet::{control::command_authorization, control::ui_watchdog};
use runtime::session::Session;
use runtime::wire::{Blocked, Blocker, BlockerCode, LinkState};

const NOBODY: &str = "nobody: it ends by itself";
const OPERATOR: &str = "an operator";
const ADMIN: &str = "an administrator";
const AT_THE_ROBOT: &str = "somebody at the robot";

/// Everything that keeps `unit` from moving for `by`, and for agents and missions, now.
pub(crate) fn blockers(station: &Station, unit: &RobotHandle, by: &Session) -> Vec<Blocker> {
    let now = station.runtime.clock.now().station;
    let state = unit.robot_state();
    let mut blockers: Vec<Blocker> = link(unit, now).into_iter().collect();
    blockers.extend(safety_state(unit, &state));
    blockers.extend(audit(station));
    blockers.extend(causes(station, unit));
    blockers.extend(latch(station, unit));
    blockers.extend(claim(station, unit));
    blockers.extend(control(unit, by, now));
    blockers.extend(leases(station, unit, by));
    blockers.extend(limits(unit, &state, now));
    blockers.extend(sources(unit, &state, now));
    blockers.extend(missions(station, unit, by));
    blockers.extend(approvals(station, unit, by));
    blockers.extend(frozen_screens(station));
    debug_assert!(blockers.is_sorted_by_key(|blocker| blocker.code), "the order of the codes is the order of the list");
    blockers
}

fn blocker(code: BlockerCode, sentence: String, cleared_by: impl Into<String>, who: impl Into<String>) -> Blocker {
    let (cleared_by, who) = (cleared_by.into(), who.into());
    Blocker { code, blocks: Blocked::Everyone, cause: None, sentence, cleared_by, who }
}

fn link(unit: &RobotHandle, now: Instant) -> Option<Blocker> {
    let id = unit.id();
    if unit.manifest.gate == GateKind::None {
        let sentence = format!("{id} has no gate that could hold it, so it is watched and never commanded.");
        return Some(blocker(BlockerCode::Link, sentence, "Fit a gate and name it in the manifest.", ADMIN));
    }
    let (how, cleared_by) = match unit.link_state(now) {
        LinkState::Live => return None,
        LinkState::Late => ("answers late", "It ends with the next answer."),
        LinkState::Lost => ("no longer answers", "Check its power and its network."),
        LinkState::Never => ("has not been heard of", "Switch it on, and check its network and its key."),
    };
    Some(blocker(BlockerCode::Link, format!("{id} {how}."), cleared_by, AT_THE_ROBOT))
}

fn safety_state(unit: &RobotHandle, state: &RobotState) -> Option<Blocker> {
    let (id, shown) = (unit.id(), unit.state());
    let (how, cleared_by, who) = match shown {
        State::Armed if !state.armed => {
            ("waits for its gate to take the station's claim", "It takes a moment.", NOBODY)
        }
        State::Armed if state.escape_only => {
            let cleared_by = "Move it out with an escape, then arm it again.";
            ("is armed only to escape from where it may not be", cleared_by, OPERATOR)
        }
        State::Armed if state.commissioning == safety::Commissioning::UnderWay => {
            ("is armed for the steps of commissioning alone", "Disarm it, then arm it again.", OPERATOR)
        }
        State::Armed => return None,
        State::Disarmed => ("is disarmed", "Arm it.", OPERATOR),
        State::Arming => ("is being armed", "It takes a few seconds.", NOBODY),
        State::Hold => ("is held", "It ends a second after every cause is cleared.", NOBODY),
        State::SafeStop => ("is stopped", "Clear every cause and release every stop, then arm it.", OPERATOR),
        State::Lockout => ("is locked", "Mend what locked it, then put it into service again.", ADMIN),
    };
    Some(blocker(BlockerCode::State, format!("{id} {how}."), cleared_by, who))
}

/// The check of the audit: nothing is armed before the records of earlier runs were followed.
fn audit(station: &Station) -> Option<Blocker> {
    if station.runtime.audit.integrity().borrow().checked {
        return None;
    }
    let sentence = "The audit of earlier runs is still being checked.".to_owned();
    Some(blocker(BlockerCode::Cause, sentence, "It ends by itself.", NOBODY))
}

/// Causes that hold or stop the robot, or would keep it from being armed. Stops are listed by their numbers.
fn causes(station: &Station, unit: &RobotHandle) -> Vec<Blocker> {
    let is_doubted = station.runtime.audit.doubt().is_some();
    let control = unit.control();
    let told = KnownCauses { active: control.safety.causes(), present: control.present, is_doubted };
    told.blockers(control.set_fault.as_ref())
}

/// Faults that the state machine knows of.
struct KnownCauses<'a> {
    active: &'a [ActiveCause],
    /// Whatever holds now, whether or not it counts in the present state.
    present: CauseSet,
    /// The audit differs from what it was.
    is_doubted: bool,
}

impl KnownCauses<'_> {
    fn blockers(&self, fault: Option<&SetFault>) -> Vec<Blocker> {
        let row = |cause: SafetyCause, is_present: bool, clears: Clears| {
            // A set of limits that cannot be used says more than the rule of its cause.
            let known = fault.filter(|fault| fault.cause() == cause);
            let sentence = known.map_or(cause.rule().sentence.to_owned(), |fault| fault.sentence.clone());
            let (cleared_by, who) = if self.is_doubted && cause == SafetyCause::SetTampered {
                ("Look at what was found and accept it on the Safety screen.", ADMIN)
            } else {
                ended_by(clears, is_present)
            };
            Blocker { cause: Some(cause), ..blocker(BlockerCode::Cause, sentence, cleared_by, who) }
        };
        let listed = |cause: SafetyCause, severity| severity >= Severity::Hold && is_cause_of_its_own(cause);
        let mut blockers: Vec<Blocker> = self
            .active
            .iter()
            .filter(|active| listed(active.cause, active.severity))
            .map(|active| row(active.cause, active.is_present(), active.clears()))
            .collect();
        let is_active = |cause| self.active.iter().any(|active| active.cause == cause);
        let waiting = self.present.iter().filter(|cause| !is_active(*cause) && !is_listed_elsewhere(*cause));
        let waiting = waiting.filter(|cause| listed(*cause, cause.rule().severity));
        blockers.extend(waiting.map(|cause| row(cause, true, Clears::WhenConditionClears)));
        // People's commands pass as long as their records find room; nothing is approved.
        if self.present.has(SafetyCause::AuditUnavailable) {
            let unrecorded = row(SafetyCause::AuditUnavailable, true, Clears::WhenConditionClears);
            blockers.push(Blocker { blocks: Blocked::Agents, ..unrecorded });
        }
        blockers
    }
}

/// False for a cause that is a stop, which has a number and is listed by it.
fn is_cause_of_its_own(cause: SafetyCause) -> bool {
    cause.rule().clears != Clears::OnRelease
}

/// True for a cause that is a blocker of a kind of its own while the robot is not armed.
fn is_listed_elsewhere(cause: SafetyCause) -> bool {
    matches!(
        cause,
        SafetyCause::BeatLate
            | SafetyCause::BeatLost
            | SafetyCause::PoseStale
            | SafetyCause::TransformStale
            | SafetyCause::SourceStale
            | SafetyCause::SetEmptied
    )
}

fn ended_by(clears: Clears, is_present: bool) -> (&'static str, &'static str) {
    match (clears, is_present) {
        (Clears::WhenConditionClears, _) => ("It ends a second after its condition is over.", NOBODY),
        (Clears::OnAcknowledge, true) => ("End what causes it, then acknowledge it with a reason.", OPERATOR),
        (Clears::OnAcknowledge, false) => ("Acknowledge it with a reason.", OPERATOR),
        (Clears::OnDisarm, _) => ("Look at the robot, then disarm it and confirm that you have looked.", OPERATOR),
        (Clears::OnRelease, _) => ("Release the stop.", OPERATOR),
        (Clears::Never, _) => {
            ("Restart the station with a corrected configuration, then put the robot into service again.", ADMIN)
        }
    }
}

fn latch(station: &Station, unit: &RobotHandle) -> Vec<Blocker> {
    // Collected, so that the lock on the robot's state ends with this line.
    let stops: Vec<_> = unit.control().open_stops.iter().map(|(stop, cause)| (*stop, cause.is_some())).collect();
    let mut blockers: Vec<Blocker> = stops
        .into_iter()
        .map(|(stop, asked)| {
            let (cleared_by, who) = if asked {
                (format!("Release stop #{stop} once the robot stands still and every other cause is over."), OPERATOR)
            } else {
                ("It is released when the causes of the robot's state are over.".to_owned(), NOBODY)
            };
            blocker(BlockerCode::Latch, format!("Stop #{stop} is open for {}.", unit.id()), cleared_by, who)
        })
        .collect();
    if station.fleet.stops.station_bound() {
        let sentence = "A stop that was pressed while no robot was known is open for the whole station.".to_owned();
        blockers.push(blocker(BlockerCode::Latch, sentence, "Release it in the stop panel.", OPERATOR));
    }
    blockers
}

/// The claim of another station: the robot's gate lets one station command it.
fn claim(station: &Station, unit: &RobotHandle) -> Option<Blocker> {
    let claimant = unit.control().beats.claimed_by.clone().filter(|claimant| *claimant != station.runtime.id)?;
    let sentence = format!("Station {claimant} commands {}.", unit.id());
    let cleared_by = "Move it from that station, or shut that station down.";
    Some(blocker(BlockerCode::Control, sentence, cleared_by, "whoever runs that station"))
}

fn control(unit: &RobotHandle, by: &Session, now: Instant) -> Option<Blocker> {
    let args = command_authorization::control_of_another(unit, by, now)?;
    let holder = args.owner.unwrap_or_else(|| "nobody".to_owned());
    let sentence = format!("{holder} has control of {}.", unit.id());
    let cleared_by = args.expected.map_or_else(String::new, |expected| robot::sentence_of(&expected));
    let denied = blocker(BlockerCode::Control, sentence, cleared_by, OPERATOR);
    Some(Blocker { blocks: Blocked::You, ..denied })
}

const MOTION_ENDS: &str = "It ends with that motion; holding the robot ends it.";

fn leases(station: &Station, unit: &RobotHandle, by: &Session) -> Vec<Blocker> {
    let used = command_authorization::used_by_others(&station.fleet, unit, by).into_iter();
    let blockers = used.map(|(actuator, owner)| {
        let (sentence, clears) = match owner {
            Some(Owner::Mission { id, .. }) => (
                format!("Mission {id} has locked {actuator}."),
                "It ends with the run of that mission; pausing the mission ends it.",
            ),
            Some(owner) => (format!("The motion of {owner} uses {actuator}."), MOTION_ENDS),
            None => (format!("The motion of somebody who cannot be told uses {actuator}."), MOTION_ENDS),
        };
        let used = blocker(BlockerCode::Lease, sentence, clears, "anybody");
        Blocker { blocks: Blocked::You, ..used }
    });
    blockers.collect()
}

/// Problems with the limits. That the robot is where it may not be is told once: a breach is among its causes.
fn limits(unit: &RobotHandle, state: &RobotState, now: Instant) -> Vec<Blocker> {
    let limits = unit.limits.load();
    let is_breach = |active: &ActiveCause| active.cause == SafetyCause::Breach;
    let in_breach = unit.control().safety.causes().iter().any(is_breach);
    let problems = limits.arming_problems(state, now).filter(|problem| match problem {
        ArmingProblem::EmptySet { .. } => true,
        ArmingProblem::WorkspaceEmpty { .. } | ArmingProblem::WorkspaceCovered { .. } => true,
        // Inside the margin no limit is broken, but only an escape is allowed from there.
        ArmingProblem::PoseViolates { .. } => !in_breach,
        // Listed with the sources.
        ArmingProblem::SourceSilent { .. } | ArmingProblem::NoFreshPose { .. } => false,
    });
    let blockers = problems.map(|problem| {
        let (cleared_by, who) = match &problem {
            ArmingProblem::EmptySet { missing, .. } => (format!("Register a {missing} constraint."), ADMIN),
            ArmingProblem::WorkspaceEmpty { .. } | ArmingProblem::WorkspaceCovered { .. } => {
                ("Loosen or remove one of the constraints.".to_owned(), ADMIN)
            }
            ArmingProblem::PoseViolates { .. }
            | ArmingProblem::SourceSilent { .. }
            | ArmingProblem::NoFreshPose { .. } => {
                let armed = if state.armed { "Disarm it, then arm" } else { "Arm" };
                (format!("{armed} it with a reason and move it out with an escape, or move it by hand."), OPERATOR)
            }
        };
        blocker(BlockerCode::Limits, robot::sentence_of(&problem.to_string()), cleared_by, who)
    });
    blockers.collect()
}

/// Sources of the robot's state that nobody hears, or that are too old, and a pose that cannot be used.
fn sources(unit: &RobotHandle, state: &RobotState, now: Instant) -> Vec<Blocker> {
    let row = |cause: SafetyCause, sentence: String| {
        let cleared_by = "It ends as soon as the source is heard again: check the sensor and its network.";
        Blocker { cause: Some(cause), ..blocker(BlockerCode::Source, sentence, cleared_by, AT_THE_ROBOT) }
    };
    let silent = state.heard.silent(&unit.manifest, now);
    let mut blockers: Vec<Blocker> =
        silent.map(|silent| row(silent.cause(), robot::sentence_of(&silent.to_string()))).collect();
    let found = unit.found_by_monitor(now);
    let listed = |blockers: &[Blocker], cause| blockers.iter().any(|blocker| blocker.cause == Some(cause));
    for cause in [SafetyCause::PoseStale, SafetyCause::TransformStale, SafetyCause::SourceStale] {
        // A silent source is listed above; this one speaks, and says nothing of use.
        if found.has(cause) && !listed(&blockers, cause) {
            let unusable = "What it says cannot be used: its frame is unknown, or a joint is missing from it.";
            let sentence = format!("{} {unusable}", cause.rule().sentence);
            blockers.push(row(cause, sentence));
        }
    }
    let moves = !unit.manifest.switches_only();
    // A source that is silent explains the missing speed already.
    if blockers.is_empty() && moves && state.speeds.known(&unit.manifest, now).is_none() {
        let sentence = format!("Nobody knows how fast {} moves.", unit.id());
        blockers.push(row(SafetyCause::SourceStale, sentence));
    }
    blockers
}

/// Paused missions. An agent is told of its own only.
fn missions(station: &Station, unit: &RobotHandle, by: &Session) -> Vec<Blocker> {
    let agents = match by.agent().filter(|_| by.is_agent()) {
        Some(own) => station.missions.of(own).into_iter().collect(),
        None => station.missions.all(),
    };
    let paused = agents.iter().flat_map(|agent| agent.lives.paused_of(unit.id()));
    let blockers = paused.map(|id| {
        let paused =
            blocker(BlockerCode::MissionPaused, format!("Mission {id} is paused."), "Resume the mission.", OPERATOR);
        Blocker { blocks: Blocked::Mission, ..paused }
    });
    blockers.collect()
}

/// Proposals that wait for a click. An agent is told of its own only.
fn approvals(station: &Station, unit: &RobotHandle, by: &Session) -> Vec<Blocker> {
    let own = by.agent().filter(|_| by.kind() == SessionKind::Machine);
    let waiting = station.proposals.waiting_for(unit.id()).into_iter();
    let waiting = waiting.filter(|(agent, ..)| own.is_none_or(|own| own == agent));
    let blockers = waiting.map(|(agent, sentence, role)| {
        let who = match role {
            Role::Admin => ADMIN,
            Role::Operator | Role::Viewer => OPERATOR,
        };
        let sentence = format!("A proposal of agent {agent} waits for a person: {sentence}");
        let waits = blocker(BlockerCode::ApprovalWaiting, sentence, "Approve or reject the card.", who);
        Blocker { blocks: Blocked::Agents, ..waits }
    });
    blockers.collect()
}

fn frozen_screens(station: &Station) -> Option<Blocker> {
    let refused = ui_watchdog::check_seen(&station.fleet).err()?;
    let cleared_by = "Restart the screen, or open another.";
    let frozen = blocker(BlockerCode::ScreensFrozen, refused.message, cleared_by, "whoever is at the desk");
    Some(Blocker { blocks: Blocked::Agents, ..frozen })
}

#[cfg(test)]
mod tests;
