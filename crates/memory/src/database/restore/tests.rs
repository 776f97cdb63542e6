use sqlx::Connection;

use super::*;
use crate::ProposalRow;
use crate::stores::proposal::tests::row;

const NOW_MS: i64 = 1_772_990_000_000;
const DAY_MS: i64 = 86_400_000;

async fn opened(path: &Path) -> AgentDb {
    let (db, restored) = AgentDb::open_or_restore(path, NOW_MS).await.unwrap();
    assert_eq!(restored, None);
    db
}

async fn add(db: &AgentDb, id: &str) {
    db.save_proposal(&row(id, "done", 1)).await.unwrap();
}

/// The proposals that are stored, oldest first.
async fn stored(db: &AgentDb) -> Vec<String> {
    let mut ids: Vec<String> = db.proposals(99).await.unwrap().into_iter().map(|row| row.id.into()).collect();
    ids.reverse();
    ids
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

/// Overwrites the middle of the file, as a failing disk does.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let length = bytes.len();
    bytes[length / 4..].fill(0x5a);
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn st_04_a_damaged_database_is_set_aside_and_the_newest_backup_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    db.back_up(NOW_MS - DAY_MS).await.unwrap();
    add(&db, "pr-2").await;
    let backup = db.back_up(NOW_MS).await.unwrap();
    add(&db, "pr-3").await;
    db.close().await;
    damage(&path);
    let (db, restored) = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap();
    let restored = restored.unwrap();
    assert_eq!(stored(&db).await, ["pr-1", "pr-2"]);
    assert_eq!(restored.set_aside, Some(folder.path().join("memory.db.damaged-20260308T171320000Z")));
    assert_eq!(restored.backup_ms, made_ms(&backup));
}

#[tokio::test]
async fn st_04_a_database_that_is_gone_while_there_are_backups_is_restored_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    db.back_up(NOW_MS).await.unwrap();
    add(&db, "pr-2").await;
    db.close().await;
    // As a disk leaves it that failed between two steps: the log of another database must not be taken for the copy's.
    std::fs::remove_file(&path).unwrap();
    std::fs::write(folder.path().join("memory.db-wal"), "of another one").unwrap();
    let (db, restored) = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap();
    let restored = restored.unwrap();
    assert_eq!((restored.set_aside, restored.damage.as_str()), (None, "it is missing"));
    assert_eq!(stored(&db).await, ["pr-1"]);
    assert!(folder.path().join("memory.db.damaged-20260308T171320000Z-wal").exists());
}

#[tokio::test]
async fn st_04_damage_that_cannot_be_made_good_leaves_the_copies_and_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    db.back_up(NOW_MS).await.unwrap();
    damage(&path);
    // A stand-in for a disk that refuses.
    std::fs::create_dir(folder.path().join("memory.db.damaged-20260308T171320000Z")).unwrap();
    db.restore_if_damaged(NOW_MS).await.unwrap_err();
    db.save_proposal(&row("pr-2", "done", 1)).await.unwrap_err();
    std::fs::remove_dir(folder.path().join("memory.db.damaged-20260308T171320000Z")).unwrap();
    db.restore_if_damaged(NOW_MS).await.unwrap().unwrap();
    assert_eq!(stored(&db).await, ["pr-1"]);
}

#[tokio::test]
async fn st_04_a_backup_that_is_in_place_and_opens_with_the_second_try_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    let backup = db.back_up(NOW_MS).await.unwrap();
    // A stand-in for whatever keeps a whole database from being opened.
    let set = async |path: &Path, sum: &[u8]| {
        let mut connection = crate::database::probe::plain(path).await.unwrap();
        let sums = "SELECT checksum FROM _sqlx_migrations WHERE version = 1";
        let before: Vec<u8> = sqlx::query_scalar(sums).fetch_one(&mut connection).await.unwrap();
        let update = sqlx::query("UPDATE _sqlx_migrations SET checksum = ?1 WHERE version = 1").bind(sum.to_vec());
        update.execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        before
    };
    let sum = set(&backup, &[0]).await;
    damage(&path);
    db.restore_if_damaged(NOW_MS).await.unwrap_err();
    let aside = folder.path().join("memory.db.damaged-20260308T171320000Z");
    assert!(aside.exists(), "the backup is in place");
    set(&path, &sum).await;
    let restored = db.restore_if_damaged(NOW_MS + 60_000).await.unwrap().unwrap();
    assert_eq!((restored.set_aside, restored.backup_ms), (Some(aside), made_ms(&backup)));
    assert_eq!(stored(&db).await, ["pr-1"]);
    assert_eq!(db.restore_if_damaged(NOW_MS + 60_000).await.unwrap(), None, "it is told once");
}

#[tokio::test]
async fn st_04_backups_that_cannot_be_listed_are_not_taken_for_none() {
    for is_there in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let db = opened(&path).await;
        add(&db, "pr-1").await;
        db.close().await;
        if is_there {
            damage(&path);
        } else {
            std::fs::remove_file(&path).unwrap();
        }
        // A stand-in for a folder that the disk does not give.
        std::fs::write(folder.path().join("backups"), "").unwrap();
        let refused = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap_err();
        assert!(matches!(refused, MemoryError::File { action: "read", .. }), "{refused:?}");
        let left: &[&str] = if is_there { &["backups", "memory.db"] } else { &["backups"] };
        assert_eq!(names(folder.path()), left);
        std::fs::remove_file(folder.path().join("backups")).unwrap();
        assert_eq!(AgentDb::open_or_restore(&path, NOW_MS).await.unwrap().1.is_some(), is_there);
    }
}

#[tokio::test]
async fn f26_a_link_in_the_place_of_any_file_of_a_database_is_refused_and_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    for part in PARTS {
        let path = folder.path().join(format!("own{part}/memory.db"));
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        let db = opened(&path).await;
        add(&db, "pr-1").await;
        db.close().await;
        let (place, outside) = (part_of(&path, part), folder.path().join(format!("outside{part}")));
        // A whole database where there is one; else anything.
        if std::fs::rename(&place, &outside).is_err() {
            std::fs::write(&outside, "theirs").unwrap();
        }
        let before = std::fs::read(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, &place).unwrap();
        let refused = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap_err();
        assert!(matches!(&refused, MemoryError::File { path, .. } if *path == place), "{part}: {refused:?}");
        assert!(crate::StationDb::open(&path).await.is_err(), "{part}");
        assert_eq!(std::fs::read(&outside).unwrap(), before, "{part}");
        assert!(std::fs::symlink_metadata(&place).unwrap().is_symlink(), "{part}");
    }
}

#[tokio::test]
async fn f26_a_link_in_the_place_of_a_backup_or_their_folder_is_refused_and_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    let (outside, elsewhere) = (folder.path().join("outside"), folder.path().join("elsewhere"));
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.path().join("backups")).unwrap();
    db.back_up(NOW_MS).await.unwrap_err();
    assert!(names(&elsewhere).is_empty());
    std::fs::remove_file(folder.path().join("backups")).unwrap();
    let made = db.back_up(NOW_MS).await.unwrap();
    std::fs::rename(&made, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &made).unwrap();
    let before = std::fs::read(&outside).unwrap();
    db.back_up(NOW_MS).await.unwrap_err();
    assert_eq!(std::fs::read(&outside).unwrap(), before);
    assert_eq!(names(&folder.path().join("backups")).len(), 1);
    // Nor is it a copy to go back to.
    db.close().await;
    damage(&path);
    let (_, restored) = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap();
    assert_eq!(restored.unwrap().backup_ms, None);
}

#[tokio::test]
async fn st_01_a_backup_that_is_given_up_leaves_nothing_and_the_older_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    let made = db.back_up(NOW_MS).await.unwrap();
    let before = std::fs::read(&made).unwrap();
    let backups = folder.path().join("backups");
    let mut given_up = Box::pin(db.back_up(NOW_MS));
    // To the moment at which something lies there.
    std::future::poll_fn(|context| {
        if names(&backups).len() > 1 {
            return std::task::Poll::Ready(());
        }
        let ended = given_up.as_mut().poll(context).is_ready();
        assert!(!ended, "it ended at once");
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
    drop(given_up);
    assert_eq!((names(&backups).len(), std::fs::read(&made).unwrap() == before), (1, true));
    db.back_up(NOW_MS).await.unwrap();
}

#[tokio::test]
async fn st_04_without_a_whole_backup_it_is_an_empty_database_and_the_damage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    let backup = db.back_up(NOW_MS).await.unwrap();
    db.close().await;
    damage(&path);
    damage(&backup);
    let (db, restored) = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap();
    assert_eq!(restored.unwrap().backup_ms, None);
    assert!(stored(&db).await.is_empty());
    add(&db, "pr-9").await;
}

#[tokio::test]
async fn st_04_damage_in_use_is_replaced_under_everybody_who_holds_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    add(&db, "pr-1").await;
    db.back_up(NOW_MS).await.unwrap();
    assert_eq!(db.restore_if_damaged(NOW_MS).await.unwrap(), None, "a whole one stays");
    let held = db.clone();
    damage(&path);
    assert!(db.restore_if_damaged(NOW_MS).await.unwrap().is_some());
    assert_eq!(stored(&held).await, ["pr-1"]);
    add(&held, "pr-2").await;
}

#[tokio::test]
async fn st_03_a_newer_database_is_not_opened_and_both_versions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    let mut newer = db.durable("play a newer program").await.unwrap();
    sqlx::query("INSERT INTO _sqlx_migrations VALUES (900, 'later', '2026-01-01', 1, x'00', 1)")
        .execute(&mut *newer)
        .await
        .unwrap();
    newer.commit().await.unwrap();
    db.close().await;
    let before = std::fs::read(&path).unwrap();
    let refused = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap_err().to_string();
    let known = newest(&sqlx::migrate!("./migrations/agent"));
    assert!(refused.ends_with(&format!("is of version 900; this program knows versions up to {known}")), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn st_03_a_migration_begins_with_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let migrations = sqlx::migrate!("./migrations/agent");
    let first = migrations.iter().filter(|migration| migration.version == 1).cloned().collect();
    let older = open_split(&path, &Migrator::with_migrations(first)).await.unwrap();
    sqlx::query("INSERT INTO provider VALUES ('cp-1', '{}', 1, 'dana')").execute(&older.writer).await.unwrap();
    older.writer.close().await;
    let db = opened(&path).await;
    assert_eq!(db.providers().await.unwrap().len(), 1);
    let backup = format!("memory-2026-03-08-before-{}.db", newest(&migrations));
    assert_eq!(names(&folder.path().join("backups")), std::slice::from_ref(&backup));
    assert_eq!(probe(&folder.path().join("backups").join(backup)).await.unwrap(), Some(Probed { version: 1 }));
}

#[tokio::test]
async fn st_05_seven_backups_are_kept_and_each_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    for day in 0..9 {
        add(&db, &format!("pr-{day}")).await;
        db.back_up(NOW_MS + day * DAY_MS).await.unwrap();
        db.back_up(NOW_MS + day * DAY_MS).await.unwrap();
    }
    let kept: Vec<String> = (10..=16).map(|day| format!("memory-2026-03-{day}.db")).collect();
    assert_eq!(names(&folder.path().join("backups")), kept);
    for (backup, count) in kept.iter().zip(3..) {
        let copy = folder.path().join("copy.db");
        std::fs::copy(folder.path().join("backups").join(backup), &copy).unwrap();
        assert_eq!(stored(&opened(&copy).await).await.len(), count);
        std::fs::remove_file(copy).unwrap();
    }
}

#[tokio::test]
async fn st_04_st_05_after_the_clock_was_set_back_the_copy_of_today_is_the_newest_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    for day in 1..=7 {
        db.back_up(NOW_MS + day * DAY_MS).await.unwrap();
    }
    add(&db, "pr-1").await;
    let made = db.back_up(NOW_MS).await.unwrap();
    let kept = names(&folder.path().join("backups"));
    assert_eq!((kept.len(), kept[0].as_str()), (7, "memory-2026-03-08.db"), "the oldest went: {kept:?}");
    assert_eq!(db.backed_up_ms(NOW_MS), made_ms(&made));
    db.close().await;
    damage(&path);
    let (db, _) = AgentDb::open_or_restore(&path, NOW_MS).await.unwrap();
    assert_eq!(stored(&db).await, ["pr-1"]);
}

#[tokio::test]
async fn st_05_a_copy_that_cannot_be_made_leaves_the_older_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = opened(&path).await;
    db.back_up(NOW_MS - DAY_MS).await.unwrap();
    // Nothing can be put where today's belongs.
    std::fs::create_dir_all(folder.path().join("backups/memory-2026-03-08.db/full")).unwrap();
    db.replace_backups(NOW_MS).await.unwrap_err();
    assert!(folder.path().join("backups/memory-2026-03-07.db").exists());
}

#[tokio::test]
async fn st_06_a_full_disk_refuses_a_write_changes_nothing_and_is_over_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let db = opened(&folder.path().join("memory.db")).await;
    let pages = |count: &'static str| {
        let db = db.clone();
        async move {
            let mut transaction = db.lazy("limit the file").await.unwrap();
            sqlx::query(count).execute(&mut *transaction).await.unwrap();
            transaction.commit().await.unwrap();
        }
    };
    pages("PRAGMA max_page_count = 1").await;
    let large = ProposalRow { body: "x".repeat(9_000), ..row("pr-1", "done", 1) };
    let refused = db.save_proposal(&large).await.unwrap_err();
    assert_eq!(refused.trouble(), Some(crate::Trouble::Unwritable), "{refused:?}");
    assert!(stored(&db).await.is_empty());
    pages("PRAGMA max_page_count = 1000000").await;
    db.save_proposal(&large).await.unwrap();
    assert_eq!(stored(&db).await, ["pr-1"]);
}
