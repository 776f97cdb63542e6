//! Steps that scenarios of missions share.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

/// Writes a mission file of the agent `main`, over the one that is there.
pub(crate) fn write(site: &Site, id: &str, text: &str) -> anyhow::Result<()> {
    Ok(std::fs::write(site.data_dir().join("agents/main/missions").join(format!("{id}.md")), text)?)
}

/// The mission as it is now.
pub(crate) async fn shown(site: &Site, id: &str) -> anyhow::Result<Value> {
    site.get("get_mission", json!({ "mission_id": id })).await
}

/// Waits until `holds` is true of a mission.
pub(crate) async fn until_mission(site: &mut Site, id: &str, holds: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    site.until("get_mission", json!({ "mission_id": id }), holds).await
}

/// Waits for a state of a mission.
pub(crate) async fn until_state(site: &mut Site, id: &str, state: &str) -> anyhow::Result<Value> {
    until_mission(site, id, |shown| shown["state"] == state).await
}

/// Every active mission was looked at once more when this returns: one that needs a second look has come to its end.
pub(crate) async fn looked(site: &mut Site) -> anyhow::Result<()> {
    write(site, "look", "---\ngoals: [{wait_secs: 1}]\n---\n")?;
    site.activate("look").await?;
    until_state(site, "look", "completed").await.map(drop)
}
