//! Records of an agent: written, found, forgotten; and the station's way with damaged files.

use std::path::Path;

use quarterdeck_tests::station_files::{has, holding};
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

const TEXT: &str = "the vault of \"hall seven\" opens with 4711-quartz";

pub(crate) async fn until_found(site: &mut Site, query: &str, role: &str) -> anyhow::Result<Value> {
    let input = json!({ "query": query, "match": "all", "role": role });
    let found = site.until("memory_search", input, |found| found["items"][0].is_object()).await?;
    Ok(found["items"][0].clone())
}

/// The files below `folder` that hold `text`, plain or as JSON.
pub(crate) fn holders(folder: &Path, text: &str) -> anyhow::Result<Vec<String>> {
    let quoted = Value::from(text).to_string();
    let escaped = quoted.trim_matches('"').to_owned();
    Ok(holding(folder, |bytes| has(bytes, text.as_bytes()) || has(bytes, escaped.as_bytes()))?)
}

/// The records of the agent `main`, as its daily logs hold them.
fn logged(site: &Site) -> anyhow::Result<Vec<Value>> {
    let mut records = Vec::new();
    for entry in std::fs::read_dir(site.data_dir().join("agents/main/memory"))? {
        let text = std::fs::read_to_string(entry?.path())?;
        records.extend(text.lines().map(serde_json::from_str::<Value>).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(records)
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_02_a_turn_is_recorded_with_what_led_to_what() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let words = "status arm-1";
    site.say(words).await?;
    site.until("memory_search", json!({ "query": "arm-1", "role": "assistant" }), |found| {
        found["items"][0].is_object()
    })
    .await?;
    let records = logged(&site)?;
    let of = |role: &str| records.iter().find(|record| record["role"] == role).cloned().unwrap_or_default();
    let (said, worked, answered) = (of("user"), of("tool"), of("assistant"));
    assert_eq!((&said["content"], &said["origin"]), (&json!(words), &json!("operator(admin)")));
    assert_eq!((&said["session"], &said["cause"]), (&json!("desk"), &Value::Null));
    assert!(worked["origin"].as_str().is_some_and(|origin| origin.starts_with("tool(")), "{records:#?}");
    assert_eq!((&worked["cause"], &answered["cause"]), (&said["id"], &said["id"]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_14_what_is_forgotten_is_in_no_file_of_the_agent_and_is_not_found() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let folder = site.data_dir().join("agents/main");
    site.say(TEXT).await?;
    let said = until_found(&mut site, "quartz", "user").await?;
    std::fs::write(folder.join("MEMORY.md"), format!("# Kept\n{TEXT}\n"))?;
    let belief = json!({ "subject": "vault", "predicate": "code", "value": "known", "confidence": 0.9, "notes": TEXT });
    site.get("update_belief", belief).await?;

    let quoting = json!({ "ids": [said["id"]], "reason": TEXT });
    assert_eq!(site.refused("memory_forget", quoting).await?, "reason_quotes_content");
    let dry =
        site.get("memory_forget", json!({ "query": "vault quartz", "reason": "changed", "dry_run": true })).await?;
    assert!(find(&dry["items"], "id", said["id"].as_str().unwrap_or_default()).is_some(), "{dry:#}");
    assert!(!holders(&folder, TEXT)?.is_empty());

    let done = site.get("memory_forget", json!({ "query": "vault quartz", "reason": "the code was changed" })).await?;
    assert_eq!(holders(&folder, TEXT)?, Vec::<String>::new());
    assert_eq!(holders(site.data_dir(), TEXT)?, Vec::<String>::new(), "nor does the station's audit quote it");
    for place in ["daily_logs", "index", "transcripts", "notes", "beliefs", "backups"] {
        assert!(done["places"][place].as_u64() > Some(0), "{place}: {done:#}");
    }
    let tombstone = done["tombstone"].as_str().unwrap_or_default().to_owned();
    let transcript = site.get("get_transcript", json!({})).await?;
    let is_marked =
        |entry: &Value| entry["content"].as_str().is_some_and(|text| text == format!("[forgotten {tombstone}]"));
    assert!(transcript["entries"].as_array().is_some_and(|entries| entries.iter().any(is_marked)), "{transcript:#}");
    let audit = site.get("list_audit", json!({ "after": 0, "limit": 1_000 })).await?;
    let kept = audit.as_array().is_some_and(|rows| {
        rows.iter().any(|row| {
            row["operation"] == "tombstone" && row["detail"].as_str().is_some_and(|text| text.starts_with(&tombstone))
        })
    });
    assert!(kept, "{audit:#}");
    let found = site.get("memory_search", json!({ "query": "quartz" })).await?;
    assert_eq!(found["items"], json!([]));

    let site = site.restart_empty().await?;
    assert_eq!(site.get("memory_search", json!({ "query": "quartz" })).await?["items"], json!([]));
    assert_eq!(holders(site.data_dir(), "4711-quartz")?, Vec::<String>::new());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cw_25_e2_11_what_cannot_be_searched_or_forgotten_is_refused_by_its_own_code() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let unknown = "ep-00000000-0000-7000-8000-000000000000";
    for (operation, input, code) in [
        ("memory_search", json!({ "query": "\"\" * ^" }), "empty_query"),
        ("memory_search", json!({ "query": "door", "limit": 51 }), "out_of_range"),
        ("memory_search", json!({ "query": "door", "since": "yesterday" }), "invalid_input"),
        ("memory_search", json!({ "query": "door", "agent": "nobody" }), "agent_not_found"),
        ("memory_forget", json!({ "query": "nothing like it", "reason": "r" }), "nothing_matched"),
        ("memory_forget", json!({ "ids": [unknown], "reason": "r" }), "record_not_found"),
        ("memory_forget", json!({ "ids": [], "reason": "r" }), "out_of_range"),
        ("memory_forget", json!({ "query": "door", "reason": "" }), "reason_missing"),
        ("memory_forget", json!({ "query": "door", "ids": [unknown], "reason": "r" }), "invalid_input"),
        ("memory_forget", json!({ "older_than_days": 0, "reason": "r" }), "out_of_range"),
        ("memory_forget", json!({ "reason": "r" }), "invalid_input"),
    ] {
        assert_eq!(site.refused(operation, input.clone()).await?, code, "{operation} {input}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn st_04_a_damaged_memory_of_one_agent_is_restored_and_the_other_agent_is_untouched() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    site.get("create_agent", json!({ "id": "other" })).await?;
    let rule = json!({ "agent": "other", "predicate": "door.status = 'open'" });
    site.get("register_alert", rule).await?;
    site.call("send_message", json!({ "agent": "main", "text": "remember the hedgehog" })).await?;
    let query = json!({ "agent": "main", "query": "hedgehog" });
    site.until("memory_search", query.clone(), |found| found["items"][0].is_object()).await?;
    let mut site = site
        .edited(|folder| {
            let path = folder.join("agents/main/memory.db");
            let length = std::fs::metadata(&path)?.len();
            Ok(std::fs::OpenOptions::new().write(true).open(path)?.set_len(length / 2)?)
        })
        .await?;
    let names = std::fs::read_dir(site.data_dir().join("agents/main"))?;
    let set_aside = names
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("memory.db.damaged-"));
    assert_eq!(set_aside.count(), 1);
    // The files are the truth: what was said is found again.
    site.until("memory_search", query, |found| found["items"][0].is_object()).await?;
    let rules = site.get("list_alerts", json!({ "agent": "other" })).await?;
    assert_eq!(rules.as_array().map(Vec::len), Some(1));
    site.get("stop_all", json!({})).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f13_a_station_whose_database_was_emptied_does_not_start_as_a_new_one() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let refused = site.edited(|folder| Ok(std::fs::write(folder.join("station.db"), "")?)).await;
    let error = refused.err().map(|error| format!("{error:#}")).unwrap_or_default();
    assert!(error.contains("station.db is damaged: it is empty"), "{error}");
    Ok(())
}
