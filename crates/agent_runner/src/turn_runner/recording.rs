//! Records of a turn in episodic memory: the person's words, the results of work tools, and the answer.

use agent::{Content, EntryLine, Event, LineKind, Message, Trigger};
use memory::episodic::EpisodeRole;
use robot::{ConversationId, Origin, Trust};

use crate::recall::episodes::{Episodes, Record};

/// Tools whose outcome is a record already.
const RECALLING: [&str; 1] = ["tool(memory_search)"];

/// The records of one turn.
pub(super) struct Recording<'a> {
    episodes: &'a Episodes,
    session: ConversationId,
    message: Option<Message>,
    /// The record that the next one follows from.
    cause: Option<String>,
    /// A room is answered: untrusted text has led to the answer.
    is_of_room: bool,
    /// The trust of the newest reply.
    reply: Trust,
    answer: Option<String>,
}

impl<'a> Recording<'a> {
    /// Of the turn that `message` begins in `session`.
    pub fn of(episodes: &'a Episodes, session: ConversationId, message: Message, cause: Option<String>) -> Self {
        let is_of_room = message.trigger() == Trigger::Room;
        Self { episodes, session, message: Some(message), cause, is_of_room, reply: Trust::Text, answer: None }
    }

    /// The turn's final answer, once.
    pub fn take_answer(&mut self) -> Option<String> {
        self.answer.take()
    }

    /// The record that what the turn does now follows from.
    pub fn cause(&self) -> Option<String> {
        self.cause.clone()
    }

    /// An entry is on disk.
    pub fn note_entry(&mut self, line: &EntryLine) {
        match line.kind {
            LineKind::User => self.note_message(line.id),
            LineKind::ToolResult if !RECALLING.contains(&line.origin.as_str()) => {
                let Some(Content::Text(json)) = &line.content else { return };
                self.note(Record::outcome(json, line.origin.clone(), line.trust), line.id);
            }
            LineKind::Assistant => self.reply = line.trust,
            LineKind::ToolResult | LineKind::Volatile | LineKind::Nudge | LineKind::Summary | LineKind::Marker => {}
        }
    }

    /// Something was told to whoever watches.
    pub fn note_event(&mut self, event: &Event) {
        if let Event::Delivered { entry, text, .. } = event {
            // Whatever a room has led to stays untrusted, also in the agent's own words.
            let (origin, trust) = if self.is_of_room { ("room(agent)", Trust::Text) } else { ("agent", self.reply) };
            self.note(Record::new(EpisodeRole::Assistant, text.clone(), origin, trust), *entry);
            self.answer = Some(text.clone());
        }
    }

    /// A person said something while the turn ran.
    pub fn note_steer(&self, message: &Message, entry: u64) {
        if let Origin::Operator(name) = message.origin() {
            let by = format!("operator({name})");
            self.note(Record::new(EpisodeRole::User, message.text(), by, Trust::Trusted), entry);
        }
    }

    /// The turn is over.
    pub fn end(self) {
        self.episodes.sync();
    }

    /// Records the message that began the turn, once. An alert is on record since it fired.
    fn note_message(&mut self, entry: u64) {
        let Some(message) = self.message.take() else { return };
        let origin = match message.origin() {
            Origin::Operator(name) => format!("operator({name})"),
            Origin::Room(sender) => format!("room({sender})"),
            Origin::System | Origin::Agent | Origin::Tool(_) | Origin::Sensor(_) => return,
        };
        match message.trigger() {
            Trigger::Operator => {
                let said = Record::new(EpisodeRole::User, message.text(), origin, Trust::Trusted);
                self.cause = Some(self.note(said, entry));
            }
            Trigger::Room => {
                let said = Record::new(EpisodeRole::User, message.text(), origin, Trust::Text);
                self.cause = Some(self.note(said, entry));
            }
            Trigger::Alert | Trigger::Schedule | Trigger::Decision | Trigger::Task | Trigger::Resume => {}
        }
    }

    fn note(&self, record: Record, entry: u64) -> String {
        self.episodes.record(record.in_session(&self.session, entry).caused_by(self.cause.clone()))
    }
}
