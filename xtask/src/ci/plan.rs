//! The plan of a run: its steps, in order. Those that fail fastest come first, as far as builds allow.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The version that `deny.toml` is written for.
const CARGO_DENY: &str = "cargo-deny@0.20.2";
/// The router of the tests, of the version of the library.
const ZENOHD: &str = "zenohd@1.10.2";

/// Sentences that the station is told by the local model's suite: the first of all twenty, with one that would move an arm.
const SENTENCES: u32 = 6;

/// One program to run.
pub struct Step {
    /// Short name, for headings and the table.
    pub name: &'static str,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// A network that cannot be reached is reported apart from a failure.
    pub may_be_unreachable: bool,
    /// Variables of this step alone.
    pub variables: Vec<(&'static str, String)>,
    /// The programs under test are real and run at once: `cargo xtask flakes` repeats it.
    pub is_suite: bool,
    /// It runs tests: one that ends well without a test that passed has checked nothing, and has failed.
    pub has_tests: bool,
}

impl Step {
    fn new(name: &'static str, command: &str) -> Self {
        let argv = command.split_whitespace().map(str::to_owned).collect();
        Self { name, argv, may_be_unreachable: false, variables: Vec::new(), is_suite: false, has_tests: false }
    }

    /// A step of tests.
    fn tests(name: &'static str, command: &str) -> Self {
        Self { has_tests: true, ..Self::new(name, command) }
    }

    /// A step of tests that may be repeated without building anything else.
    fn suite(name: &'static str, command: &str) -> Self {
        Self { is_suite: true, ..Self::tests(name, command) }
    }

    /// The same step with a variable.
    fn with(mut self, name: &'static str, value: String) -> Self {
        self.variables.push((name, value));
        self
    }

    /// The command as a person would type it.
    pub fn shown(&self) -> String {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}={value:?}"));
        variables.chain(self.argv.iter().cloned()).collect::<Vec<_>>().join(" ")
    }
}

/// Tests that run at once. Most of them start a whole station and wait for its robots, so one more than there are
/// processors; with many more the robots' beats come late, and they are held.
fn test_threads() -> String {
    (std::thread::available_parallelism().map_or(1, usize::from) + 1).to_string()
}

/// The steps and the folder in which built programs lie.
pub struct Plan {
    /// The repository.
    pub root: PathBuf,
    /// Folder of built programs: the one this program was built into.
    pub bin: PathBuf,
}

impl Plan {
    /// A plan for the repository at `root`.
    pub fn new(root: &Path) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("the place of this program is unknown")?;
        let bin = program.parent().context("this program lies in a folder")?.to_owned();
        Ok(Self { root: root.to_owned(), bin })
    }

    /// Folder of the tools that Cargo builds for us.
    fn tools(&self) -> PathBuf {
        self.bin.with_file_name("tools")
    }

    /// Target folder of the fence built with loom's atomics.
    fn loom(&self) -> PathBuf {
        self.bin.with_file_name("loom")
    }

    /// Programs of ours that tests start, by the variable that names them.
    pub fn environment(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("QUARTERDECK_APP", self.bin.join("quarterdeck")),
            ("QUARTERDECK_SERVER", self.bin.join("quarterdeck-server")),
            ("QUARTERDECK_SIM", self.bin.join("quarterdeck-sim")),
        ]
    }

    /// Builds the router that tests start, with TLS as its only transport.
    pub fn zenohd(&self) -> Step {
        let tools = self.tools().display().to_string();
        let features = "--no-default-features --features zenoh/transport_tls";
        Step::new(
            "zenohd installed",
            &format!("cargo install --quiet --locked --debug --root {tools} {ZENOHD} {features}"),
        )
    }

    /// The router killed and started again many times, and everything back each time.
    pub fn router_restarts(&self, times: usize) -> Step {
        let test = "att_38_every_stream_is_back_after_each_restart_of_the_router";
        Step::new("router restarts", &format!("cargo test --workspace --test scenarios -- --nocapture {test}"))
            .with("QUARTERDECK_ROUTER_RESTARTS", times.to_string())
    }

    /// Every step, in order.
    pub fn steps(&self) -> Vec<Step> {
        let xtask = self.bin.join("xtask").display().to_string();
        let tools = self.tools().display().to_string();
        let deny = format!("{tools}/bin/cargo-deny");
        vec![
            Step::new("rust format", "cargo fmt --all --check"),
            Step::new("file sizes", &format!("{xtask} check")),
            Step::new("generated files written", &format!("{xtask} gen")),
            Step::new("generated files committed", "git diff --exit-code -- ui/src/generated docs"),
            Step::new("ui format", "npm run --silent format:check"),
            Step::new("ui lint", "npm run --silent lint"),
            Step::suite("ui unit tests", "npm run --silent test:unit"),
            Step::new("ui types and build", "npm run --silent build"),
            Step::new("build", "cargo build --workspace --bins"),
            Step::new("rust lints", "cargo clippy --workspace --all-targets -- -D warnings"),
            self.zenohd(),
            Step::suite("rust tests", "cargo test --workspace --no-fail-fast")
                .with("RUST_TEST_THREADS", test_threads()),
            // Optimised as a release is, without the minute that optimising across crates takes.
            Step::tests("safety optimised", "cargo test --profile bench --package safety --lib --test allocation"),
            // A folder of its own: the flag is part of every crate's build, and would undo the one above.
            Step::tests("interleavings", "cargo test --package safety --lib interleavings")
                .with("RUSTFLAGS", "--cfg loom".to_owned())
                .with("CARGO_TARGET_DIR", self.loom().display().to_string()),
            Step::new(
                "cargo-deny installed",
                &format!("cargo install --quiet --locked --debug --root {tools} {CARGO_DENY}"),
            ),
            Step::new("licences, bans, sources", &format!("{deny} check bans licenses sources")),
            Step { may_be_unreachable: true, ..Step::new("advisories", &format!("{deny} check advisories")) },
            Step::suite("browser tests", "npm run --silent test:e2e"),
            Step::suite("keychain", "tests/secrets/run"),
            Step::suite("foreign Zenoh client", "tests/foreign/run test"),
            Step::suite("real window", "tests/shell/run"),
            Step::suite("local model", &format!("{xtask} local-model --sentences {SENTENCES}")),
            // Last: it leaves a server behind that can be told to crash.
            Step::new("crashes", &format!("{xtask} crash")),
        ]
    }
}
