//! Loads the events of earlier runs and writes those of this one.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use memory::MemoryError;
use robot::AgentId;
use tokio::time::MissedTickBehavior;

use crate::station::Station;

/// Time between two writes of new events: at most 250 ms are lost with the process.
const SAVE_EVERY: Duration = Duration::from_millis(100);

/// Takes up the events of earlier runs, before any event of this one.
pub(crate) async fn load(station: &Station) -> Result<(), MemoryError> {
    let events = station.runtime.bus.events();
    events.take_up(None, station.runtime.db.events().await?);
    for agent in station.runner.agents.all() {
        events.take_up(Some(&agent.id), agent.db.events().await?);
    }
    Ok(())
}

/// Starts writing what happens, until the station ends.
pub(crate) fn start(station: &Arc<Station>) {
    let task_station = Arc::clone(station);
    station.runtime.tasks.spawn(async move {
        let station = task_station;
        let mut ticks = tokio::time::interval(SAVE_EVERY);
        // After a stall the missed ticks are not made up for in a burst.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = station.runtime.ended.cancelled() => return,
                _ = ticks.tick() => {}
            }
            for owner in station.runtime.bus.events().due() {
                let saving = Arc::clone(&station);
                // A task for each database: one that hangs holds up no other's events.
                station.runtime.tasks.spawn(async move { save_of(&saving, owner).await });
            }
        }
    });
}

/// Writes what happened since the last time, into every database at once.
pub(crate) async fn save(station: &Station) {
    let unsaved = station.runtime.bus.events().unsaved();
    join_all(unsaved.into_iter().map(|owner| save_of(station, owner))).await;
}

/// Events of an agent that is just being made wait until it is there.
async fn save_of(station: &Station, owner: Option<AgentId>) {
    let events = station.runtime.bus.events();
    match owner {
        None => events.save(&station.runtime.db).await,
        Some(agent) => {
            if let Ok(agent) = station.runner.agents.get(&agent) {
                events.save_of(&agent.id, &agent.db).await;
            }
        }
    }
}
