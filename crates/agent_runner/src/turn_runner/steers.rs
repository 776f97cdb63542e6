//! Steers: messages of people to a turn that runs. Each is on disk before it is answered, and stays there until the
//! transcript holds it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use agent::{EntryLine, Input, Message};
use memory::PendingMessage;
use robot::{ConversationId, Role, TurnId};

use super::{Start, TurnRunner, turn_id};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::conversations::Conversation;
use crate::runner::AgentRunner;
use runtime::crash::{self, CrashPoint};
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{SteerQueued, word};

/// Steers that may wait for one turn.
const STEERS_MAX: usize = 16;

/// Something to be heard by a turn.
pub(super) struct Steer {
    pub turn: TurnId,
    pub message: Message,
    /// Its row, if a person said it.
    pub said: Option<String>,
}

/// A person who speaks, with the role of that moment.
#[derive(Clone, Copy)]
pub(super) struct DeskPerson<'a> {
    pub by: &'a Session,
    pub role: Role,
}

/// Steers that wait to be heard, in the order in which they were said.
#[derive(Default)]
pub(super) struct Steers {
    waiting: Mutex<VecDeque<Steer>>,
    /// Held while one is saved, so that they are on disk in the order of their answers.
    order: tokio::sync::Mutex<SteerOrder>,
}

/// The right to hand over a steer as the next one.
#[derive(Debug, Default)]
struct SteerOrder(());

impl<'a> DeskPerson<'a> {
    /// A person who speaks now.
    pub fn now(runner: &AgentRunner, by: &'a Session) -> Self {
        Self { by, role: by.role(runner.runtime.clock.now().station) }
    }

    /// A message of theirs, cleaned of characters that a screen would not show.
    pub fn message(self, runner: &AgentRunner, text: &str) -> Result<Message, OpError> {
        // A key that was pasted by mistake goes no further: neither to a provider, nor into a file, nor to other
        // windows.
        Message::operator(self.by.actor(), self.role, &runner.runtime.redaction.without_secrets(text))
            .map_err(|error| OpError::bad_input(AgentCode::BadMessage, "text", error.to_string()))
    }
}

impl Steers {
    fn count(&self, turn: &TurnId) -> usize {
        lock(&self.waiting).iter().filter(|steer| steer.turn == *turn).count()
    }

    fn add(&self, steer: Steer) {
        lock(&self.waiting).push_back(steer);
    }

    /// Messages that wait for `turn`.
    pub fn messages(&self, turn: &TurnId) -> Vec<Message> {
        lock(&self.waiting).iter().filter(|steer| steer.turn == *turn).map(|steer| steer.message.clone()).collect()
    }

    /// An entry holds something that was said: it waits no more.
    pub fn heard(&self, turn: &TurnId, line: &EntryLine) -> Option<Steer> {
        let mut waiting = lock(&self.waiting);
        let at = waiting.iter().position(|steer| steer.turn == *turn && holds(line, steer.message.text()))?;
        waiting.remove(at)
    }

    /// Has `turn` hear other words in the place of `message`.
    pub fn reword(&self, turn: &TurnId, message: &Message, other: &Message) {
        let mut waiting = lock(&self.waiting);
        if let Some(steer) = waiting.iter_mut().find(|steer| steer.turn == *turn && steer.message == *message) {
            steer.message = other.clone();
        }
    }

    /// Takes out what `turn` is not to hear.
    pub fn withdraw(&self, turn: &TurnId, message: &Message) -> Option<Steer> {
        let mut waiting = lock(&self.waiting);
        let at = waiting.iter().position(|steer| steer.turn == *turn && steer.message == *message)?;
        waiting.remove(at)
    }

    /// Takes what nobody has heard.
    fn take(&self, turn: &TurnId) -> VecDeque<Steer> {
        let mut waiting = lock(&self.waiting);
        let (taken, left) = waiting.drain(..).partition(|steer| steer.turn == *turn);
        *waiting = left;
        taken
    }
}

impl TurnRunner {
    /// Has `text` heard by `turn` before its model is called again.
    pub(crate) async fn steer(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        by: &Session,
        turn: &TurnId,
        text: &str,
    ) -> Result<SteerQueued, OpError> {
        let person = DeskPerson::now(runner, by);
        let message = person.message(runner, text)?;
        let mut order = self.steers.order.lock().await;
        let conversation = self.conversation_of(turn).await?;
        if self.steers.count(turn) >= STEERS_MAX {
            let message = format!("{STEERS_MAX} messages wait for this turn already. Try again soon.");
            return Err(OpError::new(RuntimeCode::Busy, message));
        }
        let said = self.save_said(runner, agent, &conversation, person, &message).await?;
        crash::point(CrashPoint::TurnSteer);
        let position =
            self.hand_over(&mut order, &conversation, Steer { turn: turn.clone(), message, said: Some(said) });
        Ok(SteerQueued { message: "Steer queued".into(), position })
    }

    /// Hands `steer` to its turn; one that has ended meanwhile leaves it to the next.
    fn hand_over(&self, _: &mut SteerOrder, conversation: &Arc<Conversation>, steer: Steer) -> usize {
        let (turn, message) = (steer.turn.clone(), steer.message.clone());
        // Added before the look: if the turn ends in between, `go_on` still finds it in the list.
        self.steers.add(steer);
        let position = self.steers.count(&turn);
        let is_running = self.running.look(|current| {
            let is_meant = current.turn == turn;
            if is_meant {
                // A full queue means that the turn is busy: what it does not hear starts the next one.
                let _ = current.inputs.try_send(Input::Steer(message));
                // A call that waits for a person's decision would keep it waiting.
                let _ = current.inputs.try_send(Input::Spoken);
            }
            is_meant
        });
        // The turn took its list when it ended, before this steer was in it.
        if is_running != Some(true) && self.running.has_ended(&turn) {
            self.go_on(&turn, conversation);
        }
        position
    }

    /// Tells a turn that is running now something that no person said. False if another runs, or none.
    pub(super) fn steer_silently(&self, session: &ConversationId, message: &Message) -> bool {
        let turn = self.running.look(|current| (current.session == *session).then(|| current.turn.clone())).flatten();
        let Some(turn) = turn.filter(|turn| self.steers.count(turn) < STEERS_MAX) else { return false };
        self.steers.add(Steer { turn: turn.clone(), message: message.clone(), said: None });
        self.running.look(|current| current.inputs.try_send(Input::Steer(message.clone())).is_ok()) == Some(true)
    }

    /// Starts the next turn of the conversation with the messages that `turn` did not hear.
    pub(super) fn go_on(&self, turn: &TurnId, conversation: &Arc<Conversation>) {
        let mut left = self.steers.take(turn);
        let Some(first) = left.pop_front() else { return };
        let next = turn_id();
        for steer in left {
            self.steers.add(Steer { turn: next.clone(), ..steer });
        }
        // Words of a person make it a person's turn; a notice of the station does not.
        let by_itself = first.said.is_none();
        let conversation = Arc::clone(conversation);
        self.queue.push_first(Start { by_itself, said: first.said, ..Start::of(next, first.message, conversation) });
    }

    /// Puts what a person said on disk; names its row.
    pub(super) async fn save_said(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        conversation: &Conversation,
        DeskPerson { by, role }: DeskPerson<'_>,
        message: &Message,
    ) -> Result<String, OpError> {
        let said = PendingMessage {
            id: format!("sd-{}", uuid::Uuid::now_v7()),
            session: conversation.session.clone(),
            after_entry: conversation.next_id(),
            actor: by.actor().to_owned(),
            role: word(&role),
            text: message.text().to_owned(),
            said_ms: runner.runtime.clock.now().wall_ms,
        };
        agent.db.add_said(&said).await?;
        Ok(said.id)
    }
}

/// The role of somebody who spoke in an earlier run; what cannot be read is the least.
pub(super) fn role_of(word: &str) -> Role {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).unwrap_or(Role::Viewer)
}

/// True if an entry of `lines` holds the message.
pub(super) fn is_heard(said: &PendingMessage, lines: &[EntryLine]) -> bool {
    let by = format!("operator({})", said.actor);
    // An earlier entry with the same words was another message.
    let since = lines.iter().filter(|line| line.id >= said.after_entry && line.origin == by);
    since.into_iter().any(|line| holds(line, &said.text))
}

/// True if an entry holds `text`, as it stands in the file.
fn holds(line: &EntryLine, text: &str) -> bool {
    // Compared as JSON, since the content of an entry may be a list of parts.
    let (content, words) = (serde_json::to_string(&line.content), serde_json::to_string(text));
    content.is_ok_and(|content| words.is_ok_and(|words| content.contains(words.trim_matches('"'))))
}
