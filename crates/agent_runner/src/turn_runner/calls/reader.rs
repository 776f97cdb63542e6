//! Has a long output read for an agent, by a call of a model that has nothing but a form to fill in. What comes of it
//! is checked word by word: nothing else of what the model says goes any further.

use std::sync::Arc;

use agent::{Form, Input, Purpose, QuoteKey, Reading};
use llm::{Model, ModelError, ModelErrorKind, ModelKind, Reply, Request};
use robot::ConversationId;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};

use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::models::ledger::{AsOf, Place};
use crate::runner::AgentRunner;
use crate::turn_runner::TurnRunner;
use crate::turn_runner::calls::model::{ModelCall, model_for};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{OutputAnswers, word};

/// Calls for one form: the second one if the first did not fit it, or if the text was too long.
const CALLS_MAX: u32 = 2;

/// An output to be read, and the form to fill in from it.
pub(crate) struct Wanted {
    /// The conversation that asks, which has the output.
    pub session: ConversationId,
    /// The output's number.
    pub n: u32,
    /// Offset in `text` at which reading begins, bytes.
    pub offset: u64,
    /// The output.
    pub text: String,
    /// When it was read.
    pub as_of: AsOf,
    /// The form: the questions to the model.
    pub form: Form,
}

/// Readings of outputs, one after the other: each knows what the ones before it have spent.
#[derive(Debug, Default)]
pub(in crate::turn_runner) struct OutputReader(());

/// The common part of the calls for one form.
struct Asking<'a> {
    runner: &'a Arc<AgentRunner>,
    agent: &'a Arc<AgentUnit>,
    place: Place,
    model: Arc<dyn Model>,
    /// Of the turn that asks, if that runs: what is spent is told to it.
    turn: Option<mpsc::Sender<Input>>,
}

impl TurnRunner {
    /// The form of `wanted`, filled in.
    pub(crate) async fn read_output(
        &self,
        runner: &Arc<AgentRunner>,
        agent: &Arc<AgentUnit>,
        by: &Session,
        wanted: Wanted,
    ) -> Result<OutputAnswers, OpError> {
        let conversation = self.conversations.get(&wanted.session).await?;
        let trust = wanted.form.trust(&conversation.as_written());
        let mut reader = self.reader.lock().await;
        let model = model_for(&runner.models.for_turn(&agent.id).await, Purpose::Reader);
        if model.caps().kind == ModelKind::Interpreter {
            let message = "The command interpreter reads no texts: an output is read by a language model.";
            return Err(OpError::new(AgentCode::NoLanguageModel, message));
        }
        let asking = self.asking_for(runner, agent, by, &wanted.session, model);
        let entry = by.entry().map_or(0, |(_, entry)| entry);
        let (answers, next_offset) = reader.read(&asking, &wanted, entry).await?;
        Ok(answered(&wanted, answers, next_offset, trust))
    }

    fn asking_for<'a>(
        &self,
        runner: &'a Arc<AgentRunner>,
        agent: &'a Arc<AgentUnit>,
        by: &Session,
        session: &ConversationId,
        model: Arc<dyn Model>,
    ) -> Asking<'a> {
        let turn = by.cause().and_then(|cause| cause.turn.clone());
        let running = self.running.look(|current| {
            (Some(&current.turn) == turn.as_ref()).then(|| (current.place.clone(), current.inputs.clone()))
        });
        let (place, turn) = match running.flatten() {
            Some((place, inputs)) => (place, Some(inputs)),
            None => (Place { session: session.clone(), turn, mission: None }, None),
        };
        Asking { runner, agent, place, model, turn }
    }
}

impl OutputReader {
    /// The answers of the form, and the offset of the rest of the output if there is any.
    async fn read(
        &mut self,
        asking: &Asking<'_>,
        wanted: &Wanted,
        entry: u64,
    ) -> Result<(Map<String, Value>, Option<u64>), OpError> {
        let Asking { runner, agent, model, .. } = asking;
        let (policy, key) = (agent.policy(runner), QuoteKey::derived(runner.runtime.key.seed()));
        let mut bytes = wanted.form.text_bytes_max(&policy, model.caps());
        let mut again = false;
        for _ in 0..CALLS_MAX {
            let (part, next_offset) = part(wanted, bytes)?;
            let (session, caps) = (&wanted.session, model.caps());
            let reading = Reading { session, caps, policy: &policy, quote_key: &key, entry, again };
            match asking.ask(wanted.as_of, wanted.form.request(part, reading)).await? {
                Ok(reply) => {
                    if let Some(answers) = wanted.form.read(&reply) {
                        return Ok((answers, next_offset));
                    }
                    again = true;
                }
                // The window is too small for the text, so half of it is read.
                Err(error) if error.kind == ModelErrorKind::Overflow => bytes = part.len() / 2,
                Err(error) => return Err(unanswered(error.kind)),
            }
        }
        let message = "The model did not fill in the form. Ask for less, or read the output in pages.";
        Err(OpError::new(AgentCode::FormNotFilledIn, message))
    }
}

impl Asking<'_> {
    /// Makes one call, unless a budget is spent.
    async fn ask(&self, as_of: AsOf, request: Request) -> Result<Result<Reply, ModelError>, OpError> {
        if self.agent.bills(self.runner, &self.place).await.is_spent() {
            let message = "A budget is spent: nothing is read until a person adds to it.";
            return Err(OpError::new(AgentCode::BudgetSpent, message));
        }
        let abort = self.runner.runtime.ended.child_token();
        // A caller that is dropped gives the call up; its row in the ledger is ended all the same.
        let _given_up = abort.clone().drop_guard();
        // Nobody watches what is said.
        let (inputs, _) = mpsc::channel(1);
        let (runner, agent) = (Arc::clone(self.runner), Arc::clone(self.agent));
        let call = ModelCall { runner, agent, place: self.place.clone(), as_of, inputs, abort };
        let (tell, told) = oneshot::channel();
        let model = Arc::clone(&self.model);
        self.runner.runtime.tasks.spawn(async move {
            // The caller may be gone.
            let _ = tell.send(call.answer(&*model, Purpose::Reader, request).await);
        });
        let answer = told.await.ok().flatten();
        let answer = answer.ok_or_else(|| unanswered(ModelErrorKind::Cancelled))?;
        self.bill(&answer).await;
        Ok(answer)
    }

    /// Tells the turn what the call has taken.
    async fn bill(&self, answer: &Result<Reply, ModelError>) {
        let Some(turn) = &self.turn else { return };
        let purpose = Purpose::Reader;
        let taken = match answer {
            // The reply's words are for the form alone.
            Ok(reply) => {
                let reply = Reply { blocks: Vec::new(), sidecar: None, ..reply.clone() };
                Input::ModelDone { purpose, reply }
            }
            Err(error) => Input::ModelFailed { purpose, error: error.clone() },
        };
        for input in [Input::Billed(self.agent.bills(self.runner, &self.place).await), taken] {
            // The turn may have ended meanwhile.
            let _ = turn.send(input).await;
        }
    }
}

/// The part of the output that is read, at most `bytes` long, and the offset of the rest if there is any.
fn part(wanted: &Wanted, bytes: usize) -> Result<(&str, Option<u64>), OpError> {
    let text = &wanted.text;
    let offset = usize::try_from(wanted.offset).unwrap_or(usize::MAX);
    if offset >= text.len() {
        return Err(OpError::out_of_range("offset", 0, text.len().saturating_sub(1)));
    }
    // An agent may name an offset inside a character.
    let start = text.ceil_char_boundary(offset);
    let end = text.floor_char_boundary(start.saturating_add(bytes));
    Ok((&text[start..end], (end < text.len()).then_some(end as u64)))
}

fn answered(
    wanted: &Wanted,
    answers: Map<String, Value>,
    next_offset: Option<u64>,
    trust: robot::Trust,
) -> OutputAnswers {
    let bytes = wanted.text.len() as u64;
    let note = next_offset.map(|next| {
        format!("Only bytes {} to {next} of {bytes} were read: that is what the model's window holds.", wanted.offset)
    });
    OutputAnswers { n: wanted.n, offset: wanted.offset, next_offset, bytes, note, answers, trust }
}

/// The error of a call without an answer. The provider's own message is not passed on: it may quote the text.
fn unanswered(kind: ModelErrorKind) -> OpError {
    let message = format!("The model did not answer: {}.", word(&kind));
    OpError::new(AgentCode::ModelFailed, message)
}
