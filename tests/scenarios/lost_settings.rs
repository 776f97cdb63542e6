//! A configuration that somebody or a failing disk took away: what it said stays in force, and people are told.

use std::fs;
use std::path::Path;

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

const STRICT: &str = "beat_lost_ms = 900\n[[permissions]]\ntool = \"send_command\"\nverdict = \"deny\"\n";

async fn beat_lost_ms(site: &Site) -> anyhow::Result<Value> {
    let numbers = site.get("get_safety_settings", json!({})).await?;
    Ok(find(&numbers, "key", "beat_lost_ms").map(|row| row["value"].clone()).unwrap_or_default())
}

fn is_raised(rows: &Value) -> bool {
    find(rows, "source", "config_lost").is_some_and(|row| row["state"] == "unack_active")
}

#[tokio::test(flavor = "multi_thread")]
async fn f26_a_configuration_that_is_emptied_or_deleted_stays_in_force_and_an_alarm_says_so() -> anyhow::Result<()> {
    let mut site = Site::start_with_safety(STRICT).await?;
    assert_eq!(
        (beat_lost_ms(&site).await?, is_raised(&site.get("list_alarms", json!({})).await?)),
        (json!(900), false)
    );
    let empty: fn(&Path) -> anyhow::Result<()> = |folder| Ok(fs::write(folder.join("config.toml"), "")?);
    let gone: fn(&Path) -> anyhow::Result<()> = |folder| Ok(fs::remove_file(folder.join("config.toml"))?);
    for lose in [empty, gone] {
        site = site.edited(lose).await?;
        assert_eq!(beat_lost_ms(&site).await?, 900);
        site.until("list_alarms", json!({}), is_raised).await?;
    }

    let provider = json!({ "id": "near", "kind": "ollama", "base": "http://127.0.0.1:9", "local": true });
    site.get("set_provider", provider).await?;
    site.until("list_alarms", json!({}), |rows| !is_raised(rows)).await?;
    let text = fs::read_to_string(site.data_dir().join("config.toml"))?;
    assert!(
        text.contains("beat_lost_ms = 900") && text.contains("verdict = \"deny\"") && text.contains("near"),
        "{text}"
    );

    site = site
        .edited(|folder| {
            fs::remove_file(folder.join("config.toml.kept"))?;
            Ok(fs::remove_file(folder.join("config.toml"))?)
        })
        .await?;
    assert_eq!(beat_lost_ms(&site).await?, 900, "the record alone keeps the safety numbers");
    let rows = site.until("list_alarms", json!({}), is_raised).await?;
    assert!(rows.to_string().contains("config.toml and its copy are missing"), "{rows:#}");
    Ok(())
}
