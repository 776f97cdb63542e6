//! Periodic work of sensing: every world shows what has changed, and what waits for the link is tried again.

use std::sync::Arc;
use std::time::Duration;

use crate::Sensing;

/// Time between two ticks of the worlds, which show what has changed: well within the 50 ms a snapshot may be old.
const PUBLISH_EVERY: Duration = Duration::from_millis(20);
/// Time between two updates of the list of topics, after which waiting contexts are tried again.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

impl Sensing {
    /// Starts the periodic tasks; they end with the station.
    pub fn start_clockwork(self: &Arc<Self>) {
        let worlds = Arc::clone(self);
        self.runtime.spawn_every(PUBLISH_EVERY, move || publish(&worlds));
        let feeds = Arc::clone(self);
        self.runtime.spawn_every(REFRESH_EVERY, move || refresh(&feeds));
    }
}

fn publish(sensing: &Arc<Sensing>) {
    let now = sensing.runtime.clock.now();
    sensing.worlds().iter().for_each(|agent| agent.ingest.tick(sensing, agent, now));
}

fn refresh(sensing: &Arc<Sensing>) {
    let now = sensing.runtime.clock.now().station;
    sensing.feeds.refresh(now);
    sensing.cameras.close_unwatched(now);
    sensing.detectors.close_unwatched(now);
    sensing.maps.close_unwatched(now);
    // Subscribing may wait for the network, and the clockwork must not.
    let retrying = Arc::clone(sensing);
    sensing.runtime.spawn(async move {
        for agent in retrying.worlds() {
            agent.ingest.retry_waiting(&retrying, &agent).await;
        }
    });
}
