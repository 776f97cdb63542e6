use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::sandbox_process::Tools;
use super::*;
use runtime::config::AgentFolders;
use runtime::config::ToolSettings;

/// A canary that no cell may see.
const CANARY: &str = "canary-7d1f";

/// Runs `script` in the cell of a tool, with a canary beside the station's files.
async fn run_script(script: &str, bounds: Bounds) -> Ended {
    let data_dir = tempfile::tempdir().unwrap();
    std::fs::write(data_dir.path().join("key"), CANARY).unwrap();
    let sandbox = Sandbox::new(data_dir.path().to_owned());
    let cell = Cell { purpose: Purpose::Run, work: None, readable: &[], may_grow: true };
    let script = script.replace("CANARY", &data_dir.path().join("key").display().to_string());
    sandbox.run(&cell, "/bin/sh", &["-c".to_owned(), script], bounds).await.unwrap()
}

#[tokio::test]
async fn att_23_cells_hold_on_a_machine_that_runs_the_tests() {
    let data_dir = tempfile::tempdir().unwrap();
    assert_eq!(Sandbox::new(data_dir.path().to_owned()).problem().await, None);
}

#[tokio::test]
async fn att_23_a_program_reads_nothing_of_the_station_writes_nowhere_and_opens_no_socket() {
    let ptrace = if cfg!(target_arch = "x86_64") { 101 } else { 117 };
    let watch = format!("perl -e 'syscall({ptrace}, 0, 0, 0, 0) < 0 and print \"refused: $!\\n\"'");
    let memfd = if cfg!(target_arch = "x86_64") { 319 } else { 279 };
    let memfd = format!("perl -e 'my $name = \"x\"; syscall({memfd}, $name, 0) < 0 and print \"refused: $!\\n\"'");
    let socket =
        |family: &str| format!("perl -e 'use Socket; socket(S, {family}, SOCK_STREAM, 0) or print \"refused: $!\\n\"'");
    for (script, expected) in [
        ("cat CANARY ~/.ssh/id_ed25519 /root/.ssh/id_ed25519 /home/*/.ssh/id_ed25519", "No such file"),
        ("cat /etc/shadow /etc/passwd", "No such file"),
        ("ls -A /proc/1/root/root /root", "No such file"),
        ("echo x > CANARY", "nonexistent"),
        ("echo x > /usr/x", "Read-only"),
        ("echo x > /x", "Read-only"),
        ("echo x > /etc/x", "Read-only"),
        (&socket("PF_INET"), "refused: Operation not permitted"),
        (&socket("PF_UNIX"), "refused: Operation not permitted"),
        (&watch, "refused: Operation not permitted"),
        (&memfd, "refused: Operation not permitted"),
        ("unshare --user --map-root-user true", "Operation not permitted"),
        ("env | grep -c QUARTERDECK_", "0"),
        ("kill -9 1 2>&1; echo alive", "alive"),
        ("ls /proc | grep -c '^[0-9]'", ""),
    ] {
        let ended = run_script(script, Bounds::default()).await;
        assert!(ended.output.contains(expected), "{script}: {ended:?}");
        assert!(!ended.output.contains(CANARY) && !ended.timed_out, "{script}: {ended:?}");
    }
}

#[tokio::test]
async fn att_23_processes_memory_files_time_and_output_have_limits_that_hold() {
    let forks = "i=0; while [ $i -lt 64 ]; do sleep 20 & i=$((i+1)); done; echo all";
    let ended = run_script(forks, Bounds::default()).await;
    assert!(ended.output.contains("fork") && !ended.output.contains("all"), "{ended:?}");
    // The shell itself forks once: its own second fork could meet the limit, and end it.
    let bomb = run_script(
        "exec 2>/dev/null; f() { f | f & }; (f) & exec sleep 60",
        Bounds { time: Duration::from_secs(2), ..Bounds::default() },
    );
    assert_eq!(bomb.await.exit_code, None);
    let memory = run_script("dd if=/dev/zero of=/dev/null bs=600M count=1", Bounds::default()).await;
    assert_ne!(memory.exit_code, Some(0), "{memory:?}");
    let file = run_script("truncate --size 65M /tmp/x", Bounds::default()).await;
    assert_ne!(file.exit_code, Some(0), "{file:?}");
    let chatter = run_script("yes", Bounds { output_bytes: 1_000, ..Bounds::default() }).await;
    assert_eq!((chatter.output.len(), chatter.cut, chatter.exit_code), (1_000, true, None));
}

#[tokio::test]
async fn att_23_memory_has_a_limit_for_all_processes_of_a_run_together() {
    let hold = "perl -e '$x = \"a\" x 300_000_000; sleep 20' &";
    let ended = run_script(&format!("{} wait; echo all", hold.repeat(5)), Bounds::default()).await;
    assert!(ended.output.contains("512 MiB of memory together") && !ended.output.contains("all"), "{ended:?}");
    assert_eq!((ended.exit_code, ended.timed_out), (None, false));
}

#[tokio::test]
async fn att_23_what_runs_too_long_is_ended_with_everything_it_started() {
    let mark = format!("{}", 100_000 + std::process::id());
    let script = format!("setsid sleep {mark} & sleep {mark}");
    let ended = run_script(&script, Bounds { time: Duration::from_secs(1), ..Bounds::default() }).await;
    assert!(ended.timed_out && ended.exit_code.is_none());
    // The kernel ends the others of a cell when its first process is gone; nothing here waits for that.
    let gone = async {
        while is_running(&mark) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone).await.unwrap();
}

fn is_running(mark: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.starts_with(b"sleep\0") && String::from_utf8_lossy(&line).contains(mark))
}

#[tokio::test]
async fn a_cell_with_less_is_found_wanting_by_the_self_test() {
    let tools = Tools::find().unwrap();
    let cell = Cell { purpose: Purpose::Server, work: None, readable: &[], may_grow: true };
    let arguments = ["-c", self_test::ATTEMPTS, "sh", "/usr"].map(str::to_owned);
    let prepared = tools.prepare(&cell, "/bin/sh", &arguments).unwrap();
    let ended = super::run(prepared, Bounds::default()).await.unwrap();
    for found in ["/usr can be seen", "memory is not limited"] {
        assert!(ended.output.contains(found), "{ended:?}");
    }
}

fn folders(root: &Path) -> AgentFolders {
    AgentFolders::create(root, &robot::AgentId::new("main").unwrap()).unwrap()
}

#[tokio::test]
async fn a_sandbox_keeps_its_folder_and_no_link_in_it_leads_out() {
    let root = tempfile::tempdir().unwrap();
    let (folders, sandbox) = (folders(root.path()), Sandbox::new(root.path().to_owned()));
    let secret = root.path().join("secret");
    std::fs::write(&secret, CANARY).unwrap();
    let script =
        format!("echo one > note; ln -s {} data.json; mkdir shut; touch shut/x; chmod 0 shut", secret.display());
    let first = Investigation::open(&folders, &"desk".into()).unwrap();
    assert_eq!(first.execute(&sandbox, &script).await.unwrap().exit_code, Some(0));
    let again = Investigation::open(&folders, &"desk".into()).unwrap();
    assert_eq!(again.put("data.json", b"[1]").unwrap(), "data-1.json");
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), CANARY);
    let ended = again.execute(&sandbox, "cat note data-1.json; cat data.json; ls shut").await.unwrap();
    assert!(ended.output.starts_with("one\n[1]") && ended.output.contains("No such file"), "{ended:?}");
    assert!(ended.output.ends_with("x\n"), "{ended:?}");
    let other = Investigation::open(&folders, &"autonomy".into()).unwrap();
    assert_eq!(other.execute(&sandbox, "ls").await.unwrap().output, "");
}

#[tokio::test]
async fn a_full_sandbox_can_only_be_emptied() {
    let root = tempfile::tempdir().unwrap();
    let (folders, sandbox) = (folders(root.path()), Sandbox::new(root.path().to_owned()));
    let investigation = Investigation::open(&folders, &"desk".into()).unwrap();
    let fill = "for n in 1 2 3 4 5; do truncate --size 64M file-$n; done";
    assert_eq!(investigation.execute(&sandbox, fill).await.unwrap().exit_code, Some(0));
    assert_eq!(investigation.put("more", b"x").unwrap_err().code, "sandbox_full");
    let ended = investigation.execute(&sandbox, "rm file-1 && echo more > more").await.unwrap();
    assert_ne!(ended.exit_code, Some(0), "{ended:?}");
    assert_eq!(investigation.execute(&sandbox, "rm -f file-* more").await.unwrap().exit_code, Some(0));
    assert_eq!(investigation.put("more.txt", b"x").unwrap(), "more.txt");
}

#[tokio::test]
async fn att_23_files_are_counted_while_they_are_written_and_however_deep_they_lie() {
    let root = tempfile::tempdir().unwrap();
    let (folders, sandbox) = (folders(root.path()), Sandbox::new(root.path().to_owned()));
    let flood = "for n in 1 2 3 4 5 6 7 8 9; do truncate --size 60M f-$n; done; sleep 20; echo all";
    let ended = Investigation::open(&folders, &"desk".into()).unwrap().execute(&sandbox, flood).await.unwrap();
    assert!(ended.output.contains("took more room") && !ended.output.contains("all"), "{ended:?}");
    assert_eq!((ended.exit_code, ended.timed_out), (None, false));

    let deep = "n=$(printf %0200d 0); i=0; while [ $i -lt 30 ]; do mkdir $n; cd -P $n || exit 1; i=$((i+1)); done; \
        for n in 1 2 3 4 5; do truncate --size 60M f-$n; done";
    let investigation = Investigation::open(&folders, &"autonomy".into()).unwrap();
    let ended = investigation.execute(&sandbox, deep).await.unwrap();
    assert_eq!(ended.exit_code, Some(0), "{ended:?}");
    assert_eq!(investigation.put("more", b"x").unwrap_err().code, "sandbox_full");
}

#[tokio::test]
async fn att_23_blocks_beyond_the_end_of_a_file_and_files_that_were_removed_take_room_too() {
    let root = tempfile::tempdir().unwrap();
    let (folders, sandbox) = (folders(root.path()), Sandbox::new(root.path().to_owned()));
    let beyond = ": > f; fallocate -n -l 60M f; stat -c 'has %b blocks' f";
    let ended = Investigation::open(&folders, &"desk".into()).unwrap().execute(&sandbox, beyond).await.unwrap();
    assert!(ended.output.contains("not permitted") && ended.output.contains("has 0 blocks"), "{ended:?}");

    let removed =
        "for n in 3 4 5 6 7 8 9; do eval \"exec $n>f\"; rm f; head -c 60M /dev/zero >&$n; done; sleep 20; echo all";
    let ended = Investigation::open(&folders, &"autonomy".into()).unwrap().execute(&sandbox, removed).await.unwrap();
    assert!(ended.output.contains("took more room") && !ended.output.contains("all"), "{ended:?}");
}

#[test]
fn att_23_a_file_takes_as_much_room_as_its_blocks() {
    use rustix::fs::{FallocateFlags, fallocate};
    let root = tempfile::tempdir().unwrap();
    let file = files::append(&root.path().join("f")).unwrap();
    fallocate(&file, FallocateFlags::KEEP_SIZE, 0, 8 * 1024 * 1024).unwrap();
    assert_eq!(file.metadata().unwrap().len(), 0);
    assert!(!usage::fits(root.path(), usage::Room { bytes: 1024 * 1024, count: 10 }));
    assert!(usage::fits(root.path(), usage::Room { bytes: 16 * 1024 * 1024, count: 10 }));
}

/// `config.toml` with one declared program, which prints its arguments in brackets.
fn shell_tools(root: &Path) -> ToolSettings {
    let text = format!(
        r#"
        [shell_tools.show]
        description = "Shows its arguments."
        program = "/usr/bin/printf"
        arguments = ["[%s]", "{{file}}", "--lines={{lines}}", "{{kind}}"]
        holes.file.path_under = "{}"
        holes.lines.integer = [1, 100]
        holes.kind.enum = ["short", "long"]
        "#,
        root.display()
    );
    runtime::config::Settings::parse(&text).unwrap().tools
}

#[tokio::test]
async fn att_22_no_text_in_a_hole_becomes_an_option_a_command_or_a_path_outside() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("log.txt"), "").unwrap();
    std::os::unix::fs::symlink("/etc", root.path().join("etc")).unwrap();
    let (sandbox, settings) = (Sandbox::new(root.path().join("data")), shell_tools(root.path()));
    let fits = json!({ "file": "log.txt", "lines": 5, "kind": "short" });
    let attacks = [
        "; curl https://evil.test",
        "$(id)",
        "`id`",
        "a\nb",
        "--output=/etc",
        "-rf",
        "/etc/passwd",
        "../data",
        "etc/hostname",
        "log.txt/..",
        "{lines}",
        "",
        "log.txt\0",
        "log.txt; id",
    ];
    for hole in ["file", "lines", "kind"] {
        for attack in attacks {
            let mut given: Map<String, Value> = fits.as_object().unwrap().clone();
            given.insert(hole.to_owned(), json!(attack));
            let refused = shell_tools::run(&sandbox, &settings.shell_tools, "shell_show", &given).await.unwrap_err();
            assert_eq!((refused.code.as_str(), &refused.details["path"]), ("bad_argument", &json!(hole)), "{attack:?}");
        }
    }
    for (hole, value) in [("lines", json!(0)), ("lines", json!(101)), ("lines", json!(1.5)), ("more", json!(1))] {
        let mut given: Map<String, Value> = fits.as_object().unwrap().clone();
        given.insert(hole.to_owned(), value);
        let refused = shell_tools::run(&sandbox, &settings.shell_tools, "shell_show", &given).await.unwrap_err();
        assert_eq!(refused.code, "bad_argument", "{hole}");
    }
    let ended = shell_tools::run(&sandbox, &settings.shell_tools, "shell_show", fits.as_object().unwrap()).await;
    let mut expected = String::new();
    write!(expected, "[{}/log.txt][--lines=5][short]", root.path().display()).unwrap();
    assert_eq!(ended.unwrap().output, expected);
}

#[test]
fn att_22_a_template_that_could_not_hold_is_refused_at_start() {
    let tool = |rest: &str| format!("[shell_tools.x]\ndescription = \"x\"\n{rest}");
    let source = |rest: &str| format!("[sandbox.sources.x]\n{rest}");
    for (text, expected) in [
        (tool("program = \"ls\""), "absolute path"),
        (tool("program = \"/bin/ls\"\narguments = [\"{a}\"]"), "{a} is no hole"),
        (tool("program = \"/bin/ls\"\nholes.a.integer = [0, 1]"), "stands in no argument"),
        (tool("program = \"/bin/ls\"\narguments = [\"{a}\"]\nholes.a.integer = [-5, 1]"), "the least is 0"),
        (tool("program = \"/bin/ls\"\narguments = [\"{a}\"]\nholes.a.enum = [\"-rf\"]"), "begins with -"),
        (tool("program = \"/bin/ls\"\narguments = [\"{a}\"]\nholes.a.path_under = \"logs\""), "not absolute"),
        (tool("program = \"/bin/ls\"\narguments = [\"{a}\"]\nholes.a.any = true"), "unknown variant"),
        (
            tool("program = \"/bin/sh\"\narguments = [\"-c\", \"{a}\"]\nholes.a.enum = [\"ls\"]"),
            "shell_tools.x: arguments: script_is_hole: ",
        ),
        (tool("program = \"/bin/ls\"\ntime_s = 31"), "expected 1 to 30"),
        (source("url = \"http://a.test\""), "expected https"),
        (source("url = \"https://{host}/x\"\nholes.host.enum = [\"a\"]"), "name any computer"),
        (source("files_under = \"/var/log\"\nurl = \"https://a.test\""), "either url or files_under"),
        ("[sandbox.sources.recordings]\nfiles_under = \"/x\"".to_owned(), "the station's own"),
    ] {
        let refused = runtime::config::Settings::parse(&text).unwrap_err();
        assert!(refused.contains(expected), "{text}: {refused}");
    }
}

#[tokio::test]
async fn t_39_a_program_is_told_a_line_and_answers_on_its_standard_output_alone() {
    let data_dir = tempfile::tempdir().unwrap();
    let sandbox = Sandbox::new(data_dir.path().to_owned());
    let cell = Cell { purpose: Purpose::Run, work: None, readable: &[], may_grow: true };
    let ask = async |script: &str, line: &str, time: Duration| {
        let (arguments, bounds) = (["-c".to_owned(), script.to_owned()], Bounds { time, ..Bounds::default() });
        sandbox.ask(&cell, "/bin/sh", &arguments, line.to_owned(), bounds).await.unwrap()
    };
    assert_eq!(ask("cat", "a line\n", TIME_MAX).await.output, "a line\n");
    assert_eq!(ask("echo no >&2; echo yes", "a line\n", TIME_MAX).await.output, "yes\n");
    // More than a pipe holds, and nobody who reads it.
    let unread = ask("exit 3", &"x".repeat(1_000_000), TIME_MAX).await;
    assert_eq!((unread.exit_code, unread.timed_out), (Some(3), false));
    let slow = ask("exec sleep 60", "a line\n", Duration::from_secs(1)).await;
    assert_eq!((slow.exit_code, slow.timed_out), (None, true));
}

#[tokio::test]
async fn t_39_where_no_cell_holds_nothing_is_asked() {
    let data_dir = tempfile::tempdir().unwrap();
    let sandbox = Sandbox::new(data_dir.path().to_owned());
    sandbox.found.set(Err(SandboxFault::NotInstalled { program: "bwrap".into() })).unwrap();
    let cell = Cell { purpose: Purpose::Run, work: None, readable: &[], may_grow: true };
    let refused = sandbox.ask(&cell, "/bin/true", &[], String::new(), Bounds::default()).await.unwrap_err();
    assert_eq!(refused.code, "sandbox_disabled");
    assert!(refused.message.contains("bwrap is not installed"), "{}", refused.message);
}
