//! A card that nobody sees: on which desk it stood and when, who hears that it stands on none, and the alarm about it.

use api::Session;
use quarterdeck_tests::Site;
use serde_json::{Value, json};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";
const SOON: &str = "unseen_after_ms = 1000";

/// A site whose arm may move and whose only person looks at no screen.
async fn armed(approvals: &str) -> anyhow::Result<Site> {
    let mut site = Site::start_with_approvals(approvals).await?;
    site.arm("arm-1").await?;
    Ok(site)
}

async fn until_card(site: &mut Site, what: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    let rows = site.until("list_proposals", json!({}), |rows| rows.get(0).is_some_and(&what)).await?;
    Ok(rows[0].clone())
}

/// Waits until an alarm about unseen cards is active, or no longer is, and gives its row.
async fn until_alarm(site: &mut Site, is_active: bool) -> anyhow::Result<Value> {
    let of_cards = move |row: &&Value| {
        row["source"].as_str().is_some_and(|source| source.starts_with("proposal_unseen"))
            && row["state"].as_str().is_some_and(|state| state.ends_with("active") == is_active)
    };
    let rows = site
        .until("list_alarms", json!({ "preset": "all" }), |rows| {
            rows.as_array().into_iter().flatten().any(|row| of_cards(&row))
        })
        .await?;
    Ok(rows.as_array().into_iter().flatten().find(of_cards).cloned().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn with_no_desk_the_agent_hears_that_nobody_sees_and_the_first_desk_that_shows_it_ends_that() -> anyhow::Result<()>
{
    let mut site = armed(SOON).await?;
    let answer = site.say(MOVE).await?;
    assert!(answer.contains("No screen shows it."), "{answer}");
    let card = until_card(&mut site, |card| card["nobody_sees"] == true).await?;
    assert_eq!((&card["state"], &card["desks"]), (&json!("waiting"), &json!([])), "the question stays open");
    let alarm = until_alarm(&mut site, true).await?;
    assert_eq!(alarm["priority"], 3, "{alarm}");

    let desk = Session::app_window();
    let _frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.api.call(&desk, "list_proposals", json!({})).await?;
    let seen = site.api.call(&desk, "proposal_shown", json!({ "id": card["id"] })).await?;
    assert_eq!(seen["counts"], true);
    let card = until_card(&mut site, |card| card["nobody_sees"] == false).await?;
    let [reached] = card["desks"].as_array().map(Vec::as_slice).unwrap_or_default() else { anyhow::bail!("{card}") };
    assert_eq!((&reached["session"], &reached["desk"]), (&json!("app-window"), &json!("app_window")));
    assert!(reached["delivered_at"].as_i64() <= reached["shown_at"].as_i64(), "{reached}");
    until_alarm(&mut site, false).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_window_was_given_the_card_and_shows_it_to_nobody() -> anyhow::Result<()> {
    let mut site = armed("unseen_after_ms = 1000\nunseen_alarm = \"high\"").await?;
    let desk = Session::app_window();
    let _frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    until_card(&mut site, |card| card["state"] == "waiting").await?;
    // The turn may have taken longer than a screen may be silent.
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.api.call(&desk, "list_proposals", json!({})).await?;
    let card = until_card(&mut site, |card| card["nobody_sees"] == true).await?;
    assert_eq!((&card["desks"][0]["session"], &card["desks"][0]["shown_at"]), (&json!("app-window"), &Value::Null));
    assert_eq!(until_alarm(&mut site, true).await?["priority"], 2, "the site has chosen so");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_screen_shows_a_card_to_nobody_also_one_that_stood_there_before() -> anyhow::Result<()> {
    let mut site = armed("unseen_after_ms = 1000\nunseen_alarm = \"off\"").await?;
    let desk = Session::app_window();
    let _frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let card = until_card(&mut site, |card| card["state"] == "waiting").await?;
    let shown = json!({ "id": card["id"] });
    // The turn may have taken longer than a screen may be silent.
    site.api.call(&desk, "screen_alive", json!({})).await?;
    assert_eq!(site.api.call(&desk, "proposal_shown", shown.clone()).await?["counts"], true);

    site.api.call(&desk, "lock_screen", json!({})).await?;
    site.api.call(&desk, "screen_alive", json!({})).await?;
    assert_eq!(site.api.call(&desk, "proposal_shown", shown.clone()).await?["counts"], false);
    until_card(&mut site, |card| card["nobody_sees"] == true).await?;

    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.api.call(&desk, "unlock_screen", json!({})).await?;
    assert_eq!(site.api.call(&desk, "proposal_shown", shown).await?["counts"], true);
    until_card(&mut site, |card| card["nobody_sees"] == false).await?;
    let alarms = site.get("list_alarms", json!({ "preset": "all" })).await?.to_string();
    assert!(!alarms.contains("proposal_unseen"), "the site wants no alarm about it: {alarms}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_18_a_card_that_was_shown_and_is_hidden_or_scrolled_off_counts_for_nobody_while_the_screen_lives_on()
-> anyhow::Result<()> {
    let mut site = armed("unseen_after_ms = 1000\nunseen_alarm = \"off\"").await?;
    let desk = Session::app_window();
    let _frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let card = until_card(&mut site, |card| card["state"] == "waiting").await?;
    let shown = json!({ "id": card["id"] });
    // The window says that it lives by a timer, whether anybody sees it or not, and of the card while it is in sight.
    let until = async |site: &mut Site, is_seen: bool| -> anyhow::Result<()> {
        loop {
            site.api.call(&desk, "screen_alive", json!({})).await?;
            if is_seen {
                assert_eq!(site.api.call(&desk, "proposal_shown", shown.clone()).await?["counts"], true);
            }
            let rows = site.get("list_proposals", json!({})).await?;
            anyhow::ensure!(["waiting", "recheck"].iter().any(|state| rows[0]["state"] == *state), "{rows:#}");
            if rows[0]["nobody_sees"] != is_seen {
                return Ok(());
            }
            tokio::task::yield_now().await;
        }
    };
    until(&mut site, true).await?;
    until(&mut site, false).await?;
    until(&mut site, true).await
}
