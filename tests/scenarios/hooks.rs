//! Hooks: programs of the site that are asked at eleven points of a conversation, in a whole station.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use api::Fact;
use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, arm_goal, entries};
use serde_json::{Value, json};

/// Every point, as `config.toml` names it.
const POINTS: [&str; 11] = [
    "message:receive",
    "prompt:before",
    "prompt:after",
    "tool:before",
    "tool:after",
    "tool:error",
    "response:before",
    "response:after",
    "response:error",
    "session:start",
    "session:end",
];

/// The programs of the hooks of a site, which end with the value.
struct Programs(tempfile::TempDir);

impl Programs {
    fn new() -> anyhow::Result<Self> {
        Ok(Self(tempfile::tempdir()?))
    }

    /// Writes a shell script as a program that anybody may run.
    fn script(&self, name: &str, lines: &str) -> anyhow::Result<PathBuf> {
        let (path, fresh) = (self.0.path().join(name), self.0.path().join(format!("{name}.fresh")));
        std::fs::write(&fresh, format!("#!/bin/sh\n{lines}\n"))?;
        std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o755))?;
        // A program of this name that is just being started cannot be written to.
        std::fs::rename(&fresh, &path)?;
        Ok(path)
    }

    /// A site on which `script` is the one hook at `on`, with `rest` beside it.
    async fn site(&self, on: &str, script: &str, (rest, with_sim): (&str, bool)) -> anyhow::Result<Site> {
        let program = self.script("hook", script)?;
        Site::start_with_settings(&hook(on, &program, rest), with_sim).await
    }
}

/// One hook of `config.toml`.
fn hook(on: &str, program: &Path, rest: &str) -> String {
    format!("[[hooks]]\non = \"{on}\"\nrun = [\"{}\"]\n{rest}\n", program.display())
}

/// The newest result of a call.
fn result(page: &Value) -> Value {
    let newest = entries(page, "tool_result").last().and_then(|entry| entry["content"].as_str().map(str::to_owned));
    serde_json::from_str(&newest.unwrap_or_default()).unwrap_or_default()
}

/// True for an event of the station with `code` whose sentence holds `words`.
fn says(fact: &Fact, code: &str, words: &str) -> bool {
    matches!(fact, Fact::Event { code: of, sentence, .. } if of == code && sentence.contains(words))
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_a_denied_tool_is_not_run_and_the_others_are() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let deny = r#"grep -q '"tool":"remember_note"' && echo '{"deny":"no notes at night"}'; exit 0"#;
    let mut site = programs.site("tool:before", deny, ("tools = [\"remember_*\"]", false)).await?;
    site.get("set_mode", json!({ "mode": "assist" })).await?;
    site.say("remember that the gate is green").await?;
    let page = site.get("get_transcript", json!({})).await?;
    let denied = result(&page);
    assert_eq!(denied["code"], "denied_by_hook", "{page:#}");
    assert!(denied["message"].as_str().is_some_and(|message| message.contains("no notes at night")), "{denied}");
    let results = entries(&page, "tool_result");
    assert!(results.iter().any(|entry| entry["is_error"] == true && entry["trust"] == "text"), "{page:#}");
    site.say("status").await?;
    let page = site.get("get_transcript", json!({})).await?;
    assert_ne!(result(&page)["code"], "denied_by_hook", "a hook is asked about its own tools only: {page:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_arguments_that_a_hook_changes_are_judged_as_they_are_then() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let far = json!({ "change": arm_goal([9.0, 9.0, 9.0], 0.2) });
    let mut site = programs
        .site("tool:before", &format!("cat > /dev/null; echo '{far}'"), ("tools = [\"send_command\"]", true))
        .await?;
    site.arm("arm-1").await?;
    site.say("move arm-1 to 0.5 0.2 1.0 at 0.2 m/s").await?;
    let page = site.get("get_transcript", json!({})).await?;
    let denied = result(&page);
    assert_eq!(denied["arguments_changed_by_hook"]["motion"]["pose_goal"]["position_m"], json!([9.0, 9.0, 9.0]));
    assert_eq!(denied["state"], "denied", "the safety engine judges what the hook wants: {denied:#}");
    assert_eq!(site.get("list_proposals", json!({})).await?, json!([]), "and nobody is asked for it");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_p_15_a_hook_that_agrees_or_changes_allows_nothing() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let rule = "[[permissions]]\ntool = \"remember_note\"\nverdict = \"deny\"";
    let mut site = programs.site("tool:before", "echo '{}'", (rule, true)).await?;
    site.get("set_mode", json!({ "mode": "assist" })).await?;
    site.arm("arm-1").await?;
    site.say("remember that the gate is green").await?;
    let page = site.get("get_transcript", json!({})).await?;
    assert_eq!(result(&page)["code"], "rule_forbids", "{page:#}");
    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s" })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    assert_eq!(card["operation"], "send_command", "a person is asked all the same: {card:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_a_hook_that_cannot_be_asked_denies_with_its_reason() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    for (script, rest, reason) in [
        ("sleep 60", "timeout_secs = 1", "it took longer than 1 s"),
        ("exit 3", "", "it ended with exit code 3"),
        ("echo yes", "", "it did not print one JSON object"),
        ("echo '{\"allow\":true}'", "", "unknown field `allow`"),
        ("yes", "", "it printed more than 65536 bytes"),
        ("cat /proc/net/route | wc -l | grep -q '^[01]$' && echo '{\"deny\":\"no network\"}'", "", "no network"),
    ] {
        let mut site = programs.site("tool:before", script, (rest, false)).await?;
        site.say("status").await?;
        let denied = result(&site.get("get_transcript", json!({})).await?);
        assert_eq!(denied["code"], "denied_by_hook", "{script}: {denied}");
        assert!(denied["message"].as_str().is_some_and(|message| message.contains(reason)), "{script}: {denied}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_a_hook_that_only_looks_back_and_fails_holds_nothing_up() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let mut site = programs.site("tool:after", "exit 3", ("", false)).await?;
    assert!(!site.say("status").await?.is_empty());
    let page = site.get("get_transcript", json!({})).await?;
    assert!(entries(&page, "tool_result").iter().all(|entry| entry["is_error"] != true), "{page:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_l_10_a_denied_message_leaves_no_entry_and_a_changed_one_is_nobodys_order() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let hook = r#"read -r line
case "$line" in
*secret*) echo '{"deny":"it names a secret"}' ;;
*remember*) echo '{"change":"remember that the gate is red"}' ;;
esac"#;
    let mut site = programs.site("message:receive", hook, ("", false)).await?;
    site.get("send_message", json!({ "text": "remember the secret" })).await?;
    site.until_fact("the denial", |fact| says(fact, "denied_by_hook", "it names a secret")).await?;
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    assert_eq!(site.get("get_transcript", json!({})).await?["entries"], json!([]));
    site.get("send_message", json!({ "text": "remember that the gate is green" })).await?;
    let page = site
        .until("get_transcript", json!({}), |page| page["running"].is_null() && !entries(page, "assistant").is_empty())
        .await?;
    let said = entries(&page, "user");
    assert_eq!((&said[0]["origin"], &said[0]["trust"]), (&json!("tool(message:receive)"), &json!("text")));
    assert!(entries(&page, "tool_result").is_empty(), "the interpreter obeys people only: {page:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_a_stop_waits_for_no_hook() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let program = programs.script("hook", "sleep 60")?;
    let mut settings = String::new();
    for point in POINTS {
        settings += &hook(point, &program, "timeout_secs = 30");
    }
    let mut site = Site::start_with_settings(&settings, true).await?;
    site.get("send_message", json!({ "text": "status" })).await?;
    site.until("list_agents", json!({}), |agents| !agents[0]["running"].is_null()).await?;
    site.get("stop_all", json!({})).await?;
    let stopped = |status: &Value| !status["stops"].as_array().is_none_or(Vec::is_empty);
    site.until("safety_status", json!({}), stopped).await?;
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    assert_eq!(site.get("get_transcript", json!({})).await?["entries"], json!([]), "its message was not heard");
    site.until_fact(
        "a message that is not heard",
        |fact| matches!(fact, Fact::Event { code, .. } if code == "not_heard"),
    )
    .await?;
    let said = site.get("send_message", json!({ "text": "stop" })).await?;
    let robots = "all robots (arm-1, gate-1, rover-1, rover-2)";
    let told = format!("Stop #1 was sent to {robots}. Only a person can release it.");
    assert_eq!(said["message"], told, "what is said at the desk stops too");
    let heard = |page: &Value| entries(page, "user").iter().any(|entry| entry.to_string().contains(" stop\""));
    site.until("get_transcript", json!({}), heard).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_x_02_a_turn_is_cancelled_while_its_hook_is_asked() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    for point in ["message:receive", "prompt:before", "tool:before", "tool:after", "response:before"] {
        let mut site = programs.site(point, "sleep 60", ("timeout_secs = 30", false)).await?;
        let sent = site.get("send_message", json!({ "text": "status" })).await?;
        if point != "message:receive" {
            site.until("get_transcript", json!({}), |page| !entries(page, "user").is_empty()).await?;
        }
        let cancelled = site.until_ok("turn_cancel", json!({ "turn": sent["turn"] })).await?;
        assert_eq!(cancelled["message"], "Turn cancelled", "{point}");
        site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
        let page = site.get("get_transcript", json!({})).await?;
        let (calls, results) = (page.to_string().matches("\"tool_call_id\"").count(), entries(&page, "tool_result"));
        assert_eq!(calls, results.len(), "{point}: every call has its result: {page:#}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_words_and_results_are_withheld_or_changed_before_anybody_sees_them() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let mut settings = String::new();
    for (point, answer) in [
        ("tool:after", r#"{"change":{"items":[],"note":"nothing to see"}}"#),
        ("response:before", r#"{"deny":"not for your eyes"}"#),
    ] {
        let program = programs.script(&point.replace(':', "-"), &format!("cat > /dev/null; echo '{answer}'"))?;
        settings += &hook(point, &program, "");
    }
    let model = FakeModel::start([
        Answer::Call(vec![("list_world_state", json!({}))]),
        Answer::Say("The vault opens with 4711.".into()),
    ])
    .await?;
    let mut site = Site::start_with_settings(&settings, false).await?;
    site.use_model(&model).await?;
    let answer = site.say("how does the vault open?").await?;
    assert_eq!(answer, "[Withheld by a hook of the site: not for your eyes]");
    let page = site.get("get_transcript", json!({})).await?;
    assert!(!page.to_string().contains("4711"), "{page:#}");
    let last = model.asked().pop().map(|asked| asked.body.to_string()).unwrap_or_default();
    assert!(last.contains("nothing to see"), "the model sees what the hook has put there: {last}");
    let spoken = entries(&page, "assistant");
    assert_eq!(spoken.last().map(|entry| &entry["trust"]), Some(&json!("text")), "{page:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_no_model_is_asked_with_a_prompt_that_is_denied() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let model = FakeModel::start([]).await?;
    let mut site = programs.site("prompt:before", "echo '{\"deny\":\"not out of this house\"}'", ("", false)).await?;
    site.use_model(&model).await?;
    site.get("send_message", json!({ "text": "what do you see?" })).await?;
    let is_told = |fact: &Fact| serde_json::to_string(fact).is_ok_and(|fact| fact.contains("not out of this house"));
    site.until_fact("the denial", is_told).await?;
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    assert!(model.asked().is_empty() && model.asked_beside().is_empty());
    Ok(())
}

/// The points whose hooks were asked so far.
fn asked(status: &Value) -> Vec<&str> {
    let rows = status["hooks"].as_array().map_or(&[][..], Vec::as_slice);
    let is_asked = |row: &&Value| row["asked"].as_u64().is_some_and(|asked| asked > 0);
    rows.iter().filter(is_asked).filter_map(|row| row["on"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_each_of_the_eleven_is_asked_at_its_point() -> anyhow::Result<()> {
    let programs = Programs::new()?;
    let mut settings = String::new();
    for point in POINTS {
        // A hook that is run at another point than its own fails, and is counted so.
        let script = format!("grep -q '\"hook\":\"{point}\"' || exit 4");
        settings += &hook(point, &programs.script(&point.replace(':', "-"), &script)?, "");
    }
    let refusal = json!({ "error": { "message": "no such key", "type": "invalid_request_error" } });
    let model = FakeModel::start([
        Answer::Call(vec![("list_world_state", json!({})), ("read_output", json!({ "n": 99 }))]),
        Answer::Say("It is idle.".into()),
        Answer::Refuse(401, refusal),
    ])
    .await?;
    let mut site = Site::start_with_settings(&settings, false).await?;
    site.use_model(&model).await?;
    assert_eq!(site.get("get_sandbox", json!({})).await?["hooks"][0]["asked"], 0, "none is asked before its point");
    assert_eq!(site.say("how does it stand?").await?, "It is idle.");
    let but = |later: &[&str]| POINTS.into_iter().filter(|point| !later.contains(point)).collect::<Vec<_>>();
    let so_far = but(&["response:error", "session:end"]);
    site.until("get_sandbox", json!({}), |status| asked(status) == so_far).await?;
    site.get("send_message", json!({ "text": "and now?" })).await?;
    site.until("get_sandbox", json!({}), |status| asked(status) == but(&["session:end"])).await?;
    site.until("list_agents", json!({}), |agents| agents[0]["running"].is_null()).await?;
    site.get("reset_session", json!({ "session": "desk" })).await?;
    let status = site.get("get_sandbox", json!({})).await?;
    assert_eq!(asked(&status), POINTS);
    let sums = |field: &str| -> Vec<u64> {
        status["hooks"].as_array().into_iter().flatten().filter_map(|row| row[field].as_u64()).collect()
    };
    assert_eq!((sums("failed"), sums("denied")), (vec![0; 11], vec![0; 11]), "{status:#}");
    assert_eq!(sums("asked")[9], 1, "a conversation begins once: {status:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t_39_settings_that_name_no_point_are_refused_at_start() -> anyhow::Result<()> {
    let settings = "[[hooks]]\non = \"tool:befor\"\nrun = [\"/bin/true\"]\n";
    let Err(refused) = Site::start_with_settings(settings, false).await else { anyhow::bail!("it started") };
    let refused = refused.to_string();
    assert!(refused.contains("config.toml is refused") && refused.contains("tool:befor"), "{refused}");
    Ok(())
}
