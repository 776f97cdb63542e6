//! Tokens and roles, over HTTP as whoever holds a token meets them.

use std::time::Duration;

use anyhow::Context as _;
use quarterdeck_tests::server_process::{Reply, ServerProcess};
use serde_json::{Value, json};

/// Time for anything that is waited for, or the scenario fails.
const DEADLINE: Duration = Duration::from_secs(60);
/// The pause before a call that was one too many is tried again.
const AGAIN_AFTER: Duration = Duration::from_millis(50);
/// Acts of a session that may only stop.
const STOPPING: [&str; 3] = ["stop_all", "stop_robot", "hold_robot"];

/// A holder of a token, and what the token was made for.
struct Holder {
    label: &'static str,
    kind: &'static str,
    role: &'static str,
    only_stops: bool,
    token: String,
}

async fn holder(
    server: &ServerProcess,
    label: &'static str,
    (kind, role, only_stops): (&'static str, &'static str, bool),
) -> anyhow::Result<Holder> {
    let input = json!({ "label": label, "kind": kind, "role": role, "only_stops": only_stops });
    let made = server.get("create_token", input).await?;
    let token = made["token"].as_str().context("a token")?.to_owned();
    Ok(Holder { label, kind, role, only_stops, token })
}

/// Every operation of the reference: name and terms.
fn operations() -> anyhow::Result<Vec<(String, Value)>> {
    let text = include_str!("../../docs/operations.schema.json");
    let all: Value = serde_json::from_str(text)?;
    let rows = all["operations"].as_object().context("operations")?;
    Ok(rows.iter().map(|(name, row)| (name.clone(), row.clone())).collect())
}

fn rank(role: &Value) -> usize {
    ["viewer", "operator", "admin"].iter().position(|word| role == word).unwrap_or(usize::MAX)
}

/// True if the terms of an operation let the holder call it.
fn may(holder: &Holder, name: &str, row: &Value) -> bool {
    let audience = if holder.kind == "person" { "ui" } else { "mcp" };
    let offered = row["audience"].as_array().is_some_and(|all| all.iter().any(|one| one == audience));
    let stops_or_looks = row["effect"] == "read" || STOPPING.contains(&name);
    offered && rank(&json!(holder.role)) >= rank(&row["role"]) && (!holder.only_stops || stops_or_looks)
}

/// Calls an operation; one call too many in a second is tried again.
async fn called(server: &ServerProcess, token: &str, name: &str, input: &Value) -> anyhow::Result<Reply> {
    let calling = async {
        let mut connection = server.connect().await?;
        loop {
            let reply = connection.call(token, name, input).await?;
            if reply.status != 429 || reply.body["code"] != "too_many_requests" {
                return anyhow::Ok(reply);
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    };
    tokio::time::timeout(DEADLINE, calling).await?
}

#[tokio::test(flavor = "multi_thread")]
async fn att_09_att_10_every_operation_is_open_to_each_role_and_kind_as_its_terms_say() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let mut holders = Vec::new();
    for (label, terms) in [
        ("person viewer", ("person", "viewer", false)),
        ("person operator", ("person", "operator", false)),
        ("person admin", ("person", "admin", false)),
        ("person who stops", ("person", "viewer", true)),
        ("program viewer", ("machine", "viewer", false)),
        ("program operator", ("machine", "operator", false)),
        ("program admin", ("machine", "admin", false)),
        ("program that stops", ("machine", "viewer", true)),
    ] {
        holders.push(holder(&server, label, terms).await?);
    }
    // Nothing takes this field, so that who may call is refused for it, and nobody does anything.
    let input = json!({ "no_such_field": 1, "role": "admin" });
    let (mut wrong, mut open) = (Vec::new(), 0);
    for (name, row) in operations()? {
        for holder in &holders {
            let reply = called(&server, &holder.token, &name, &input).await?;
            let allowed = may(holder, &name, &row);
            open += usize::from(allowed);
            if allowed == (reply.status == 403) {
                wrong.push(format!("{name} for {}: {} {}", holder.label, reply.status, reply.body["code"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(open > 200, "the table was read: {open}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_11_a_revoked_token_ends_what_it_opened_and_signs_nobody_in() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    let tablet = holder(&server, "Tablet", ("person", "operator", false)).await?;
    let info = called(&server, &tablet.token, "session_info", &json!({})).await?;
    assert_eq!((&info.body["actor"], &info.body["role"]), (&json!("Tablet"), &json!("operator")));
    let raised = called(&server, &tablet.token, "act_as_admin", &json!({})).await?;
    assert_eq!((raised.status, &raised.body["code"]), (403, &json!("role_fixed")));
    let mut window = server.connect().await?;
    window.upgrade().await?;
    window.sign_in(&tablet.token).await?;
    let rows = server.get("list_tokens", json!({})).await?;
    // `qd_<id>_<secret>`, and a secret may hold underscores itself.
    let secret = tablet.token.splitn(3, '_').nth(2).context("a secret")?;
    assert!(!rows.to_string().contains(secret), "nothing shows it again");
    assert!(rows[0]["used_ms"].is_i64(), "{rows}");
    server.get("revoke_token", json!({ "id": rows[0]["id"] })).await?;
    tokio::time::timeout(DEADLINE, window.closed()).await??;
    let reply = called(&server, &tablet.token, "session_info", &json!({})).await?;
    assert_eq!((reply.status, &reply.body["code"]), (401, &json!("unauthorized")));
    let audit = server.get("list_audit", json!({ "limit": 1_000 })).await?;
    let acted =
        |operation: &str| audit.as_array().is_some_and(|rows| rows.iter().any(|row| row["operation"] == operation));
    assert!(acted("create_token") && acted("revoke_token"), "{audit:#}");
    assert!(!audit.to_string().contains(&tablet.token), "no record holds it");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_37_acting_as_admin_asks_for_the_pin_once_one_is_set_and_five_wrong_ones_lock_it() -> anyhow::Result<()> {
    let server = ServerProcess::start(&[]).await?;
    assert_eq!(server.get("session_info", json!({})).await?["has_admin_pin"], false);
    server.get("set_admin_pin", json!({ "pin": "correct-horse" })).await?;
    assert_eq!(server.get("session_info", json!({})).await?["has_admin_pin"], true);
    server.get("end_admin", json!({})).await?;
    assert_eq!(server.refused("act_as_admin", json!({})).await?, (403, "pin_needed".to_owned()));
    for _ in 0..5 {
        assert_eq!(
            server.refused("act_as_admin", json!({ "pin": "wrong-horse" })).await?,
            (403, "pin_wrong".to_owned())
        );
    }
    let locked = server.refused("act_as_admin", json!({ "pin": "correct-horse" })).await?;
    assert_eq!(locked, (429, "pin_locked".to_owned()), "not even the right one");
    assert_eq!(server.refused("list_tokens", json!({})).await?, (403, "forbidden".to_owned()));
    Ok(())
}
