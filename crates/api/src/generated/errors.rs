//! The codes of all refusals as a document and as a type of the user interface.

use runtime::error::Code;

use crate::{HostCode, status};

const HEAD: &str = "\
# Errors

`cargo xtask gen` writes this file from the tables of codes in the crates; a change here is lost.

A call that is refused answers `{\"code\": …, \"message\": …, \"details\": …}` and has changed nothing, unless its message says
otherwise. Match on `code`; the message is for people and may change. A command or a proposal that failed may carry one of
these codes too. Where two statuses stand, the first is the usual one.

| code | HTTP status | meaning | remedy |
|---|---|---|---|
";

/// Every code, by its word and status.
#[must_use]
pub fn codes() -> Vec<Code> {
    let mut codes: Vec<Code> = station::codes().chain(HostCode::codes()).collect();
    codes.sort_by_key(|code| (code.as_str(), status(code.kind())));
    codes
}

/// The text of `docs/errors.md`.
#[must_use]
pub fn markdown() -> String {
    let rows = codes().into_iter().map(|code| {
        let row = code.row();
        let statuses: Vec<String> = row.kinds.iter().map(|kind| status(*kind).to_string()).collect();
        format!("| `{}` | {} | {} | {} |\n", code.as_str(), statuses.join(", "), row.meaning, row.remedy)
    });
    HEAD.to_owned() + &rows.collect::<String>()
}

/// The text of `ui/src/generated/error-codes.ts`.
#[must_use]
pub fn typescript() -> String {
    // Sorted by word, so equal ones are neighbours.
    let mut words: Vec<&str> = codes().into_iter().map(Code::as_str).collect();
    words.dedup();
    let union: String = words.iter().map(|word| format!("\n  | \"{word}\"")).collect();
    format!(
        "// `cargo xtask gen` writes this file; a change here is lost.\n\n\
         /** The code of a refusal; docs/errors.md says what each one means. */\nexport type ErrorCode ={union};\n"
    )
}
