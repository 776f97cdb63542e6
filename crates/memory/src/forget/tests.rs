use std::path::Path;

use jiff::tz::TimeZone;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::*;
use crate::episodic::{DailyLogs, Episode, EpisodeOrigin};
use crate::{ProposalRow, StationDb};

const NOW_MS: i64 = 1_772_990_000_000;
const SECRET: &str = "the \"vault\" code is\nxylophon-4711";

/// Everything can be read whose readers are elsewhere.
const READERS: Readers = Readers { line: |_| true, proposal: |_| true, mission: |_| true };

struct Agent {
    folder: tempfile::TempDir,
    files: AgentFiles,
    db: AgentDb,
    logs: DailyLogs,
}

fn record(number: u32, content: &str) -> Episode {
    let by = EpisodeOrigin { name: "operator(dana)".to_owned(), trust: robot::Trust::Trusted };
    Episode::new(format!("ep-{number}"), NOW_MS + i64::from(number), EpisodeRole::User, content.to_owned(), by)
}

impl Agent {
    async fn with(records: &[Episode]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = AgentFiles { root: folder.path().to_owned() };
        std::fs::create_dir_all(files.logs()).unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let mut logs = DailyLogs::new(files.logs(), TimeZone::UTC);
        logs.append(records).unwrap();
        db.index_logs(&files.logs()).await.unwrap();
        Self { folder, files, db, logs }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    async fn selected(&self, selector: Selector) -> Vec<Selected> {
        match self.db.select_episodes(&selector).await.unwrap() {
            Selection::Records(records) => records,
            other @ (Selection::Unknown(_) | Selection::TooMany(_)) => panic!("{other:?}"),
        }
    }

    /// Every step but the tombstone, from wherever an earlier run has stopped.
    async fn forget(&self, forgetting: &Forgetting) -> Places {
        let removal = Removal::of(forgetting, READERS);
        let mut replaced = Vec::new();
        let mut places = self.files.forget(&removal, &mut replaced).unwrap();
        for (place, count) in self.db.forget_rows(&removal, &replaced).await.unwrap() {
            *places.entry(place).or_default() += count;
        }
        self.db.index_logs(&self.files.logs()).await.unwrap();
        self.db.truncate_log().await.unwrap();
        self.db.replace_backups(NOW_MS).await.unwrap();
        places
    }

    fn holders(&self, text: &str) -> Vec<String> {
        let mut found = remaining(&self.files, &Needles::of(&[text.to_owned()])).unwrap();
        found.retain(|name| !name.ends_with("-shm"));
        found
    }
}

fn forgetting(records: Vec<Selected>) -> Forgetting {
    let texts = records.iter().map(|record| record.content.clone()).collect();
    Forgetting {
        tombstone: "tb-1".into(),
        by: "dana".into(),
        reason: "asked to".into(),
        records,
        texts,
        phrase: None,
        belief: None,
    }
}

fn by_words(words: &str) -> Selector {
    Selector::Query(Query::parse(words, Match::All).unwrap())
}

#[tokio::test]
async fn cw_14_no_file_of_the_agent_holds_what_was_forgotten() {
    let spoken = Episode { session: Some("desk".into()), entry: Some(4), ..record(1, SECRET) };
    let quoting = record(2, &format!("I noted: {SECRET}"));
    let agent = Agent::with(&[spoken, quoting, record(3, "the door is open, as ever")]).await;
    let quoted = serde_json::Value::from(SECRET).to_string();
    let line = |id: u64, content: &str| format!("{{\"id\":{id},\"content\":{content},\"kind\":\"user\"}}\n");
    agent.write("sessions/desk.jsonl", &format!("{}{}", line(4, &quoted), line(5, "\"good morning\"")));
    let result = serde_json::Value::from(serde_json::json!({ "note": SECRET }).to_string()).to_string();
    agent.write("sessions/archive/old.jsonl", &line(0, &result));
    agent.write("sessions/desk.out/7.txt", &format!("before {SECRET} after"));
    agent.write("MEMORY.md", &format!("# Notes\n{SECRET}\nfeed the cat"));
    agent.write("memory.db.damaged-20260101T000000000Z", SECRET);
    let body = serde_json::json!({ "reason": SECRET }).to_string();
    let proposal = ProposalRow { body, ..crate::stores::proposal::tests::row("pr-1", "waiting", 1) };
    agent.db.save_proposal(&proposal).await.unwrap();
    agent.db.back_up(NOW_MS - 1).await.unwrap();
    assert!(agent.holders(SECRET).len() >= 7, "{:?}", agent.holders(SECRET));

    let records = agent.selected(Selector::Ids(vec!["ep-1".into()])).await;
    let forgetting = forgetting(records);
    agent.db.intend_to_forget(&forgetting, NOW_MS).await.unwrap();
    let places = agent.forget(&forgetting).await;
    agent.db.end_forgetting("tb-1").await.unwrap();

    assert_eq!(agent.holders(SECRET), Vec::<String>::new());
    assert_eq!(agent.holders("xylophon-4711"), Vec::<String>::new());
    let counts = [
        ("daily_logs", 2),
        ("index", 2),
        ("notes", 1),
        ("proposal", 1),
        ("set_aside", 1),
        ("spilled", 1),
        ("transcripts", 2),
    ];
    assert_eq!(places, counts.map(|(place, count)| (place.to_owned(), count)).into());
    assert_eq!(agent.read("sessions/desk.jsonl").lines().last().unwrap(), line(5, "\"good morning\"").trim_end());
    assert!(agent.read("sessions/desk.jsonl").contains(r#""content":"[forgotten tb-1]""#));
    assert_eq!(agent.read("MEMORY.md"), "# Notes\n[forgotten tb-1]\nfeed the cat");
    assert_eq!(agent.selected(by_words("xylophon")).await, []);
    assert_eq!(agent.selected(by_words("door open")).await.len(), 1);
    assert_eq!(agent.db.unfinished_forgetting().await.unwrap(), []);
}

#[tokio::test]
async fn e2_12_not_even_a_single_word_stays_in_the_database() {
    let mut records: Vec<Episode> =
        (10..400).map(|n| record(n, &format!("the usual word{n} of xyloph and xylophones"))).collect();
    records.push(record(1, "the forgotten xylophonistenverein meets"));
    let agent = Agent::with(&records).await;
    let forgetting = forgetting(agent.selected(by_words("xylophonistenverein")).await);
    agent.forget(&forgetting).await;
    assert_eq!(agent.holders("xylophonistenverein"), Vec::<String>::new());
    // The index keeps the ends of its words.
    let database = std::fs::read(agent.folder.path().join("memory.db")).unwrap();
    assert!(!database.windows(10).any(|part| part == b"nistenvere"));
}

#[tokio::test]
async fn e2_15_removal_by_age_leaves_equal_text_in_other_records() {
    let old = record(1, "the very same sentence as later");
    let agent = Agent::with(&[old, record(2, "the very same sentence as later")]).await;
    let mut forgetting = forgetting(agent.selected(Selector::Before(NOW_MS + 2)).await);
    forgetting.texts.clear();
    assert_eq!(agent.forget(&forgetting).await["daily_logs"], 1);
    let left = agent.selected(by_words("very same sentence")).await;
    assert_eq!(left.iter().map(|record| record.id.as_str()).collect::<Vec<_>>(), ["ep-2"]);
}

#[tokio::test]
async fn e2_13_what_an_earlier_run_has_begun_is_finished_whatever_it_came_to() {
    for step in [Step::Intended, Step::Files, Step::Rows, Step::Backups] {
        let mut agent = Agent::with(&[record(1, SECRET), record(2, "the door is open, as ever")]).await;
        let begun = forgetting(agent.selected(by_words("xylophon")).await);
        let removal = Removal::of(&begun, READERS);
        agent.db.intend_to_forget(&begun, NOW_MS).await.unwrap();
        let mut replaced = Vec::new();
        if step != Step::Intended {
            agent.files.forget(&removal, &mut replaced).unwrap();
        }
        if matches!(step, Step::Rows | Step::Backups) {
            agent.db.forget_rows(&removal, &replaced).await.unwrap();
        }
        if step == Step::Backups {
            agent.db.replace_backups(NOW_MS).await.unwrap();
        }
        agent.db.forgetting_reached("tb-1", step).await.unwrap();
        agent.db.close().await;

        agent.db = AgentDb::open(&agent.folder.path().join("memory.db")).await.unwrap();
        let unfinished = agent.db.unfinished_forgetting().await.unwrap();
        assert_eq!(unfinished.iter().map(|one| &one.texts).collect::<Vec<_>>(), [&begun.texts]);
        agent.forget(&unfinished[0]).await;
        agent.db.end_forgetting("tb-1").await.unwrap();
        assert_eq!(agent.holders(SECRET), Vec::<String>::new(), "{step:?}");
        agent.logs.close();
        agent.logs.append(&[record(3, "a later record of a door")]).unwrap();
        agent.db.index_logs(&agent.files.logs()).await.unwrap();
        let found = agent.selected(by_words("door")).await;
        assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["ep-2", "ep-3"], "{step:?}");
    }
}

#[tokio::test]
async fn e2_12_a_backup_holds_nothing_of_what_is_being_forgotten() {
    let agent = Agent::with(&[record(1, SECRET)]).await;
    let begun = forgetting(agent.selected(by_words("xylophon")).await);
    agent.db.intend_to_forget(&begun, NOW_MS).await.unwrap();
    let backup = agent.db.back_up(NOW_MS).await.unwrap();
    let hidden: String = "xylophon-4711".bytes().map(|byte| format!("{byte:02x}")).collect();
    let holds = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(hidden.len()).any(|part| part == hidden.as_bytes())
    };
    assert!(!holds(&backup));
    agent.forget(&begun).await;
    agent.db.end_forgetting("tb-1").await.unwrap();
    assert!(!holds(&agent.folder.path().join("memory.db")) && !holds(&agent.folder.path().join("memory.db-wal")));
}

#[tokio::test]
async fn e2_12_a_backup_that_was_begun_before_is_made_before_it_is_replaced() {
    let agent = Agent::with(&[record(1, SECRET)]).await;
    let begun = forgetting(agent.selected(by_words("xylophon")).await);
    let mut backup = Box::pin(agent.db.back_up(NOW_MS));
    tokio::select! {
        biased;
        _ = &mut backup => unreachable!("it opens a file first"),
        () = std::future::ready(()) => {}
    }
    agent.db.forget_rows(&Removal::of(&begun, READERS), &[]).await.unwrap();
    let (made, replaced) = tokio::join!(backup, agent.db.replace_backups(NOW_MS));
    assert_eq!(replaced.unwrap(), 1);
    let bytes = std::fs::read(made.unwrap()).unwrap();
    assert!(!bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()));
}

#[tokio::test]
async fn e2_11_a_query_means_records_with_all_its_terms_and_ids_must_all_be_known() {
    let agent =
        Agent::with(&[record(1, "the door is open"), record(2, "the window is open"), record(3, "the door")]).await;
    let found = agent.selected(by_words("open door")).await;
    assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["ep-1"]);
    let ids = Selector::Ids(vec!["ep-1".into(), "ep-9".into()]);
    assert_eq!(agent.db.select_episodes(&ids).await.unwrap(), Selection::Unknown(vec!["ep-9".into()]));
    let many: Vec<Episode> = (10..=1_010).map(|n| record(n, "many of them")).collect();
    let agent = Agent::with(&many).await;
    assert_eq!(agent.db.select_episodes(&by_words("many")).await.unwrap(), Selection::TooMany(1_001));
}

#[test]
fn e2_12_a_call_keeps_its_id_and_stays_an_object_of_arguments() {
    let forgetting = Forgetting { texts: vec!["the vault code is 4711".into()], ..forgetting(Vec::new()) };
    let line = r#"{"id":3,"content":"","tool_calls":[{"id":"call-1","function":{"name":"remember_note","arguments":"{\"text\":\"the vault code is 4711\"}"}}]}"#;
    let lines::Line::Becomes(text) = lines::of_transcript(line, &"desk".into(), &Removal::of(&forgetting, READERS))
    else {
        panic!("it stays")
    };
    let entry: serde_json::Value = serde_json::from_str(&text).unwrap();
    let call = &entry["tool_calls"][0];
    assert_eq!((call["id"].as_str(), call["function"]["name"].as_str()), (Some("call-1"), Some("remember_note")));
    assert_eq!(call["function"]["arguments"], r#"{"forgotten":"[forgotten tb-1]"}"#);
}

#[tokio::test]
async fn bl_15_a_belief_whose_forgetting_was_begun_is_gone_after_the_next_start() {
    const HELD: &str = "opens with 4711-xylophon";
    use crate::belief::{Author, Belief, BeliefId, BeliefName, ConfirmedBy, Statement};
    let agent = Agent::with(&[]).await;
    let author = Author { by: ConfirmedBy::Person, name: "dana".into(), evidence: None };
    let said = Statement { value: HELD.into(), confidence: Some(0.9), ..Statement::default() };
    let made = Belief::create(
        BeliefId::new("belief-1"),
        BeliefName { subject: "vault", predicate: "code" },
        &said,
        &author,
        NOW_MS,
    )
    .unwrap();
    agent
        .db
        .save_beliefs(&[std::sync::Arc::new(made.belief)], made.event.as_slice(), crate::Safety::Durable)
        .await
        .unwrap();
    agent.db.back_up(NOW_MS - 1).await.unwrap();
    assert!(!agent.holders(HELD).is_empty());
    let begun = Forgetting { belief: Some("belief-1".into()), texts: Vec::new(), ..forgetting(Vec::new()) };
    agent.db.intend_to_forget(&begun, NOW_MS).await.unwrap();
    let unfinished = agent.db.unfinished_forgetting().await.unwrap();
    assert_eq!(unfinished, [begun]);
    agent.forget(&unfinished[0]).await;
    agent.db.end_forgetting("tb-1").await.unwrap();
    assert_eq!(agent.holders(HELD), Vec::<String>::new());
}

#[tokio::test]
async fn bl_15_the_records_that_tell_of_a_belief_are_found_by_how_they_begin() {
    let of = |number, role, content: &str| Episode { role, ..record(number, content) };
    let agent = Agent::with(&[
        of(1, EpisodeRole::Belief, "(vault, code) is 4711"),
        of(2, EpisodeRole::Belief, "(vault, codes) is 4711"),
        of(3, EpisodeRole::User, "(vault, code) is what?"),
    ])
    .await;
    let found = agent.selected(Selector::OfBelief("(vault, code) is ".into())).await;
    assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["ep-1"]);
}

#[tokio::test]
async fn e2_12_a_typed_word_leaves_every_file_however_it_is_written_and_what_stays_is_named() {
    const WORD: &str = "Gru\u{308}tzwurst";
    let records = [record(1, "buy GRÜTZWURST"), record(2, "the grützwurstbrot is good"), record(3, "feed the cat")];
    let agent = Agent::with(&records).await;
    let station = StationDb::open(&agent.folder.path().join("station.db")).await.unwrap();
    agent.write("sessions/desk.jsonl", "{\"id\":1,\"kind\":\"user\",\"content\":\"gr\\u00FCtzwurst!\"}\n");
    agent.write("MEMORY.md", "# Notes\nGrützwurst at noon");
    let body = serde_json::json!({ "state": "waiting", "reason": "no grützwurst" }).to_string();
    let proposal = ProposalRow { body, ..crate::stores::proposal::tests::row("pr-1", "waiting", 1) };
    agent.db.save_proposal(&proposal).await.unwrap();
    agent.db.back_up(NOW_MS - 1).await.unwrap();
    let files = StationFiles { root: agent.folder.path().into(), agent: agent.files.root.clone() };
    let forgetting = Forgetting { phrase: Some(WORD.into()), ..forgetting(agent.selected(by_words(WORD)).await) };
    assert_eq!(forgetting.records.len(), 1);
    agent.db.intend_to_forget(&forgetting, NOW_MS).await.unwrap();
    let places = agent.forget(&forgetting).await;
    agent.db.end_forgetting("tb-1").await.unwrap();
    assert_eq!((places["transcripts"], places["notes"], places["proposal"]), (1, 1, 1), "{places:?}");
    assert_eq!(agent.read("sessions/desk.jsonl"), "{\"content\":\"[forgotten tb-1]\",\"id\":1,\"kind\":\"user\"}\n");
    let needles = Needles::default().and_phrase(WORD);
    let found = stays(&files, &agent.db, &station, &needles).await.unwrap();
    let counted: Vec<String> = found.iter().map(|stays| stays.held_in.counted(stays.count)).collect();
    assert_eq!(counted, ["1 record", "1 daily log"], "the longer word stays, and is named");

    let rest = Forgetting { phrase: Some("Grützwurstbrot".into()), ..forgetting };
    agent.forget(&rest).await;
    assert_eq!(stays(&files, &agent.db, &station, &needles).await.unwrap(), []);
    assert_eq!(agent.selected(by_words("cat")).await.len(), 1);
}

#[tokio::test]
async fn e2_12_what_a_row_cannot_be_read_without_stays_and_is_named() {
    let agent = Agent::with(&[]).await;
    let station = StationDb::open(&agent.folder.path().join("station.db")).await.unwrap();
    let rule = |predicate: &str| {
        let rule: world::AlertRule =
            serde_json::from_value(serde_json::json!({ "predicate": predicate, "debounce_secs": 60.0 })).unwrap();
        let id = world::AlertId(format!("al-{}", predicate.len()));
        let record = world::RuleRecord { id, last_fired_ms: None, fires: 0, suppressed: 0, wakes_ms: Vec::new() };
        crate::StoredAlert { id: record.id.0.clone(), predicate: rule.predicate.clone(), rule, record }
    };
    for predicate in ["door.state = 'kim'", "kim.location = 'hall'"] {
        agent.db.save_alert(&rule(predicate), "dana", NOW_MS).await.unwrap();
    }
    let forgetting = Forgetting { phrase: Some("Kim".into()), ..forgetting(Vec::new()) };
    agent.forget(&forgetting).await;
    let kept: Vec<String> =
        agent.db.alerts().await.unwrap().into_iter().map(|alert| alert.unwrap().predicate).collect();
    assert_eq!(kept, ["door.state = '[forgotten tb-1]'", "kim.location = 'hall'"]);
    let files = StationFiles { root: agent.folder.path().into(), agent: agent.files.root.clone() };
    let found = stays(&files, &agent.db, &station, &forgetting.needles()).await.unwrap();
    assert_eq!(found.iter().map(|stays| stays.held_in.counted(stays.count)).collect::<Vec<_>>(), ["1 alert"]);
}

fn phrase(word: &str) -> Forgetting {
    Forgetting { phrase: Some(word.into()), ..forgetting(Vec::new()) }
}

#[tokio::test]
async fn e2_12_a_number_that_is_forgotten_leaves_the_world_and_its_history() {
    let agent = Agent::with(&[]).await;
    let entry = |key: &str, value: serde_json::Value| {
        serde_json::from_value::<world::StoredEntry>(serde_json::json!({
            "key": key, "value": value, "confidence": 1.0, "unit": null, "trust": "text", "origin": "measured",
            "observed_ms": NOW_MS, "received_ms": NOW_MS, "source_ms": null, "age_basis": "received",
            "max_age_ms": 1_000, "source": "lab/a", "instance": null, "provider_id": "cp-1", "mission_id": null,
            "flags": 0, "changed_ms": NOW_MS, "seq": 1,
        }))
        .unwrap()
    };
    let point = |key: &str, value: serde_json::Value| {
        serde_json::from_value::<world::HistoryPoint>(serde_json::json!({
            "key": key, "kind": "value", "value": value, "confidence": 1.0, "observed_ms": NOW_MS,
            "received_ms": NOW_MS, "source": "lab/a", "provider_id": "cp-1",
        }))
        .unwrap()
    };
    let of = [("lab.pin", 4711.into()), ("lab.float", 4711.0.into()), ("lab.other", 47.into())];
    let batch = crate::WorldBatch {
        entries: of.iter().map(|(key, value): &(&str, serde_json::Value)| entry(key, value.clone())).collect(),
        points: of.iter().map(|(key, value)| point(key, value.clone())).collect(),
        ..crate::WorldBatch::default()
    };
    agent.db.save_world(&batch).await.unwrap();
    agent.forget(&phrase("4711")).await;
    let left: Vec<String> =
        agent.db.world_state().await.unwrap().into_iter().map(|entry| entry.unwrap().key.to_string()).collect();
    assert_eq!(left, ["lab.other"]);
    for (key, points) in [("lab.pin", 0), ("lab.float", 0), ("lab.other", 1)] {
        let key = world::Key::new(key).unwrap();
        assert_eq!(agent.db.world_history(&key, 0, i64::MAX, 9).await.unwrap().len(), points, "{key}");
        let values: Vec<i64> = sqlx::query_scalar("SELECT count(*) FROM world_history WHERE NOT json_valid(value)")
            .fetch_all(&agent.db.readers())
            .await
            .unwrap();
        assert_eq!(values, [0]);
    }
}

#[tokio::test]
async fn e2_13_a_short_name_in_the_rows_of_another_database_is_found() {
    let agent = Agent::with(&[]).await;
    let root = agent.folder.path().join("root");
    std::fs::create_dir_all(root.join("agents/other/backups")).unwrap();
    let station = StationDb::open(&root.join("station.db")).await.unwrap();
    let other = AgentDb::open(&root.join("agents/other/memory.db")).await.unwrap();
    sqlx::query("INSERT INTO said VALUES ('m-1', 'desk', 1, 'user', 'user', 'Kim', 1)")
        .execute(&other.writer())
        .await
        .unwrap();
    other.back_up(NOW_MS).await.unwrap();
    other.truncate_log().await.unwrap();
    let files = StationFiles { root: root.clone(), agent: root.join("agents/main") };
    for (word, count) in [("Kim", 2), ("Tim", 0)] {
        let found = stays(&files, &agent.db, &station, &phrase(word).needles()).await.unwrap();
        let counted: u64 = found.iter().map(|stays| stays.count).sum();
        assert_eq!(counted, count, "{word}: the database of the other agent, and its copy: {found:?}");
    }
    other.close().await;
    let found = stays(&files, &agent.db, &station, &phrase("Kim").needles()).await.unwrap();
    assert_eq!(found.iter().map(|stays| stays.count).sum::<u64>(), 2, "also when nobody has it open");
}

/// The station's database while decisions are looked through.
static LOOKED_THROUGH: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();

/// Somebody else writes meanwhile, as a stop does, and does not wait long.
fn written_meanwhile(_: &str) -> bool {
    let write = async || {
        let options = SqliteConnectOptions::new().filename(LOOKED_THROUGH.get().unwrap());
        let mut other = options.busy_timeout(std::time::Duration::from_secs(1)).connect().await.unwrap();
        sqlx::query("UPDATE station SET value = value || '!'").execute(&mut other).await.unwrap();
        other.close().await.unwrap();
    };
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    std::thread::scope(|scope| scope.spawn(|| runtime().block_on(write())).join().unwrap());
    true
}

#[tokio::test]
async fn a_stop_is_saved_while_decisions_are_looked_through_for_what_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.db");
    let station = StationDb::open(&path).await.unwrap();
    LOOKED_THROUGH.set(path).unwrap();
    station.station_id(&robot::StationId::new("desk").unwrap()).await.unwrap();
    for (n, agent) in ["main", "main", "other", "main"].into_iter().enumerate() {
        let body = serde_json::json!({ "agent": agent, "reason": SECRET }).to_string();
        let row = crate::ApprovalRow {
            proposal: format!("pr-{n}").into(),
            version: 1,
            action_hash: "00".into(),
            by: "dana".into(),
            at_ms: 1,
            body,
        };
        assert!(station.claim_dispatch(&row).await.unwrap());
    }
    let forgetting = Forgetting { texts: vec![SECRET.to_owned()], ..forgetting(Vec::new()) };
    let removal = Removal::of(&forgetting, Readers { proposal: written_meanwhile, ..READERS });
    assert_eq!(station.forget_approvals("main", &removal).await.unwrap(), 3);
    let approvals = station.approvals(9).await.unwrap();
    let says = |body: &str| forgetting.needles().is_in(body);
    let saying: Vec<&str> =
        approvals.iter().filter(|(row, _)| says(&row.body)).map(|(row, _)| row.proposal.as_str()).collect();
    assert_eq!(saying, ["pr-2"]);
    assert!(approvals.iter().all(|(row, _)| row.action_hash == "00"));
}
