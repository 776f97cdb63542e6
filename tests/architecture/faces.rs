//! The faces of the crates that run something: a narrow one can be learnt, and what is behind it can be changed.

use crate::repository::{Source, Violation, read, refuse};

/// The crates that run what a pure crate decides.
const RUNNERS: [&str; 4] = ["fleet", "sensing", "agent_runner", "mission_runner"];
/// Items of one of them that other crates may name.
const ITEMS_MAX: usize = 30;

/// The items that a crate's `lib.rs` makes public: each module, each declaration and each name of a re-export counts as one.
fn face(lib: &str) -> Vec<String> {
    let lib = Source { path: String::new(), text: lib.to_owned() };
    let text: String = lib.code().map(|(_, line)| format!("\n{line}")).collect();
    let starts = text.match_indices("\npub ").map(|(at, _)| at + "\npub ".len());
    starts.flat_map(|start| items(&text[start..])).collect()
}

/// The items of what begins after one `pub`.
fn items(declaration: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    match declaration.strip_prefix("use ").and_then(|named| named.split(';').next()) {
        Some(named) => {
            let last = named.rsplit_once("::").map_or(named, |(_, last)| last);
            let names = named.split_once('{').map_or(last, |(_, list)| list.trim_end().trim_end_matches('}'));
            names.split(',').map(|name| word(name.trim())).filter(|name| !name.is_empty()).collect()
        }
        None => vec![declaration.split_whitespace().nth(1).map(word).unwrap_or_default()],
    }
}

#[test]
fn a_crate_that_runs_something_has_a_narrow_face() {
    let wide = RUNNERS.iter().filter_map(|name| {
        let path = format!("crates/{name}/src/lib.rs");
        let count = face(&read(&path)).len();
        (count > ITEMS_MAX).then(|| Violation {
            edge: format!("{path}: {count} public items, at most {ITEMS_MAX}"),
            reason: "whoever uses the crate has to know all of them, and each is a promise that binds what is behind it",
            remedy: "make what nobody outside uses private; move what belongs elsewhere; put what is used together into a \
                     module with a name of the field",
        })
    });
    refuse(wide.collect());
}

#[test]
fn modules_declarations_and_each_name_of_a_re_export_are_items_of_a_face() {
    let lib = "//! Text.\npub mod stops;\nmod hidden;\npub(crate) use hidden::A;\npub use hidden::B;\npub use c::{\n    D, E,\n};\n\
               /// Text.\npub struct F {\n    pub g: u8,\n}\n";
    assert_eq!(face(lib), ["stops", "B", "D", "E", "F"]);
}
