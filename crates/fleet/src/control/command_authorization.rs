//! Authorization of a command: its sender needs control of the robot, then a lease of the part that it moves.

use std::time::Duration;

use robot::{Actuator, ActuatorId, Instant, MissionId, Reason, SessionKind};
use safety::arbitration::{Consent, Mover};
use safety::leases::{LeaseRefused, Owner, Resource};
use safety::{Cause, ReasonArgs};

use crate::fleet::Fleet;
use crate::state::leases::{ResourceGuard, Unleased};
use crate::state::robot_handle::RobotHandle;
use crate::state::submission::Submission;
use runtime::session::Session;

/// Objection to a command, besides its limits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Objection {
    /// It is denied for this reason.
    Deny(Reason, Box<ReasonArgs>),
    /// The check itself fails, so the answer is unknown.
    Fail(Cause),
}

/// Objection to `submission` because its sender does not control the robot.
pub(crate) fn arbitrate(fleet: &Fleet, unit: &RobotHandle, submission: &Submission) -> Option<Objection> {
    let consent = match submission.proposal.as_ref().map(|under| under.approved_by.as_ref()) {
        None => Consent::Asked,
        Some(Some(approver)) => Consent::By(approver),
        Some(None) => Consent::Standing,
    };
    let denial = denial(unit, &submission.by, consent, fleet.runtime.clock.now().station);
    denial.map(|args| Objection::Deny(Reason::Arbitration, Box::new(args)))
}

/// The denial of a motion of `by` under `consent`, if another has control or the robot has no holder; else `None`.
fn denial(unit: &RobotHandle, by: &Session, consent: Consent<'_>, now: Instant) -> Option<ReasonArgs> {
    let mover = match by.kind() {
        SessionKind::Person => Mover::Person { session: by.id() },
        // A program's command becomes its agent's proposal. A program that names no agent controls nothing.
        SessionKind::Machine => match by.agent() {
            Some(id) => Mover::Agent { id, consent },
            None => Mover::Person { session: by.id() },
        },
    };
    let holder = unit.holder(now);
    (!holder.admits(mover)).then(|| holder.denial(unit.id(), mover))
}

/// The denial of every motion of `by` because of who controls `unit`, with what `by` can do about it.
pub fn control_of_another(unit: &RobotHandle, by: &Session, now: Instant) -> Option<ReasonArgs> {
    denial(unit, by, Consent::Asked, now)
}

/// True if a motion of `by` passes that was approved before anybody was asked: its agent has control itself.
pub fn admits_beforehand(unit: &RobotHandle, by: &Session, now: Instant) -> bool {
    denial(unit, by, Consent::Standing, now).is_none()
}

/// The actuators of `unit` that another's motion uses, each with its owner; `None` for an owner that is unknown.
pub fn used_by_others(fleet: &Fleet, unit: &RobotHandle, by: &Session) -> Vec<(ActuatorId, Option<Owner>)> {
    let owner = owner_of(by, None);
    let user = |actuator: &Actuator| match fleet.resources.taken(&owner, &Resource::actuator(unit.id(), actuator)) {
        Ok(None) => None,
        Ok(Some(other)) => Some((actuator.id.clone(), Some(other))),
        // If the table cannot be read there may be a lease, so the part counts as used.
        Err(_) => Some((actuator.id.clone(), None)),
    };
    unit.manifest.actuators.iter().filter_map(user).collect()
}

/// Everything that speaks against `submission` now; nothing is leased.
pub(crate) fn look(fleet: &Fleet, unit: &RobotHandle, submission: &Submission) -> Vec<Objection> {
    let leased = part(unit, submission).map(|part| fleet.resources.taken(&owner(submission), &part));
    let of_lease = match leased {
        None | Some(Ok(None)) => None,
        Some(Ok(Some(owner))) => Some(Objection::Deny(Reason::Lease, Box::new(named(&owner)))),
        Some(Err(unleased)) => Some(objection(unleased)),
    };
    // The last objection is shown first: control comes before leases.
    of_lease.into_iter().chain(arbitrate(fleet, unit, submission)).collect()
}

/// Leases what `submission` moves to who sends it, or says everything that speaks against that. Nobody waits: a
/// command that comes while another's motion goes on is denied.
pub(crate) fn take(
    fleet: &Fleet,
    unit: &RobotHandle,
    submission: &Submission,
) -> Result<Option<ResourceGuard>, Vec<Objection>> {
    if arbitrate(fleet, unit, submission).is_some() {
        return Err(look(fleet, unit, submission));
    }
    let Some(part) = part(unit, submission) else { return Ok(None) };
    // No wait: a command is meant for the robot as it stands now, not as it stands once the part is free.
    let leased = fleet.resources.acquire(&owner(submission), &[part].into(), Duration::ZERO);
    leased.map(Some).map_err(|unleased| vec![objection(unleased)])
}

/// Resource that a command moves; none if the robot has no such actuator, which the parser refuses.
fn part(unit: &RobotHandle, submission: &Submission) -> Option<Resource> {
    let actuator = unit.manifest.actuators.iter().find(|actuator| actuator.id == submission.raw.actuator)?;
    Some(Resource::actuator(unit.id(), actuator))
}

/// Whose motion it is.
fn owner(submission: &Submission) -> Owner {
    owner_of(&submission.by, submission.raw.mission_id.as_ref())
}

fn owner_of(by: &Session, mission: Option<&MissionId>) -> Owner {
    match (by.kind(), mission, by.agent()) {
        (SessionKind::Machine, Some(mission), Some(agent)) => {
            Owner::Mission { agent: agent.clone(), id: mission.clone() }
        }
        (SessionKind::Machine, None, Some(agent)) => Owner::Agent { id: agent.clone() },
        (SessionKind::Person, _, _) | (SessionKind::Machine, _, None) => {
            Owner::Person { session: by.id().clone(), name: by.actor().to_owned() }
        }
    }
}

fn objection(unleased: Unleased) -> Objection {
    match unleased {
        Unleased::Refused(LeaseRefused::Taken(owner)) => Objection::Deny(Reason::Lease, Box::new(named(&owner))),
        Unleased::Refused(LeaseRefused::QueueFull | LeaseRefused::Withdrawn) => {
            Objection::Deny(Reason::Lease, Box::default())
        }
        Unleased::LockPoisoned => Objection::Fail(Cause::LockPoisoned),
    }
}

fn named(owner: &Owner) -> ReasonArgs {
    ReasonArgs { owner: Some(owner.to_string()), ..ReasonArgs::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a10_a_table_that_nobody_can_read_fails_the_check_and_a_taken_part_names_its_owner() {
        assert_eq!(objection(Unleased::LockPoisoned), Objection::Fail(Cause::LockPoisoned));
        let owner = Owner::Person { session: "s".into(), name: "ann".into() };
        let args = ReasonArgs { owner: Some("ann".into()), ..ReasonArgs::default() };
        let taken = Unleased::Refused(LeaseRefused::Taken(owner));
        assert_eq!(objection(taken), Objection::Deny(Reason::Lease, Box::new(args)));
    }
}
