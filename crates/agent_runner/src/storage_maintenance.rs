//! Looks after an agent's storage: what the disk does not take, damage, backups, and what has become too old.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::future::join_all;
use memory::{MemoryError, Restored};
use robot::{Instant, Now};
use world::alarm::{BuiltIn, Of};

use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::storage_state::LeftAt;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;

/// Time between two looks at the size of the log and the age of the backup.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// A backup as old as this is made anew, milliseconds.
const BACKUP_AGE_MS: u64 = 3_600_000;
/// A backup as old as this does not wait for a turn to end, milliseconds.
const BACKUP_OVERDUE_MS: u64 = 2 * BACKUP_AGE_MS;
/// Losses of a restored memory: at the start, and while the station runs.
pub(crate) const AT_START: &str = "what came since is lost";
const AMID: &str = "what is held in memory is written back, and of histories what came since is lost";

/// Starts looking; ends with the station.
pub(crate) fn start(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
    let (runner, agent) = (Arc::clone(runner), Arc::clone(agent));
    let ended = runner.runtime.ended.clone();
    runner.runtime.tasks.clone().spawn(async move {
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        // After a long backup the next look is a whole period away, not several at once.
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = ended.cancelled() => return,
                () = agent.storage.damage_seen.notified() => restore(&runner, &agent).await,
                _ = ticks.tick() => look(&runner, &agent).await,
            }
        }
    });
}

impl AgentRunner {
    /// Looks after the storage that a refused call tells of, and gives its refusal back: one of a damaged database has
    /// the databases looked at.
    pub fn noted(&self, error: OpError) -> OpError {
        if error.code == RuntimeCode::StorageDamaged {
            // The refusal does not say whose database it was, so all of them are looked at.
            self.agents.all().iter().for_each(|agent| agent.storage.damage_seen.notify_one());
        }
        error
    }
}

/// Tells that an agent goes on with less than it had.
pub(crate) fn tell_restored(runner: &AgentRunner, agent: &AgentUnit, restored: &Restored, since: &str) {
    let kept = match restored.backup_ms {
        Some(at_ms) => format!("restored from backup of {}", memory::episodic::utc_text(at_ms)),
        None => "there is no backup, and it starts empty".to_owned(),
    };
    let set_aside = restored.set_aside.as_ref();
    let set_aside = set_aside.map(|path| format!(" The damaged file is {}.", path.display())).unwrap_or_default();
    let sentence = format!("The memory of {} was damaged ({}): {kept}; {since}.{set_aside}", agent.id, restored.damage);
    tracing::error!(agent = %agent.id, sentence, "restored");
    runner.sensing.alarms.raise(BuiltIn::RestoredFromBackup, &Of::agent(&agent.id), sentence);
}

async fn restore(runner: &AgentRunner, agent: &AgentUnit) {
    match agent.db.restore_if_damaged(runner.runtime.clock.now().wall_ms).await {
        Ok(Some(restored)) => {
            // Set before the first write: whatever the disk refuses is tried again at the next look.
            agent.storage.owes.store(true, Ordering::Release);
            put_back(runner, agent).await;
            tell_restored(runner, agent, &restored, AMID);
            if let Err(error) = agent.episodes.index_anew(&agent.db).await {
                agent.storage.note_failed(&runner.runtime, &agent.id, &error);
            }
        }
        Ok(None) => {}
        Err(error) => {
            tracing::error!(agent = %agent.id, error = &error as &dyn std::error::Error, "not restored");
            // Tried again at each look, since the disk may have room by then.
            agent.storage.is_unrestored.store(true, Ordering::Release);
            let sentence = format!("The memory of {} is damaged and was not restored: {error}.", agent.id);
            runner.sensing.alarms.raise(BuiltIn::MemoryStoreDamaged, &Of::agent(&agent.id), sentence);
        }
    }
}

/// Writes what is held in memory into the database that took the place of a damaged one. What the disk does not take is
/// tried again at the next look.
async fn put_back(runner: &AgentRunner, agent: &AgentUnit) {
    if !agent.storage.owes.load(Ordering::Acquire) {
        return;
    }
    let put_back = async {
        agent.beliefs.put_back().await?;
        agent.world.ingest.put_back(&runner.sensing, &agent.world).await?;
        agent.jobs.put_back(&agent.db).await?;
        runner.missions.put_back(&agent.id).await?;
        agent.turns.put_back(&agent.db).await?;
        runner.proposer.put_back(&agent.id, &agent.db).await
    };
    match put_back.await {
        Ok(()) => {
            runner.sensing.alarms.put_back(&agent.id);
            runner.runtime.bus.events().put_back(&agent.id);
            agent.storage.owes.store(false, Ordering::Release);
        }
        Err(error) => agent.storage.note_failed(&runner.runtime, &agent.id, &error),
    }
}

/// Makes the backups with which a run ends, until there is no time left. What is not done then is given up; the
/// next start tells of it ([`tell_unsaved`]).
pub(crate) async fn end(runner: &AgentRunner, until: tokio::time::Instant) {
    let agents = runner.agents.all();
    let now_ms = runner.runtime.clock.now().wall_ms;
    // All at once: one large database must not use up the time of the others.
    join_all(agents.iter().map(|agent| async move {
        match tokio::time::timeout_at(until, agent.db.back_up(now_ms)).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => {
                tracing::error!(agent = %agent.id, error = &error as &dyn std::error::Error, "no backup at the end");
            }
            Err(_) => tracing::error!(agent = %agent.id, "no backup at the end: the time is over"),
        }
    }))
    .await;
}

/// Tells that the last run ended without its backup: it was killed, or its time was over.
pub(crate) fn tell_unsaved(runner: &AgentRunner, agent: &AgentUnit, left: LeftAt) {
    if let Some(sentence) = left.sentence(&agent.id) {
        agent.storage.is_unsaved.store(true, Ordering::Release);
        runner.runtime.bus.event_of(&agent.id, "backup_not_made", sentence);
    }
}

async fn look(runner: &AgentRunner, agent: &AgentUnit) {
    if agent.storage.is_unrestored.swap(false, Ordering::AcqRel) {
        restore(runner, agent).await;
    }
    put_back(runner, agent).await;
    if let Err(error) = keep(agent, runner.runtime.clock.now()).await {
        agent.storage.note_failed(&runner.runtime, &agent.id, &error);
    }
}

async fn keep(agent: &AgentUnit, now: Now) -> Result<(), MemoryError> {
    agent.db.bound_log().await?;
    let made = *lock(&agent.storage.backed_up);
    let age_ms = backup_age_ms(made, agent.db.backed_up_ms(now.wall_ms), now);
    let is_owed = agent.storage.is_unsaved.load(Ordering::Acquire);
    // Not in the middle of a turn, whose steps wait for the same disk.
    let is_due = (is_owed || age_ms >= BACKUP_AGE_MS) && agent.turns.running().is_none();
    if is_due || age_ms >= BACKUP_OVERDUE_MS {
        agent.db.back_up(now.wall_ms).await?;
        *lock(&agent.storage.backed_up) = Some(now.station);
        agent.storage.is_unsaved.store(false, Ordering::Release);
        // After the backup, which still holds what goes now.
        agent.episodes.retain(&agent.db, now.wall_ms).await?;
    }
    Ok(())
}

/// The age of the newest backup, milliseconds: by the station clock if this run `made` one, since the wall clock can be
/// set; else by when it was made. One of a time that has not come yet, or none, is too old.
fn backup_age_ms(made: Option<Instant>, newest_ms: Option<i64>, now: Now) -> u64 {
    match (made, newest_ms) {
        (_, None) => u64::MAX,
        (Some(made), Some(_)) => now.station.ms_since(made),
        (None, Some(newest_ms)) => u64::try_from(now.wall_ms.saturating_sub(newest_ms)).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st_05_the_age_of_a_backup_is_the_time_since_and_not_the_distance_of_two_wall_clocks() {
        let now = Now { station: Instant::default().plus(Duration::from_secs(7_200)), wall_ms: 10 * 3_600_000 };
        let (hour_ago, set_back) = (now.station.minus(Duration::from_secs(3_600)), now.wall_ms + 3_600_000);
        assert_eq!(backup_age_ms(None, None, now), u64::MAX);
        assert_eq!(backup_age_ms(None, Some(now.wall_ms - 60_000), now), 60_000);
        assert_eq!(backup_age_ms(None, Some(set_back), now), u64::MAX, "the clock was set back before the start");
        assert_eq!(backup_age_ms(Some(hour_ago), Some(set_back), now), 3_600_000, "the clock was set back since");
        assert_eq!(backup_age_ms(Some(now.station), Some(0), now), 0, "the clock was set on since");
        assert_eq!(backup_age_ms(Some(now.station), None, now), u64::MAX, "somebody has removed it");
    }
}
