//! `memory_forget`: what a person wants forgotten is taken out of everything an agent keeps, verified, and put on
//! record by a tombstone that holds none of it. What a crash interrupts is finished at the next start.

mod held;
mod tombstone;

pub(crate) use held::without;

use std::collections::BTreeMap;
use std::sync::Arc;

use memory::episodic::{Query, cut_to};
use memory::forget::{AgentFiles, Forgetting, Needles, Places, Selected, Selection, Selector, Step, remaining};
use memory::{AgentDb, MemoryError};
use serde_json::json;
use world::alarm::{BuiltIn, Of};

use crate::agents::AgentUnit;
use crate::audit::QUOTES_FORGOTTEN;
use crate::config::AgentFolders;
use crate::crash::{self, CrashPoint};
use crate::error::{ErrorKind, OpError};
use crate::session::Session;
use crate::station::Station;
use crate::wire::{Forgotten, MemoryForgotten, ToForget, ToForgetRow};

/// Characters of a record that a dry run shows.
const SHOWN_CHARS: usize = 80;
/// What no program can promise.
const NOTICE: &str = "Disks and their own backups may keep old blocks. Recordings and the audit are not searched.";

/// What is to be forgotten, and why.
pub(crate) struct Request {
    /// Which records.
    pub selector: Selector,
    /// A phrase that shall be nowhere any more, also where no record is.
    pub phrase: Option<String>,
    pub reason: String,
    pub dry_run: bool,
}

/// Forgets, or says what would be forgotten.
pub(crate) async fn forget(
    station: &Arc<Station>,
    agent: &Arc<AgentUnit>,
    by: &Session,
    request: Request,
) -> Result<MemoryForgotten, OpError> {
    let _one_at_a_time = agent.episodes.forgetting.lock().await;
    // What was said a moment ago can be forgotten too.
    agent.episodes.flush(&agent.db).await?;
    let records = selected(agent, &request.selector).await?;
    let texts = texts(&request, &records);
    check_reason(&request.reason, &texts, &records)?;
    if request.dry_run {
        return Ok(MemoryForgotten::DryRun(to_forget(&records)));
    }
    let forgetting = Forgetting {
        tombstone: format!("tb-{}", uuid::Uuid::now_v7()),
        by: by.actor().to_owned(),
        reason: request.reason,
        records,
        texts,
        belief: None,
    };
    agent.db.intend_to_forget(&forgetting, station.clock.now().wall_ms).await?;
    crash::point(CrashPoint::ForgetIntent);
    agent.episodes.hide(forgetting.records.iter().map(|record| record.id.as_str()));
    let _no_turn = agent.desk.end_turns().await;
    agent.desk.reset(station.clock.now().wall_ms, &forgetting).await?;
    held::forget(station, agent, &forgetting).await;
    let files = files(&agent.folders);
    let taken = {
        let _closed = agent.episodes.close().await;
        take_out(&files, &agent.db, &forgetting).await
    };
    agent.desk.reload().await?;
    let places = taken?;
    agent.beliefs.load(station, (&agent.id, &agent.db)).await?;
    agent.episodes.index_anew(&agent.db).await?;
    finish(station, agent, &forgetting, places, Some(by)).await
}

fn files(folders: &AgentFolders) -> AgentFiles {
    AgentFiles { root: folders.root.clone() }
}

async fn selected(agent: &AgentUnit, selector: &Selector) -> Result<Vec<Selected>, OpError> {
    match agent.db.select_episodes(selector).await? {
        Selection::Records(records) if records.is_empty() => {
            Err(OpError::new(ErrorKind::NotFound, "nothing_matched", "No record matches; nothing was forgotten."))
        }
        Selection::Records(records) => Ok(records),
        Selection::Unknown(ids) => {
            Err(OpError::not_found("record_not_found", "record", &ids[0]).with(json!({ "ids": ids })))
        }
        Selection::TooMany(count) => {
            let max = memory::forget::FORGOTTEN_MAX;
            let message = format!("{count} records match; at most {max} are forgotten at once.");
            Err(OpError::bad_input("too_many", "query", message).with(json!({ "count": count, "max": max })))
        }
    }
}

/// What is looked for everywhere. Removal by age goes by time alone.
fn texts(request: &Request, records: &[Selected]) -> Vec<String> {
    match request.selector {
        Selector::Before(_) | Selector::OfBelief(_) => Vec::new(),
        Selector::Query(_) | Selector::Ids(_) => {
            let said = records.iter().map(|record| memory::episodic::without_cut(&record.content).to_owned());
            said.chain(request.phrase.clone()).collect()
        }
    }
}

/// The reason stays on record for ever.
fn check_reason(reason: &str, texts: &[String], records: &[Selected]) -> Result<(), OpError> {
    let quoted = |text: &str| !text.trim().is_empty() && memory::episodic::says(reason, text);
    if texts.iter().any(|text| quoted(text)) || records.iter().any(|record| quoted(&record.content)) {
        let message = "The reason quotes what is to be forgotten, and it stays on record. Word it differently.";
        return Err(OpError::bad_input(QUOTES_FORGOTTEN, "reason", message));
    }
    Ok(())
}

fn to_forget(records: &[Selected]) -> ToForget {
    let row = |record: &Selected| ToForgetRow { id: record.id.clone(), content: cut_to(&record.content, SHOWN_CHARS) };
    ToForget { message: format!("Would forget {}", entries(records.len())), items: records.iter().map(row).collect() }
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// Out of the files, then out of the rows. May have been begun before.
pub(crate) async fn take_out(files: &AgentFiles, db: &AgentDb, forgetting: &Forgetting) -> Result<Places, MemoryError> {
    let needles = forgetting.needles();
    let (in_files, of, looked_for) = (files.clone(), forgetting.clone(), needles.clone());
    let taken = tokio::task::spawn_blocking(move || {
        let mut replaced = Vec::new();
        let places = in_files.forget(&of, &looked_for, &mut replaced)?;
        Ok((places, replaced))
    });
    let (mut places, replaced) = taken.await.unwrap_or_else(|error| {
        let source = std::io::Error::other(error);
        Err(MemoryError::File { action: "forget in", path: files.root.clone(), source })
    })?;
    db.forgetting_reached(&forgetting.tombstone, Step::Files).await?;
    crash::point(CrashPoint::ForgetFiles);
    for (place, count) in db.forget_rows(forgetting, &needles, &replaced).await? {
        *places.entry(place).or_default() += count;
    }
    db.forgetting_reached(&forgetting.tombstone, Step::Rows).await?;
    crash::point(CrashPoint::ForgetRows);
    Ok(places)
}

/// Empties the log, replaces the backups, looks whether anything is left, and puts the tombstone on record.
async fn finish(
    station: &Arc<Station>,
    agent: &AgentUnit,
    forgetting: &Forgetting,
    mut places: Places,
    by: Option<&Session>,
) -> Result<MemoryForgotten, OpError> {
    let (files, needles) = (files(&agent.folders), forgetting.needles());
    agent.db.truncate_log().await?;
    let replaced = agent.db.replace_backups(station.clock.now().wall_ms).await?;
    if replaced > 0 {
        places.insert("backups".into(), replaced);
    }
    agent.db.forgetting_reached(&forgetting.tombstone, Step::Backups).await?;
    crash::point(CrashPoint::ForgetBackups);
    let left = verified(&files, &agent.db, &needles).await?;
    if !left.is_empty() {
        let message = format!("Some files still hold what was to be forgotten: {}.", left.join(", "));
        station.alarms.raise(BuiltIn::ForgettingIncomplete, &Of::agent(&agent.id), message.clone());
        let details = json!({ "files": left, "tombstone": forgetting.tombstone, "places": places });
        return Err(OpError::new(ErrorKind::Unavailable, "incomplete", message).with(details));
    }
    for happening in tombstone::records(forgetting, &places, by) {
        station.audit.commit(happening).await?;
    }
    agent.db.forgetting_reached(&forgetting.tombstone, Step::Recorded).await?;
    crash::point(CrashPoint::ForgetTombstone);
    agent.db.end_forgetting(&forgetting.tombstone).await?;
    agent.episodes.unhide(forgetting.records.iter().map(|record| record.id.as_str()));
    Ok(MemoryForgotten::Done(Forgotten {
        message: format!("Forgot {}", entries(forgetting.records.len())),
        forgotten: forgetting.records.len() as u64,
        tombstone: forgetting.tombstone.clone(),
        places: places.into_iter().collect::<BTreeMap<_, _>>(),
        recordings: recordings(station, &forgetting.records),
        notice: NOTICE.to_owned(),
    }))
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

fn recordings(station: &Station, records: &[Selected]) -> Vec<String> {
    let times = records.iter().map(|record| record.at_ms);
    match (times.clone().min(), times.max()) {
        (Some(from_ms), Some(to_ms)) => station.recordings.covering(from_ms, to_ms),
        (None, _) | (_, None) => Vec::new(),
    }
}

/// At a start, before anything is read: takes out what an earlier run has begun to forget.
pub(crate) async fn take_out_unfinished(folders: &AgentFolders, db: &AgentDb) -> Result<(), MemoryError> {
    for forgetting in db.unfinished_forgetting().await? {
        take_out(&files(folders), db, &forgetting).await?;
        // Nobody knows which files were replaced before the end.
        db.index_from_start().await?;
    }
    Ok(())
}

/// At a start, once there is an audit: finishes it.
pub(crate) async fn finish_unfinished(station: &Arc<Station>, agent: &Arc<AgentUnit>) {
    if let Err(error) = try_finish_unfinished(station, agent).await {
        tracing::error!(agent = %agent.id, %error, "forgetting is not finished");
    }
}

async fn try_finish_unfinished(station: &Arc<Station>, agent: &AgentUnit) -> Result<(), OpError> {
    for forgetting in agent.db.unfinished_forgetting().await? {
        finish(station, agent, &forgetting, Places::new(), None).await?;
    }
    station.alarms.clear(BuiltIn::ForgettingIncomplete, &Of::agent(&agent.id));
    Ok(())
}

/// What a query means for forgetting: every term must be there, and none may be left out silently.
pub(crate) fn query_of(text: &str) -> Result<Query, OpError> {
    let query = Query::parse(text, memory::episodic::Match::All);
    let query = query.ok_or_else(|| OpError::bad_input("empty_query", "query", "The query holds no word."))?;
    if query.is_cut() {
        let max = memory::episodic::TERMS_MAX;
        let message = format!("The query has more than {max} terms; name ids, or fewer words.");
        return Err(OpError { message, ..OpError::out_of_range("query", 1, max) });
    }
    Ok(query)
}
