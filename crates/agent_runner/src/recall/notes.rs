//! Writes notes for whoever may: a person, the agent, or an agent whose words a person lets through.

use memory::episodic::EpisodeRole;
use memory::notes::{Listed, Note, NoteError, Stamp};
use robot::{Audience, SharedCode, Trust};
use serde_json::json;
use world::cron::Zone;

use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::operations::REMEMBER_NOTE;
use crate::recall::episodes::Record;
use crate::recall::reviews::Change;
use crate::runner::AgentRunner;
use runtime::error::{OpError, RuntimeCode};
use runtime::session::{Reviewed, Session};
use runtime::wire::{NoteApplied, NoteRemembered, NoteRow, word};

/// The longest note.
const TEXT_CHARS_MAX: usize = 2_000;
/// The longest title.
const TITLE_CHARS_MAX: usize = 128;

impl AgentUnit {
    /// Writes a note, or puts it before a person if its text is untrusted.
    pub(crate) async fn remember(
        &self,
        runner: &AgentRunner,
        by: &Session,
        text: String,
        title: Option<String>,
    ) -> Result<NoteRemembered, OpError> {
        check("text", &text, TEXT_CHARS_MAX)?;
        if let Some(title) = &title {
            check("title", title, TITLE_CHARS_MAX)?;
            if title.contains(['\n', '\r']) {
                return Err(OpError::bad_input(SharedCode::InvalidInput, "title", "A title is one line."));
            }
        }
        if by.is_tainted() {
            return self.put_before_a_person(runner, by, text, title).await;
        }
        let id = format!("note-{}", uuid::Uuid::now_v7());
        let (stamp, trust) = stamp(id, by, runner.runtime.clock.now().wall_ms);
        let note = Note { stamp, by_person: is_persons(by), text, title };
        let file = self.notes.remember(&note).await.map_err(refusal)?;
        let cause = by.cause().and_then(|cause| cause.record.clone());
        let told = Record::new(EpisodeRole::Note, note.text, by.actor(), trust);
        self.episodes.record(told.caused_by(cause));
        Ok(NoteRemembered { message: format!("Noted in {file}"), applied: NoteApplied::Written, review: None })
    }

    /// Every note there is, in the order of the files.
    pub(crate) async fn list_notes(&self) -> Result<Vec<NoteRow>, OpError> {
        let row = |(file, section): (&str, Listed)| {
            let Listed { title, text, is_locked, stamp } = section;
            let (from, at, trust) =
                stamp.map_or((None, None, None), |stamp| (Some(stamp.from), Some(stamp.at), Some(stamp.trust)));
            NoteRow { file: file.to_owned(), title, text, locked: is_locked, from, at, trust }
        };
        Ok(self.notes.all().await.map_err(refusal)?.into_iter().map(row).collect())
    }

    async fn put_before_a_person(
        &self,
        runner: &AgentRunner,
        by: &Session,
        text: String,
        title: Option<String>,
    ) -> Result<NoteRemembered, OpError> {
        let written = match &title {
            Some(title) => self.notes.section(title).await.map_err(refusal)?,
            None => None,
        };
        // Refused now: a person would be asked about a change that cannot be made.
        if written.as_ref().is_some_and(|written| written.is_locked) {
            return Err(refusal(NoteError::Locked { title: title.unwrap_or_default() }));
        }
        let before = written.map(|written| written.text);
        let input = match title {
            Some(title) => json!({ "text": text, "title": title }),
            None => json!({ "text": text }),
        };
        let change = Change { operation: REMEMBER_NOTE, input, field: "text", before };
        let review = self.reviews.propose(&runner.runtime, by, change).await?;
        let message = format!("Waits for a person as {review}: the turn has read untrusted text");
        Ok(NoteRemembered { message, applied: NoteApplied::PendingReview, review: Some(review) })
    }
}

/// True if the words are a person's own.
fn is_persons(by: &Session) -> bool {
    by.audience() == Audience::Ui && by.review() != Some(Reviewed::AsItStood)
}

fn stamp(id: String, by: &Session, wall_ms: i64) -> (Stamp, Trust) {
    let (from, trust) = match (by.audience(), by.review()) {
        // A click lets the words through; it does not make them true.
        (Audience::Ui, Some(Reviewed::AsItStood)) => (format!("external, let through by {}", by.actor()), Trust::Text),
        (Audience::Ui, Some(Reviewed::Edited) | None) => (format!("operator({})", by.actor()), Trust::Trusted),
        (Audience::Mcp, _) => (format!("program({})", by.actor()), Trust::Text),
        (Audience::Agent, _) => ("agent".to_owned(), Trust::Trusted),
    };
    // The stamp's parts are told apart by commas.
    let from = from.replace(", ", " ").replace("-->", "");
    (Stamp { id, from, at: Zone::utc().rfc3339(wall_ms), trust: word(&trust) }, trust)
}

fn check(field: &str, text: &str, chars_max: usize) -> Result<(), OpError> {
    let chars = text.chars().count();
    if !text.trim().is_empty() && chars <= chars_max {
        return Ok(());
    }
    let message = format!("{field} has 1 to {chars_max} characters.");
    Err(OpError { message, ..OpError::out_of_range(field, 1, chars_max) })
}

fn refusal(error: NoteError) -> OpError {
    match &error {
        NoteError::Locked { title } => {
            OpError::new(AgentCode::SectionLocked, format!("{error}.")).with(json!({ "title": title }))
        }
        NoteError::Full { oldest, bytes_max, .. } => {
            OpError::new(AgentCode::NotesFull, format!("{error}. Remove something first."))
                .with(json!({ "oldest": oldest, "limit": bytes_max }))
        }
        NoteError::Busy { .. } => OpError::new(RuntimeCode::Busy, format!("{error}. Try again soon.")),
        NoteError::File { .. } => {
            tracing::error!(error = &error as &dyn std::error::Error, "notes");
            OpError::new(RuntimeCode::StorageFailed, format!("Storage failed: {error}. Nothing was changed."))
        }
    }
}
