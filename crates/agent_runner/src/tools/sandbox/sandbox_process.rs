//! A cell: bubblewrap with nothing of the station in it. What runs inside sees the system's programs, one folder of its
//! own and an empty `/tmp`; it has no network, no home, no capability, and limits on what it may use.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use sha2::{Digest, Sha256};

use super::filter::{self, Sockets};
use runtime::wire::SandboxFault;

/// Path of the run's folder in the cell: no folder of a machine, or it would hide the programs in it.
const WORK: &str = "/cell";
/// Processes and threads at once.
const PROCESSES_MAX: u32 = 32;
/// Address space of a process, and memory of all processes of a run, bytes.
const MEMORY_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// Address space of a process of an external MCP server: its runtime reserves far more than it uses.
const SERVER_MEMORY_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
/// Memory that all processes of a server use together, bytes.
const SERVER_USED_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// A file, and all of `/tmp`.
pub(super) const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Files open at once.
const OPEN_FILES_MAX: u32 = 256;
/// Accounts that run what a station under root starts: limits on processes do not bind root, and bind all cells of an
/// account together. No system gives numbers of this height to anybody.
const ACCOUNTS_OF_FOLDERS: u32 = 0x6000_0000;
/// The same for cells whose folder is gone with them.
const ACCOUNTS_OF_RUNS: u32 = 0x7000_0000;
/// Capabilities under root until the program in the cell begins: they let it enter its folder and become its account.
const BEGINNING: [&str; 4] = ["CAP_DAC_READ_SEARCH", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];

/// Folders of the system that programs need, read-only. Where one is a link, the link stands in the cell.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// Files of the system that programs need, read-only, where they exist.
const SYSTEM_FILES: [&str; 3] = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"];

/// The programs that make cells.
#[derive(Debug, Clone)]
pub(crate) struct Tools {
    bwrap: PathBuf,
    prlimit: PathBuf,
    setpriv: PathBuf,
}

/// The purpose of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// One run of a tool.
    Run,
    /// An external MCP server, which stays.
    Server,
}

/// One cell.
#[derive(Debug)]
pub(crate) struct Cell<'a> {
    pub purpose: Purpose,
    /// The one folder that may be written; it stands at [`WORK`].
    pub work: Option<&'a Path>,
    /// Other paths that may be read; each stands where it stands outside.
    pub readable: &'a [PathBuf],
    /// True if files may be written at all; where there is no room left they can only be removed.
    pub may_grow: bool,
}

/// A command that makes a cell and runs something in it. The filter's file is inherited: keep it until the start.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub command: Command,
    pub filter: File,
    /// Memory that its processes may use together, bytes.
    pub memory_bytes: u64,
    /// The folder that it may fill.
    pub folder: Option<PathBuf>,
}

impl Tools {
    /// Finds them; says which is missing.
    pub fn find() -> Result<Self, SandboxFault> {
        Ok(Self { bwrap: program("bwrap")?, prlimit: program("prlimit")?, setpriv: program("setpriv")? })
    }

    /// The command that runs `program` with `arguments` in `cell`.
    pub fn prepare(&self, cell: &Cell<'_>, program: &str, arguments: &[String]) -> Result<Prepared, String> {
        let filter = filter_file(cell.purpose.sockets())?;
        let is_root = is_root();
        let mut command = Command::new(&self.bwrap);
        // Neither bubblewrap nor the program is given the station's environment, in which keys may stand.
        command.env_clear().arg("--die-with-parent").arg("--new-session").arg("--clearenv");
        command.args(["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net"]);
        // Root needs no namespace of users for the others, and becomes an account of its own (decision 0050).
        if !is_root {
            command.args(["--unshare-user", "--disable-userns"]);
        }
        mount(&mut command, cell);
        for (name, value) in [("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("HOME", WORK), ("TMPDIR", "/tmp")] {
            command.args(["--setenv", name, value]);
        }
        command.args(["--cap-drop", "ALL"]);
        for capability in BEGINNING.iter().filter(|_| is_root) {
            command.args(["--cap-add", capability]);
        }
        command.args(["--seccomp", &filter.as_raw_fd().to_string(), "--"]);
        if is_root {
            command.arg(&self.setpriv).args(become_account(cell.account()));
        }
        // As the account of the cell: the limit on processes counts those of one account.
        command.arg(&self.prlimit).args(limits(cell)).arg("--").arg(program).args(arguments);
        let (memory_bytes, folder) = (cell.purpose.used_bytes(), cell.work.map(Path::to_owned));
        Ok(Prepared { command, filter, memory_bytes, folder })
    }
}

impl Purpose {
    fn sockets(self) -> Sockets {
        match self {
            Self::Run => Sockets::Forbidden,
            Self::Server => Sockets::Pairs,
        }
    }

    /// Memory that all of its processes may use together.
    fn used_bytes(self) -> u64 {
        match self {
            Self::Run => MEMORY_BYTES_MAX,
            Self::Server => SERVER_USED_BYTES_MAX,
        }
    }

    /// Address space of each of its processes.
    fn memory_bytes(self) -> u64 {
        match self {
            Self::Run => MEMORY_BYTES_MAX,
            Self::Server => SERVER_MEMORY_BYTES_MAX,
        }
    }
}

impl Cell<'_> {
    /// The account under which it runs if the station is root.
    fn account(&self) -> u32 {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        // The process stands in the number, so that two stations of one machine share no account.
        let run = || std::process::id().wrapping_shl(8) & 0x3FFF_FF00 | RUNS.fetch_add(1, Relaxed) & 0xFF;
        self.work.map_or_else(|| ACCOUNTS_OF_RUNS + run(), account_of)
    }
}

/// Makes `path` belong to whoever runs in the cell whose folder is `work`.
pub(crate) fn give(path: &Path, work: &Path) -> std::io::Result<()> {
    let account = account_of(work);
    if is_root() { chown(path, Some(account), Some(account)) } else { Ok(()) }
}

/// The same each time for a folder.
fn account_of(work: &Path) -> u32 {
    let digest = Sha256::digest(work.as_os_str().as_encoded_bytes());
    ACCOUNTS_OF_FOLDERS + u32::from_be_bytes([0, digest[0], digest[1], digest[2]])
}

fn mount(command: &mut Command, cell: &Cell<'_>) {
    command.args(["--proc", "/proc", "--dev", "/dev"]);
    for folder in ["/dev/shm", "/tmp"] {
        memory(command, folder);
    }
    for folder in SYSTEM {
        match (std::fs::read_link(folder), Path::new(folder).exists()) {
            (Ok(target), _) => command.arg("--symlink").arg(target).arg(folder),
            (Err(_), true) => command.args(["--ro-bind", folder, folder]),
            (Err(_), false) => continue,
        };
    }
    let mut made = BTreeSet::new();
    for file in SYSTEM_FILES.iter() {
        make_parents(command, Path::new(file), &mut made);
        command.args(["--ro-bind-try", file, file]);
    }
    for path in cell.readable {
        make_parents(command, path, &mut made);
        command.arg("--ro-bind").arg(path).arg(path);
    }
    match cell.work {
        Some(folder) => {
            command.arg("--bind").arg(folder).arg(WORK);
        }
        None => memory(command, WORK),
    }
    // Without it both are memory that anybody may fill.
    command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK]);
}

/// The folders above `path`, which whoever runs in the cell may enter; bubblewrap alone would make them root's own.
fn make_parents<'a>(command: &mut Command, path: &'a Path, made: &mut BTreeSet<&'a Path>) {
    let is_there =
        |folder: &Path| SYSTEM.iter().any(|system| folder.starts_with(system)) || folder == Path::new("/tmp");
    let mut parents: Vec<&Path> = path.ancestors().skip(1).filter(|folder| folder.parent().is_some()).collect();
    parents.reverse();
    for folder in parents.into_iter().filter(|folder| !is_there(folder)) {
        if made.insert(folder) {
            command.args(["--perms", "0755", "--dir"]).arg(folder);
        }
    }
}

/// A folder that is gone with the cell, open to whoever runs in it.
fn memory(command: &mut Command, path: &str) {
    // Without a size it could take half of the machine's memory.
    command.args(["--perms", "1777", "--size", &FILE_BYTES_MAX.to_string(), "--tmpfs", path]);
}

fn become_account(account: u32) -> [String; 8] {
    let id = account.to_string();
    [
        "--reuid".to_owned(),
        id.clone(),
        "--regid".to_owned(),
        id,
        "--clear-groups".to_owned(),
        "--inh-caps=-all".to_owned(),
        "--bounding-set=-all".to_owned(),
        "--".to_owned(),
    ]
}

fn limits(cell: &Cell<'_>) -> Vec<String> {
    let file_bytes = if cell.may_grow { FILE_BYTES_MAX } else { 0 };
    let memory = cell.purpose.memory_bytes();
    vec![
        format!("--nproc={PROCESSES_MAX}"),
        format!("--as={memory}"),
        format!("--fsize={file_bytes}"),
        format!("--nofile={OPEN_FILES_MAX}"),
        "--core=0".to_owned(),
    ]
}

/// The filter in a file that has no name, read from its beginning by the process that inherits it.
fn filter_file(sockets: Sockets) -> Result<File, String> {
    let program = filter::program(sockets).ok_or("no system-call filter is known for this kind of processor")?;
    let failed = |error: std::io::Error| format!("the system-call filter could not be handed over: {error}");
    // Not closed on exec. A child started by another thread meanwhile inherits it too; the filter is no secret.
    let flags = rustix::fs::MemfdFlags::empty();
    let mut file = File::from(rustix::fs::memfd_create("filter", flags).map_err(|error| failed(error.into()))?);
    file.write_all(&program).map_err(failed)?;
    std::io::Seek::rewind(&mut file).map_err(failed)?;
    Ok(file)
}

/// True if this process is one of root, as the kernel shows it.
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

fn program(name: &str) -> Result<PathBuf, SandboxFault> {
    // Not by `PATH`, which whoever starts the station chooses.
    let folders = ["/usr/bin", "/bin", "/usr/local/bin"];
    let found = folders.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
    found.ok_or_else(|| SandboxFault::NotInstalled { program: name.to_owned() })
}
