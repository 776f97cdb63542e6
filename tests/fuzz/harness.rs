//! Makes inputs out of a corpus and holds each to the rules that all targets share.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bolero::produce;

/// Longer is a hang: a station reads thousands of messages a second.
const TAKES_MAX: Duration = Duration::from_millis(100);
/// The quickest of so many tries counts, because a busy machine is no hang.
const TRIES: usize = 5;
/// Changes of one input. Many small ones in one input rarely leave anything that is worth reading.
const CHANGES_MAX: usize = 6;
/// Inputs beyond this are cut: every reader here has refused long before.
const INPUT_BYTES_MAX: usize = 64 * 1024;

/// Words that mean something in one of the languages, and numbers that are close to a limit.
const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "\\",
    ":",
    ",",
    "\n",
    "---",
    "null",
    "true",
    "NaN",
    "-0.0",
    "1e999",
    "1e-400",
    "0x1",
    "-1",
    "18446744073709551616",
    "\\u0000",
    "\u{7f}",
    "é",
    "\u{202e}",
    " and ",
    " or ",
    "not ",
    " for ",
    "s",
    "$",
    ".",
    "..",
    "/",
    "*",
    "==",
    "!=",
    "<=",
    ">",
    "&a",
    "*a",
    "!!str",
    "|",
    ">-",
    "- ",
    "#",
    "\t",
    "[[[[[[[[",
    "{\"a\":{\"a\":",
    "((((((((",
];

/// One change: what is done, where, and with which of the words or bytes.
type Change = (u8, u16, u8);

/// Feeds `target` the corpus of `name` and changes of it. The target panics if it finds something.
pub fn check(name: &str, target: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    check_in(name, &Path::new("tests/fuzz/corpus").join(name), target);
}

/// The same with a corpus that lies elsewhere in the repository.
pub fn check_in(name: &str, folder: &Path, target: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    let corpus = corpus(folder);
    for input in &corpus {
        hold(&target, input);
    }
    let changes = produce::<Vec<Change>>().with().len(0..=CHANGES_MAX);
    let inputs = (produce::<u16>(), changes);
    bolero::check!(name = name)
        .with_generator(inputs)
        .with_shrink_time(Duration::from_secs(1))
        .cloned()
        .for_each(|(start, changes)| hold(&target, &changed(&corpus, usize::from(start), &changes)));
}

/// Every file of a corpus, in order of name.
fn corpus(folder: &Path) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is no corpus", folder.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn changed(corpus: &[Vec<u8>], start: usize, changes: &[Change]) -> Vec<u8> {
    let mut input = corpus[start % corpus.len()].clone();
    for (what, place, with) in changes {
        let at = usize::from(*place) % (input.len() + 1);
        let end = (at + usize::from(*with)).min(input.len());
        let word = WORDS[usize::from(*with) % WORDS.len()].as_bytes();
        match what % 6 {
            0 => drop(input.splice(at..at, word.iter().copied())),
            1 => drop(input.drain(at..end)),
            2 => drop(input.splice(at..end.min(at + 1), word.iter().copied())),
            3 => drop(input.splice(at..(at + 1).min(input.len()), [*with])),
            4 => input.extend_from_within(at..end),
            _ => {
                let other = &corpus[usize::from(*with) % corpus.len()];
                input.truncate(at);
                input.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
    input.truncate(INPUT_BYTES_MAX);
    input
}

#[expect(clippy::disallowed_methods, reason = "whether a reader hangs can only be told by a clock")]
fn hold(target: impl Fn(&[u8]), input: &[u8]) {
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        let started = Instant::now();
        target(input);
        quickest = quickest.min(started.elapsed());
        if quickest <= TAKES_MAX {
            return;
        }
    }
    panic!("took {quickest:?}: {:?}", String::from_utf8_lossy(input));
}
