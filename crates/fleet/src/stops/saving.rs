//! Putting a stop's latch on disk. The stop itself is in force before, and whatever the disk says.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::fleet::Fleet;
use crate::state::stop_records::Record;
use crate::supervision;
use runtime::crash::{self, CrashPoint};

/// Longest wait of a stop's answer for the disk, before it says that the latch is not saved yet.
const LATCH_WAIT: Duration = Duration::from_secs(1);
/// Wait before a failed write of the latch is tried again.
const LATCH_RETRY: Duration = Duration::from_millis(200);

/// Writes the latch until the disk has it. The stop itself is in force already.
pub(super) fn save(fleet: &Arc<Fleet>, stop_id: u64, is_new: bool) -> watch::Receiver<bool> {
    let (done, watched) = watch::channel(!is_new);
    if !is_new {
        return watched;
    }
    let in_task = Arc::clone(fleet);
    fleet.stop_lane.spawn(&fleet.runtime.tasks, async move {
        crash::point(CrashPoint::Latch);
        if !write_row(&in_task, stop_id).await {
            return;
        }
        if let Some(record) = in_task.stops.lock().get_mut(&stop_id) {
            record.saved = true;
        }
        done.send_replace(true);
        in_task.stops.tell(&in_task, stop_id);
    });
    watched
}

/// Writes the row of a stop until the disk has it as it is by then, whoever else writes it; false if the station ends
/// before.
pub(super) async fn write_row(fleet: &Fleet, stop_id: u64) -> bool {
    loop {
        let as_it_is = || fleet.stops.lock().get(&stop_id).map(Record::to_save);
        // Closed, on record and pushed out by newer ones: nothing is left to write.
        let Some((row, open)) = as_it_is() else { return true };
        let saved = fleet.runtime.db.save_stop(&row, open).await;
        // A latch that exists in memory alone is a cause at its robots until the disk has it.
        supervision::note_latch(fleet, &row.robots, saved.is_ok());
        let Err(error) = saved else {
            // A release or another press may have changed it during the write; the disk must end with the newest.
            if as_it_is().is_none_or(|now| now == (row, open)) {
                return true;
            }
            continue;
        };
        tracing::error!(stop_id, error = &error as &dyn std::error::Error, "latch not saved");
        tokio::select! {
            () = tokio::time::sleep(LATCH_RETRY) => {}
            () = fleet.runtime.ended.cancelled() => return false,
        }
    }
}

/// Waits for the disk, but not for long; whether it has the row.
pub(super) async fn wait_saved(mut saved: watch::Receiver<bool>) -> bool {
    tokio::time::timeout(LATCH_WAIT, saved.wait_for(|saved| *saved)).await.is_ok_and(|saved| saved.is_ok())
}

/// Waits for a task, but not for long: it goes on if it takes longer.
pub(super) async fn wait_done(task: Option<JoinHandle<()>>) {
    if let Some(task) = task
        && tokio::time::timeout(LATCH_WAIT, task).await.is_err()
    {
        tracing::warn!("what follows a stop takes long");
    }
}
