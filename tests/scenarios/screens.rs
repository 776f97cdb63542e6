//! A screen that freezes: the people notified, and the acts left to the agent while nobody sees.

use api::{Fact, Session};
use quarterdeck_tests::Site;
use serde_json::json;

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

async fn until_screen(site: &mut Site, expected: bool) -> anyhow::Result<()> {
    let told = |fact: &Fact| matches!(fact, Fact::Screen { session, frozen, .. } if session == "app-window" && *frozen == expected);
    site.until_fact("word of the screen", told).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn u_613_the_agent_only_reads_while_the_screen_is_frozen_and_stops_are_taken() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let desk = Session::app_window();
    let frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    assert_eq!(site.get("session_info", json!({})).await?["agent_mode"], "ask");

    until_screen(&mut site, true).await?;
    assert_eq!(site.get("session_info", json!({})).await?["agent_mode"], "watch");
    site.say(MOVE).await?;
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]), "nobody would see the card");
    assert!(site.say("what do you see").await?.contains("person.location"), "reading goes on");
    site.say("stop").await?;
    assert_eq!(site.get("safety_status", json!({})).await?["stopped"], true);

    site.api.call(&desk, "screen_alive", json!({})).await?;
    until_screen(&mut site, false).await?;
    assert_eq!(site.get("session_info", json!({})).await?["agent_mode"], "ask");

    drop(frames);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    let audit = site.get("list_audit", json!({ "limit": 100 })).await?;
    let of_screen = audit.as_array().into_iter().flatten().filter(|record| record["operation"] == "screen");
    assert_eq!(of_screen.count(), 2, "frozen and back; a closed screen is not a frozen one");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_604_the_session_of_the_small_window_looks_and_stops_and_does_nothing_else() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let shell = Session::app_shell();
    for (operation, input) in [
        ("arm_robot", json!({ "robot": "arm-1" })),
        ("act_as_admin", json!({})),
        ("send_message", json!({ "text": MOVE })),
        ("inject_fault", json!({ "target": "rover-1", "fault": "drop_link", "on": true })),
    ] {
        let refused = site.api.call(&shell, operation, input).await;
        assert_eq!(refused.err().map(|error| error.code).as_deref(), Some("forbidden"), "{operation}");
    }
    site.api.call(&shell, "safety_status", json!({})).await?;
    let stopped = site.api.call(&shell, "stop_all", json!({})).await?;
    assert_eq!(stopped["robots"].as_array().map(Vec::len), Some(4));
    Ok(())
}
