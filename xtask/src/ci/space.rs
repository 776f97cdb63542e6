//! Room on the disk. A build that runs out of it fails somewhere, and often without a word about it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Size of the target folder after a run that begins with nothing, and room for what it takes meanwhile, GiB.
const WHOLE_GIB: u64 = 32;
const GIB: u64 = 1 << 30;

/// Fails if the disk cannot hold what a run adds to `target`.
pub fn check(target: &Path) -> anyhow::Result<()> {
    let free = bytes("df", &["--block-size=1", "--output=avail"], target)?;
    let held = bytes("du", &["--block-size=1", "--summarize"], target)?;
    let wanted = (WHOLE_GIB * GIB).saturating_sub(held);
    if free < wanted {
        bail!(
            "{} holds {} GiB and the disk has {} GiB free: a run needs {} GiB more. Free space, or name a folder on \
             another disk with QUARTERDECK_TARGET_DIR.",
            target.display(),
            held / GIB,
            free / GIB,
            wanted.div_ceil(GIB),
        );
    }
    Ok(())
}

/// The last number that begins a line of what `program` prints about `path`.
fn bytes(program: &str, args: &[&str], path: &Path) -> anyhow::Result<u64> {
    let printed =
        Command::new(program).args(args).arg(path).output().with_context(|| format!("{program} is missing"))?;
    let text = String::from_utf8_lossy(&printed.stdout);
    let mut numbers = text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok());
    numbers.next_back().with_context(|| format!("{program} says nothing about {}", path.display()))
}
