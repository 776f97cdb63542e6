//! Comments name things in words of the field.

use crate::repository::{Source, Violation, files, refuse};

/// A sentence that begins with one of these names nothing.
const QUESTIONS: [&str; 7] = ["What", "Who", "Whether", "How", "Where", "Why", "Which"];

/// Marks of a line that documents something.
const MARKS: [&str; 3] = ["///", "//!", "/**"];

/// The text that begins a piece of documentation, if `line` does; a block may begin with a line of its own.
fn beginning<'a>(before: &str, line: &'a str) -> Option<&'a str> {
    let (before, line) = (before.trim(), line.trim());
    let marks: &[&str] = if before == "/**" { &["*"] } else { &MARKS };
    let goes_on = before != "/**" && MARKS.iter().any(|mark| before.starts_with(mark));
    marks.iter().find_map(|mark| line.strip_prefix(mark)).filter(|_| !goes_on).map(str::trim_start)
}

/// The places where documentation begins with a question.
fn questions(source: &Source) -> impl Iterator<Item = String> {
    let before = std::iter::once("").chain(source.text.lines());
    let begins = source.text.lines().zip(before).enumerate().filter(|(_, (line, before))| {
        let first = beginning(before, line).and_then(|text| text.split(|c: char| !c.is_alphabetic()).next());
        first.is_some_and(|word| QUESTIONS.contains(&word))
    });
    begins.map(|(at, (line, _))| format!("{}:{}: {}", source.path, at + 1, line.trim()))
}

#[test]
fn no_documentation_begins_with_a_question() {
    let folders = ["crates", "src-tauri/src", "xtask/src", "tests", "ui/src"];
    let sources: Vec<Source> = folders.iter().flat_map(|folder| files(folder, &[".rs", ".ts", ".tsx"])).collect();
    let violation = |edge| Violation {
        edge,
        reason: "a reader learns what it is only at the end of the sentence, if at all",
        remedy: "begin with the noun or the verb: `The operations that end motion`, `True once the robot has answered`",
    };
    refuse(sources.iter().flat_map(questions).map(violation).collect());
}
