//! Parameters: five at most beside `self`, and none that is packed into a tuple only to be fewer. What belongs together is
//! a struct with a name, what does not is a parameter each.

use crate::repository::{Source, Violation, has_word, refuse, rust};

/// True if the code of a line begins a parameter such as `(from, to): (Phase, Phase)`.
fn packs(line: &str) -> bool {
    let line = line.trim();
    let is_parameter = line.starts_with('(') || line.contains("fn ");
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_parameter
        && line.match_indices("): (").any(|(end, _)| {
            let begin = line[..end].rfind('(').map_or(0, |at| at + 1);
            line[begin..end].contains(", ") && line[begin..end].split(", ").all(is_name)
        })
}

/// Most parameters of a function, `self` aside.
const PARAMETERS_MAX: usize = 5;

/// The functions in a file's code that take more, each with its line and the number of its parameters.
fn long(source: &Source) -> Vec<(usize, String, usize)> {
    let lines: Vec<(usize, &str)> = source.code().collect();
    let begins = (0..lines.len()).filter(|&at| has_word(lines[at].1, "fn") && lines[at].1.contains('('));
    let function = |at: usize| {
        let rest: String = lines[at..].iter().take(40).map(|(_, line)| line.trim()).collect();
        let named = rest[rest.find("fn ")? + 3..].to_owned();
        let name: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let count = parameters(&named[name.len()..])?;
        (!name.is_empty() && count > PARAMETERS_MAX).then_some((lines[at].0, name, count))
    };
    begins.filter_map(function).collect()
}

/// The number of parameters of what follows a function's name; `self` and a comma at the end are none.
fn parameters(signature: &str) -> Option<usize> {
    let begin = match signature.strip_prefix('<') {
        Some(_) => signature.find(">(")? + 1,
        None => 0,
    };
    let list = signature[begin..].strip_prefix('(')?;
    let (mut depth, mut parts, mut before) = (1_usize, vec![String::new()], ' ');
    for c in list.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !matches!(before, '-' | '=') => depth -= 1,
            _ => {}
        }
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => parts.push(String::new()),
            _ => parts.last_mut()?.push(c),
        }
        before = c;
    }
    let is_parameter =
        |part: &&String| !part.trim().is_empty() && !has_word(part.split(':').next().unwrap_or(""), "self");
    Some(parts.iter().filter(is_parameter).count())
}

#[test]
fn a_function_takes_at_most_five_parameters() {
    let is_code = |path: &str| !path.contains("/tests") && !path.contains("/exact") && path.contains("/src/");
    let sources = ["crates", "src-tauri", "xtask"].into_iter().flat_map(rust).filter(|source| is_code(&source.path));
    let found = sources.flat_map(|source| {
        let long = long(&source);
        long.into_iter().map(move |(line, name, count)| Violation {
            edge: format!("{}:{line}: `{name}` takes {count}, at most {PARAMETERS_MAX}", source.path),
            reason: "at a call nobody can tell which value is which, and two of one type are confused without a word",
            remedy: "put those that belong together into a struct with a name, or let a method of one of them do the work",
        })
    });
    refuse(found.collect());
}

#[test]
fn parameters_are_counted_without_self_and_through_types_with_commas() {
    for (signature, count) in [
        ("() {", 0),
        ("(&self) -> u8 {", 0),
        ("(&mut self, a: u8, b: BTreeMap<u8, u16>,) {", 2),
        ("<T: Fn(u8) -> u8>(a: T, b: impl Fn(u8, u8) -> u8, c: [u8; 2]) {", 3),
        ("(Pair { a, b }: Pair, self_made: u8) {", 2),
    ] {
        assert_eq!(parameters(signature), Some(count), "{signature}");
    }
    let text =
        "fn few(a: u8) {}\nfn many(\n    a: u8,\n    b: u8,\n    c: u8,\n    d: u8,\n    e: u8,\n    f: u8,\n) {\n}\n";
    let found = long(&Source { path: String::new(), text: text.to_owned() });
    assert_eq!(found, [(2, "many".to_owned(), 6)]);
}

#[test]
fn no_parameter_is_packed_into_a_tuple() {
    let is_code = |path: &str| path.contains("/src/") && !path.contains("/tests") && !path.ends_with("test_support.rs");
    let sources = rust("crates").into_iter().filter(|source| is_code(&source.path));
    let places = sources.flat_map(|source| source.places(packs));
    refuse(
        places
            .map(|edge| Violation {
                edge,
                reason: "a tuple has no name: a caller cannot tell what it gives, and a reader not what belongs together",
                remedy: "make each a parameter if there are five at most, else a struct",
            })
            .collect(),
    );
}

#[test]
fn a_packed_parameter_is_told_from_a_return_and_a_local() {
    for line in ["fn a(x: u8, (from, to): (Phase, Phase)) {", "        (id, version): (&str, u64),"] {
        assert!(packs(line), "{line}");
    }
    for line in ["let (a, b): (u8, u8) = c;", "fn a() -> (u8, u8) {", "fn a(pair: (u8, u8)) {", "|(a, b): (u8, u8)| a"]
    {
        assert!(!packs(line), "{line}");
    }
}
