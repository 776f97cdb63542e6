//! Checks an exported audit without a station: the file alone shows whether it is whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use api::ChainCheck;

/// The longest line that can be a record.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Follows the chain in `file` from its first record to its last, and says how far it holds and is signed. With
/// `public_key` its newest anchor must be signed with that key.
///
/// # Errors
/// Names the first record that is not the one that was written.
pub fn verify_audit(file: &Path, public_key: Option<&str>) -> anyhow::Result<String> {
    let mut text = BufReader::new(File::open(file).with_context(|| format!("cannot open {}", file.display()))?);
    let mut chain = ChainCheck::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        // A file without ends of lines must not fill the memory.
        let read = text.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
        if read.with_context(|| format!("cannot read {}", file.display()))? == 0 {
            break;
        }
        chain.line(&String::from_utf8_lossy(&line)).context("the audit is broken")?;
    }
    if chain.last_seq() == 0 {
        bail!("{} holds no record", file.display());
    }
    let signed = chain.newest_anchor().map(|anchor| (anchor.seq, anchor.public_key.as_str()));
    if let Some(wanted) = public_key
        && signed.is_none_or(|(_, found)| found != wanted)
    {
        bail!("the audit is not signed with {wanted}");
    }
    let signature = signed.map_or_else(
        || "unsigned".to_owned(),
        |(seq, key)| format!("signed up to {seq} with {key}; compare the key with the station's"),
    );
    Ok(format!("every record holds, from 1 to {}; {signature}", chain.last_seq()))
}
