//! Comments name things in words of the field.

use crate::repository::{Source, Violation, files, refuse};

/// A sentence that begins with one of these names nothing.
const QUESTIONS: [&str; 7] = ["What", "Who", "Whether", "How", "Where", "Why", "Which"];

/// The text of a line that documents something.
fn documented(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["///", "//!", "/**"].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim_start)
}

/// The places where documentation begins with a question.
fn questions(source: &Source) -> impl Iterator<Item = String> {
    let before = std::iter::once("").chain(source.text.lines());
    let begins = source.text.lines().zip(before).enumerate().filter(|(_, (line, before))| {
        let first = documented(line).and_then(|text| text.split(|c: char| !c.is_alphabetic()).next());
        documented(before).is_none() && first.is_some_and(|word| QUESTIONS.contains(&word))
    });
    begins.map(|(at, (line, _))| format!("{}:{}: {}", source.path, at + 1, line.trim()))
}

#[test]
fn no_documentation_begins_with_a_question() {
    let folders = ["crates", "src-tauri/src", "xtask/src", "tests", "ui/src"];
    let mut sources: Vec<Source> = folders.iter().flat_map(|folder| files(folder, &[".rs", ".ts", ".tsx"])).collect();
    sources.retain(|source| !source.path.starts_with("ui/src/generated/"));
    let violation = |edge| Violation {
        edge,
        reason: "a reader learns what it is only at the end of the sentence, if at all",
        remedy: "begin with the noun or the verb: `The operations that end motion`, `True once the robot has answered`",
    };
    refuse(sources.iter().flat_map(questions).map(violation).collect());
}
