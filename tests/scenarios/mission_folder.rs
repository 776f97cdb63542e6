//! Mission files that other programs write while the station looks at them.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

use crate::mission_steps::{shown, until_mission, write};

/// A text stands for so long before it counts.
const STILL: Duration = Duration::from_millis(300);
/// The pause of a writer between the halves of a text.
const PAUSE: Duration = Duration::from_millis(90);
/// Halves that stood for less than [`STILL`], of as many texts.
const HALVES: usize = 10;

fn folder(site: &Site) -> PathBuf {
    site.data_dir().join("agents/main/missions")
}

/// A text whose first half is another mission with another title.
fn halves(round: usize) -> (String, String) {
    let first = format!("---\ntitle: Night patrol {round}\n---\nHalf {round}.\n");
    (first, format!("And the rest of {round}.\n"))
}

/// Writes texts in halves, as a program does that empties a file and writes it bit by bit, until enough halves did not
/// stand for long enough to count; gives those halves, and the last text.
#[expect(clippy::disallowed_methods, reason = "a program that is not the station writes, by a clock of its own")]
fn write_in_halves(path: &Path) -> anyhow::Result<(BTreeSet<String>, String)> {
    let mut too_short = BTreeSet::new();
    let mut round = 0;
    loop {
        let (first, second) = halves(round);
        let begun = Instant::now();
        let mut file = std::fs::File::create(path)?;
        file.write_all(first.as_bytes())?;
        file.sync_all()?;
        std::thread::sleep(PAUSE);
        file.write_all(second.as_bytes())?;
        let whole = format!("{first}{second}");
        if begun.elapsed() < STILL {
            too_short.insert(first);
        }
        if too_short.len() == HALVES {
            return Ok((too_short, whole));
        }
        std::thread::sleep(PAUSE);
        round += 1;
    }
}

#[expect(clippy::disallowed_methods, reason = "a program that is not the station touches the file")]
fn touch(path: &Path) -> std::io::Result<()> {
    std::fs::File::options().append(true).open(path)?.set_modified(std::time::SystemTime::UNIX_EPOCH)
}

#[tokio::test(flavor = "multi_thread")]
async fn mc_13_a_file_that_is_written_in_halves_is_never_shown_listed_or_kept_as_half() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let path = folder(&site).join("patrol.md");
    let writer = tokio::task::spawn_blocking(move || write_in_halves(&path));
    let mut seen = BTreeSet::new();
    while !writer.is_finished() {
        let rows = site.get("list_missions", json!({})).await?;
        if find(&rows, "id", "patrol").is_some() {
            seen.extend(shown(&site, "patrol").await?["source"].as_str().map(str::to_owned));
        }
    }
    let (too_short, whole) = writer.await??;
    until_mission(&mut site, "patrol", |shown| shown["source"] == whole).await?;
    assert_eq!(seen.intersection(&too_short).collect::<Vec<_>>(), [""; 0]);
    let is_kept =
        |told: &Value| told["versions"].as_array().is_some_and(|kept| kept.iter().any(|it| it["is_draft"] == true));
    let told = site.until("mission_history", json!({ "mission_id": "patrol" }), is_kept).await?;
    for version in told["versions"].as_array().into_iter().flatten() {
        let input = json!({ "mission_id": "patrol", "version": version["hash"] });
        let text = site.get("get_mission", input).await?["source"].clone();
        assert!(!too_short.contains(text.as_str().unwrap_or_default()), "half a text was kept: {text}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mc_13_mc_14_what_is_saved_here_counts_at_once_and_a_touch_or_a_link_is_no_new_text() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let saved = site.get("save_mission", json!({ "mission_id": "dock", "source": "# Dock\n" })).await?;
    let listed = |rows: &Value| find(rows, "id", "dock").cloned().unwrap_or_default();
    assert_eq!(listed(&site.get("list_missions", json!({})).await?)["title"], "Dock", "nobody waits for it");
    site.activate("dock").await?;
    let path = folder(&site).join("dock.md");
    touch(&path)?;
    assert_eq!(
        (&shown(&site, "dock").await?["hash"], &shown(&site, "dock").await?["flags"]),
        (&saved["hash"], &json!([]))
    );
    write(&site, "dock", "# Dock two\n")?;
    until_mission(&mut site, "dock", |shown| shown["flags"] == json!(["draft"])).await?;
    std::fs::remove_file(&path)?;
    std::fs::write(site.data_dir().join("outside.txt"), "# Outside\n")?;
    std::os::unix::fs::symlink(site.data_dir().join("outside.txt"), &path)?;
    let linked = until_mission(&mut site, "dock", |shown| shown["source"] == Value::Null).await?;
    assert_eq!((&linked["hash"], &linked["title"]), (&Value::Null, &json!("Dock")), "what runs goes on: {linked:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_02_mi_03_a_file_whose_name_is_no_id_is_listed_with_the_name_to_give_it() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let at = |name: &str| folder(&site).join(name);
    for name in ["Night Patrol.md", "dock.md", "Dock.md"] {
        std::fs::write(at(name), "# Dock\n")?;
    }
    let (wrong, right) = (at("Night Patrol.md"), at("night-patrol.md"));
    let of = |rows: &Value, id: &str| find(rows, "id", id).cloned().unwrap_or_default();
    let rows = site.until("list_missions", json!({}), |rows| of(rows, "dock")["title"] == "Dock").await?;
    let row = of(&rows, "night-patrol");
    assert_eq!((&row["status"], &row["errors"], &row["flags"]), (&json!("draft"), &json!(1), &json!([])), "{rows:#}");
    assert!(row["error"].as_str().is_some_and(|told| told.contains("Rename it to `night-patrol.md`.")), "{row:#}");
    let graph = site.get("mission_graph", json!({})).await?;
    let (night, dock) = (of(&graph["nodes"], "night-patrol"), of(&graph["nodes"], "dock"));
    let problem = &night["problems"][0];
    assert_eq!((&problem["code"], &problem["line"], &problem["column"]), (&json!("bad_id"), &json!(1), &json!(1)));
    assert_eq!(night["may"], json!([]), "it is no mission");
    assert_eq!((&dock["problems"][0]["severity"], &dock["errors"]), (&json!("warning"), &json!(0)), "{dock:#}");
    assert_eq!(shown(&site, "night-patrol").await?["problems"], night["problems"]);
    let refused = json!({ "mission_id": "night-patrol", "hash": "00" });
    assert_eq!(site.refused("activate_mission", refused).await?, "mission_not_found");
    site.activate("dock").await?;
    std::fs::rename(wrong, right)?;
    until_mission(&mut site, "night-patrol", |shown| shown["source"] == "# Dock\n").await?;
    assert_eq!(of(&site.get("list_missions", json!({})).await?, "night-patrol")["errors"], 0);
    Ok(())
}

/// The system's watch stays on the folder that was moved away, so nobody tells of what happens in the new one.
#[tokio::test(flavor = "multi_thread")]
async fn mc_12_a_new_file_is_found_where_the_system_tells_of_nothing() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let missions = folder(&site);
    let (old, new) = (missions.with_file_name("missions-old"), missions.with_file_name("missions-new"));
    std::fs::create_dir(&new)?;
    std::fs::write(new.join("first.md"), "# First\n")?;
    std::fs::rename(&missions, &old)?;
    std::fs::rename(&new, &missions)?;
    // Only the watcher keeps a text in the history; a list would look at the folder by itself.
    let is_kept =
        |told: &Value| told["versions"].as_array().is_some_and(|kept| kept.iter().any(|it| it["is_draft"] == true));
    site.until("mission_history", json!({ "mission_id": "first" }), is_kept).await?;
    std::fs::write(missions.join("late.md"), "# Late\n")?;
    site.until("mission_history", json!({ "mission_id": "late" }), is_kept).await?;
    Ok(())
}
