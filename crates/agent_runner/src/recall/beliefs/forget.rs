//! A belief that is to be forgotten goes with its history, out of the database, its log and its backups.

use std::sync::Arc;

use memory::belief::{Belief, BeliefEvent, BeliefId};
use memory::forget::{Forgetting, Needles, Selection, Selector, Step, remaining};

use super::{Beliefs, Named, finished, told_of};
use crate::code::AgentCode;
use crate::operation_names::FORGET_BELIEF;
use runtime::Runtime;
use runtime::audit::AuditEntry;
use runtime::crash::{self, CrashPoint};
use runtime::error::{ErrorKind, OpError, RuntimeCode};
use runtime::session::Session;
use runtime::wire::{BeliefForgotten, Tag};

/// Rows of a history whose words are looked for: more than one keeps.
const EVENTS_MAX: u32 = 20_000;

/// A belief that is to be erased.
struct Erasure {
    id: BeliefId,
    forgetting: Forgetting,
    /// The record that stays of the act.
    tomb: AuditEntry,
    /// Its words, to look for them elsewhere.
    needles: Needles,
}

impl Beliefs {
    /// Erases a belief with its history. What stays is a record of the act, without a word of it.
    pub(crate) async fn forget(
        self: &Arc<Self>,
        runtime: &Arc<Runtime>,
        by: &Session,
        id: String,
        reason: &str,
    ) -> Result<BeliefForgotten, OpError> {
        let belief = self.find(&Named::Id(id))?;
        let events = self.db.belief_events(belief.id.as_str(), i64::MIN, i64::MAX, EVENTS_MAX).await?;
        let needles = Needles::of(&texts(&belief, &events));
        if needles.is_in(reason) {
            let message = "The reason quotes what is to be forgotten; it would stay in the audit.";
            return Err(OpError::bad_input(RuntimeCode::ReasonQuotesContent, "reason", message));
        }
        // Records about it of a moment ago go too.
        self.episodes.flush(&self.db).await?;
        let telling = Selector::OfBelief(told_of(&belief.subject, &belief.predicate));
        let records = match self.db.select_episodes(&telling).await? {
            Selection::Records(records) => records,
            Selection::Unknown(_) | Selection::TooMany(_) => {
                let message = "More records tell of it than are forgotten at once; forget them by a query first.";
                return Err(OpError::new(AgentCode::TooMany, message).of_kind(ErrorKind::Conflict));
            }
        };
        let forgetting = Forgetting {
            tombstone: format!("tb-{}", uuid::Uuid::now_v7()),
            by: by.actor().to_owned(),
            reason: reason.to_owned(),
            records,
            texts: Vec::new(),
            phrase: None,
            belief: Some(belief.id.to_string()),
        };
        let tombstone = forgetting.tombstone.clone();
        let about = format!("tombstone={tombstone} belief={} agent={} reason={reason}", belief.id, self.agent);
        let tomb = AuditEntry::by(by, FORGET_BELIEF, "forgotten").about(about);
        let erasing =
            erase(Arc::clone(runtime), Arc::clone(self), Erasure { id: belief.id.clone(), forgetting, tomb, needles });
        let elsewhere = finished(runtime, erasing).await?;
        let message = "The belief and its history are erased. Disks may keep old blocks.".into();
        Ok(BeliefForgotten { message, id: belief.id.to_string(), tombstone, elsewhere })
    }
}

/// Erases it and gives the files of the agent in which its words stand for other reasons.
async fn erase(runtime: Arc<Runtime>, beliefs: Arc<Beliefs>, erasure: Erasure) -> Result<Vec<String>, OpError> {
    let Erasure { id, forgetting, tomb, needles } = erasure;
    // In this order, as every other request to forget: the eraser, then the beliefs.
    let mut eraser = beliefs.eraser.lock().await;
    let Beliefs { db, episodes, .. } = &*beliefs;
    let mut engine = beliefs.engine.lock().await;
    // Another request may have erased it while this one waited.
    beliefs.find(&Named::Id(id.to_string()))?;
    db.intend_to_forget(&forgetting, runtime.clock.now().wall_ms).await?;
    crash::point(CrashPoint::ForgetIntent);
    {
        let _closed = episodes.close().await;
        eraser.take_out(&forgetting).await?;
    }
    engine.forget(&id);
    beliefs.hide(&id);
    // The rest takes long and concerns copies that nobody reads, so changes of other beliefs go on.
    drop(engine);
    episodes.index_anew(db).await?;
    runtime.bus.changed(Tag::Beliefs);
    // The row is gone for whoever asks; from here it goes out of what nobody asks.
    db.truncate_log().await?;
    db.replace_backups(runtime.clock.now().wall_ms).await?;
    db.forgetting_reached(&forgetting.tombstone, Step::Backups).await?;
    crash::point(CrashPoint::ForgetBackups);
    let files = eraser.files().clone();
    let found = tokio::task::spawn_blocking(move || remaining(&files, &needles)).await;
    let elsewhere = found.unwrap_or_else(|error| {
        tracing::error!(%error, "the files of the agent were not searched");
        Ok(Vec::new())
    })?;
    // On record before the request is over: a crash in between has it finished by the next start.
    runtime.audit.commit(tomb).await?;
    db.end_forgetting(&forgetting.tombstone).await?;
    Ok(elsewhere)
}

/// Every text of a belief that somebody could recognise.
fn texts(belief: &Belief, events: &[BeliefEvent]) -> Vec<String> {
    let of_events = events.iter().map(|event| &event.value);
    [&belief.value].into_iter().chain(&belief.notes).chain(of_events).cloned().collect()
}
