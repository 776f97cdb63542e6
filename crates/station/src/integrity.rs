//! Consequences of an audit that is not what was written: no robot is armed, standing approvals are void, people are
//! told, and an administrator takes it as it was found.

use std::sync::Arc;
use std::time::Duration;

use world::alarm::{BuiltIn, Of};

use crate::code::StationCode;
use crate::station::Station;
use runtime::audit::{AuditEntry, Found, found_more};
use runtime::error::{OpError, RuntimeCode};
use runtime::session::Session;
use runtime::wire::{AuditAccepted, AuditState, Tag};

/// Pause before a check that the disk did not let through is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// The limit of keys that come from variables.
const NO_MARK_OUTSIDE: &str = "Keys come from the environment, so nothing outside the data directory tells where the \
    audit ended: a directory that was put back whole to an earlier state would not be noticed.";

/// Follows the whole audit, and tells of whatever is found in it, until the station ends.
pub(crate) fn start(station: &Arc<Station>) {
    if station.runtime.audit.is_blind_to_a_whole_rollback() {
        station.runtime.bus.event("no_mark_outside", NO_MARK_OUTSIDE);
    }
    let checking = Arc::clone(station);
    station.runtime.spawn(async move {
        // No robot is armed before the whole audit was checked (decision 0122), so a failing disk is tried again.
        while let Err(error) = checking.runtime.audit.check_whole(&checking.runtime.db).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the audit cannot be checked");
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = checking.runtime.ended.cancelled() => return,
            }
        }
    });
    let telling = Arc::clone(station);
    station.runtime.spawn(async move {
        let mut known = telling.runtime.audit.integrity().subscribe();
        let mut told = Vec::new();
        loop {
            tell(&telling, &mut told).await;
            tokio::select! {
                changed = known.changed() => if changed.is_err() { return },
                () = telling.runtime.ended.cancelled() => return,
            }
        }
    });
}

/// Announces what was found since the last call; `told` holds what people know already.
async fn tell(station: &Arc<Station>, told: &mut Vec<Found>) {
    // The borrow is a lock: it ends before the first await.
    let (checked, found) = {
        let known = station.runtime.audit.integrity().borrow();
        (known.checked, known.found.clone())
    };
    let news: Vec<&Found> = found.iter().filter(|found| !told.contains(found)).collect();
    for found in &news {
        let code = found.code();
        let code = if code == RuntimeCode::SetTampered { StationCode::AuditBroken.into() } else { code };
        station.runtime.bus.event(code.as_str(), found.to_string());
    }
    // A standing approval rests on a record of who granted it; with records in doubt each action asks again.
    if news.iter().any(|found| found.is_difference()) {
        station.proposals.standing.void_all(station, &Session::supervision(), "the audit is not what was written");
    }
    if found != *told {
        station.fleet.limit_sets.check(&station.fleet).await;
        told.clone_from(&found);
    }
    // Before the check has ended, an empty list proves nothing and must not clear the alarm.
    if checked || !found.is_empty() {
        let sentence = || found.first().map_or_else(String::new, ToString::to_string);
        station.sensing.alarms.set(BuiltIn::AuditChainBroken, &Of::station(), !found.is_empty(), sentence);
    }
    let mut unrecorded = Vec::new();
    // Taken without a notification, which would wake this very task.
    station.runtime.audit.integrity().send_if_modified(|known| {
        unrecorded = std::mem::take(&mut known.unrecorded);
        false
    });
    for sentence in unrecorded {
        station.runtime.bus.event("record_missing", sentence.clone());
        station.sensing.alarms.note(BuiltIn::RecordMissing, &Of::station(), sentence);
    }
    station.runtime.bus.changed(Tag::Safety);
}

/// The knowledge of the audit so far.
pub(crate) fn state(station: &Station) -> AuditState {
    let known = station.runtime.audit.integrity().borrow();
    AuditState {
        checked: known.checked,
        found: known.found.iter().map(ToString::to_string).collect(),
        found_kinds: known.found.iter().map(Into::into).collect(),
        accepted_up_to: known.mark.as_ref().and_then(|mark| mark.base.as_ref()).map(|base| base.at.seq),
    }
}

/// Takes the audit, and the limits with it, as they were found, if `seen` has all of it. That, and what was found,
/// is on record first.
pub(crate) async fn accept(station: &Arc<Station>, by: &Session, seen: &[String]) -> Result<AuditAccepted, OpError> {
    if !station.runtime.audit.is_checked_soon().await {
        let message = "The audit is still being checked: not everything that is wrong with it is known yet.";
        return Err(OpError::new(RuntimeCode::AuditUnchecked, message));
    }
    let differences = station.runtime.audit.integrity().borrow().found.clone();
    if differences.is_empty() {
        return Err(OpError::new(
            StationCode::AuditIntact,
            "The audit is what was written; there is nothing to accept.",
        ));
    }
    let mut found: Vec<String> = differences.iter().map(ToString::to_string).collect();
    // What was found after the Admin looked would be accepted unseen (decision 0126).
    if found.iter().any(|sentence| !seen.contains(sentence)) {
        return Err(found_more());
    }
    found.extend(station.fleet.limit_sets.differences(&station.fleet).await?);
    // One record for each: a record keeps no more than the beginning of a long sentence.
    for sentence in &found {
        station.runtime.audit.commit(AuditEntry::by(by, "audit_accepted", "found").about(sentence.clone())).await?;
    }
    let base = station.runtime.audit.base_here(&station.runtime.db).await?;
    let accepted_up_to = base.at.seq;
    // The new base comes last: after a failure here the differences are still found, and can be accepted again.
    station.fleet.limit_sets.take_as_found(&station.fleet).await?;
    station.runtime.audit.accept(base, &differences).await?;
    station.fleet.limit_sets.check(&station.fleet).await;
    Ok(AuditAccepted { found, accepted_up_to })
}
