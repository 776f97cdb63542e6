//! Threads of their own for stops: on the first stops, holds and disarming run and
//! nothing else does, so that no work of others, however much there is, stands before
//! them; on the second words are searched for a stop, on the third runs what follows one.

use std::io;

use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::{OpError, RuntimeCode};

/// A thread with a runtime of its own. It ends when this is dropped, or is told to.
pub struct StopLane {
    handle: Handle,
    ended: CancellationToken,
}

impl StopLane {
    /// Starts the thread under `name`.
    pub fn start(name: &str) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (handle, ended) = (runtime.handle().clone(), CancellationToken::new());
        let until = ended.clone();
        std::thread::Builder::new().name(name.to_owned()).spawn(move || runtime.block_on(until.cancelled()))?;
        Ok(Self { handle, ended })
    }

    /// Runs `task` on the thread; shutdown waits for it.
    pub fn spawn(&self, tasks: &TaskTracker, task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        tasks.spawn_on(task, &self.handle)
    }

    /// Runs `task` on the thread, from now on, and gives what it
    /// gives. The task goes on if nobody waits for it any more.
    pub fn run<T, F>(&self, tasks: &TaskTracker, task: F) -> impl Future<Output = Result<T, OpError>> + use<T, F>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        // Spawned now and not at the first poll: a caller who goes away must not take the stop along.
        let running = tasks.spawn_on(task, &self.handle);
        async move {
            running.await.map_err(|error| {
                tracing::error!(%error, "a stop did not run to its end");
                let message = "The station ends or has failed; use the hardware stop.";
                OpError::new(RuntimeCode::NotStopped, message)
            })
        }
    }

    /// Ends the thread.
    pub fn end(&self) {
        self.ended.cancel();
    }
}

impl Drop for StopLane {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use super::*;

    /// A thread ends within this time, or the test fails.
    const ENDED_WITHIN: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_lane_runs_what_it_is_given_until_it_is_ended_or_dropped() {
        let tasks = TaskTracker::new();
        for is_dropped in [false, true] {
            let lane = StopLane::start("lane").unwrap();
            assert_eq!(lane.run(&tasks, async { 7 }).await.unwrap(), 7);
            let unfinished = lane.run(&tasks, pending::<()>());
            let kept = if is_dropped {
                drop(lane);
                None
            } else {
                lane.end();
                Some(lane)
            };
            let answer = tokio::time::timeout(ENDED_WITHIN, unfinished).await.unwrap();
            assert_eq!(answer.unwrap_err().code, "not_stopped");
            drop(kept);
        }
    }
}
