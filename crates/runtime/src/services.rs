//! The services that every runner of a station uses.

use std::sync::Arc;
use std::time::Duration;

use bridge::Link;
use bridge::signing::SigningKey;
use memory::StationDb;
use robot::StationId;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use world::cron::Zone;

use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::Layout;
use crate::event_bus::EventBus;
use crate::judgements::recordings::Recordings;
use crate::secrets::KeyStore;
use crate::secrets::redaction::Redaction;

/// Tasks are over so long after the end of the station has begun.
pub const TASKS_UNTIL: Duration = Duration::from_millis(3_600);

/// The services that the runners of one station share. It knows no robot and no agent.
pub struct Runtime {
    /// The id of the station; names it to robots.
    pub id: StationId,
    /// Signs what this station says to robots.
    pub key: Arc<SigningKey>,
    /// The only clock.
    pub clock: Clock,
    /// Time zone of local times.
    pub zone: Zone,
    /// Folders of the data directory.
    pub layout: Layout,
    /// Takes secrets out of what is written or shown.
    pub redaction: Redaction,
    /// The store of keys that outlive a run.
    pub key_store: KeyStore,
    /// Facts and events for windows.
    pub bus: Arc<EventBus>,
    /// The Zenoh session.
    pub link: Link,
    /// The database of the station.
    pub db: StationDb,
    /// The record of who did what.
    pub audit: Arc<Audit>,
    /// Inputs of verdicts on disk.
    pub recordings: Recordings,
    /// Tasks that shutdown waits for.
    pub tasks: TaskTracker,
    /// Cancelled when the station ends.
    pub ended: CancellationToken,
    /// Executor of the station, for tasks that are started on another thread.
    pub tokio: tokio::runtime::Handle,
}

impl Runtime {
    /// Starts a task that ends with the station, from whatever thread.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn_on(task, &self.tokio);
    }

    /// Calls `act` now and then once a `period`, until the station ends. A call that comes late delays those after it.
    pub fn spawn_every(&self, period: Duration, mut act: impl FnMut() + Send + 'static) {
        let ended = self.ended.clone();
        self.spawn(async move {
            let mut ticks = tokio::time::interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = ended.cancelled() => return,
                    _ = ticks.tick() => act(),
                }
            }
        });
    }
}
