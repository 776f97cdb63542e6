//! Rights of the webview: two commands, its own page, nothing of the computer.

use std::collections::BTreeMap;

use serde_json::json;

use crate::repository::{files, read, read_json};

/// The policy of the window, directive by directive. Tauri adds a nonce per load to scripts and styles.
const POLICY: &[(&str, &str)] = &[
    ("base-uri", "'none'"),
    ("connect-src", "ipc: http://ipc.localhost"),
    ("default-src", "'self'"),
    ("font-src", "'self'"),
    ("form-action", "'none'"),
    ("frame-src", "'none'"),
    ("img-src", "'self' data: blob:"),
    ("object-src", "'none'"),
    ("script-src", "'self'"),
    ("style-src", "'self'"),
];

#[test]
fn the_webview_has_two_commands() {
    let build = read("src-tauri/build.rs");
    assert!(
        build.contains("const COMMANDS: &[&str] = &[\"call\", \"subscribe\"];")
            && build.contains(".commands(COMMANDS)"),
        "the app manifest names exactly `call` and `subscribe`: add an operation to the table, not a command"
    );
    let commands: usize = files("src-tauri/src", &[".rs"])
        .iter()
        .map(|source| source.places(|line| line.contains("#[tauri::command")).len())
        .sum();
    assert_eq!(commands, 2, "a third command would pass by roles, validation and audit: add an operation instead");
}

#[test]
fn a_capability_opens_nothing_of_the_computer() {
    let capabilities = files("src-tauri/capabilities", &[".json", ".toml"]);
    let windows: Vec<_> =
        capabilities.iter().map(|capability| read_json(&capability.path)["windows"].clone()).collect();
    assert_eq!(
        windows,
        [json!(["main"]), json!(["stop"])],
        "one capability for each window, which it names: never \"*\""
    );
    for capability in capabilities {
        let capability = read_json(&capability.path);
        assert_eq!(capability["permissions"], json!(["allow-call", "allow-subscribe"]), "two commands and no plugin");
        assert!(capability.get("remote").is_none(), "no remote page may call anything");
        assert_eq!(capability.get("webviews"), None, "a window has one webview");
    }
}

#[test]
fn u_604_every_window_but_the_main_one_may_only_look_and_stop() {
    let commands = read("src-tauri/src/commands.rs");
    assert!(
        commands.contains("if label == window::MAIN { &self.person } else { &self.shell }"),
        "a session is chosen by the window that calls, never by what its page sends"
    );
    assert!(commands.contains("shell: Session::app_shell()"), "the shell's own session is the one that only stops");
}

#[test]
fn the_window_keeps_to_its_own_page() {
    let config = read_json("tauri.conf.json");
    let (app, security) = (&config["app"], &config["app"]["security"]);
    assert_eq!(app["withGlobalTauri"], json!(false), "a global would hand the commands to any script");
    assert_eq!(security["freezePrototype"], json!(true));
    assert_eq!(security.get("assetProtocol"), None, "files reach the page through operations only");
    assert_eq!(security.get("dangerousDisableAssetCspModification"), None, "Tauri's nonces stay on");
    assert_eq!(config["build"].get("devUrl"), None, "the page is built in, never fetched");
    assert_eq!(config["app"]["windows"][0]["dragDropEnabled"], json!(false), "HTML5 drag and drop works in both hosts");
    let policy: BTreeMap<String, String> = serde_json::from_value(security["csp"].clone()).unwrap();
    let expected: BTreeMap<String, String> =
        POLICY.iter().map(|(directive, sources)| ((*directive).to_owned(), (*sources).to_owned())).collect();
    assert_eq!(policy, expected, "each exception is explained beside the policy");
    let window = read("src-tauri/src/window.rs");
    assert!(window.contains(".on_navigation(is_own_page)"), "navigation away from the app is refused in Rust");
    assert!(window.contains("NewWindowResponse::Deny"), "new windows are refused in Rust");
    let (built, confined) = (window.matches(".build()").count(), window.matches("confined(").count());
    assert_eq!((built, confined), (2, 2), "every window is built from a confined builder");
}

#[test]
fn the_server_serves_its_page_under_the_same_policy() {
    let texts: Vec<String> = files("crates/server/src", &[".rs"]).into_iter().map(|source| source.text).collect();
    let text = texts.concat();
    for (directive, sources) in POLICY.iter().filter(|(directive, _)| *directive != "connect-src") {
        assert!(text.contains(&format!("{directive} {sources}")), "the server's policy lacks `{directive} {sources}`");
    }
    assert!(text.contains("connect-src 'self'"), "the page talks to its own station only");
    assert!(text.contains("frame-ancestors 'none'"), "no other page may frame the station's");
}

#[test]
fn att_26_a_second_instance_raises_the_window_and_of_its_arguments_only_a_stop_is_honoured() {
    let lib = read("src-tauri/src/lib.rs");
    let plugins: Vec<&str> = lib.lines().filter(|line| line.trim_start().starts_with(".plugin(")).collect();
    let first = plugins.first().copied().unwrap_or_default();
    assert!(
        first.contains("tauri_plugin_single_instance::init(|app, args, _cwd| called_again(app, &args))"),
        "the single-instance plugin comes first and hands over to `called_again`: {first}"
    );
    let body = lib.split("fn called_again").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
    let uses: Vec<&str> = body.lines().filter(|line| line.contains("arguments")).map(str::trim).collect();
    assert_eq!(
        uses,
        [
            "(app: &AppHandle, arguments: &[String]) {",
            "if arguments.iter().any(|argument| argument == options::STOP_ALL) {"
        ],
        "a second instance may stop all robots and nothing else"
    );
    for source in files("src-tauri", &[".rs", ".toml"]) {
        for scheme in ["register_uri_scheme_protocol", "register_asynchronous_uri_scheme_protocol", "deep-link"] {
            assert!(!source.text.contains(scheme), "{}: {scheme} would let a link carry commands", source.path);
        }
    }
    assert_eq!(read_json("tauri.conf.json").pointer("/plugins/deep-link"), None);
}

#[test]
fn att_27_no_package_of_npm_runs_a_script_when_it_is_installed() {
    let holders = [files("scripts", &[""]), files("tests", &["run", ".sh", ".mjs"]), files("xtask", &[".rs"])];
    let mut texts: Vec<(String, String)> =
        holders.into_iter().flatten().map(|source| (source.path, source.text)).collect();
    texts.push(("Makefile".to_owned(), read("Makefile")));
    texts.push((".ci/run".to_owned(), read(".ci/run")));
    let mut installs = 0;
    for (path, text) in &texts {
        let is_comment = |line: &&str| line.trim_start().starts_with("//") || line.trim_start().starts_with('#');
        let installs_packages =
            |line: &&str| ["npm ci", "npm install", "npm i "].iter().any(|word| line.contains(word));
        for line in text.lines().filter(|line| !is_comment(line)).filter(installs_packages) {
            installs += 1;
            assert!(line.contains("--ignore-scripts"), "{path}: {line}");
        }
    }
    assert!(installs >= 1, "the packages are installed somewhere");
}

#[test]
fn att_28_a_dependency_with_an_advisory_a_licence_nobody_allowed_or_a_git_source_ends_the_build() {
    let rules = read("deny.toml");
    for line in ["unknown-registry = \"deny\"", "unknown-git = \"deny\"", "yanked = \"deny\""] {
        assert!(rules.lines().any(|rule| rule == line), "deny.toml has no line {line}");
    }
    let allowed =
        rules.split_once("\nallow = [").and_then(|(_, rest)| rest.split_once(']')).map(|(allowed, _)| allowed);
    let allowed = allowed.expect("deny.toml lists licences");
    assert!(!["GPL", "SSPL", "BUSL"].iter().any(|licence| allowed.contains(licence)), "{allowed}");
    let ignored = rules.lines().filter(|line| line.trim_start().starts_with("{ id = \"RUSTSEC"));
    ignored.for_each(|line| assert!(line.contains("reason = \"") && line.contains("; until "), "{line}"));
    let git = read("Cargo.lock").lines().filter(|line| line.starts_with("source = \"git")).count();
    assert_eq!(git, 0, "every crate comes from the registry");
    let checks = [read("Makefile"), read(".ci/run")].concat()
        + &files("xtask", &[".rs"]).iter().map(|source| source.text.clone()).collect::<String>();
    assert!(checks.contains("deny"), "somebody runs the check");
}

#[test]
fn att_30_nothing_replaces_the_program_by_itself() {
    for lock in ["Cargo.lock", "package-lock.json"] {
        assert!(!read(lock).contains("plugin-updater"), "{lock}: a release is installed by a person, who can check it");
    }
    for config in ["tauri.conf.json", "tauri.bundle.conf.json"] {
        let config = read_json(config);
        assert_eq!(
            (config.pointer("/plugins/updater"), config.pointer("/bundle/createUpdaterArtifacts")),
            (None, None)
        );
    }
}
