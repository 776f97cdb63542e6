//! File sizes. A file above its limit is on the ratchet list with the size it has, and may only shrink.
//! Function sizes are clippy's (`too-many-lines-threshold`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// The files that are above their limit, one `path lines` a line.
const RATCHET: &str = "xtask/ratchet.txt";

/// Longest file by ending, in lines. A view reads at one sitting; code that is not a view may be a little longer.
const LIMITS: &[(&str, usize)] =
    &[(".tsx", 300), (".ts", 500), (".css", 500), (".mjs", 500), (".rs", 500), (".py", 500)];

/// Folders whose files nobody writes by hand.
const GENERATED: &[&str] = &["ui/src/generated/"];

/// Prints every file that breaks its limit, and fails if there is one.
pub fn check(root: &Path) -> anyhow::Result<()> {
    let ratchet = fs::read_to_string(root.join(RATCHET)).with_context(|| format!("{RATCHET} could not be read"))?;
    let found = problems(&sizes(root)?, &parse_ratchet(&ratchet)?);
    if found.is_empty() {
        println!("every file is within its size");
        return Ok(());
    }
    bail!("{}", found.join("\n"))
}

/// Lines of every file that git knows or would add.
fn sizes(root: &Path) -> anyhow::Result<BTreeMap<String, usize>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git could not list the files")?;
    let mut sizes = BTreeMap::new();
    for path in String::from_utf8(listed.stdout)?.lines().filter(|path| limit_of(path).is_some()) {
        let file = root.join(path);
        if !file.exists() {
            // Deleted and not yet committed.
            continue;
        }
        let text = fs::read_to_string(&file).with_context(|| format!("{path} could not be read"))?;
        sizes.insert(path.to_owned(), text.lines().count());
    }
    Ok(sizes)
}

fn limit_of(path: &str) -> Option<usize> {
    if GENERATED.iter().any(|folder| path.starts_with(folder)) {
        return None;
    }
    LIMITS.iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, limit)| *limit)
}

fn parse_ratchet(text: &str) -> anyhow::Result<BTreeMap<String, usize>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (path, size) =
                line.split_once(' ').with_context(|| format!("{RATCHET}: {line:?} is no `path lines`"))?;
            Ok((path.to_owned(), size.trim().parse()?))
        })
        .collect()
}

fn problems(sizes: &BTreeMap<String, usize>, ratchet: &BTreeMap<String, usize>) -> Vec<String> {
    let mut found = Vec::new();
    for (path, &size) in sizes {
        let Some(limit) = limit_of(path) else { continue };
        match ratchet.get(path) {
            None if size > limit => found.push(format!("{path}: {size} lines, limit {limit}: split it")),
            None => {}
            Some(&allowed) if size > allowed => {
                found.push(format!("{path}: grew to {size} lines; it may only shrink from {allowed}"));
            }
            Some(_) if size <= limit => {
                found.push(format!("{path}: {size} lines are within {limit}: strike it from {RATCHET}"))
            }
            Some(&allowed) if size < allowed => {
                found.push(format!("{path}: shrank to {size} lines: write that into {RATCHET} instead of {allowed}"));
            }
            Some(_) => {}
        }
    }
    let gone = ratchet.keys().filter(|path| !sizes.contains_key(*path));
    found.extend(gone.map(|path| format!("{path} does not exist: strike it from {RATCHET}")));
    found
}

#[cfg(test)]
mod tests;
