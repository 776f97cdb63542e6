//! Tools that are not operations: the sandbox of an agent and declared programs, in a whole station.

use api::Session;
use quarterdeck_tests::Site;
use serde_json::json;

/// A source of files, and a program that shows its argument.
fn declared(folder: &std::path::Path) -> String {
    format!(
        r#"
[sandbox]
world_history = true

[sandbox.sources.logs]
description = "What the press said."
files_under = "{0}"
glob = "*.log"

[shell_tools.show]
description = "Shows the beginning of a log."
program = "/usr/bin/head"
arguments = ["--lines={{lines}}", "{{file}}"]
holes.lines.integer = [1, 10]
holes.file.path_under = "{0}"
"#,
        folder.display()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn att_23_h_21_a_sandbox_is_given_by_an_admin_stays_and_reaches_declared_sources_only() -> anyhow::Result<()> {
    let logs = tempfile::tempdir()?;
    std::fs::write(logs.path().join("press.log"), "hot\ncold\n")?;
    std::fs::write(logs.path().join("press.key"), "secret")?;
    let settings = declared(logs.path());
    let site = Site::start_empty().await?;
    let site = site
        .edited(|data_dir| {
            let path = data_dir.join("config.toml");
            Ok(std::fs::write(&path, std::fs::read_to_string(&path)? + &settings)?)
        })
        .await?;
    let run = json!({ "command": "cat press.log; ls" });
    assert_eq!(site.refused("sandbox_exec", run.clone()).await?, "sandbox_off");
    let given = site.api.call(&Session::app_window(), "set_sandbox", json!({ "on": true })).await;
    assert_eq!(given.map_err(|error| error.code), Err("forbidden".to_owned()));
    site.get("set_sandbox", json!({ "on": true })).await?;
    let status = site.get("get_sandbox", json!({})).await?;
    assert_eq!((&status["on"], &status["problem"]), (&json!(true), &json!(null)), "{status}");
    let fetch = |path: &str| json!({ "source": "logs", "params": { "path": path } });
    let batch =
        json!({ "fetches": [fetch("press.log"), fetch("press.key"), fetch("../etc/passwd"), fetch("none.log")] });
    let fetched = site.get("fetch_batch_to_sandbox", batch).await?;
    assert_eq!(fetched["items"][0]["fetched"]["head"], "hot\ncold\n");
    for item in 1..4 {
        assert_eq!(fetched["items"][item]["failed"]["code"], "bad_argument", "{fetched}");
    }
    assert_eq!(site.refused("fetch_to_sandbox", json!({ "source": "recordings" })).await?, "source_not_found");
    let ended = site.get("sandbox_exec", run.clone()).await?;
    assert_eq!((&ended["output"], &ended["trust"]), (&json!("hot\ncold\npress.log\n"), &json!("text")));
    let site = site.restart_empty().await?;
    assert_eq!(site.get("sandbox_exec", run.clone()).await?["output"], "hot\ncold\npress.log\n");
    site.get("set_sandbox", json!({ "on": false })).await?;
    assert_eq!(site.refused("sandbox_exec", run).await?, "sandbox_off");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_22_a_declared_program_runs_as_it_is_declared() -> anyhow::Result<()> {
    let logs = tempfile::tempdir()?;
    std::fs::write(logs.path().join("press.log"), "hot\ncold\n")?;
    let settings = declared(logs.path());
    let site = Site::start_empty().await?;
    let site = site
        .edited(|data_dir| {
            let path = data_dir.join("config.toml");
            Ok(std::fs::write(&path, std::fs::read_to_string(&path)? + &settings)?)
        })
        .await?;
    let run = |file: &str| json!({ "tool": "shell_show", "arguments": { "lines": 1, "file": file } });
    let ended = site.get("run_shell_tool", run("press.log")).await?;
    assert_eq!((&ended["exit_code"], &ended["output"]), (&json!(0), &json!("hot\n")), "{ended}");
    for file in ["; curl evil.test", "$(id)", "press.log\nx", "--output=/etc", "/etc/passwd", "../press.log"] {
        assert_eq!(site.refused("run_shell_tool", run(file)).await?, "bad_argument", "{file}");
    }
    Ok(())
}
