//! The crates that this program is built from, judged by the rules of `deny.toml` without the network: where a crate comes
//! from, and whether one of its licences is allowed. Advisories need their database; `xtask ci` asks it.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use crate::repository::{read, root};

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The licences that are allowed everywhere, and those of single crates.
struct Rules {
    allowed: BTreeSet<String>,
    exceptions: BTreeSet<(String, String)>,
}

impl Rules {
    fn read() -> Self {
        let text = read("deny.toml");
        let (_, rest) = text.split_once("\nallow = [").unwrap();
        let (allowed, rest) = rest.split_once(']').unwrap();
        let (_, rest) = rest.split_once("\nexceptions = [").unwrap();
        let (exceptions, _) = rest.split_once("\n]").unwrap();
        let quoted = |text: &str| text.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let of_crate = |line: &str| quoted(line).try_into().ok().map(|[name, licence]: [String; 2]| (name, licence));
        Self {
            allowed: quoted(allowed).into_iter().collect(),
            exceptions: exceptions.lines().filter_map(of_crate).collect(),
        }
    }

    /// The reason that a package may not be in the program, if it may not.
    fn refusal(&self, package: &Value) -> Option<String> {
        let text = |field: &str| package[field].as_str();
        let name = text("name")?;
        // Our own have no source.
        let source = text("source")?;
        if source != REGISTRY {
            return Some(format!("{name} comes from {source}"));
        }
        let Some(licence) = text("license") else { return Some(format!("{name} names no licence")) };
        let is_allowed = |licence: &str| {
            self.allowed.contains(licence) || self.exceptions.contains(&(name.to_owned(), licence.to_owned()))
        };
        (!holds(licence, &is_allowed)).then(|| format!("{name} is under {licence}"))
    }
}

/// True if a licence expression can be kept with the licences that `is_allowed`.
fn holds(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let held = any(&words, &mut at, is_allowed);
    held && at == words.len()
}

fn any(words: &[&str], at: &mut usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut held = all(words, at, is_allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        held |= all(words, at, is_allowed);
    }
    held
}

fn all(words: &[&str], at: &mut usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut held = one(words, at, is_allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        held &= one(words, at, is_allowed);
    }
    held
}

fn one(words: &[&str], at: &mut usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    *at += 1;
    let Some(word) = words.get(*at - 1) else { return false };
    if *word == "(" {
        let held = any(words, at, is_allowed);
        *at += 1;
        return held && words.get(*at - 1) == Some(&")");
    }
    if words.get(*at) == Some(&"WITH") {
        *at += 2;
        return words.get(*at - 1).is_some_and(|exception| is_allowed(&format!("{word} WITH {exception}")));
    }
    is_allowed(word)
}

/// Every package that is built for this computer.
fn packages() -> Vec<Value> {
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let version = output("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host];
    let metadata: Value = serde_json::from_str(&output(env!("CARGO"), &metadata)).unwrap();
    let built: BTreeSet<&str> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.filter(|package| built.contains(package["id"].as_str().unwrap())).cloned().collect()
}

#[test]
fn att_28_every_crate_that_is_built_comes_from_the_registry_under_an_allowed_licence_and_a_planted_one_is_found() {
    let (rules, packages) = (Rules::read(), packages());
    let refused: Vec<String> = packages.iter().filter_map(|package| rules.refusal(package)).collect();
    assert!(packages.len() > 100 && refused.is_empty(), "{} packages: {refused:#?}", packages.len());
    let planted = |source: &str, name: &str, licence: Value| {
        rules.refusal(&json!({ "name": name, "source": source, "license": licence })).unwrap_or_default()
    };
    assert!(planted("git+https://evil.test/serde#1", "serde", json!("MIT")).contains("comes from git+"));
    assert!(planted("registry+https://evil.test/index", "serde", json!("MIT")).contains("comes from registry+"));
    assert_eq!(planted(REGISTRY, "free", Value::Null), "free names no licence");
    for licence in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT OR Apache-2.0) AND SSPL-1.0", "MPL-2.0", "MIT OR", ""]
    {
        assert_eq!(planted(REGISTRY, "free", json!(licence)), format!("free is under {licence}"));
    }
    for licence in
        ["MIT", "GPL-3.0-only OR MIT", "MIT/GPL-2.0", "Apache-2.0 WITH LLVM-exception", "ISC AND (MIT OR GPL-3.0)"]
    {
        assert_eq!(planted(REGISTRY, "free", json!(licence)), "", "{licence}");
    }
}
