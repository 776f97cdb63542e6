//! Putting a stop's latch on disk. The stop itself is in force before, and whatever the disk says.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::crash::{self, CrashPoint};
use crate::station::Station;
use crate::supervision;

/// How long the answer of a stop waits for the disk before it says that the latch is not saved yet.
const LATCH_WAIT: Duration = Duration::from_secs(1);
/// How long a failed write of the latch waits before it is tried again.
const LATCH_RETRY: Duration = Duration::from_millis(200);

/// Writes the latch until the disk has it. The stop itself is in force already.
pub(super) fn save(station: &Arc<Station>, stop_id: u64, is_new: bool) -> watch::Receiver<bool> {
    let (done, watched) = watch::channel(!is_new);
    if !is_new {
        return watched;
    }
    let task_station = Arc::clone(station);
    station.stop_lane.spawn(&station.tasks, async move {
        let station = task_station;
        loop {
            let stored = station.stops.lock().get(&stop_id).map(|record| record.stored.clone());
            let Some(stored) = stored else { return };
            crash::point(CrashPoint::Latch);
            let saved = station.db.save_stop(&stored, true).await;
            supervision::note_latch(&station, &stored.robots, saved.is_ok());
            let Err(error) = saved else { break };
            tracing::error!(stop_id, error = &error as &dyn std::error::Error, "latch not saved");
            tokio::select! {
                () = tokio::time::sleep(LATCH_RETRY) => {}
                () = station.ended.cancelled() => return,
            }
        }
        if let Some(record) = station.stops.lock().get_mut(&stop_id) {
            record.saved = true;
        }
        done.send_replace(true);
        station.stops.tell(&station, stop_id);
    });
    watched
}

pub(super) async fn wait_saved(mut saved: watch::Receiver<bool>) -> bool {
    tokio::time::timeout(LATCH_WAIT, saved.wait_for(|saved| *saved)).await.is_ok_and(|saved| saved.is_ok())
}
