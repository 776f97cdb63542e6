mod changes;
mod compile;
mod edges;
mod file;
mod hostile;
mod keys;
mod site;
mod source;

use crate::{Parsed, parse};

/// The front matter `yaml` between its fences, with a body.
fn front(yaml: &str) -> Parsed {
    parse(format!("---\n{yaml}\n---\nGo.\n").as_bytes())
}

/// Place, code and key of every problem.
fn told(parsed: &Parsed) -> String {
    let told = parsed.problems.listed.iter().map(|problem| {
        let key = problem.key.as_deref().unwrap_or("-");
        format!("{}:{} {} {key}", problem.start.line, problem.start.column, problem.code)
    });
    told.collect::<Vec<_>>().join("\n")
}

/// The problems in full.
fn sentences(parsed: &Parsed) -> String {
    parsed.problems.listed.iter().map(|problem| format!("{problem}\n")).collect()
}
