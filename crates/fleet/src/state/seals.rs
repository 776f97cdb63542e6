//! Comparison of the stored constraints with what this station last saved. Pure: what is stored and what is known come
//! in, faults go out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use memory::{SetRow, StoredConstraints};
use robot::{MissionId, RobotId};
use runtime::error::{Code, RuntimeCode};
use safety::Constraint;
use safety::machine::SafetyCause;

use runtime::audit::{self, AuditOrigin, Checked};

use crate::code::FleetCode;

/// Whom a registered constraint belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// One robot.
    Robot(RobotId),
    /// A mission; it binds the robots that the mission names.
    Mission(MissionId),
}

/// A fault of the stored constraints, and whom it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFault {
    /// The kind of fault.
    pub(crate) kind: SetFaultKind,
    /// The fault in one sentence, naming the row.
    pub sentence: String,
    /// Whose constraints; `None` if that cannot be told, and then every robot is concerned.
    pub(crate) owner: Option<Owner>,
}

/// The kinds of faults of stored constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetFaultKind {
    /// A row is not the one that was saved last.
    Tampered,
    /// A row cannot be read, or does not fit its robot.
    Unreadable,
    /// The store cannot be read or written.
    StoreUnavailable,
}

impl SetFaultKind {
    /// The code of a refusal to arm.
    pub fn code(self) -> Code {
        match self {
            Self::Tampered => RuntimeCode::SetTampered.into(),
            Self::Unreadable => FleetCode::SetUnreadable.into(),
            Self::StoreUnavailable => FleetCode::StoreUnavailable.into(),
        }
    }
}

impl SetFault {
    /// The cause that it is to a robot's state.
    pub fn cause(&self) -> SafetyCause {
        match self.kind {
            SetFaultKind::Tampered => SafetyCause::SetTampered,
            SetFaultKind::Unreadable => SafetyCause::SetUnreadable,
            SetFaultKind::StoreUnavailable => SafetyCause::StoreUnavailable,
        }
    }
}

/// Seals and sets that this station last saved, as the audit tells them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// Seal by owner.
    pub seals: BTreeMap<Owner, String>,
    /// Set by robot.
    pub sets: BTreeMap<RobotId, SetRow>,
}

impl Owner {
    /// The owner of `constraint`; the robot if it names both.
    pub fn of(constraint: &Constraint) -> Option<Self> {
        match (&constraint.robot, &constraint.mission) {
            (Some(robot), _) => Some(Self::Robot(robot.clone())),
            (None, Some(mission)) => Some(Self::Mission(mission.clone())),
            (None, None) => None,
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(robot) => write!(f, "robot/{robot}"),
            Self::Mission(mission) => write!(f, "mission/{mission}"),
        }
    }
}

impl FromStr for Owner {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.split_once('/') {
            Some(("robot", id)) => RobotId::new(id).map(Self::Robot).map_err(drop),
            Some(("mission", id)) => MissionId::new(id).map(Self::Mission).map_err(drop),
            Some(_) | None => Err(()),
        }
    }
}

/// SHA-256 over the canonical JSON of the constraints of `owner` among `all`, in order of id; hex.
pub(crate) fn seal<'a>(owner: &Owner, all: impl IntoIterator<Item = &'a Constraint>) -> String {
    let mut own: Vec<&Constraint> =
        all.into_iter().filter(|constraint| Owner::of(constraint).as_ref() == Some(owner)).collect();
    own.sort_by(|a, b| a.id.cmp(&b.id));
    audit::canonical_hash(&own)
}

impl Known {
    /// Reads the records about constraints, oldest first; `None` if none says what was saved. A record that says
    /// nothing usable leaves what was said before: then the stored rows do not fit, and nothing is armed.
    pub fn from_records(records: impl IntoIterator<Item = Checked>) -> Option<Self> {
        let mut known = Self::default();
        for record in records {
            let Some(hash) = record.input_hash.clone() else { continue };
            let is_by_station = record.origin == AuditOrigin::Station;
            match (record.operation.as_str(), record.outcome.as_str()) {
                ("constraint_seal", "ok") if is_by_station => {
                    let owner = record.named("owner=").unwrap_or_default();
                    owner.parse().ok().and_then(|owner| known.seals.insert(owner, hash));
                }
                ("constraint_set", "ok" | "taken_over") => {
                    let named = record.named("robot=").and_then(|robot| RobotId::new(robot).ok());
                    let set = record.set_version.map(|version| SetRow { version, hash });
                    known.sets.extend(named.zip(set));
                }
                (_, _) => {}
            }
        }
        (known != Self::default()).then_some(known)
    }

    /// Everything in `stored` that is not what was saved.
    pub fn faults(&self, stored: &StoredConstraints) -> Vec<SetFault> {
        let mut found = single_rows(stored);
        for owner in self.owners(stored) {
            let name = owner.to_string();
            // An unreadable row breaks the seal as well; one fault with the true reason is enough.
            let is_unreadable = found.iter().any(|fault| fault.owner.as_ref() == Some(&owner));
            let rows = stored.rows.iter().filter(|row| row.owner == name);
            let present = seal(&owner, rows.filter_map(|row| row.constraint.as_ref().ok()));
            let saved = self.seals.get(&owner);
            // The audit, the stored seal and the rows must agree:
            // rewriting rows and seal together is found by the audit.
            let is_saved =
                saved == stored.seals.get(&name) && saved.map_or_else(|| seal(&owner, []), String::clone) == present;
            if !is_unreadable && !is_saved {
                let sentence = format!("The rows of {owner} in constraint_row are not those that were saved last.");
                found.push(SetFault { kind: SetFaultKind::Tampered, sentence, owner: Some(owner) });
            }
        }
        found.extend(self.tampered_sets(stored));
        found
    }

    fn owners(&self, stored: &StoredConstraints) -> BTreeSet<Owner> {
        let named = stored.rows.iter().map(|row| &row.owner).chain(stored.seals.keys());
        named.filter_map(|owner| owner.parse().ok()).chain(self.seals.keys().cloned()).collect()
    }

    fn tampered_sets(&self, stored: &StoredConstraints) -> Vec<SetFault> {
        let of_rows = stored.sets.keys().filter_map(|robot| RobotId::new(robot.clone()).ok());
        let robots: BTreeSet<RobotId> = of_rows.chain(self.sets.keys().cloned()).collect();
        let differs = |robot: &RobotId| stored.sets.get(robot.as_str()) != self.sets.get(robot);
        let tampered = robots.into_iter().filter(differs).map(|robot| SetFault {
            kind: SetFaultKind::Tampered,
            sentence: format!("Row {robot} of constraint_set is not the one that was saved last."),
            owner: Some(Owner::Robot(robot)),
        });
        tampered.collect()
    }
}

/// Rows that cannot be read, and rows whose columns are not what their body says.
fn single_rows(stored: &StoredConstraints) -> Vec<SetFault> {
    let faults = stored.rows.iter().filter_map(|row| {
        let owner: Option<Owner> = row.owner.parse().ok();
        let (kind, why) = match &row.constraint {
            Err(error) => (SetFaultKind::Unreadable, format!("cannot be read: {error}")),
            Ok(constraint) if owner.is_none() || constraint.id.as_str() != row.id => {
                (SetFaultKind::Tampered, "names another constraint or owner than its body".to_owned())
            }
            Ok(_) => return None,
        };
        Some(SetFault { kind, sentence: format!("Row {} of constraint_row {why}.", row.id), owner })
    });
    faults.collect()
}

#[cfg(test)]
mod tests;
