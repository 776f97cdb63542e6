use super::*;
use crate::ProposalRow;
use crate::proposal::tests::row;

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
    let mut ids: Vec<String> = db.proposals(99).await.unwrap().into_iter().map(|row| row.id).collect();
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
    assert_eq!(restored.set_aside, folder.path().join("memory.db.damaged-20260308T171320000Z"));
    assert_eq!(restored.backup_ms, made_ms(&backup));
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
