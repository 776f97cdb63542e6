//! F13, ST-07: a database that was cut off, as a crash or a full disk leaves it, is read up to what was committed before
//! the cut, or refused; it never has a hole.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{AgentDb, AuditLine, MemoryError, OpenStop, ProposalRow, StationDb};

/// Commits, each of one record and one stop.
const COMMITS: u64 = 12;
/// Bytes of a page, and what the log puts before the first and before each.
const PAGE: usize = 4_096;
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// Cuts that are anywhere.
const CUTS_ANYWHERE: usize = 200;
/// Cuts of the agent's database that are anywhere: its first page is followed by more of them.
const AGENT_CUTS_ANYWHERE: usize = 40;

/// The files of a database with every commit in it: the pages and the log beside them.
struct Files {
    pages: Vec<u8>,
    log: Vec<u8>,
}

impl Files {
    fn read(path: &Path) -> Self {
        let log = fs::read(path.with_extension("db-wal")).unwrap_or_default();
        Self { pages: fs::read(path).unwrap(), log }
    }

    fn write(&self, path: &Path) {
        fs::write(path, &self.pages).unwrap();
        fs::write(path.with_extension("db-wal"), &self.log).unwrap();
    }
}

/// Long enough that the records do not all lie on one page.
fn record(seq: u64) -> String {
    format!("{{\"seq\":{seq},\"detail\":\"{}\"}}", "x".repeat(PAGE / 2))
}

async fn written_station(is_checkpointed: bool) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.db");
    let db = StationDb::open(&path).await.unwrap();
    for seq in 1..=COMMITS {
        let stored = OpenStop {
            stop_id: seq,
            by: "dana".into(),
            asked: true,
            reason: None,
            reason_kind: None,
            at_ms: 1,
            robots: BTreeSet::new(),
            released: BTreeSet::new(),
        };
        db.save_stop(&stored, true).await.unwrap();
        db.append_audit(&[AuditLine { seq, record: record(seq) }]).await.unwrap();
    }
    if is_checkpointed {
        db.close().await;
    }
    Files::read(&path)
}

/// The last record and the last stop that can still be read. The records of `zeroed` pages may be wrong.
async fn read_station(files: &Files, zeroed: u64) -> Result<(u64, u64), MemoryError> {
    // A folder of its own: what was opened in vain lets go of its files a little later.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.db");
    files.write(&path);
    let db = StationDb::open(&path).await?;
    let read = async {
        let records = db.audit_after(0, u32::MAX).await?;
        // SQLite reads the missing part of a page as zeros. What that makes of a record, the audit's chain does not take.
        let last =
            (1..).zip(&records).take_while(|(seq, line)| line.seq == *seq && line.record == record(*seq)).count();
        let last = last as u64;
        assert!(records.len() as u64 - last <= zeroed, "a hole after record {last}");
        Ok((last, db.last_stop_id().await?))
    };
    let read = read.await;
    db.close().await;
    read
}

/// The ends of pages, and places that the golden ratio spreads evenly without dice.
fn cuts(length: usize, first: usize, step: usize, anywhere: usize) -> Vec<usize> {
    let anywhere = (1..=anywhere).map(|i| ((i as f64 * 0.618_034).fract() * length as f64) as usize);
    let mut cuts: Vec<usize> = (first..=length).step_by(step).chain(anywhere).collect();
    cuts.sort_unstable();
    cuts
}

#[tokio::test]
async fn f13_a_log_that_was_cut_off_is_read_up_to_the_last_commit_before_the_cut() {
    let files = written_station(false).await;
    let mut known = (0, 0);
    for cut in cuts(files.log.len(), LOG_HEADER, FRAME_HEADER + PAGE, CUTS_ANYWHERE) {
        let log = files.log[..cut].to_vec();
        let (records, stops) = read_station(&Files { pages: files.pages.clone(), log }, 0).await.unwrap();
        assert!(stops == records || stops == records + 1, "cut at {cut}: {records} records, {stops} stops");
        assert!((records, stops) >= known, "cut at {cut}: fewer than at a cut before it");
        known = (records, stops);
    }
    assert_eq!(known, (COMMITS, COMMITS));
}

#[tokio::test]
async fn f13_pages_that_were_cut_off_are_refused_or_read_without_a_hole() {
    let files = written_station(true).await;
    for cut in cuts(files.pages.len(), 0, PAGE, CUTS_ANYWHERE) {
        let pages = files.pages[..cut].to_vec();
        let is_whole = cut % PAGE == 0;
        // One record of half a page, and the next that begins on the same page.
        match read_station(&Files { pages, log: Vec::new() }, if is_whole { 0 } else { 2 }).await {
            Ok(read) if cut == files.pages.len() => assert_eq!(read, (COMMITS, COMMITS)),
            Ok(read) => assert!(!is_whole, "cut at {cut}: {read:?}"),
            Err(error) => assert!(cut < files.pages.len(), "{error}"),
        }
    }
}

#[tokio::test]
async fn f13_a_station_database_that_was_emptied_is_no_new_one() {
    let refused = read_station(&Files { pages: Vec::new(), log: Vec::new() }, 0).await.unwrap_err();
    assert!(matches!(refused, MemoryError::Damaged { .. }), "{refused}");
    assert!(refused.to_string().ends_with("station.db is damaged: it is empty"), "{refused}");
}

fn proposal(number: u64) -> ProposalRow {
    ProposalRow {
        id: format!("pr-{number:04}").into(),
        mission_id: None,
        state: "done".into(),
        tier: "high".into(),
        action_hash: "00".into(),
        expires_ms: 2,
        created_ms: 1,
        revision: i64::try_from(number).unwrap(),
        body: record(number),
    }
}

async fn written_agent(folder: &Path, is_checkpointed: bool) -> Files {
    let path = folder.join("memory.db");
    let db = AgentDb::open(&path).await.unwrap();
    for number in 1..=COMMITS {
        db.save_proposal(&proposal(number)).await.unwrap();
    }
    if is_checkpointed {
        db.close().await;
    }
    Files::read(&path)
}

/// The number of proposals that can still be read, and true if the file had to be set aside.
async fn read_agent(files: &Files, backup: Option<&[u8]>) -> (u64, bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    files.write(&path);
    if let Some(backup) = backup {
        fs::create_dir(folder.path().join("backups")).unwrap();
        fs::write(folder.path().join("backups/memory-2026-02-20.db"), backup).unwrap();
    }
    let (db, restored) = AgentDb::open_or_restore(&path, 1_772_990_000_000).await.unwrap();
    let mut found = db.proposals(u32::MAX).await.unwrap();
    found.reverse();
    assert!((1..).zip(&found).all(|(number, row)| *row == proposal(number)), "a hole");
    db.close().await;
    (found.len() as u64, restored.is_some())
}

#[tokio::test]
async fn st_07_a_log_of_an_agent_that_was_cut_off_is_read_up_to_the_last_commit_before_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let files = written_agent(folder.path(), false).await;
    let mut known = 0;
    for cut in cuts(files.log.len(), LOG_HEADER, FRAME_HEADER + PAGE, AGENT_CUTS_ANYWHERE) {
        let log = files.log[..cut].to_vec();
        let (found, is_set_aside) = read_agent(&Files { pages: files.pages.clone(), log }, None).await;
        assert!(!is_set_aside && found >= known, "cut at {cut}: {found} after {known}");
        known = found;
    }
    assert_eq!(known, COMMITS);
}

#[tokio::test]
async fn st_04_pages_of_an_agent_that_were_cut_off_are_read_whole_or_replaced_by_the_backup() {
    let folder = tempfile::tempdir().unwrap();
    let backup = written_agent(folder.path(), true).await.pages;
    for cut in cuts(backup.len(), 0, PAGE, AGENT_CUTS_ANYWHERE) {
        let files = Files { pages: backup[..cut].to_vec(), log: Vec::new() };
        let (found, is_set_aside) = read_agent(&files, Some(&backup)).await;
        assert_eq!((found, is_set_aside), (COMMITS, cut < backup.len()), "cut at {cut}");
    }
}
