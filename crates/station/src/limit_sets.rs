//! Changing the limits in force: compiled and saved first, then swapped in whole, or not at all.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use memory::ConstraintChange;
use robot::{ConstraintId, RobotId};
use safety::machine::{Act, CauseSet, SafetyCause};
use safety::{ArmingProblem, ChangeDirection, Constraint, ConstraintKind, Kind, Limits, explain};
use serde_json::json;

use crate::audit::Happening;
use crate::error::OpError;
use crate::lock::lock;
use crate::session::Session;
use crate::station::Station;
use crate::supervision;
use crate::unit::RobotUnit;
use crate::wire::{ConstraintPreview, Fact, Tag};

/// Registered constraints of a station at most.
const CONSTRAINTS_MAX: usize = 10_000;
/// Previews that can wait for their confirmation; the oldest is forgotten.
const PREVIEWS_MAX: usize = 64;

/// Registered constraints. Its lock is held while they change, so that changes follow one another.
pub(crate) struct LimitSets {
    registered: tokio::sync::Mutex<Vec<Constraint>>,
    previews: Mutex<VecDeque<Previewed>>,
}

/// A change that was shown to a person.
#[derive(Debug, Clone)]
struct Previewed {
    preview_id: String,
    id: ConstraintId,
    new: Option<ConstraintKind>,
    versions: BTreeMap<RobotId, u64>,
}

/// What a person wants of one registered constraint, seen at one version of its set.
pub(crate) struct Wanted {
    pub id: ConstraintId,
    /// Its new parameters; `None` removes it.
    pub new: Option<ConstraintKind>,
    pub version: u64,
}

impl LimitSets {
    pub fn new(registered: Vec<Constraint>) -> Self {
        Self { registered: tokio::sync::Mutex::new(registered), previews: Mutex::default() }
    }

    /// Everything registered, in the order it was made. Nothing changes while the guard is held.
    pub async fn registered(&self) -> tokio::sync::MutexGuard<'_, Vec<Constraint>> {
        self.registered.lock().await
    }

    /// Adds a constraint. Adding only ever allows less.
    pub async fn add(
        &self,
        station: &Arc<Station>,
        by: &Session,
        constraint: Constraint,
    ) -> Result<BTreeMap<RobotId, u64>, OpError> {
        let mut registered = self.registered.lock().await;
        if registered.len() >= CONSTRAINTS_MAX {
            let message = format!("A station keeps at most {CONSTRAINTS_MAX} constraints.");
            return Err(OpError::conflict("limit_reached", message));
        }
        let mut next = registered.clone();
        next.push(constraint.clone());
        let bound = station.bound_by(&constraint);
        let versions = swap(station, by, &next, &ConstraintChange::Put(constraint), &bound).await?;
        *registered = next;
        Ok(versions)
    }

    /// Makes a limit stricter. Anything that is not certainly stricter is refused.
    pub async fn tighten(
        &self,
        station: &Arc<Station>,
        by: &Session,
        wanted: Wanted,
    ) -> Result<BTreeMap<RobotId, u64>, OpError> {
        let mut registered = self.registered.lock().await;
        let old = present(station, &registered, &wanted)?;
        match wanted.new.as_ref().map(|new| old.kind.direction_to(new)) {
            Some(ChangeDirection::Tightening) => {}
            Some(ChangeDirection::Loosening) | None => {
                let message = "The new limit would allow something that the present one does not. Loosen it instead.";
                return Err(OpError::bad_input("not_tighter", "params_json", message));
            }
        }
        replace(station, by, &mut registered, old, wanted.new).await
    }

    /// Shows what a change would do, and remembers that it was shown.
    pub async fn preview(
        &self,
        station: &Arc<Station>,
        id: &ConstraintId,
        new: Option<ConstraintKind>,
    ) -> Result<ConstraintPreview, OpError> {
        let registered = self.registered.lock().await;
        let old = find(&registered, id)?;
        let bound = station.bound_by(old);
        let next = changed(&registered, old, new.clone());
        let now = station.clock.now().station;
        let mut leaves_incomplete = false;
        for unit in &bound {
            let problem = compile(station, &next, unit)?.arming_problem(&unit.robot_state(), now);
            leaves_incomplete |= matches!(problem, Some(ArmingProblem::EmptySet { .. }));
        }
        let direction = new.as_ref().map_or(ChangeDirection::Loosening, |new| old.kind.direction_to(new));
        let shown = ConstraintPreview {
            preview_id: format!("pv-{}", uuid::Uuid::now_v7()),
            direction,
            old: old.kind.clone(),
            new: new.clone(),
            leaves_incomplete,
            robots: bound.iter().map(|unit| unit.id().clone()).collect(),
        };
        let versions = versions_of(&bound);
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
        station: &Arc<Station>,
        by: &Session,
        wanted: Wanted,
        preview_id: &str,
    ) -> Result<BTreeMap<RobotId, u64>, OpError> {
        let mut registered = self.registered.lock().await;
        let old = present(station, &registered, &wanted)?;
        let versions = versions_of(&station.bound_by(&old));
        let was_shown = lock(&self.previews).iter().any(|shown| {
            shown.preview_id == preview_id
                && shown.id == wanted.id
                && shown.new == wanted.new
                && shown.versions == versions
        });
        if !was_shown {
            let message = "The limits have changed since this change was shown. Look at it again.";
            return Err(OpError::conflict("preview_stale", message));
        }
        replace(station, by, &mut registered, old, wanted.new).await
    }
}

fn find<'a>(registered: &'a [Constraint], id: &ConstraintId) -> Result<&'a Constraint, OpError> {
    if id.as_str().starts_with("manifest-") {
        let message = "This limit stands in the robot's manifest and is changed there.";
        return Err(OpError::conflict("manifest_limit", message));
    }
    let found = registered.iter().find(|constraint| &constraint.id == id);
    found.ok_or_else(|| OpError::not_found("constraint_not_found", "constraint", id))
}

/// The constraint, if its sets still have the version that was seen.
fn present(station: &Arc<Station>, registered: &[Constraint], wanted: &Wanted) -> Result<Constraint, OpError> {
    let old = find(registered, &wanted.id)?;
    let versions = versions_of(&station.bound_by(old));
    if versions.is_empty() || versions.values().any(|version| *version == wanted.version) {
        return Ok(old.clone());
    }
    let message = "Somebody else has changed these limits. Look at them again.";
    Err(OpError::conflict("version_conflict", message).with(json!({ "present": versions })))
}

fn changed(registered: &[Constraint], old: &Constraint, new: Option<ConstraintKind>) -> Vec<Constraint> {
    let replaced = new.map(|kind| Constraint { kind, ..old.clone() });
    registered
        .iter()
        .filter_map(|constraint| if constraint.id == old.id { replaced.clone() } else { Some(constraint.clone()) })
        .collect()
}

async fn replace(
    station: &Arc<Station>,
    by: &Session,
    registered: &mut Vec<Constraint>,
    old: Constraint,
    new: Option<ConstraintKind>,
) -> Result<BTreeMap<RobotId, u64>, OpError> {
    let next = changed(registered, &old, new);
    let bound = station.bound_by(&old);
    let change = match next.iter().find(|constraint| constraint.id == old.id) {
        Some(put) => ConstraintChange::Put(put.clone()),
        None => ConstraintChange::Remove(old.id),
    };
    let versions = swap(station, by, &next, &change, &bound).await?;
    *registered = next;
    Ok(versions)
}

fn compile(station: &Arc<Station>, constraints: &[Constraint], unit: &RobotUnit) -> Result<Limits, OpError> {
    let version = unit.limits.load().version() + 1;
    Limits::compile(&unit.manifest, &station.binding(constraints, unit.id()), version)
        .map_err(|error| OpError::bad_input("bad_constraint", "params_json", error.to_string()))
}

/// Compiles the new sets, saves them, and only then puts them in force.
async fn swap(
    station: &Arc<Station>,
    by: &Session,
    next: &[Constraint],
    change: &ConstraintChange,
    bound: &[Arc<RobotUnit>],
) -> Result<BTreeMap<RobotId, u64>, OpError> {
    let mut sets = Vec::new();
    for unit in bound {
        sets.push((Arc::clone(unit), compile(station, next, unit)?));
    }
    let rows = sets.iter().map(|(unit, limits)| (unit.id().clone(), (limits.version(), limits.hash().to_string())));
    station.db.change_constraints(change, station.clock.now().wall_ms, &rows.collect()).await?;
    for (unit, limits) in sets {
        let version = limits.version();
        let about = format!("robot={} constraint={} hash={}", unit.id(), changed_id(change), limits.hash());
        let changed = Happening::by(by, "constraint_set", "ok").about(about);
        // The call's own record comes after this one and is on disk before the call is answered; so is this.
        station.audit.note_done(Happening { set_version: Some(version), ..changed });
        unit.limits.store(Arc::new(limits));
        // From here on what was approved under the old set is refused at sending.
        unit.fence.set_set_version(version);
        disarm_if_incomplete(station, &unit);
        judge_again(station, &unit);
        station.hub.fact(Fact::ConstraintSet { robot: unit.id().clone(), version }, Some(Tag::Constraints));
        station.tell_safety(&[unit]);
    }
    Ok(versions_of(bound))
}

fn changed_id(change: &ConstraintChange) -> &ConstraintId {
    match change {
        ConstraintChange::Put(constraint) => &constraint.id,
        ConstraintChange::Remove(id) => id,
    }
}

fn disarm_if_incomplete(station: &Arc<Station>, unit: &Arc<RobotUnit>) {
    let problem = unit.limits.load().arming_problem(&unit.robot_state(), station.clock.now().station);
    if matches!(problem, Some(ArmingProblem::EmptySet { .. })) {
        unit.fence.engage();
        supervision::step(station, unit, CauseSet::EMPTY, Some(Act::Disarm { looked: false }));
    }
}

/// Ends a motion under way that the new set no longer allows.
fn judge_again(station: &Arc<Station>, unit: &Arc<RobotUnit>) {
    let (limits, state, now) = (unit.limits.load_full(), unit.robot_state(), station.clock.now().station);
    // That it was sent a while ago, and under an older set, is no reason to end it.
    let breaks = |command: &robot::Command| {
        let items = explain(&limits, &state, command, now);
        items.iter().any(|item| item.is_violated() && item.kind != Kind::Precondition)
    };
    let running: Vec<robot::Command> = unit.control().running().cloned().collect();
    if running.iter().any(breaks) {
        let ahead = [SafetyCause::BreachAhead].into_iter().collect();
        supervision::step(station, unit, ahead, None);
    }
}

fn versions_of(units: &[Arc<RobotUnit>]) -> BTreeMap<RobotId, u64> {
    units.iter().map(|unit| (unit.id().clone(), unit.limits.load().version())).collect()
}
