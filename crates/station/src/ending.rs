//! Shutdown of a station: within five seconds, whatever the disk does. What is not done by then is given up.

use std::time::Duration;

use tokio::time::Instant;

use crate::events;
use crate::station::Station;
use runtime::TASKS_UNTIL;
use runtime::audit::AuditEntry;
use sensing::Alarms;

/// Each part is over so long after the end has begun. What tasks write comes first, because nothing else has it; the
/// backups are copies of what is on disk.
const RECORDS_UNTIL: Duration = Duration::from_millis(4_200);
const BACKUPS_UNTIL: Duration = Duration::from_millis(4_600);
const CLOSED_UNTIL: Duration = Duration::from_millis(5_000);

impl Station {
    /// Ends the station: turns and the simulator first, then tasks, then files and the link.
    pub async fn shutdown(&self) {
        let begun = Instant::now();
        // Turns first: they would go on asking for motions and calls.
        self.runner.agents.all().iter().for_each(|agent| agent.turns.shut_down());
        // Nothing may leave for a robot while the parts that would watch it close.
        self.fleet.engage_fences();
        self.simulator.stop();
        self.runtime.ended.cancel();
        self.runtime.tasks.close();
        until(begun + TASKS_UNTIL, "tasks", self.runtime.tasks.wait()).await;
        // After the tasks, among which are the stops that still run on these threads.
        self.fleet.end_lanes();
        self.words_lane.end();
        until(begun + RECORDS_UNTIL, "the last records", self.save_last()).await;
        self.runner.end(begun + BACKUPS_UNTIL).await;
        until(begun + CLOSED_UNTIL, "files and link", self.close()).await;
        if let Err(error) = self.held.unlock() {
            tracing::warn!(%error, "the data directory stays locked until the process ends");
        }
    }

    /// Writes what has not been written yet. One database that is held keeps only its own back.
    async fn save_last(&self) {
        Alarms::deal_last(&self.sensing);
        // Set when a robot was armed: left as it is, the next start takes this end for a crash.
        let motion = async {
            if let Err(error) = self.runtime.db.set_motion_enabled(false).await {
                tracing::warn!(%error, "the next start will find this one unclean");
            }
        };
        // The last record of the run, so it is noted before the audit's writer ends.
        self.runtime.audit.note_done(AuditEntry::by_station("shutdown", "ok"));
        let (alarms, events) = (Alarms::save_last(&self.sensing), events::save(self));
        tokio::join!(alarms, events, motion, self.runtime.audit.end(), self.runtime.recordings.end());
    }

    async fn close(&self) {
        self.runner.agents.close().await;
        self.runtime.db.close().await;
        self.runtime.link.clone().close().await;
    }
}

async fn until(deadline: Instant, what: &str, part: impl Future<Output = ()>) {
    if tokio::time::timeout_at(deadline, part).await.is_err() {
        tracing::warn!("the end goes on without {what}: the time is over");
    }
}
