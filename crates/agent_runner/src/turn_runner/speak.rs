//! A person's acts at the desk: saying something, ending a turn, beginning a conversation anew.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use agent::{CancelReason, Hook, HookVerdict, Input, Outcome};
use llm::StopDone;
use memory::StateKey;
use robot::{ConversationId, TurnId};
use world::arousal::Boost;

use super::queue::STARTS_MAX;
use super::running::Signal;
use super::steers::DeskPerson;
use super::words::Word;
use super::{Start, TurnRunner, turn_id};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::conversations::{Conversation, channel};
use crate::runner::AgentRunner;
use crate::tools::hooks::About;
use runtime::crash::{self, CrashPoint};
use runtime::error::{OpError, RuntimeCode};
use runtime::session::Session;
use runtime::wire::{Channel, MessageSent, SessionRow, Tag, TurnCancelled};

impl TurnRunner {
    /// Takes what a person wrote: a word for the station, or the beginning of a turn. What begins one is on disk when
    /// this returns.
    pub(crate) async fn message(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        by: &Session,
        session: Option<&ConversationId>,
        text: &str,
    ) -> Result<MessageSent, OpError> {
        let conversation = self.at_desk(session).await?;
        // A stop in these words was carried out before they came here (decision 0098).
        let (stopped, words) = StopDone::read(text);
        match Word::of(words)? {
            Some(word) => self.obey(runner, agent, by, &conversation, word).await,
            None => {
                let turn = self.begin(runner, agent, DeskPerson::now(runner, by), &conversation, text).await?;
                let message = stopped.map(|stopped| stopped.sentence());
                Ok(MessageSent { session: conversation.session.clone(), turn: Some(turn), message })
            }
        }
    }

    async fn begin(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        person: DeskPerson<'_>,
        conversation: &Arc<Conversation>,
        text: &str,
    ) -> Result<TurnId, OpError> {
        let message = person.message(runner, text)?;
        // A place first: words that nobody will answer are not saved.
        let room = self.queue.reserve().ok_or_else(|| {
            OpError::new(RuntimeCode::Busy, format!("{STARTS_MAX} turns are waiting already. Try again soon."))
        })?;
        // On disk before it is queued: a crash loses nothing that was answered.
        let said = self.save_said(runner, agent, conversation, person, &message).await?;
        // A command does not take up the conversation, so what was paused in it stays.
        if !StopDone::read(text).1.starts_with('/') {
            self.give_up(agent, &conversation.session).await;
        }
        crash::point(CrashPoint::TurnSaid);
        self.stir(Boost::Message);
        let turn = turn_id();
        let start = Start::of(turn.clone(), message, Arc::clone(conversation));
        self.queue.push(Start { said: Some(said), ..start }, room);
        self.running.look(|current| {
            // A full queue means that the turn is busy, not waiting.
            let _ = current.inputs.try_send(Input::Spoken);
            if current.by_itself {
                let _ = current.signals.try_send(Signal::Preempt);
            }
        });
        Ok(turn)
    }

    async fn obey(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        by: &Session,
        conversation: &Arc<Conversation>,
        word: Word<'_>,
    ) -> Result<MessageSent, OpError> {
        let session = conversation.session.clone();
        let running = || {
            let here = self.running.look(|current| (current.session == session).then(|| current.turn.clone()));
            here.flatten().ok_or_else(|| OpError::new(AgentCode::TurnEnded, "No turn runs in this conversation."))
        };
        let (turn, message) = match word {
            Word::Loop(calls) => {
                // On disk first: the answer says that it holds from now on.
                agent.db.set_state(StateKey::CallsMax, Some(&calls)).await?;
                self.calls_max.store(calls, Relaxed);
                (None, format!("A turn may make {calls} model calls from now on"))
            }
            Word::Steer(text) => {
                let turn = running()?;
                let queued = self.steer(runner, agent, by, &turn, text).await?;
                (Some(turn), queued.message)
            }
            Word::Cancel => {
                let turn = running()?;
                let cancelled = self.cancel(runner, agent, &turn).await?;
                (Some(turn), cancelled.message)
            }
        };
        Ok(MessageSent { session, turn, message: Some(message) })
    }

    /// Ends a turn's reply, or takes the turn out of those that wait. Robots carry on; those that move are named.
    pub(crate) async fn cancel(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        turn: &TurnId,
    ) -> Result<TurnCancelled, OpError> {
        let is_running = self.running.look(|current| {
            let is_meant = current.turn == *turn;
            if is_meant {
                current.cancel(CancelReason::Operator);
            }
            is_meant
        });
        if is_running != Some(true) {
            self.withdraw(runner, agent, turn).await?;
        }
        // Whoever cancels a reply may believe that its robots stop.
        let moving = runner.robots.motions().into_iter().filter(|motion| motion.standstill == Some(false));
        let still_moving = moving.map(|motion| motion.robot).collect();
        Ok(TurnCancelled { message: "Turn cancelled".into(), still_moving })
    }

    /// Takes a turn out of those that wait.
    async fn withdraw(&self, runner: &AgentRunner, agent: &AgentUnit, turn: &TurnId) -> Result<(), OpError> {
        let Some(start) = self.queue.take(turn).or_else(|| self.of_rooms.take(turn)) else {
            return if self.give_up_turn(agent, turn).await { Ok(()) } else { Err(self.not_running(turn)) };
        };
        self.running.note_ended(turn.clone());
        self.let_next(&start, false, runner.runtime.clock.now().station);
        if let Some(said) = &start.said {
            agent.db.remove_said(said).await?;
        }
        if let Some(job) = start.job {
            // The station may be ending, and nobody listening.
            let _ = job.done.send(Outcome::Cancelled(CancelReason::Operator));
        }
        // Words that were steered to it while it waited have to be heard all the same.
        self.go_on(turn, &start.conversation);
        Ok(())
    }

    fn not_running(&self, turn: &TurnId) -> OpError {
        if self.running.has_ended(turn) {
            OpError::new(AgentCode::TurnEnded, "This turn has ended already.")
        } else {
            OpError::not_found(AgentCode::TurnNotFound, "turn", turn)
        }
    }

    /// The conversation of a turn that runs or waits.
    pub(super) async fn conversation_of(&self, turn: &TurnId) -> Result<Arc<Conversation>, OpError> {
        let running = self.running.look(|current| (current.turn == *turn).then(|| current.session.clone())).flatten();
        match running.or_else(|| self.queue.session_of(turn)).or_else(|| self.of_rooms.session_of(turn)) {
            Some(session) => self.conversations.get(&session).await,
            None => Err(self.not_running(turn)),
        }
    }

    /// A conversation in which people speak; that of the desk if none is named.
    async fn at_desk(&self, session: Option<&ConversationId>) -> Result<Arc<Conversation>, OpError> {
        let session = session.unwrap_or(&self.desk.session);
        let conversation = self.conversations.get(session).await?;
        match channel(session) {
            Channel::Desk => Ok(conversation),
            Channel::Autonomy | Channel::Room => {
                let message = "Nobody speaks in this conversation from a desk. Take one of the desk's.";
                Err(OpError::bad_input(AgentCode::NotOfTheDesk, "session", message))
            }
        }
    }

    /// Begins a conversation anew: what was said stays in its file and is shown to no model any more. The turn that
    /// runs in it ends first.
    pub(crate) async fn reset_session(
        &self,
        runner: &Arc<AgentRunner>,
        agent: &AgentUnit,
        session: &ConversationId,
    ) -> Result<SessionRow, OpError> {
        let conversation = self.conversations.get(session).await?;
        let hooks = runner.hooks(&agent.id, session, None);
        let about = About::default().with("by", "operator");
        // Asked before anything ends: a reset that is denied leaves the turn running.
        if let HookVerdict::Deny(reason) = hooks.ask(Hook::SessionEnd, about).await {
            return Err(OpError::new(AgentCode::DeniedByHook, format!("The conversation goes on: {reason}.")));
        }
        self.running.look(|current| {
            if current.session == *session {
                current.cancel(CancelReason::Operator);
            }
        });
        let no_turn = Arc::clone(&self.turns).lock_owned().await;
        self.conversations.reset(&no_turn, &conversation, runner.runtime.clock.now().wall_ms).await?;
        runner.runtime.bus.changed(Tag::Transcript);
        Ok(self.session_row(session))
    }

    /// A conversation with what runs in it.
    pub(crate) fn session_row(&self, session: &ConversationId) -> SessionRow {
        let running = self.running.look(|current| (current.session == *session).then(|| current.turn.clone()));
        SessionRow { running: running.flatten(), ..self.conversations.row(session) }
    }

    /// Every conversation, pinned ones first, then the one used last.
    pub(crate) fn session_rows(&self) -> Vec<SessionRow> {
        let mut rows: Vec<SessionRow> =
            self.conversations.rows().iter().map(|row| self.session_row(&row.session)).collect();
        rows.sort_by_key(|row| !row.pinned);
        rows
    }
}
