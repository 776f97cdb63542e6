//! The on-screen stop is called STOP ALL. No text lets anyone take it for what it is not.

use crate::documents::documents;
use crate::repository::{Violation, files, read, refuse};

/// The only ways to say those words: sentences that say what STOP ALL is not.
const DISCLAIMERS: &[&str] = &[
    "It is not an emergency stop in the sense of ISO 13850 or IEC 60204-1 and does not replace one.",
    "STOP ALL ist kein Not-Halt im Sinne der ISO 13850 oder der IEC 60204-1 und ersetzt keinen.",
    "STOP ALL is not an emergency stop",
    "never \"emergency stop\"",
    "no \"emergency stop\"",
];

/// Standards a disclaimer may name and nothing may claim.
const STANDARDS: &[&str] = &["ISO 13850", "IEC 60204-1", "ISO 10218", "ISO/TS 15066"];

/// Texts that people read: documents, catalogues and the screens' own strings, missions.
fn texts() -> Vec<(String, String)> {
    let folders = [("ui/src", &[".ts", ".tsx", ".json"][..]), ("missions", &[".md"][..]), ("crates", &[".toml"][..])];
    let sources = folders.iter().flat_map(|(folder, endings)| files(folder, endings)).chain(documents());
    let configuration = "tauri.conf.json";
    sources.map(|source| (source.path, source.text)).chain([(configuration.to_owned(), read(configuration))]).collect()
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\\"", "\"").replace("**", "")
}

#[test]
fn stop_all_is_never_sold_as_an_emergency_stop() {
    let mut found = Vec::new();
    for (path, text) in texts() {
        let mut rest = in_one_line(&text);
        for disclaimer in DISCLAIMERS {
            rest = rest.replace(disclaimer, "");
        }
        let lower = rest.to_lowercase();
        for word in ["emergency stop", "emergency-stop"].iter().filter(|word| lower.contains(**word)) {
            found.push(Violation {
                edge: format!("{path}: {word:?}"),
                reason: "it is software on a general-purpose computer, and a person who trusts it as more gets hurt",
                remedy: "say STOP ALL, or use the sentence that says what it is not",
            });
        }
        for standard in STANDARDS.iter().filter(|standard| rest.contains(**standard)) {
            found.push(Violation {
                edge: format!("{path}: {standard}"),
                reason: "no screen and no document claims conformity with a standard",
                remedy: "name a standard only in the sentence that says what STOP ALL is not",
            });
        }
    }
    refuse(found);
}
