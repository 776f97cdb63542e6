//! Comparing the stored constraints with what was saved: at start, before every arming, and every few seconds. A
//! robot whose rows are not right cannot be armed, and is held if it is.

use std::sync::Arc;
use std::time::Duration;

use memory::{ConstraintChange, SealedChange, SetChange, SetRow, StationDb, StoredConstraints};
use robot::Manifest;
use safety::machine::CauseSet;
use safety::{Constraint, Limits};
use tokio::time::MissedTickBehavior;

use crate::control::unconstrained_grants;
use crate::fleet::Fleet;
use crate::state::limit_store::{LimitSets, Registered};
use crate::state::robot_handle::RobotHandle;
use crate::state::seals::{Known, Owner, SetFault, SetFaultKind, seal};
use crate::supervision;
use runtime::audit::{Audit, AuditEntry};
use runtime::error::OpError;
use runtime::wire::{Fact, Tag};

/// Time between two comparisons of the stored constraints while the station runs.
const CHECK_EVERY: Duration = Duration::from_secs(2);

impl LimitSets {
    /// Reads what is stored and what the audit says was saved. What cannot be read binds nobody, and nobody is armed;
    /// nor is anybody while the audit is in doubt.
    pub async fn load(db: &StationDb, audit: &Audit, at_ms: i64) -> Self {
        let loaded = match read(db, audit).await {
            // Without a trusted audit nothing says what was saved: the rows
            // are shown, and `known` stays empty so that no robot is armed.
            Ok((stored, _)) if audit.doubt().is_some() => Ok((stored, None)),
            Ok((stored, None)) => take_over(&stored, audit, at_ms).await.map(|known| (stored, Some(known))),
            Ok((stored, Some(known))) => Ok((stored, Some(known))),
            Err(error) => Err(error),
        };
        let registered = loaded.map_or_else(
            |error| {
                tracing::error!(%error, "the constraints are not known");
                Registered::default()
            },
            |(stored, known)| Registered { constraints: readable(&stored), known },
        );
        Self { registered: tokio::sync::Mutex::new(registered), previews: Default::default() }
    }

    /// Compares every few seconds until the station ends.
    pub fn watch(fleet: &Arc<Fleet>) {
        let watching = Arc::clone(fleet);
        fleet.runtime.spawn(async move {
            let mut ticks = tokio::time::interval(CHECK_EVERY);
            // A disk that was slow must not be asked for all the missed looks at once.
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = watching.runtime.ended.cancelled() => return,
                    _ = ticks.tick() => watching.limit_sets.check(&watching).await,
                }
            }
        });
    }

    /// Compares now. What is right is in force afterwards, for the robots whose rows are right.
    pub async fn check(&self, fleet: &Arc<Fleet>) {
        let mut registered = self.registered.lock().await;
        let found = self.faults(fleet, &mut registered).await;
        for unit in fleet.units() {
            let concerns = |fault: &&SetFault| fault.owner.as_ref().is_none_or(|owner| fleet.owns(owner, unit.id()));
            let fault = match found.iter().find(concerns) {
                Some(fault) => Some(fault.clone()),
                None => take_up(fleet, &mut registered, &unit).await.err(),
            };
            note(fleet, &unit, fault);
        }
    }

    /// Stored limits that differ from those the audit says were saved, as far as it can be believed.
    pub async fn differences(&self, fleet: &Fleet) -> Result<Vec<String>, OpError> {
        let (stored, known) = read(&fleet.runtime.db, &fleet.runtime.audit).await?;
        Ok(known.unwrap_or_default().faults(&stored).into_iter().map(|fault| fault.sentence).collect())
    }

    /// Seals what is stored as it is. Only for an audit that is accepted as it was found.
    pub async fn take_as_found(&self, fleet: &Fleet) -> Result<(), OpError> {
        let mut registered = self.registered.lock().await;
        let stored = fleet.runtime.db.constraints().await?;
        registered.known = Some(take_over(&stored, &fleet.runtime.audit, fleet.runtime.clock.now().wall_ms).await?);
        registered.constraints = readable(&stored);
        Ok(())
    }

    /// Faults of the stored constraints now. Rows that are all right become the registered ones.
    async fn faults(&self, fleet: &Fleet, registered: &mut Registered) -> Vec<SetFault> {
        if let Err(doubted) = fleet.runtime.audit.check_undoubted() {
            return vec![SetFault { kind: SetFaultKind::Tampered, sentence: doubted.message, owner: None }];
        }
        if registered.known.is_none() {
            let now = fleet.runtime.clock.now().wall_ms;
            registered.known = match read(&fleet.runtime.db, &fleet.runtime.audit).await {
                // Reading has just found a damaged record, so nothing that it gave is used.
                Ok(_) if fleet.runtime.audit.doubt().is_some() => None,
                Ok((_, Some(known))) => Some(known),
                // A failure is tried again at the next look; until then every robot has a fault.
                Ok((stored, None)) => take_over(&stored, &fleet.runtime.audit, now).await.ok(),
                Err(_) => None,
            };
        }
        let Some(known) = &registered.known else { return vec![unavailable("The constraints cannot be read.")] };
        match fleet.runtime.db.constraints().await {
            Ok(stored) => {
                let faults = known.faults(&stored);
                // All or nothing: a set with one doubtful row stays the one that was in force.
                if faults.is_empty() {
                    registered.constraints = readable(&stored);
                }
                faults
            }
            Err(error) => vec![unavailable(&format!("The constraints cannot be read: {error}."))],
        }
    }
}

/// The limits a robot starts with: those that were saved, or its manifest's own if they do not compile. `check` names
/// what does not, and nothing is armed until it does.
pub(crate) fn first_limits(
    fleet: &Arc<Fleet>,
    registered: &Registered,
    manifest: &Manifest,
) -> Result<Limits, safety::CompileError> {
    let saved = registered.known.as_ref().and_then(|known| known.sets.get(&manifest.id));
    let version = saved.map_or(1, |set| set.version);
    let binding = fleet.binding(&registered.constraints, &manifest.id);
    let limits = Limits::compile(manifest, &binding, version).or_else(|_| Limits::compile(manifest, &[], version))?;
    Ok(limits.with_numbers(fleet.settings.judge_numbers()))
}

async fn read(db: &StationDb, audit: &Audit) -> Result<(StoredConstraints, Option<Known>), OpError> {
    let stored = db.constraints().await?;
    let base = audit.base_seq();
    let records: Vec<_> = db.audit_of_constraints().await?.into_iter().filter(|line| line.seq > base).collect();
    Ok((stored, Known::from_records(audit.believed(&records))))
}

/// Seals the rows of a database that was never sealed: a new one, one of a version before seals, or one that was taken
/// as it was found.
async fn take_over(stored: &StoredConstraints, audit: &Audit, at_ms: i64) -> Result<Known, OpError> {
    let rows = readable(stored);
    // Owners without rows as well: one whose last limit was removed is sealed as empty.
    let sealed = stored.seals.keys().filter_map(|owner| owner.parse().ok());
    let mut owners: Vec<Owner> = rows.iter().filter_map(Owner::of).chain(sealed).collect();
    owners.sort();
    owners.dedup();
    let mut known = Known::default();
    for owner in owners {
        let seal = seal(&owner, &rows);
        save(audit, &mut known, SealedBy { owner, seal, change: None }, at_ms, Vec::new()).await?;
    }
    for (robot, set) in &stored.sets {
        if let Ok(robot) = robot::RobotId::new(robot.clone()) {
            let record = AuditEntry::by_station("constraint_set", "taken_over").about(format!("robot={robot}"));
            let record = AuditEntry { input_hash: Some(set.hash.clone()), set_version: Some(set.version), ..record };
            audit.commit(record).await?;
            known.sets.insert(robot, set.clone());
        }
    }
    Ok(known)
}

/// An owner's constraints as they are after a change.
pub(super) struct SealedBy {
    pub owner: Owner,
    pub seal: String,
    pub change: Option<ConstraintChange>,
}

/// Saves a seal with its own record and `records`, and knows it from then on.
pub(super) async fn save(
    audit: &Audit,
    known: &mut Known,
    sealed: SealedBy,
    at_ms: i64,
    sets: Vec<(robot::RobotId, SetRow, AuditEntry)>,
) -> Result<(), OpError> {
    let SealedBy { owner, seal, change } = sealed;
    let record = AuditEntry::by_station("constraint_seal", "ok").about(format!("owner={owner}"));
    let mut records = vec![AuditEntry { input_hash: Some(seal.clone()), ..record }];
    let rows = sets.iter().map(|(robot, set, _)| (robot.clone(), set.clone())).collect();
    let written = SealedChange { change, owner: owner.to_string(), seal: seal.clone() };
    records.extend(sets.iter().map(|(_, _, record)| record.clone()));
    audit.commit_change(SetChange { sealed: Some(written), at_ms, sets: rows }, records).await?;
    known.seals.insert(owner, seal);
    known.sets.extend(sets.into_iter().map(|(robot, set, _)| (robot, set)));
    Ok(())
}

/// Puts the registered constraints in force for `unit`, as a new version if they make another set than the saved one:
/// a manifest or a mission file has changed.
async fn take_up(fleet: &Arc<Fleet>, registered: &mut Registered, unit: &Arc<RobotHandle>) -> Result<(), SetFault> {
    let Some(known) = &mut registered.known else { return Ok(()) };
    let (present, saved) = (unit.limits.load_full(), known.sets.get(unit.id()));
    let as_saved = |limits: &Limits| {
        saved.is_some_and(|set| set.version == limits.version() && set.hash == limits.hash().to_string())
    };
    let own = fleet.binding(&registered.constraints, unit.id());
    if as_saved(&present) && same_registered(&present, &own) {
        return Ok(());
    }
    let unreadable = |error: safety::CompileError| SetFault {
        kind: SetFaultKind::Unreadable,
        sentence: format!("The constraints of {} do not fit it: {error}.", unit.id()),
        owner: Some(Owner::Robot(unit.id().clone())),
    };
    let numbers = fleet.settings.judge_numbers();
    let compile = |version| {
        let limits = Limits::compile(&unit.manifest, &own, version).map_err(unreadable)?;
        Ok(limits.with_numbers(numbers))
    };
    let limits = compile(saved.map_or(1, |set| set.version))?;
    // The saved version stands for another set; a set that differs gets a number of its own.
    let limits = if saved.is_none() || as_saved(&limits) { limits } else { compile(limits.version() + 1)? };
    if !as_saved(&limits) {
        let set = SetRow { version: limits.version(), hash: limits.hash().to_string() };
        let about = format!("robot={} by its manifest or a mission file", unit.id());
        let record = AuditEntry::by_station("constraint_set", "ok").about(about);
        let record = AuditEntry { input_hash: Some(set.hash.clone()), set_version: Some(set.version), ..record };
        let sets = [(unit.id().clone(), set.clone())].into();
        let change = SetChange { sealed: None, at_ms: fleet.runtime.clock.now().wall_ms, sets };
        let saved = fleet.runtime.audit.commit_change(change, vec![record]).await;
        saved.map_err(|error| unavailable(&format!("The constraints cannot be saved: {}", error.message)))?;
        // After the commit: what is known must not run ahead of the audit.
        known.sets.insert(unit.id().clone(), set);
    }
    put_in_force(fleet, unit, limits);
    Ok(())
}

/// From here on what was approved under the old set is refused at sending, a robot whose set is not complete is armed
/// no longer, and a motion that the new set does not allow ends.
pub(super) fn put_in_force(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, limits: Limits) {
    let version = limits.version();
    unit.limits.store(Arc::new(limits));
    unit.fence.set_set_version(version);
    unconstrained_grants::end_if_complete(fleet, unit);
    fleet.runtime.bus.fact(Fact::ConstraintSet { robot: unit.id().clone(), version }, Some(Tag::Constraints));
    supervision::step(fleet, unit, CauseSet::EMPTY, None);
    super::judge_again(fleet, unit);
    fleet.tell_safety(std::slice::from_ref(unit));
}

fn same_registered(limits: &Limits, own: &[Constraint]) -> bool {
    let of_set = limits.constraints().iter().filter(|constraint| !constraint.id.as_str().starts_with("manifest-"));
    let mut own: Vec<&Constraint> = own.iter().collect();
    own.sort_by(|a, b| a.id.cmp(&b.id));
    of_set.eq(own)
}

fn note(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, fault: Option<SetFault>) {
    let is_new = {
        let mut control = unit.control();
        let is_new = control.set_fault != fault;
        control.set_fault.clone_from(&fault);
        is_new
    };
    // The same fault is found every two seconds and told once.
    if !is_new {
        return;
    }
    if let Some(fault) = &fault {
        tracing::error!(robot = %unit.id(), fault = fault.sentence, "the constraints are not right");
        fleet.runtime.bus.event(fault.kind.code().as_str(), format!("{}: {}", unit.id(), fault.sentence));
    }
    supervision::step(fleet, unit, CauseSet::EMPTY, None);
    fleet.tell_safety(std::slice::from_ref(unit));
}

fn readable(stored: &StoredConstraints) -> Vec<Constraint> {
    stored.rows.iter().filter_map(|row| row.constraint.clone().ok()).collect()
}

fn unavailable(sentence: &str) -> SetFault {
    SetFault { kind: SetFaultKind::StoreUnavailable, sentence: sentence.to_owned(), owner: None }
}
