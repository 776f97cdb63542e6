//! Standing approvals that a mission asks for: a person grants each with the activation, and they end with its standing.

use quarterdeck_tests::Site;
use quarterdeck_tests::fake_model::{Answer, FakeModel};
use serde_json::{Value, json};

use crate::mission_steps::{shown, until_state, write};
use crate::proposals::{ask, carried, rover, with_people_far_away};

const REGION: &str = "region: {x: [-2, 2], y: [-2, 2], z: [-1, 1]}";

/// A mission that asks for two standing approvals.
fn carry() -> String {
    let of = "robot: rover-1, actuator: base, operation: send_command";
    let envelope = format!(
        "[{{{of}, {REGION}, speed_mps_max: 0.3, count: 2, hours: 1}}, {{{of}, speed_mps_max: 0.2, count: 1, hours: 0.5}}]"
    );
    format!("---\ntitle: Carry\nrobots: [rover-1]\nenvelope: {envelope}\n---\nCarry.\n")
}

/// Activates the mission, and grants what has these numbers.
async fn activate(site: &Site, grant: Value) -> anyhow::Result<Value> {
    let seen = shown(site, "carry").await?;
    let accept: Vec<Value> = seen["problems"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| json!({ "code": one["code"], "line": one["line"] }))
        .collect();
    let input = json!({ "mission_id": "carry", "hash": seen["hash"], "accept": accept, "grant": grant });
    site.get("activate_mission", input).await
}

/// The bounds of speed of what is granted for the mission.
async fn granted(site: &Site) -> anyhow::Result<Vec<Value>> {
    let rows = site.get("list_standing_approvals", json!({})).await?;
    let of_mission = rows.as_array().into_iter().flatten().filter(|row| row["mission"] == "carry");
    Ok(of_mission.map(|row| row["envelope"]["speed_mps_max"].clone()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_25_me_13_what_a_person_ticks_at_the_activation_holds_and_ends_with_every_standstill() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    write(&site, "carry", &carry())?;
    let asked = shown(&site, "carry").await?["envelope"].clone();
    let whole = "1 motions of rover-1/base in 0.5 h, at most 0.2 m/s anywhere within its limits";
    assert_eq!((asked.as_array().map(Vec::len), &asked[1]), (Some(2), &json!(whole)), "{asked:#}");

    activate(&site, json!([])).await?;
    assert_eq!(granted(&site).await?, [Value::Null; 0], "nothing is granted by itself");
    let seen = shown(&site, "carry").await?;
    let wrong = json!({ "mission_id": "carry", "hash": seen["hash"], "accept": [], "grant": [3] });
    site.refused("activate_mission", wrong).await?;
    let done = activate(&site, json!([2])).await?;
    assert_eq!(done["message"], "Mission carry activated", "{done:#}");
    assert_eq!(granted(&site).await?, [json!(0.2)], "the same text is granted more by the same act");
    let row = &site.get("list_standing_approvals", json!({})).await?[0];
    let (used, bounds) = (&row["used"], &row["envelope"]["workspace"]["x"]);
    assert!(used == 0 && bounds[1].as_f64().is_some_and(|metres| metres < 1_000.0), "the workspace in force: {row:#}");

    site.get("pause_mission", json!({ "mission_id": "carry" })).await?;
    assert_eq!(granted(&site).await?, [Value::Null; 0]);
    site.get("resume_mission", json!({ "mission_id": "carry" })).await?;
    assert_eq!(granted(&site).await?, [Value::Null; 0], "a resumption grants nothing");
    activate(&site, json!([1, 2])).await?;
    assert_eq!(granted(&site).await?.len(), 2);
    let kept = shown(&site, "carry").await?["activation"]["granted"].clone();
    assert_eq!(kept, Value::Null, "that of the activation itself: {kept}");
    write(&site, "carry", &carry().replace("Carry.", "Carry it."))?;
    activate(&site, json!([1])).await?;
    assert_eq!(granted(&site).await?, [json!(0.3)], "another text ends what the one before had");
    assert_eq!(shown(&site, "carry").await?["activation"]["granted"], json!([1]));
    site.get("stop_robot", json!({ "robot": "rover-1" })).await?;
    assert_eq!(granted(&site).await?, [Value::Null; 0]);
    until_state(&mut site, "carry", "paused").await?;
    let refused = activate(&site, json!([1])).await;
    assert!(refused.is_err(), "a stop is open: {refused:?}");
    assert_eq!(granted(&site).await?, [Value::Null; 0]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_25_p_14_what_is_ticked_lets_the_agent_move_only_in_the_mode_of_the_mission() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    with_people_far_away(&mut site, 600).await?;
    rover(&mut site).await?;
    let model = FakeModel::start([carried(0.5), Answer::Say("It waits for you.".into()), carried(0.5)]).await?;
    site.use_model(&model).await?;
    write(&site, "carry", &carry())?;
    activate(&site, json!([1])).await?;
    until_state(&mut site, "carry", "active").await?;
    let id = site.get("list_standing_approvals", json!({})).await?[0]["id"].clone();

    let card = ask(&mut site, "Carry it over.").await?;
    assert_eq!(card["standing_approval"], Value::Null, "the mode asks for everything");
    let no = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", no).await?;
    site.until_answer("Carry it over.").await?;

    site.get("set_mode", json!({ "mode": "run:carry" })).await?;
    site.get("send_message", json!({ "text": "Now carry it." })).await?;
    let done = site.until_proposal(|proposal| proposal["state"] == "done").await?;
    assert_eq!((&done["standing_approval"], done["decided_by"].as_str()), (&id, Some("admin")), "{done:#}");
    site.get("cancel_mission", json!({ "mission_id": "carry" })).await?;
    assert_eq!(granted(&site).await?, [Value::Null; 0]);
    Ok(())
}
