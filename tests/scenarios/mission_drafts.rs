//! Missions that are asked for in words become drafts. Nothing is activated, nothing is overwritten.

use quarterdeck_tests::{Site, find};
use serde_json::json;

use crate::mission_steps::{shown, write};

#[tokio::test(flavor = "multi_thread")]
async fn me_16_words_at_a_desk_become_a_draft_without_a_language_model() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let asked = "patrol the loading dock every evening at ten until friday";
    let answer = site.say(asked).await?;
    assert!(answer.contains("Draft: Patrol of the loading dock."), "{answer}");
    let mission = shown(&site, "patrol-of-the-loading-dock").await?;
    assert_eq!(mission["state"], "draft", "{mission:#}");
    let source = mission["source"].as_str().unwrap_or_default();
    assert!(source.contains("cron: \"0 22 * * *\"") && source.contains("expires: "), "{source}");
    assert!(!mission["meaning"].as_array().is_none_or(Vec::is_empty), "{mission:#}");
    let robots = site.get("list_constraints", json!({ "robot": "rover-1" })).await?;
    assert!(!robots.to_string().contains("patrol-of-the-loading-dock"), "a draft binds nothing: {robots:#}");

    // Said again, it is another draft: the first one stays as it is.
    site.say(asked).await?;
    site.until_ok("get_mission", json!({ "mission_id": "patrol-of-the-loading-dock-2" })).await?;
    assert_eq!(shown(&site, "patrol-of-the-loading-dock").await?["hash"], mission["hash"]);
    assert_eq!(shown(&site, "patrol-of-the-loading-dock-2").await?["state"], "draft");

    for (words, id) in [
        ("watch the dog", "dog-monitor-2"),
        ("weld the frame after calibrating", "weld-the-frame"),
        ("check the filters", "check-the-filters"),
        ("childproof the home", "childproof-home"),
    ] {
        site.say(words).await?;
        let draft = site.until_ok("get_mission", json!({ "mission_id": id })).await?;
        assert_eq!(draft["state"], "draft", "{words}: {draft:#}");
    }
    let missions = site.get("list_missions", json!({})).await?;
    assert_eq!(missions.as_array().into_iter().flatten().filter(|row| row["state"] != "draft").count(), 0);
    assert!(find(&missions, "id", "weld-the-frame").is_some(), "{missions:#}");
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn me_16_a_draft_takes_the_place_of_no_file_and_every_part_of_it_is_checked() -> anyhow::Result<()> {
    let site = Site::start().await?;
    write(&site, "dock", "# Mine\n")?;
    let own = json!({ "source": "# Another\n", "mission_id": "dock" });
    assert_eq!(site.refused("draft_mission", own).await?, "mission_exists");
    assert_eq!(std::fs::read_to_string(site.data_dir().join("agents/main/missions/dock.md"))?, "# Mine\n");
    let wrong =
        site.get("draft_mission", json!({ "source": "---\nrobots: [nobody]\n---\nGo.\n", "title": "Go" })).await?;
    assert_eq!((&wrong["ok"], &wrong["mission_id"]), (&json!(false), &json!("go")), "{wrong:#}");
    assert_eq!(wrong["problems"][0]["code"], "unknown_robot", "{wrong:#}");
    assert_eq!(site.refused("draft_mission", json!({ "template": "no-such" })).await?, "template_not_found");
    for input in [
        json!({}),
        json!({ "template": "dog-monitor", "source": "x" }),
        json!({ "template": "dog-monitor", "cron": "often" }),
        json!({ "template": "dog-monitor", "until": "the cows come home" }),
    ] {
        assert_eq!(site.refused("draft_mission", input.clone()).await?, "invalid_input", "{input}");
    }
    Ok(())
}
