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
    // It goes to the place that was named, as the plan of the simulated site draws it, and home.
    let goals: Vec<&str> = source.lines().filter(|line| line.contains("pose_goal")).collect();
    assert_eq!(goals.len(), 5, "{source}");
    assert!(goals.iter().take(4).all(|goal| goal.contains("name: loading dock ")), "{source}");
    assert!(source.contains("position_m: [4.3, 4.3, 0.0], speed_mps: 0.2"), "{source}");
    assert_eq!(mission["errors"], 0, "{mission:#}");
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
async fn me_16_a_patrol_of_a_place_that_nobody_has_drawn_says_so_until_somebody_draws_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let asked = "patrol the yard every day at 22:00";
    let answer = site.say(asked).await?;
    assert!(answer.contains("The site plan has no area `yard`."), "{answer}");
    let kept = shown(&site, "patrol-of-the-yard").await?;
    assert!(kept["source"].as_str().is_some_and(|source| source.contains("name: north gate")), "{kept:#}");

    let corners = [[0.0, -6.0], [3.0, -6.0], [3.0, -3.0], [0.0, -3.0]];
    let plan = json!({ "frame": "map", "areas": [{ "name": "Yard", "corners": corners }] });
    site.get("save_site_plan", json!({ "base_version": 0, "plan": plan })).await?;
    let input = json!({ "template": "security-patrol", "place": "yard", "mission_id": "yard" });
    let drafted = site.get("draft_mission", input).await?;
    assert_eq!((&drafted["notes"], &drafted["ok"]), (&json!([]), &json!(true)), "{drafted:#}");
    let drawn = shown(&site, "yard").await?;
    let source = drawn["source"].as_str().unwrap_or_default();
    assert!(source.contains("position_m: [0.8, -5.2, 0.0]"), "{source}");
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
