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

/// Writes the latch until the disk has it. The stop itself is in force already. What is not new is being written, or
/// written, for an earlier press: this one waits for the same row.
pub(super) fn save(fleet: &Arc<Fleet>, stop_id: u64, is_new: bool) -> watch::Receiver<bool> {
    let watched = fleet.stops.saved(stop_id);
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
            record.saved.send_replace(true);
        }
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

#[cfg(test)]
mod tests {
    use super::super::press_at_once;
    use crate::test_support::{Rig, until};
    use runtime::session::Session;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_stop_that_is_pressed_again_is_not_said_to_be_saved_before_the_disk_has_it() {
        let rig = Rig::start_with_gateless_robot().await;
        let by = Session::bootstrap();
        let press = || press_at_once(&rig.fleet, &by, None, Some(std::slice::from_ref(rig.unit.id())));
        let saved = press();
        until("the disk has it", || rig.fleet.stops.is_saved(saved.stop_id)).await;
        let again = press();
        assert_eq!((again.stop_id, again.latch_saved), (saved.stop_id, true));

        let rig = Rig::start_with_gateless_robot().await;
        rig.fleet.runtime.db.close().await;
        let press = || press_at_once(&rig.fleet, &by, None, Some(std::slice::from_ref(rig.unit.id())));
        let (first, again) = (press(), press());
        assert_eq!(first.stop_id, again.stop_id);
        assert!(!first.latch_saved && !again.latch_saved);
    }
}
