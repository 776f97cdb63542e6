//! Checks an exported audit without a station: whoever has the file can tell whether it is whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use api::ChainCheck;

/// The longest line that can be a record.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Follows the chain in `file` from its first record to its last, and gives that one's number.
///
/// # Errors
/// Names the first record that is not the one that was written.
pub fn verify_audit(file: &Path) -> anyhow::Result<u64> {
    let mut text = BufReader::new(File::open(file).with_context(|| format!("cannot open {}", file.display()))?);
    let mut chain = ChainCheck::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = text.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
        if read.with_context(|| format!("cannot read {}", file.display()))? == 0 {
            break;
        }
        chain.line(&String::from_utf8_lossy(&line)).context("the audit is broken")?;
    }
    if chain.last_seq() == 0 {
        bail!("{} holds no record", file.display());
    }
    Ok(chain.last_seq())
}
