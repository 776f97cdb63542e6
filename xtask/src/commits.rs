//! The form of commits: a subject that fits a line, and a body that says why once a commit changes several files.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// The longest subject, in characters.
const SUBJECT_CHARS_MAX: usize = 72;
/// A commit that changes more files has a body.
const FILES_WITHOUT_BODY: usize = 3;
/// The last commit before the rule, for as long as there is no release.
const RULE_BEGINS_AFTER: &str = "3872225d572be99e98dbd4cab9ab9ece9855e803";

/// A commit as far as its form goes.
#[derive(Debug, Default)]
struct Commit<'a> {
    id: &'a str,
    subject: &'a str,
    body: &'a str,
    files: usize,
}

/// Prints every commit since the last release that breaks the form, and fails if there is one.
pub fn check(root: &Path) -> anyhow::Result<()> {
    let release = git(root, &["describe", "--tags", "--match", "v*", "--abbrev=0"]).ok();
    let Some(since) = release.or_else(|| rule_begin(root)) else {
        println!("this clone does not reach back to the last release: no commit is checked");
        return Ok(());
    };
    let range = format!("{}..HEAD", since.trim());
    // Two control characters, which no message holds, separate commits and their parts.
    let log = git(root, &["log", "--no-merges", "--name-only", "--format=%x01%h%x02%s%x02%b%x02", &range])?;
    let commits: Vec<Commit<'_>> = log.split('\u{1}').skip(1).filter_map(parse).collect();
    let found: Vec<String> = commits.iter().filter_map(problem).collect();
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    println!("{} commits since the last release have their form", commits.len());
    Ok(())
}

/// The commit that the rule begins after, unless this clone does not reach that far back.
fn rule_begin(root: &Path) -> Option<String> {
    git(root, &["merge-base", "--is-ancestor", RULE_BEGINS_AFTER, "HEAD"]).ok().map(|_| RULE_BEGINS_AFTER.to_owned())
}

fn git(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().context("git could not be started")?;
    ensure!(output.status.success(), "git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

fn parse(entry: &str) -> Option<Commit<'_>> {
    let mut parts = entry.splitn(4, '\u{2}');
    let (id, subject, body) = (parts.next()?, parts.next()?, parts.next()?);
    let files = parts.next()?.lines().filter(|line| !line.is_empty()).count();
    Some(Commit { id, subject, body: body.trim(), files })
}

fn problem(commit: &Commit<'_>) -> Option<String> {
    let Commit { id, subject, body, files } = commit;
    let chars = subject.chars().count();
    if chars > SUBJECT_CHARS_MAX {
        return Some(format!(
            "{id} {subject}: its subject has {chars} characters, at most {SUBJECT_CHARS_MAX} are read"
        ));
    }
    if subject.split_once(": ").is_none_or(|(area, _)| area.is_empty()) {
        return Some(format!("{id} {subject}: its subject names no area: write `area: what it does now`"));
    }
    (*files > FILES_WITHOUT_BODY && body.is_empty())
        .then(|| format!("{id} {subject}: it changes {files} files and does not say why"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_fits_a_line_and_a_wide_change_says_why() {
        let found = |subject, body, files| problem(&Commit { id: "a1", subject, body, files });
        assert_eq!(found("gate: denies what has no verdict", "", 3), None);
        assert_eq!(found("gate: denies what has no verdict", "Nobody may guess.", 40), None);
        assert!(found("gate: denies what has no verdict", "", 4).unwrap().contains("does not say why"));
        assert!(found("denies what has no verdict", "", 1).unwrap().contains("names no area"));
        assert!(found(&format!("gate: {}", "x".repeat(67)), "", 1).unwrap().contains("73 characters"));
    }

    #[test]
    fn an_entry_of_the_log_is_read_whole() {
        let commit = parse("a1\u{2}gate: denies\u{2}Why.\n\u{2}\n\nsrc/a.rs\nsrc/b.rs\n").unwrap();
        assert_eq!((commit.subject, commit.body, commit.files), ("gate: denies", "Why.", 2));
    }
}
