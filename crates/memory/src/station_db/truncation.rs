//! F13: a database that was cut off, as a crash or a full disk leaves it, is read up to what was committed before the
//! cut, or refused; it never has a hole.

use std::fs;

use super::*;

/// Commits, each of one record and one stop.
const COMMITS: u64 = 12;
/// Bytes of a page, and what the log puts before the first and before each.
const PAGE: usize = 4_096;
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// Cuts that are anywhere.
const CUTS_ANYWHERE: usize = 200;

/// The files of a database with every commit in it: the pages and the log beside them.
struct Files {
    pages: Vec<u8>,
    log: Vec<u8>,
}

/// Long enough that the records do not all lie on one page.
fn record(seq: u64) -> String {
    format!("{{\"seq\":{seq},\"detail\":\"{}\"}}", "x".repeat(PAGE / 2))
}

async fn written(is_checkpointed: bool) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.db");
    let db = StationDb::open(&path).await.unwrap();
    for seq in 1..=COMMITS {
        let stored = OpenStop {
            stop_id: seq,
            by: "dana".into(),
            reason: None,
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
    let log = fs::read(path.with_extension("db-wal")).unwrap_or_default();
    Files { pages: fs::read(&path).unwrap(), log }
}

/// What can still be read: the last record and the last stop. The records of `zeroed` pages may be wrong.
async fn read(files: &Files, zeroed: u64) -> Result<(u64, u64), MemoryError> {
    // A folder of its own: what was opened in vain lets go of its files a little later.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.db");
    fs::write(&path, &files.pages).unwrap();
    fs::write(path.with_extension("db-wal"), &files.log).unwrap();
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
fn cuts(length: usize, first: usize, step: usize) -> Vec<usize> {
    let anywhere = (1..=CUTS_ANYWHERE).map(|i| ((i as f64 * 0.618_034).fract() * length as f64) as usize);
    let mut cuts: Vec<usize> = (first..=length).step_by(step).chain(anywhere).collect();
    cuts.sort_unstable();
    cuts
}

#[tokio::test]
async fn f13_a_log_that_was_cut_off_is_read_up_to_the_last_commit_before_the_cut() {
    let files = written(false).await;
    let mut known = (0, 0);
    for cut in cuts(files.log.len(), LOG_HEADER, FRAME_HEADER + PAGE) {
        let log = files.log[..cut].to_vec();
        let (records, stops) = read(&Files { pages: files.pages.clone(), log }, 0).await.unwrap();
        assert!(stops == records || stops == records + 1, "cut at {cut}: {records} records, {stops} stops");
        assert!((records, stops) >= known, "cut at {cut}: fewer than at a cut before it");
        known = (records, stops);
    }
    assert_eq!(known, (COMMITS, COMMITS));
}

#[tokio::test]
async fn f13_pages_that_were_cut_off_are_refused_or_read_without_a_hole() {
    let files = written(true).await;
    for cut in cuts(files.pages.len(), 0, PAGE) {
        let pages = files.pages[..cut].to_vec();
        let is_whole = cut % PAGE == 0;
        // One record of half a page, and the next that begins on the same page.
        match read(&Files { pages, log: Vec::new() }, if is_whole { 0 } else { 2 }).await {
            Ok(read) if cut == files.pages.len() => assert_eq!(read, (COMMITS, COMMITS)),
            // Nothing at all is a database that nobody has written to.
            Ok(read) => assert!(!is_whole || (cut, read) == (0, (0, 0)), "cut at {cut}: {read:?}"),
            Err(error) => assert!(cut < files.pages.len(), "{error}"),
        }
    }
}
