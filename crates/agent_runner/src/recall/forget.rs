//! `memory_forget`: what a person wants forgotten is taken out of everything an agent keeps, verified, and put on
//! record by a tombstone that holds none of it. What a crash interrupts is finished at the next start.

mod answer;
mod held;
mod tombstone;

use std::sync::Arc;

use memory::episodic::Query;
use memory::forget::{
    AgentFiles, Forgetting, Needles, Places, Removal, Selected, Selection, Selector, StationFiles, Stays, Step,
    remaining, stays,
};
use memory::{AgentDb, MemoryError};
use serde_json::json;
use world::alarm::{BuiltIn, Of};

use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::recall::removal::{READERS, files};
use crate::runner::AgentRunner;
use answer::{done, said, to_forget};
use runtime::crash::{self, CrashPoint};
use runtime::error::{OpError, RuntimeCode};
use runtime::session::Session;
use runtime::wire::MemoryForgotten;

/// A request to forget, with its reason.
pub(crate) struct Request {
    /// Selector of the records to forget.
    pub selector: Selector,
    /// A phrase that shall be nowhere any more, also where no record is.
    pub phrase: Option<String>,
    pub reason: String,
    pub dry_run: bool,
}

/// Forgets, or says what would be forgotten.
pub(crate) async fn forget(
    runner: &Arc<AgentRunner>,
    agent: &Arc<AgentUnit>,
    by: &Session,
    request: Request,
) -> Result<MemoryForgotten, OpError> {
    let mut eraser = agent.eraser.lock().await;
    // What came a moment ago can be forgotten too, and the answer names where it was.
    agent.episodes.flush(&agent.db).await?;
    runner.sensing.save_waiting(&agent.world).await;
    runner.runtime.bus.events().save_of(&agent.id, &agent.db).await;
    let records = selected(agent, &request.selector).await?;
    let phrase = checked_phrase(request.phrase.as_deref())?;
    // A phrase that no record holds can stand elsewhere; a dry run says so of every phrase.
    let held = match &phrase {
        Some(phrase) if records.is_empty() || request.dry_run => still_said(runner, agent, phrase).await?,
        Some(_) | None => Vec::new(),
    };
    if records.is_empty() && held.is_empty() {
        let message = "No record matches; nothing was forgotten.";
        return Err(OpError::new(AgentCode::NothingMatched, message));
    }
    let texts = texts(&request, &records);
    let forgetting = Forgetting {
        tombstone: format!("tb-{}", uuid::Uuid::now_v7()),
        by: by.actor().to_owned(),
        reason: request.reason,
        records,
        texts,
        phrase: request.phrase.filter(|_| phrase.is_some()),
        belief: None,
    };
    // Also in a dry run, which has to refuse what the act itself would.
    check_reason(&forgetting)?;
    if request.dry_run {
        return Ok(MemoryForgotten::DryRun(to_forget(&forgetting.records, &held)));
    }
    // On disk before the first word goes: from here on the next start finishes what a crash interrupts.
    agent.db.intend_to_forget(&forgetting, runner.runtime.clock.now().wall_ms).await?;
    crash::point(CrashPoint::ForgetIntent);
    // No search returns them while files and rows disagree.
    agent.episodes.hide(forgetting.records.iter().map(|record| record.id.as_str()));
    // A turn that runs holds the words, and would write them again.
    let no_turn = agent.turns.end_turns().await;
    let nothing_shown = agent.ledger.forget().await;
    agent.turns.reset(&no_turn, runner.runtime.clock.now().wall_ms, &forgetting).await?;
    // Memory before the disk: what is held would be written back.
    held::forget(runner, agent, &forgetting).await;
    let taken = {
        let _closed = agent.episodes.close().await;
        eraser.take_out(&forgetting).await
    };
    // Also after a failure: some of the files may be others already.
    agent.turns.reload(&no_turn).await?;
    drop(nothing_shown);
    let places = taken?;
    agent.beliefs.load(&runner.runtime).await?;
    agent.episodes.index_anew(&agent.db).await?;
    finish(runner, agent, &forgetting, places, Some(by)).await
}

/// Makes the needles that look for a typed phrase alone.
fn checked_phrase(phrase: Option<&str>) -> Result<Option<Needles>, OpError> {
    let Some(phrase) = phrase else { return Ok(None) };
    let needles = Needles::default().and_phrase(phrase);
    if needles.is_empty() {
        let message = "The phrase is too long to be looked for everywhere; name fewer words, or ids.";
        return Err(OpError::bad_input(AgentCode::TooLong, "query", message));
    }
    Ok(Some(needles))
}

/// Everything of the station that says one of the texts.
async fn still_said(runner: &AgentRunner, agent: &AgentUnit, needles: &Needles) -> Result<Vec<Stays>, MemoryError> {
    // The write-ahead log of SQLite keeps old pages until it is truncated.
    runner.runtime.db.truncate_log().await?;
    for unit in runner.agents.all() {
        unit.db.truncate_log().await?;
    }
    let files = StationFiles { root: runner.runtime.layout.root.clone(), agent: agent.folders.root.clone() };
    stays(&files, &agent.db, &runner.runtime.db, needles).await
}

async fn selected(agent: &AgentUnit, selector: &Selector) -> Result<Vec<Selected>, OpError> {
    match agent.db.select_episodes(selector).await? {
        Selection::Records(records) => Ok(records),
        Selection::Unknown(ids) => {
            Err(OpError::not_found(AgentCode::RecordNotFound, "record", &ids[0]).with(json!({ "ids": ids })))
        }
        Selection::TooMany(count) => {
            let max = memory::forget::FORGOTTEN_MAX;
            let message = format!("{count} records match; at most {max} are forgotten at once.");
            Err(OpError::bad_input(AgentCode::TooMany, "query", message).with(json!({ "count": count, "max": max })))
        }
    }
}

/// Texts that are looked for everywhere. Removal by age goes by time alone.
fn texts(request: &Request, records: &[Selected]) -> Vec<String> {
    match request.selector {
        Selector::Before(_) | Selector::OfBelief(_) => Vec::new(),
        Selector::Query(_) | Selector::Ids(_) => {
            records.iter().map(|record| memory::episodic::without_cut(&record.content).to_owned()).collect()
        }
    }
}

/// The reason stays on record for ever, and nobody takes anything out of the record.
fn check_reason(forgetting: &Forgetting) -> Result<(), OpError> {
    let reason = &forgetting.reason;
    let quoted = |text: &str| !text.trim().is_empty() && memory::episodic::says(reason, text);
    let mut said = forgetting.texts.iter().chain(&forgetting.phrase);
    let is_quoted = said.any(|text| quoted(text)) || forgetting.records.iter().any(|record| quoted(&record.content));
    if is_quoted || forgetting.needles().is_part_of(reason) {
        let message = "The reason quotes what is to be forgotten, and it stays on record. Word it differently.";
        return Err(OpError::bad_input(RuntimeCode::ReasonQuotesContent, "reason", message));
    }
    Ok(())
}

/// Empties the log, replaces the backups, looks whether anything is left, and puts the tombstone on record.
async fn finish(
    runner: &Arc<AgentRunner>,
    agent: &AgentUnit,
    forgetting: &Forgetting,
    mut places: Places,
    by: Option<&Session>,
) -> Result<MemoryForgotten, OpError> {
    let (files, removal) = (files(&agent.folders), Removal::of(forgetting, READERS));
    let needles = &removal.needles;
    let decisions = runner.runtime.db.forget_approvals(agent.id.as_str(), &removal).await?;
    if decisions > 0 {
        places.insert("decisions".into(), decisions);
    }
    agent.db.truncate_log().await?;
    let replaced = agent.db.replace_backups(runner.runtime.clock.now().wall_ms).await?;
    if replaced > 0 {
        places.insert("backups".into(), replaced);
    }
    agent.db.forgetting_reached(&forgetting.tombstone, Step::Backups).await?;
    crash::point(CrashPoint::ForgetBackups);
    // Text of records is gone, or an error names its file; a phrase may stand where nobody may edit, and is reported.
    let unclean = verified(&files, &agent.db, &needles.texts_alone()).await?;
    if !unclean.is_empty() {
        let message = format!("Some files still hold what was to be forgotten: {}.", unclean.join(", "));
        runner.sensing.alarms.raise(BuiltIn::ForgettingIncomplete, &Of::agent(&agent.id), message.clone());
        let details = json!({ "files": unclean, "tombstone": forgetting.tombstone, "places": places });
        return Err(OpError::new(AgentCode::Incomplete, message).with(details));
    }
    // On record before the request is over: a crash in between repeats the tombstone and never loses it.
    for entry in tombstone::records(forgetting, &places, by) {
        runner.runtime.audit.commit(entry).await?;
    }
    agent.db.forgetting_reached(&forgetting.tombstone, Step::Recorded).await?;
    crash::point(CrashPoint::ForgetTombstone);
    // Whatever forgetting writes itself is on disk from here, so that it is looked through too.
    let stays = left(runner, agent, needles).await?;
    agent.db.end_forgetting(&forgetting.tombstone).await?;
    agent.episodes.unhide(forgetting.records.iter().map(|record| record.id.as_str()));
    if by.is_none() && !stays.is_empty() {
        // Whoever asked is told by the answer; after a restart there is none.
        runner.runtime.bus.event_of(&agent.id, "forgetting_left", said(forgetting.records.len(), &stays));
    }
    Ok(MemoryForgotten::Done(done(forgetting, places, stays, recordings(runner, &forgetting.records))))
}

/// Lists the places of the station that still hold one of the texts. A database whose rows do not is written anew once,
/// because unused space of it may.
async fn left(runner: &AgentRunner, agent: &AgentUnit, needles: &Needles) -> Result<Vec<Stays>, MemoryError> {
    let left = still_said(runner, agent, needles).await?;
    if left.iter().all(|stays| !stays.is_of_database) {
        return Ok(left);
    }
    // SQLite may keep deleted text in free pages until the file is written anew.
    agent.db.rewrite().await?;
    agent.db.replace_backups(runner.runtime.clock.now().wall_ms).await?;
    still_said(runner, agent, needles).await
}

/// The files that still hold something; a database that does is written anew once.
async fn verified(files: &AgentFiles, db: &AgentDb, needles: &Needles) -> Result<Vec<String>, MemoryError> {
    let look = || {
        let (files, needles) = (files.clone(), needles.clone());
        tokio::task::spawn_blocking(move || remaining(&files, &needles))
    };
    let failed = |error| MemoryError::File {
        action: "look through",
        path: files.root.clone(),
        source: std::io::Error::other(error),
    };
    let left = look().await.map_err(failed)??;
    if left.iter().any(|name| name.starts_with("memory.db")) {
        db.rewrite().await?;
        return look().await.map_err(failed)?;
    }
    Ok(left)
}

fn recordings(runner: &AgentRunner, records: &[Selected]) -> Vec<String> {
    let times = records.iter().map(|record| record.at_ms);
    match (times.clone().min(), times.max()) {
        (Some(from_ms), Some(to_ms)) => runner.runtime.recordings.covering(from_ms, to_ms),
        (None, _) | (_, None) => Vec::new(),
    }
}

/// At a start, once there is an audit: finishes it.
pub(crate) async fn finish_unfinished(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
    if let Err(error) = try_finish_unfinished(runner, agent).await {
        tracing::error!(agent = %agent.id, %error, "forgetting is not finished");
    }
}

async fn try_finish_unfinished(runner: &Arc<AgentRunner>, agent: &AgentUnit) -> Result<(), OpError> {
    for forgetting in agent.db.unfinished_forgetting().await? {
        finish(runner, agent, &forgetting, Places::new(), None).await?;
    }
    runner.sensing.alarms.clear(BuiltIn::ForgettingIncomplete, &Of::agent(&agent.id));
    Ok(())
}

/// Parses a query for forgetting: every term must be there, and none may be left out silently.
pub(crate) fn query_of(text: &str) -> Result<Query, OpError> {
    let query = Query::parse(text, memory::episodic::Match::All);
    let query = query.ok_or_else(|| OpError::bad_input(AgentCode::EmptyQuery, "query", "The query holds no word."))?;
    if query.is_cut() {
        let max = memory::episodic::TERMS_MAX;
        let message = format!("The query has more than {max} terms; name ids, or fewer words.");
        return Err(OpError { message, ..OpError::out_of_range("query", 1, max) });
    }
    Ok(query)
}
