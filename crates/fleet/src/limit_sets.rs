//! Changing the limits in force: compiled and saved first, then swapped in whole, or not at all.

mod binding;
mod check;
mod of_mission;
mod trial;

pub use crate::state::limit_store::{LimitSets, Registered};
pub use crate::state::seals::SetFault;
pub(crate) use check::first_limits;
pub(crate) use trial::try_on_recorded;
pub use trial::{ChangedVerdict, ChangedVerdicts, Trial};

use std::collections::BTreeMap;
use std::sync::Arc;

use memory::{ConstraintChange, SetRow};
use robot::{ConstraintId, RobotId};
use safety::machine::SafetyCause;
use safety::{ChangeDirection, Constraint, ConstraintKind, Kind, Limits, RobotState, explain};
use serde_json::json;
use world::alarm::{BuiltIn, Of};

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::limit_store::Previewed;
use crate::state::robot_handle::RobotHandle;
use crate::state::seals::{Owner, seal};
use crate::supervision;
use check::SealedBy;
use runtime::audit::AuditEntry;
use runtime::crash::{self, CrashPoint};
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{ConstraintPreview, TriedCommand};

/// Registered constraints of a station at most.
const CONSTRAINTS_MAX: usize = 10_000;
/// Previews that can wait for their confirmation; the oldest is forgotten.
const PREVIEWS_MAX: usize = 64;

/// Change that a person wants of one registered constraint, seen at one version of its set.
pub struct Wanted {
    /// The constraint.
    pub id: ConstraintId,
    /// Its new parameters; `None` removes it.
    pub new: Option<ConstraintKind>,
    /// The version of its set that the person saw.
    pub version: u64,
}

impl LimitSets {
    /// Adds a constraint. Adding only ever allows less.
    pub async fn add(
        &self,
        fleet: &Arc<Fleet>,
        by: &Session,
        constraint: Constraint,
    ) -> Result<BTreeMap<RobotId, u64>, OpError> {
        let mut registered = self.registered.lock().await;
        if registered.constraints.len() >= CONSTRAINTS_MAX {
            let message = format!("A station keeps at most {CONSTRAINTS_MAX} constraints.");
            return Err(OpError::limit_reached(CONSTRAINTS_MAX, message));
        }
        let mut next = registered.constraints.clone();
        next.push(constraint.clone());
        swap(fleet, by, &mut registered, next, &constraint).await
    }

    /// Makes a limit stricter. Anything that is not certainly stricter is refused.
    pub async fn tighten(
        &self,
        fleet: &Arc<Fleet>,
        by: &Session,
        wanted: Wanted,
    ) -> Result<BTreeMap<RobotId, u64>, OpError> {
        let mut registered = self.registered.lock().await;
        let old = present(fleet, &registered.constraints, &wanted)?;
        match wanted.new.as_ref().map(|new| old.kind.direction_to(new)) {
            Some(ChangeDirection::Tightening) => {}
            Some(ChangeDirection::Loosening) | None => {
                let message = "The new limit would allow something that the present one does not. Loosen it instead.";
                return Err(OpError::bad_input(FleetCode::NotTighter, "params_json", message));
            }
        }
        replace(fleet, by, &mut registered, old, wanted.new).await
    }

    /// Shows what a change would do, and remembers that it was shown.
    pub async fn preview(
        &self,
        fleet: &Arc<Fleet>,
        id: &ConstraintId,
        new: Option<ConstraintKind>,
    ) -> Result<ConstraintPreview, OpError> {
        let registered = self.registered.lock().await;
        let old = find(&registered.constraints, id)?;
        let bound = fleet.bound_by(old);
        let next = changed(&registered.constraints, old, new.clone());
        let mut sets = Vec::new();
        for unit in &bound {
            sets.push((Arc::clone(unit), Arc::new(compile(fleet, &next, unit)?)));
        }
        let versions = versions_of(&bound);
        // Without the limit more is allowed, whatever its parameters were.
        let direction = new.as_ref().map_or(ChangeDirection::Loosening, |new| old.kind.direction_to(new));
        let old = old.kind.clone();
        // Whoever changes a limit meanwhile makes this preview stale, and need not wait for it.
        drop(registered);
        let leaves_incomplete = sets.iter().any(|(_, limits)| !limits.is_complete());
        let Trial { recorded, to_deny, to_allow } = try_on_recorded(fleet, sets).await?;
        let shown = ConstraintPreview {
            preview_id: format!("pv-{}", uuid::Uuid::now_v7()),
            direction,
            old,
            new: new.clone(),
            leaves_incomplete,
            robots: bound.iter().map(|unit| unit.id().clone()).collect(),
            recorded,
            allow_to_deny_total: to_deny.count,
            allow_to_deny: to_deny.listed.into_iter().map(TriedCommand::from).collect(),
            deny_to_allow_total: to_allow.count,
            deny_to_allow: to_allow.listed.into_iter().map(TriedCommand::from).collect(),
        };
        let mut previews = lock(&self.previews);
        if previews.len() >= PREVIEWS_MAX {
            previews.pop_front();
        }
        previews.push_back(Previewed { preview_id: shown.preview_id.clone(), id: id.clone(), new, versions });
        Ok(shown)
    }

    /// Makes a limit looser, or removes it, exactly as it was shown.
    pub async fn loosen(
        &self,
        fleet: &Arc<Fleet>,
        by: &Session,
        wanted: Wanted,
        preview_id: &str,
    ) -> Result<BTreeMap<RobotId, u64>, OpError> {
        let mut registered = self.registered.lock().await;
        let old = present(fleet, &registered.constraints, &wanted)?;
        // Another limit that changed since alters what this one
        // would newly allow, so any newer version voids the preview.
        let versions = versions_of(&fleet.bound_by(&old));
        let was_shown = lock(&self.previews).iter().any(|shown| {
            shown.preview_id == preview_id
                && shown.id == wanted.id
                && shown.new == wanted.new
                && shown.versions == versions
        });
        if !was_shown {
            let message = "The limits have changed since this change was shown. Look at it again.";
            return Err(OpError::new(FleetCode::PreviewStale, message));
        }
        replace(fleet, by, &mut registered, old, wanted.new).await
    }
}

fn find<'a>(registered: &'a [Constraint], id: &ConstraintId) -> Result<&'a Constraint, OpError> {
    if id.as_str().starts_with("manifest-") {
        let message = "This limit stands in the robot's manifest and is changed there.";
        return Err(OpError::new(FleetCode::ManifestLimit, message));
    }
    let found = registered.iter().find(|constraint| &constraint.id == id);
    found.ok_or_else(|| OpError::not_found(FleetCode::ConstraintNotFound, "constraint", id))
}

/// The constraint, if its sets still have the version that was seen.
fn present(fleet: &Arc<Fleet>, registered: &[Constraint], wanted: &Wanted) -> Result<Constraint, OpError> {
    let old = find(registered, &wanted.id)?;
    let versions = versions_of(&fleet.bound_by(old));
    // One robot's version is enough: a mission's limit stands in several sets, and the caller has read one. A
    // limit that binds no robot here has none.
    if versions.is_empty() || versions.values().any(|version| *version == wanted.version) {
        return Ok(old.clone());
    }
    let message = "Somebody else has changed these limits. Look at them again.";
    Err(OpError::new(RuntimeCode::VersionConflict, message).with(json!({ "present": versions })))
}

fn changed(registered: &[Constraint], old: &Constraint, new: Option<ConstraintKind>) -> Vec<Constraint> {
    let replaced = new.map(|kind| Constraint { kind, ..old.clone() });
    registered
        .iter()
        .filter_map(|constraint| if constraint.id == old.id { replaced.clone() } else { Some(constraint.clone()) })
        .collect()
}

async fn replace(
    fleet: &Arc<Fleet>,
    by: &Session,
    registered: &mut Registered,
    old: Constraint,
    new: Option<ConstraintKind>,
) -> Result<BTreeMap<RobotId, u64>, OpError> {
    let next = changed(&registered.constraints, &old, new);
    swap(fleet, by, registered, next, &old).await
}

fn compile(fleet: &Arc<Fleet>, constraints: &[Constraint], unit: &RobotHandle) -> Result<Limits, OpError> {
    let version = unit.limits.load().version() + 1;
    let limits = Limits::compile(&unit.manifest, &fleet.binding(constraints, unit.id()), version)
        .map_err(|error| OpError::bad_input(FleetCode::BadConstraint, "params_json", error.to_string()))?;
    Ok(limits.with_numbers(fleet.settings.judge_numbers()))
}

/// Compiles the new sets, saves them with their records, and only then puts them in force. `about` is the constraint
/// that differs between what is registered and `next`.
async fn swap(
    fleet: &Arc<Fleet>,
    by: &Session,
    registered: &mut Registered,
    next: Vec<Constraint>,
    about: &Constraint,
) -> Result<BTreeMap<RobotId, u64>, OpError> {
    // While the audit is in doubt a new seal would vouch for stored rows that could not be checked.
    fleet.runtime.audit.check_undoubted()?;
    let bound = fleet.bound_by(about);
    let mut sets = Vec::new();
    for unit in &bound {
        // All sets compile before one is saved: a limit that fits only some of its robots is refused for all.
        sets.push((Arc::clone(unit), compile(fleet, &next, unit)?));
    }
    let change = match next.iter().find(|constraint| constraint.id == about.id) {
        Some(put) => ConstraintChange::Put(put.clone()),
        None => ConstraintChange::Remove(about.id.clone()),
    };
    let rows = sets.iter().map(|(unit, limits)| set_row(by, unit, limits, &about.id)).collect();
    let (Some(owner), Some(known)) = (Owner::of(about), &mut registered.known) else {
        return Err(OpError::new(
            FleetCode::StoreUnavailable,
            "The stored constraints cannot be read. Nothing was changed.",
        ));
    };
    let sealed = SealedBy { seal: seal(&owner, &next), owner, change: Some(change) };
    check::save(&fleet.runtime.audit, known, sealed, fleet.runtime.clock.now().wall_ms, rows).await?;
    crash::point(CrashPoint::SetChange);
    // Only now: a failed save must leave memory, disk and the limits in force as they were.
    registered.constraints = next;
    for (unit, limits) in sets {
        check::put_in_force(fleet, &unit, limits);
        tell_other_desks(fleet, by, &unit);
    }
    Ok(versions_of(&bound))
}

/// Whoever looks at another screen has seen other limits.
fn tell_other_desks(fleet: &Fleet, by: &Session, unit: &RobotHandle) {
    if fleet.presence.is_anybody_elsewhere(by.id()) {
        let sentence = format!("The limits of {} were changed by {}.", unit.id(), by.actor());
        fleet.observer.note_alarm(BuiltIn::LimitSetChanged, &Of::robot(unit.id()), sentence);
    }
}

fn set_row(by: &Session, unit: &RobotHandle, limits: &Limits, changed: &ConstraintId) -> (RobotId, SetRow, AuditEntry) {
    let (version, hash) = (limits.version(), limits.hash().to_string());
    let record = AuditEntry::by(by, "constraint_set", "ok").about(format!("robot={} constraint={changed}", unit.id()));
    let record = AuditEntry { set_version: Some(version), input_hash: Some(hash.clone()), ..record };
    (unit.id().clone(), SetRow { version, hash }, record)
}

/// Ends a motion under way that the new set no longer allows.
fn judge_again(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>) {
    let (limits, now) = (unit.limits.load_full(), fleet.runtime.clock.now().station);
    // The motion continues as it is, so set-points must not count as a change of its speed.
    let state = RobotState { set_points: Vec::new(), ..unit.robot_state() };
    // Preconditions such as age and set version applied when it was sent, and do not end a motion under way.
    let breaks = |command: &robot::Command| {
        let items = explain(&limits, &state, command, now);
        items.iter().any(|item| item.is_violated() && item.kind != Kind::Precondition)
    };
    let orders: Vec<robot::Command> = unit.control().orders().cloned().collect();
    if orders.iter().any(breaks) {
        let ahead = [SafetyCause::BreachAhead].into_iter().collect();
        supervision::step(fleet, unit, ahead, None);
    }
}

fn versions_of(units: &[Arc<RobotHandle>]) -> BTreeMap<RobotId, u64> {
    units.iter().map(|unit| (unit.id().clone(), unit.limits.load().version())).collect()
}
