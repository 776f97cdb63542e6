//! A small file system for one test: the test runs again in a process of its own that has it, and fills it, locks it or
//! takes its size away.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

/// Says to the second process where its file system is.
const FOLDER: &str = "QUARTERDECK_SMALL_DISK";
/// The file that fills it.
const BALLAST: &str = "ballast";
/// A read-only view of a folder.
const VIEW: &str = "view";

/// A file system in memory.
pub struct SmallDisk {
    /// Its path.
    pub root: PathBuf,
}

impl SmallDisk {
    /// The file system, of `bytes`, in the process that has it. In the one that was started, runs `test` there and gives
    /// nothing. `mounts` is what else is to be mounted below the file system, as bubblewrap is told.
    pub fn of(test: &str, bytes: u64, mounts: impl FnOnce(&Path) -> Vec<String>) -> anyhow::Result<Option<Self>> {
        if let Some(root) = std::env::var_os(FOLDER) {
            return Ok(Some(Self { root: root.into() }));
        }
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        let ended = Command::new("bwrap")
            .args(["--dev-bind", "/", "/", "--cap-add", "ALL", "--size", &bytes.to_string(), "--tmpfs"])
            .arg(root)
            .args(mounts(root))
            .arg("--setenv")
            .arg(FOLDER)
            .arg(root)
            // An administrator would write in spite of missing rights.
            .arg("setpriv")
            .args(
                ["bounding-set", "inh-caps", "ambient-caps"]
                    .map(|set| format!("--{set}=-dac_override,-dac_read_search")),
            )
            // A file that is to grow beyond what is allowed fails, and the process goes on.
            .args(["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"])
            .arg(std::env::current_exe()?)
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .output()
            .context("bwrap is not installed")?;
        let told = [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        anyhow::ensure!(ended.status.success() && told[0].contains("1 passed"), "{}\n{}", told[0], told[1]);
        Ok(None)
    }

    /// Takes every free byte.
    pub fn fill(&self) -> anyhow::Result<()> {
        let mut ballast = OpenOptions::new().create(true).append(true).open(self.root.join(BALLAST))?;
        for size in [1 << 16, 1] {
            let block = vec![0; size];
            loop {
                match ballast.write(&block) {
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Gives them back.
    pub fn free(&self) -> anyhow::Result<()> {
        Ok(std::fs::remove_file(self.root.join(BALLAST))?)
    }

    /// Lets nothing below `folder` be opened for writing, made or removed; what is open stays so.
    pub fn lock(&self, folder: &Path) -> anyhow::Result<()> {
        // Made where nobody opens anything, because what is open for writing would be in the way.
        let view = self.root.join(VIEW);
        std::fs::create_dir_all(&view)?;
        run(Command::new("mount").arg("--bind").arg(folder).arg(&view))?;
        run(Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&view))?;
        run(Command::new("mount").arg("--bind").arg(&view).arg(folder))
    }

    /// Lets it be written again.
    pub fn unlock(&self, folder: &Path) -> anyhow::Result<()> {
        run(Command::new("umount").arg("--lazy").arg(folder))?;
        run(Command::new("umount").arg("--lazy").arg(self.root.join(VIEW)))
    }

    /// Takes the right to write from `folder` and everything below it; what is open stays so.
    pub fn forbid(&self, folder: &Path) -> anyhow::Result<()> {
        run(Command::new("chmod").args(["-R", "a-w"]).arg(folder))
    }

    /// Gives it back.
    pub fn permit(&self, folder: &Path) -> anyhow::Result<()> {
        run(Command::new("chmod").args(["-R", "u+w"]).arg(folder))
    }

    /// Lets this process write no byte into any file, or all it likes.
    pub fn refuse_writes(&self, refused: bool) -> anyhow::Result<()> {
        let limit = if refused { "--fsize=0:unlimited" } else { "--fsize=unlimited:unlimited" };
        run(Command::new("prlimit").arg("--pid").arg(std::process::id().to_string()).arg(limit))
    }
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let ended = command.output()?;
    anyhow::ensure!(ended.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    Ok(())
}
