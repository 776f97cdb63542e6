//! Standing approvals: motions of one kind within numeric bounds, so often, for so long. Void on any stop and on
//! any change of the robot's limits; what it covers is still judged and bound like everything else.

mod evidence;
mod of_mission;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use memory::StandingApproval;
use robot::{Instant, MissionId, RawCommand, RobotId, SessionId};
use safety::Envelope;
use safety::approval::tier::Tier;

use super::content::Content;
use crate::code::StationCode;
use crate::operations::SEND_COMMAND;
use crate::station::Station;
use agent_runner::AgentUnit;
use fleet::FleetCode;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{StandingApprovalChanged, StandingApprovalRow, Tag};

/// Uses of one standing approval; after that a person looks again.
const USES_MAX: u64 = 100;
/// Longest life of one standing approval: one shift, hours.
const HOURS_MAX: f64 = 8.0;
/// Standing approvals that can hold at once; more than a person can keep in mind.
const STANDING_MAX: usize = 100;

/// A standing approval as a person asks for it.
pub(crate) struct Grant {
    pub robot: RobotId,
    pub mission: Option<MissionId>,
    pub operation: String,
    pub envelope: Envelope,
    pub count: u64,
    pub hours: f64,
}

/// A standing approval that covers a motion.
pub(super) struct Covering {
    pub id: String,
    pub granted_by: String,
    /// The session that granted it in this run: in control, but not for itself alone, it lets this happen.
    pub session: Option<SessionId>,
}

/// Every standing approval that holds. What has ended is on disk only.
#[derive(Default)]
pub(crate) struct StandingApprovals {
    held: Mutex<BTreeMap<String, Held>>,
}

#[derive(Debug, Clone)]
struct Held {
    row: StandingApproval,
    expires: Instant,
    /// The session that granted it in this run.
    session: Option<SessionId>,
}

impl StandingApprovals {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Held>> {
        lock(&self.held)
    }

    /// Takes up what an earlier run has left. Time that passed meanwhile counts, also if the wall clock was set
    /// back. An approval whose grant is not on record is dropped, and so is every one while the audit is in doubt.
    pub async fn load(&self, station: &Station) -> Result<(), memory::MemoryError> {
        let now = station.runtime.clock.now();
        let granted = evidence::granted(&station.runtime.audit.evidence(&station.runtime.db).await?);
        for row in station.runtime.db.standing_approvals().await? {
            let is_doubted = station.runtime.audit.doubt().is_some();
            if is_doubted || !granted.holds(&row) {
                let reason = if is_doubted { "the audit is not what was written" } else { "not on record" };
                station.runtime.db.end_standing_approval(&row.id, reason).await?;
                record_end(station, None, &row, reason);
                let sentence = format!("Standing approval {} was dropped: {reason}.", row.id);
                station.runtime.audit.note_unrecorded(sentence);
                continue;
            }
            let lasts_ms = u64::try_from(row.expires_ms.saturating_sub(now.wall_ms)).unwrap_or(0);
            let granted_later = row.granted_ms > now.wall_ms;
            if lasts_ms == 0 || granted_later || Duration::from_millis(lasts_ms) > lasting(HOURS_MAX) {
                station.runtime.db.end_standing_approval(&row.id, "expired").await?;
                continue;
            }
            let expires = now.station.plus(Duration::from_millis(lasts_ms));
            self.lock().insert(row.id.clone(), Held { row, expires, session: None });
        }
        Ok(())
    }

    /// Every standing approval that holds, oldest first.
    pub fn list(&self) -> Vec<StandingApprovalRow> {
        self.lock().values().map(Held::shown).collect()
    }

    /// Grants a standing approval; on disk when this returns.
    pub async fn grant(
        &self,
        station: &Station,
        by: &Session,
        grant: Grant,
    ) -> Result<StandingApprovalChanged, OpError> {
        check(station, &grant)?;
        if self.lock().len() >= STANDING_MAX {
            let message = format!("At most {STANDING_MAX} standing approvals hold at once.");
            return Err(OpError::limit_reached(STANDING_MAX, message));
        }
        let (now, lasts) = (station.runtime.clock.now(), lasting(grant.hours));
        // Read before the disk is waited for: whatever stop follows is one that came first.
        let (stop_id, presses) = (station.fleet.stops.last_id(), station.fleet.stops.presses());
        let row = StandingApproval {
            id: format!("sa-{}", uuid::Uuid::now_v7()),
            set_version: station.fleet.unit(&grant.robot)?.limits.load().version(),
            robot: grant.robot,
            mission: grant.mission,
            operation: grant.operation,
            envelope: grant.envelope,
            uses_max: grant.count,
            uses: 0,
            granted_by: by.actor().to_owned(),
            granted_ms: now.wall_ms,
            expires_ms: now.wall_ms.saturating_add(i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX)),
            stop_id,
            ended: None,
        };
        let id = row.id.clone();
        // On record first: a row without its record is dropped by the next start.
        station.runtime.audit.commit(evidence::record(by, &row, grant.hours)).await?;
        station.runtime.db.add_standing_approval(&row).await?;
        {
            let mut held = self.lock();
            // Asked under the lock that every stop takes to void what is held.
            if station.fleet.stops.presses() != presses {
                return Err(OpError::new(FleetCode::StoppedMeanwhile, "A stop came first; nothing was granted."));
            }
            let session = Some(by.id().clone());
            held.insert(id.clone(), Held { row, expires: now.station.plus(lasts), session });
        }
        station.runtime.bus.changed(Tag::Proposals);
        Ok(StandingApprovalChanged { message: "Granted until its count or time is used up, or a stop".into(), id })
    }

    /// Takes a standing approval back; on disk when this returns.
    pub async fn revoke(&self, station: &Station, by: &Session, id: &str) -> Result<StandingApprovalChanged, OpError> {
        // Out of force before the disk is asked: meanwhile it must cover nothing.
        let Some(held) = self.lock().remove(id) else {
            return Err(OpError::not_found(StationCode::StandingApprovalNotFound, "standing approval", id));
        };
        record_end(station, Some(by), &held.row, "revoked");
        station.runtime.db.end_standing_approval(id, "revoked").await?;
        Ok(StandingApprovalChanged { message: format!("Revoked after {} uses", held.row.uses), id: id.to_owned() })
    }

    /// Takes every approval back. In force when this returns; the disk follows, and knows of the stop anyway.
    pub fn void_all(&self, station: &Station, by: &Session, reason: &str) {
        let voided = std::mem::take(&mut *self.lock());
        voided.values().for_each(|held| end(station, Some(by), &held.row, reason));
    }

    /// Takes back what was given for a mission.
    pub fn void_of_mission(&self, station: &Station, by: &Session, mission: &MissionId, reason: &str) {
        self.void(station, by, reason, |row| row.mission.as_ref() == Some(mission));
    }

    /// Takes back what was given for a robot.
    pub fn void_of_robot(&self, station: &Station, by: &Session, robot: &RobotId, reason: &str) {
        self.void(station, by, reason, |row| row.robot == *robot);
    }

    fn void(&self, station: &Station, by: &Session, reason: &str, is_meant: impl Fn(&StandingApproval) -> bool) {
        let mut voided = Vec::new();
        self.lock().retain(|_, held| {
            let is_its = is_meant(&held.row);
            if is_its {
                voided.push(held.row.clone());
            }
            !is_its
        });
        voided.iter().for_each(|row| end(station, Some(by), row, reason));
    }

    /// Ends what time, use or a change of limits has ended.
    pub fn sweep(&self, station: &Station) {
        let now = station.runtime.clock.now().station;
        let mut ended = Vec::new();
        self.lock().retain(|_, held| match held.over(station, now) {
            Some(reason) => {
                ended.push((held.row.clone(), reason));
                false
            }
            None => true,
        });
        ended.iter().for_each(|(row, reason)| end(station, None, row, reason));
    }

    /// The first standing approval that a judged motion is inside of.
    pub(super) fn covering(
        &self,
        station: &Station,
        agent: &AgentUnit,
        raw: &RawCommand,
        content: &Content,
        tainted: bool,
    ) -> Option<Covering> {
        let (tier, _) = content.tier;
        let command = content.judged.parsed.as_ref()?;
        // Whatever needs the most care, or follows from untrusted text, is asked about each time.
        if tainted || tier == Tier::High {
            return None;
        }
        let unit = station.fleet.unit(&raw.robot).ok()?;
        let now = station.runtime.clock.now().station;
        let frames = |from: &_, to: &_| unit.manifest.static_transform(from, to);
        let start = content.present.binding.start.as_ref();
        let mode = agent.turns.mode_now(&station.runner);
        // An approval given for a mission holds while the agent runs that mission, and for its robots.
        let missions = station.missions.of(&agent.id).ok();
        let may_move =
            |id: &MissionId| missions.as_ref().is_some_and(|missions| missions.lives.may_move(id, &raw.robot));
        let runs = |mission: &MissionId| mode.mission() == Some(mission) && may_move(mission);
        let inside = |held: &&Held| {
            let row = &held.row;
            row.robot == raw.robot
                && row.mission.as_ref().is_none_or(|mission| raw.mission_id.as_ref() == Some(mission) && runs(mission))
                && held.over(station, now).is_none()
                && row.envelope.covers(command, &content.judged.verdict, start, frames, &unit.manifest.default_frame)
        };
        let Held { row, session, .. } = self.lock().values().find(inside).cloned()?;
        Some(Covering { id: row.id, granted_by: row.granted_by, session })
    }

    /// Counts a use that is on disk.
    pub fn note_use(&self, station: &Station, id: &str) {
        if let Some(held) = self.lock().get_mut(id) {
            held.row.uses += 1;
        }
        station.runtime.bus.changed(Tag::Proposals);
    }
}

impl Held {
    /// The reason for which it no longer holds, apart from stops and people; none if it holds.
    fn over(&self, station: &Station, now: Instant) -> Option<&'static str> {
        // A robot that is not known yet has no version, and is not commanded either.
        let version = station.fleet.unit(&self.row.robot).ok().map(|unit| unit.limits.load().version());
        if now >= self.expires {
            Some("expired")
        } else if self.row.uses >= self.row.uses_max {
            Some("used up")
        } else if version.is_some_and(|version| version != self.row.set_version) {
            Some("the limits have changed")
        } else {
            None
        }
    }

    fn shown(&self) -> StandingApprovalRow {
        StandingApprovalRow {
            id: self.row.id.clone(),
            robot: self.row.robot.clone(),
            mission: self.row.mission.clone(),
            operation: self.row.operation.clone(),
            envelope: self.row.envelope.clone(),
            count: self.row.uses_max,
            used: self.row.uses,
            granted_by: self.row.granted_by.clone(),
            expires_at: self.row.expires_ms.div_euclid(1000),
            expires_mono_ms: self.expires.mono_ms(),
        }
    }
}

fn lasting(hours: f64) -> Duration {
    Duration::from_secs_f64(hours * 3600.0)
}

fn check(station: &Station, grant: &Grant) -> Result<(), OpError> {
    let unit = station.fleet.unit(&grant.robot)?;
    let refused =
        |path: &str, message: String| Err(OpError::bad_input(StationCode::BadStandingApproval, path, message));
    if grant.operation != SEND_COMMAND {
        return refused("operation", "A standing approval covers send_command alone.".into());
    }
    if let Err(error) = grant.envelope.check() {
        return refused(error.field, format!("{error}."));
    }
    if !unit.manifest.actuators.iter().any(|actuator| actuator.id == grant.envelope.actuator) {
        return refused("envelope.actuator", format!("{} has no actuator {}.", unit.id(), grant.envelope.actuator));
    }
    let default_frame = &unit.manifest.default_frame;
    let frame = grant.envelope.frame.as_ref().unwrap_or(default_frame);
    if unit.manifest.static_transform(default_frame, frame).is_none() {
        return refused("envelope.frame", format!("{} is not fixed to {default_frame}.", frame));
    }
    if !(1..=USES_MAX).contains(&grant.count) {
        return refused("count", format!("count is 1 to {USES_MAX}."));
    }
    // Written so that NaN is refused too.
    if !(grant.hours > 0.0 && grant.hours <= HOURS_MAX) {
        return refused("hours", format!("hours is above 0 and at most {HOURS_MAX}."));
    }
    // A stop ends every standing approval, so none begins while one is open.
    if !station.fleet.stops.binding(unit.id()).is_empty() || station.fleet.stops.station_bound() {
        return Err(OpError::new(FleetCode::Latched, format!("A stop is open for {}. Release it first.", unit.id())));
    }
    grant.mission.as_ref().map_or(Ok(()), |id| station.missions.check_readable(id))
}

/// Puts an end on record and on disk; it is in force already.
fn end(station: &Station, by: Option<&Session>, row: &StandingApproval, reason: &str) {
    record_end(station, by, row, reason);
    let (db, id, reason) = (station.runtime.db.clone(), row.id.clone(), reason.to_owned());
    station.runtime.spawn(async move {
        if let Err(error) = db.end_standing_approval(&id, &reason).await {
            tracing::error!(id, error = &error as &dyn std::error::Error, "the end of a standing approval");
        }
    });
}

fn record_end(station: &Station, by: Option<&Session>, row: &StandingApproval, reason: &str) {
    let ended = match by {
        Some(by) => AuditEntry::by(by, "standing_approval", "ended"),
        None => AuditEntry::by_station("standing_approval", "ended"),
    };
    station.runtime.audit.note_done(ended.about(format!("id={} uses={} reason={reason}", row.id, row.uses)));
    station.runtime.bus.changed(Tag::Proposals);
}

#[cfg(test)]
mod tests;
