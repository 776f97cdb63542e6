//! A call that runs beside its turn: how it ends when the turn gives it up.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use agent::{Input, ToolCall, ToolOutcome};
use robot::ConversationId;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::turn_runner::task::tell;

/// The handles that a background call keeps of its turn: the conversation, the way back and the two cancellations.
pub(in crate::turn_runner) struct BackgroundCall {
    pub runner: Arc<AgentRunner>,
    pub agent: Arc<AgentUnit>,
    pub session: ConversationId,
    pub inputs: mpsc::Sender<Input>,
    /// The turn gives the call up.
    pub abort: CancellationToken,
    /// It does so because somebody cancelled it, and not because the call took too long.
    pub cancelled: CancellationToken,
}

/// The end of work that may be given up: in time, within the grace after that, or dropped.
#[derive(Debug, PartialEq, Eq)]
enum Ended<T> {
    InTime(T),
    Late(T),
    Dropped,
}

impl BackgroundCall {
    /// Runs `work`, which carries out `call`. What must not be torn off in the middle goes on for a little when it is
    /// given up; what comes of it then is told to the conversation if the turn was cancelled, else to the log alone.
    pub async fn run(self, call: ToolCall, work: impl Future<Output = ToolOutcome>) {
        let outcome = match until_given_up(work, &self.abort, call.on_cancel.grace()).await {
            Ended::InTime(outcome) => {
                // The turn may have ended meanwhile.
                let _ = self.inputs.send(Input::ToolDone { call: call.id, outcome }).await;
                return;
            }
            Ended::Late(outcome) => outcome,
            Ended::Dropped => return,
        };
        tracing::info!(agent = %self.agent.id, call = %call.id, tool = call.name, "a call ended after it was given up");
        if self.cancelled.is_cancelled() {
            tell(&self.runner, &self.agent, &self.session, vec![outcome.told_later(&call)]);
        }
    }
}

/// Runs `work` to its end; once `abort` is cancelled it has `grace` left.
async fn until_given_up<T>(work: impl Future<Output = T>, abort: &CancellationToken, grace: Duration) -> Ended<T> {
    let mut work = pin!(work);
    tokio::select! {
        // A turn that has given the call up takes no result, not even one that is ready.
        biased;
        () = abort.cancelled() => {}
        done = &mut work => return Ended::InTime(done),
    }
    if grace.is_zero() {
        return Ended::Dropped;
    }
    tokio::time::timeout(grace, work).await.map_or(Ended::Dropped, Ended::Late)
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use agent::OnCancel;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn x_02_what_must_not_be_torn_off_goes_on_for_a_little_and_everything_else_ends_at_once() {
        let (calm, given_up) = (CancellationToken::new(), CancellationToken::new());
        given_up.cancel();
        assert_eq!(until_given_up(ready(1), &calm, Duration::ZERO).await, Ended::InTime(1));
        let dropped = until_given_up(pending::<u8>(), &given_up, OnCancel::Drop.grace()).await;
        assert_eq!(dropped, Ended::Dropped, "nothing is waited for");
        let (done, work) = oneshot::channel();
        let abort = CancellationToken::new();
        let finishing = until_given_up(async { work.await.ok() }, &abort, OnCancel::Finish.grace());
        let (ended, ()) = tokio::join!(finishing, async {
            abort.cancel();
            tokio::task::yield_now().await;
            done.send(2).ok();
        });
        assert_eq!(ended, Ended::Late(Some(2)));
        assert_eq!(OnCancel::Finish.grace(), Duration::from_secs(5));
        let overdue = until_given_up(pending::<u8>(), &given_up, Duration::from_millis(1)).await;
        assert_eq!(overdue, Ended::Dropped, "and not for longer than that");
    }
}
