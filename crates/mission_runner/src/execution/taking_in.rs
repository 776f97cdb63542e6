//! Things that happen once, and are told once: each is taken in as soon as the disk takes it.

use std::future::Future;
use std::time::Duration;

use missions::lifecycle::State;
use missions::run::Run;
use robot::MissionId;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::execution::work::LOOK_EVERY;
use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::OpError;

impl AgentMissions {
    /// Takes in what has happened to a mission, as [`Self::change`] does, however long the disk does not take it. False if
    /// the mission does not stand so: it was about something else by then, or the station ended first.
    pub(crate) async fn take_in(
        &self,
        runner: &MissionRunner,
        id: &MissionId,
        change: impl Fn(&Life) -> Option<(State, Option<Run>)>,
    ) -> bool {
        let mut is_told = false;
        let mut tell = |error: &OpError| {
            if std::mem::replace(&mut is_told, true) {
                return;
            }
            tracing::error!(agent = %self.id, mission = %id, %error, "what has happened to a mission is not on disk yet");
            let sentence = format!("What has happened to mission {id} is not on disk yet: {}", error.message);
            runner.runtime.bus.event_of(&self.id, "mission_not_saved", sentence);
        };
        let take = || self.change(runner, id, "station", &change);
        until_taken(LOOK_EVERY, &runner.runtime.ended, &mut tell, take).await.unwrap_or(false)
    }
}

/// Tries `take` at once and then once `every` so long, until it succeeds; none if the station has `ended` first. `tell`
/// hears of each try that failed.
async fn until_taken<T, F: Future<Output = Result<T, OpError>>>(
    every: Duration,
    ended: &CancellationToken,
    tell: &mut (impl FnMut(&OpError) + Send),
    take: impl Fn() -> F,
) -> Option<T> {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = ended.cancelled() => return None,
            _ = ticks.tick() => {}
        }
        match take().await {
            Ok(taken) => return Some(taken),
            Err(error) => tell(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use missions::MissionCode;

    use super::*;

    const EVERY: Duration = Duration::from_millis(1);

    fn full() -> OpError {
        OpError::new(MissionCode::MissionChanged, "The disk is full.")
    }

    #[tokio::test]
    async fn ml_17_what_the_disk_does_not_take_is_tried_again_until_it_does() {
        let (tries, mut told) = (Cell::new(0), 0);
        let take = || {
            tries.set(tries.get() + 1);
            let taken = if tries.get() < 3 { Err(full()) } else { Ok(tries.get()) };
            async move { taken }
        };
        let taken = until_taken(EVERY, &CancellationToken::new(), &mut |_: &OpError| told += 1, take).await;
        assert_eq!((taken, told), (Some(3), 2));
    }

    #[tokio::test]
    async fn ml_17_the_end_of_the_station_ends_what_the_disk_never_takes() {
        let ended = CancellationToken::new();
        let mut end = |_: &OpError| ended.cancel();
        assert_eq!(until_taken(EVERY, &ended, &mut end, || async { Err::<(), _>(full()) }).await, None);
    }
}
