//! One call of a model for a turn: on the ledger from its beginning, streamed while it lasts, and dropped with
//! the turn.

use std::pin::pin;
use std::sync::Arc;

use agent::{Input, Purpose};
use llm::{Caps, CommandModel, DeltaSink, Model, ModelError, ModelKind, Reply, Request, SideCall};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agents::AgentUnit;
use crate::models::ledger::{AsOf, Ending, Place};
use crate::models::model_health::PromptWatch;
use crate::models::model_registry::TurnModels;
use crate::models::stream::{MERGE, Stream};
use crate::runner::AgentRunner;
use runtime::wire::{Tag, word};

/// The handles that a model call keeps of its turn.
pub(in crate::turn_runner) struct ModelCall {
    pub runner: Arc<AgentRunner>,
    pub agent: Arc<AgentUnit>,
    pub place: Place,
    /// The moment from which the words of the request are.
    pub as_of: AsOf,
    pub inputs: mpsc::Sender<Input>,
    /// The turn gives the call up.
    pub abort: CancellationToken,
}

/// The model that a call goes to: side calls have a smaller one where the operator chose it.
pub(in crate::turn_runner) fn model_for(models: &TurnModels, purpose: Purpose) -> Arc<dyn Model> {
    match purpose {
        Purpose::Main | Purpose::Fallback | Purpose::Extend | Purpose::Warm => Arc::clone(&models.main),
        Purpose::Router => beside(models, SideCall::Router),
        Purpose::JudgeGrounded | Purpose::JudgeAdequacy => beside(models, SideCall::Judge),
        Purpose::Flush => beside(models, SideCall::Flush),
        Purpose::Summary => beside(models, SideCall::Summary),
        Purpose::MicroTurn | Purpose::Reader => Arc::clone(&models.side),
    }
}

/// A language model reads in the request what is wanted; the interpreter has to be told.
fn beside(models: &TurnModels, call: SideCall) -> Arc<dyn Model> {
    match models.side.caps().kind {
        ModelKind::Interpreter => Arc::new(CommandModel::beside(call)),
        ModelKind::Language => Arc::clone(&models.side),
    }
}

impl ModelCall {
    /// Makes the call; its pieces and its end reach the turn in order.
    pub async fn run(self, model: Arc<dyn Model>, purpose: Purpose, request: Request) {
        let input = match self.answer(&*model, purpose, request).await {
            None => return,
            Some(Ok(reply)) => Input::ModelDone { purpose, reply },
            Some(Err(error)) => Input::ModelFailed { purpose, error },
        };
        // Before the answer: what follows from it may be a call that nobody may pay for any more.
        let bills = Input::Billed(self.agent.bills(&self.runner, &self.place).await);
        // The turn may have ended meanwhile.
        let _ = self.inputs.send(bills).await;
        // Or it gave this call up while its end was written down, and would take it for the answer to another one.
        if !self.abort.is_cancelled() {
            let _ = self.inputs.send(input).await;
        }
    }

    /// Makes the call and passes its pieces on; nothing if it was given up.
    pub async fn answer(
        &self,
        model: &dyn Model,
        purpose: Purpose,
        request: Request,
    ) -> Option<Result<Reply, ModelError>> {
        // Before the call: one that a crash cuts off has its row all the same.
        let row = self.agent.ledger.begin(&self.place, self.as_of, &word(&purpose), model.caps(), &request).await;
        let stream = Arc::new(Stream::default());
        let ended = self.stream(model, purpose, request, &stream).await;
        let (heard, usage) = stream.heard();
        self.note_discarded(&stream, model.caps(), purpose).await;
        let answer = match ended {
            None => {
                self.agent.ledger.end(row, Ending::Dropped(usage, heard)).await;
                return None;
            }
            Some(Ok(reply)) => {
                self.agent.ledger.end(row, Ending::Replied(&reply)).await;
                self.agent.model_answered(&self.runner);
                Ok(reply)
            }
            Some(Err(error)) => {
                // A provider may quote the key that it refuses.
                let message = self.runner.runtime.redaction.without_secrets(&error.message);
                let error = ModelError { usage: error.usage.or(usage), message, ..error };
                self.agent.ledger.end(row, Ending::Failed(&error, heard)).await;
                self.agent.model_failed(&self.runner, &error);
                Err(error)
            }
        };
        self.runner.runtime.bus.changed(Tag::ModelCalls);
        // The last pieces come before the end of the call, or they would be shown after it.
        self.forward(&stream).await;
        Some(answer)
    }

    /// An attempt that the model gave up within the call has a row of its own.
    async fn note_discarded(&self, stream: &Stream, caps: &Caps, purpose: Purpose) {
        if let Some(usage) = stream.discarded() {
            self.agent.ledger.discarded(&self.place, &word(&purpose), caps, usage).await;
        }
    }

    /// Makes a call that only warms a cache: nobody hears of its end.
    pub async fn warm(self, model: Arc<dyn Model>, request: Request) {
        let row = self.agent.ledger.begin(&self.place, self.as_of, &word(&Purpose::Warm), model.caps(), &request).await;
        let stream = Arc::new(Stream::default());
        let sink = self.sink(&stream, Purpose::Warm);
        let ended = tokio::select! {
            () = self.abort.cancelled() => None,
            reply = model.call(request, sink) => Some(reply),
        };
        self.agent.ledger.end(row, stream.ending(ended.as_ref())).await;
    }

    /// Passes pieces on until the reply is there; none if the turn gave it up.
    async fn stream(
        &self,
        model: &dyn Model,
        purpose: Purpose,
        request: Request,
        stream: &Arc<Stream>,
    ) -> Option<Result<Reply, ModelError>> {
        let mut calling = model.call(request, self.sink(stream, purpose));
        // Zero at first: the first word is shown without delay.
        let mut rest = pin!(tokio::time::sleep(std::time::Duration::ZERO));
        loop {
            let due = async {
                stream.arrived().await;
                rest.as_mut().await;
            };
            tokio::select! {
                biased;
                // A cancelled turn takes no reply, not even one that came at the same moment.
                () = self.abort.cancelled() => return None,
                reply = &mut calling => return Some(reply),
                () = due => {}
            }
            self.forward(stream).await;
            rest.set(tokio::time::sleep(MERGE));
        }
    }

    /// Takes the pieces of a call that begins now.
    fn sink(&self, stream: &Arc<Stream>, purpose: Purpose) -> Arc<DeltaSink> {
        let (stream, prompt) =
            (Arc::clone(stream), PromptWatch::begin(&self.runner.runtime, &self.agent.health.reading, purpose));
        Arc::new(move |delta| {
            prompt.heard(&delta);
            stream.push(delta);
        })
    }

    async fn forward(&self, stream: &Stream) {
        for delta in stream.take() {
            // A full queue holds the stream back, and a turn that has ended takes nothing.
            let _ = self.inputs.send(Input::Delta(delta)).await;
        }
    }
}
