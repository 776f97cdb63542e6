//! Steers: messages of people to a turn that runs. Each is on disk before it is answered, and stays there until the
//! transcript holds it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use agent::{Content, EntryLine, Input, Message, Part, desk_words};
use memory::PendingMessage;
use robot::{ConversationId, Role, TurnId};

use super::running::Signal;
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
    /// Its turn's driver has taken it up.
    is_told: bool,
}

impl Steer {
    fn of(turn: &TurnId, message: Message, said: Option<String>) -> Self {
        Self { turn: turn.clone(), message, said, is_told: false }
    }
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

    /// Messages that wait for `turn` and that its driver has not taken up; it takes each once. There is no other way
    /// for a steer to a turn.
    pub fn untold(&self, turn: &TurnId) -> impl Iterator<Item = Message> + use<> {
        let mut waiting = lock(&self.waiting);
        let untold = waiting.iter_mut().filter(|steer| steer.turn == *turn && !steer.is_told).map(|steer| {
            steer.is_told = true;
            steer.message.clone()
        });
        untold.collect::<Vec<_>>().into_iter()
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
        let position = self.hand_over(&mut order, &conversation, Steer::of(turn, message, Some(said)));
        Ok(SteerQueued { message: "Steer queued".into(), position })
    }

    /// Hands `steer` to its turn; one that has ended meanwhile leaves it to the next.
    fn hand_over(&self, _: &mut SteerOrder, conversation: &Arc<Conversation>, steer: Steer) -> usize {
        // Added before the look: if the turn ends in between, `go_on` still finds it in the list.
        let turn = steer.turn.clone();
        self.steers.add(steer);
        let position = self.steers.count(&turn);
        let is_running = self.running.look(|current| {
            let is_meant = current.turn == turn;
            if is_meant {
                let _ = current.signals.try_send(Signal::Steered);
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
        // In one look: the turn cannot end in between, and hands on what it does not hear.
        let is_told = self.running.look(|current| {
            let is_meant = current.session == *session && self.steers.count(&current.turn) < STEERS_MAX;
            if is_meant {
                self.steers.add(Steer::of(&current.turn, message.clone(), None));
                let _ = current.signals.try_send(Signal::Steered);
            }
            is_meant
        });
        is_told == Some(true)
    }

    /// Starts the next turn of the conversation with the messages that `turn` did not hear.
    pub(super) fn go_on(&self, turn: &TurnId, conversation: &Arc<Conversation>) {
        let mut left = self.steers.take(turn);
        let Some(first) = left.pop_front() else { return };
        let next = turn_id();
        for steer in left {
            self.steers.add(Steer::of(&next, steer.message, steer.said));
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

/// True if an entry holds `text` and nothing else, in a person's envelope or without one.
fn holds(line: &EntryLine, text: &str) -> bool {
    // Compared as JSON, since the content of an entry may be a list of parts.
    let is_it = |content: &str| content == text || desk_words(content) == Some(text);
    match &line.content {
        Some(Content::Text(content)) => is_it(content),
        Some(Content::Parts(parts)) => parts.iter().any(|Part::Text { text, .. }| is_it(text)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::test_support::Rig;
    use crate::turn_runner::running::Current;

    /// A desk of the rig's agent that takes no turn out of its queue, and the turn `turn-1` that runs there.
    async fn desk(rig: &Rig) -> (TurnRunner, mpsc::Receiver<Input>, mpsc::Receiver<Signal>) {
        let now = rig.runner.runtime.clock.now();
        let turns = TurnRunner::open(&rig.agent.folders, &rig.agent.db, now).await.unwrap();
        let message = Message::operator("dana", Role::Operator, "status").unwrap();
        let start = Start::of("turn-1".into(), message, Arc::clone(&turns.desk));
        let ((inputs, arriving), (signals, signalled)) = (mpsc::channel(8), mpsc::channel(1));
        turns.running.begin(Current::of(&start, inputs, signals).0);
        (turns, arriving, signalled)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_steer_reaches_its_turn_once_and_in_one_way() {
        let rig = Rig::start().await;
        let (turns, mut arriving, mut signalled) = desk(&rig).await;
        let turn = TurnId::from("turn-1");
        turns.steer(&rig.runner, &rig.agent, &Session::bootstrap(), &turn, "go on").await.unwrap();
        assert!(matches!(signalled.try_recv(), Ok(Signal::Steered)));
        assert!(matches!(arriving.try_recv(), Ok(Input::Spoken)));
        assert!(arriving.try_recv().is_err(), "it does not come with the inputs as well");
        let told: Vec<Message> = turns.steers.untold(&turn).collect();
        assert_eq!(told.iter().map(Message::text).collect::<Vec<_>>(), ["go on"]);
        assert_eq!(turns.steers.untold(&turn).count(), 0);
        turns.running.end();
        turns.go_on(&turn, &turns.desk);
        assert_eq!((turns.queue.count(), turns.steers.count(&turn)), (1, 0), "unheard, it begins the next turn");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_the_station_tells_goes_to_the_turn_that_runs_there_or_to_none() {
        let rig = Rig::start().await;
        let (turns, _arriving, _signalled) = desk(&rig).await;
        let (turn, here) = (TurnId::from("turn-1"), turns.session());
        let told = Message::resume(&turn, agent::MeterName::Turn);
        assert!(!turns.steer_silently(&"desk-2".into(), &told));
        assert!(turns.steer_silently(&here, &told) && turns.steer_silently(&here, &told), "no signal is too many");
        assert_eq!(turns.steers.untold(&turn).count(), 2);
        turns.running.end();
        assert!(!turns.steer_silently(&here, &told));
        assert_eq!(turns.steers.count(&turn), 2, "what is told elsewhere does not wait here as well");
    }

    #[test]
    fn words_within_other_words_are_not_heard_yet() {
        let said = |text: &str| PendingMessage {
            id: "sd-1".into(),
            session: "desk".into(),
            after_entry: 1,
            actor: "dana".into(),
            role: "operator".into(),
            text: text.into(),
            said_ms: 1,
        };
        let place = agent::EntryPlace { id: 1, epoch: 0, at_ms: 1 };
        let desk = agent::Envelope::Desk { name: "dana", role: Role::Operator, scheduled: false };
        let text = agent::enveloped(desk, 1, None, None, "not to dock 12, go to dock 1 later");
        let blocks = vec![llm::Block::Text { text, trust: robot::Trust::Trusted }];
        let entry = agent::Entry::new(place, agent::EntryKind::User, blocks, robot::Origin::Operator("dana".into()));
        let lines = [EntryLine::from(entry)];
        assert!(!is_heard(&said("go to dock 1"), &lines));
        assert!(is_heard(&said("not to dock 12, go to dock 1 later"), &lines));
    }
}
