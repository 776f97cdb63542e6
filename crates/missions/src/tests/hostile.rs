use proptest::prelude::*;

use super::site::{NOW, at, id, shared, site};
use crate::graph::Standing;
use crate::{FILE_BYTES_MAX, compile, hidden_text, parse};

/// Pieces of YAML that are likely to be strange together.
fn yaml() -> impl Strategy<Value = String> {
    let pieces = [
        "title",
        "goals",
        "constraints",
        "triggers",
        "on_failure",
        "fallbacks",
        "providers",
        "alerts",
        "schedule",
        "envelope",
        "resources",
        "expires",
        ": ",
        ":",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\n",
        "\n  ",
        "\n    ",
        "\r\n",
        "\t",
        "&a ",
        "*a",
        "!t ",
        "<<: ",
        "|\n",
        ">-\n",
        "'",
        "\"",
        "\\",
        "#",
        "? ",
        "null",
        "true",
        "1e999",
        "-0.5",
        "ä",
        "🤖",
        "%",
        "@",
        "`",
        "...",
        "wait_secs",
        "type",
        "params",
        "cron",
        "12h",
        "\u{FEFF}",
        "\u{85}",
        "\u{2028}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn mi_15_no_text_panics_and_every_place_is_in_the_file(yaml in yaml(), body: String) {
        let file = format!("---\n{yaml}\n---\n{body}");
        let parsed = parse(file.as_bytes());
        let compilation = compile(&parsed, &id("patrol"), shared(), NOW);
        prop_assert_eq!(compilation.compiled.is_none(), compilation.problems.has_error);
        prop_assert!(parsed.problems.listed.len() <= compilation.problems.listed.len());
        for problem in &compilation.problems.listed {
            prop_assert!(problem.bytes.from <= problem.bytes.to && problem.bytes.to <= file.len(), "{problem}");
            prop_assert!(problem.start <= problem.end, "{problem}");
            prop_assert!(file.is_char_boundary(problem.bytes.from) && file.is_char_boundary(problem.bytes.to));
            prop_assert!(!problem.message.is_empty() && problem.help.ends_with(['.', '?']), "{problem}");
        }
        prop_assert!(hidden_text(&file).len() <= 32);
    }

    #[test]
    fn mi_15_no_bytes_panic(bytes: Vec<u8>) {
        let _ = parse(&bytes);
        let _ = parse(&[b"---\n".as_slice(), &bytes, b"\n---\n"].concat());
    }
}

/// Files that are slow or large to a reader that is careless: each fills the file or its front matter.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let front = |piece: &str| {
        let yaml = piece.repeat(16 * 1024 / piece.len() - 1);
        format!("---\n{yaml}\n---\n").into_bytes()
    };
    let whole = |piece: &str| piece.repeat(FILE_BYTES_MAX / piece.len()).into_bytes();
    let nodes = format!("---\ngoals: [{}]\n---\n", "x,".repeat(4_000)).into_bytes();
    let keys: String = (0..2_000).map(|key| format!("k{key}: \n")).collect();
    vec![
        ("open lists", front("[")),
        ("open mappings", front("{a: ")),
        ("block nesting", front("- ")),
        ("question marks", front("? ")),
        ("unclosed quote", front("\"a")),
        ("anchors", front("&a ")),
        ("indentation", front(" ")),
        ("comments", front("#\n")),
        ("many nodes", nodes),
        ("many keys", format!("---\n{keys}---\n").into_bytes()),
        ("lines", whole("\n")),
        ("carriage returns", whole("\r")),
        ("fences", whole("---\n")),
        ("open elements", whole("<a ")),
        ("open comments", whole("<!--")),
        ("hidden characters", whole("\u{200b}")),
        ("one long line of hidden emoji", whole("🤖\u{202e}")),
        ("blanks", whole(" ")),
        ("tabs and text", whole("\t\t\t\t\t\t\t\t x")),
        ("no text", vec![0xff; FILE_BYTES_MAX]),
        ("far too long", vec![b'a'; 100 * FILE_BYTES_MAX]),
    ]
}

#[test]
fn mi_15_a_hostile_file_takes_little_memory() {
    for (name, bytes) in bombs() {
        let used = allocation_counter::measure(|| drop(parse(&bytes)));
        // The tables of the parser itself do not grow with the file.
        let most = 32 * u64::try_from(bytes.len()).unwrap() + 64 * 1024;
        assert!(used.bytes_max <= most, "{name}: {} bytes of {most}", used.bytes_max);
    }
}

/// Files whose meaning is as much work as a file can ask for: each fills its front matter.
fn labours() -> Vec<(&'static str, String)> {
    let list = |key: &str, most: usize, entry: &dyn Fn(usize) -> String| {
        let mut yaml = format!("robots: [arm-1, gate-1, rover-1, rover-2]\n{key}:\n");
        for entry in (0..most).map(entry) {
            if yaml.len() + entry.len() > 16 * 1024 - 64 {
                break;
            }
            yaml.push_str(&format!(" - {entry}\n"));
        }
        format!("---\n{yaml}---\n")
    };
    let zone = |at: usize| format!("{{type: forbidden_zone, params: {{center: [{at}, 9, 0], radius: 1}}}}");
    let step = |at: usize| {
        format!(
            "{{operation: send_command, input: {{robot: rover-1, actuator: base, motion: {{path: {{points_m: [[{at}, 1, 0], [2, 3, 0]]}}}}}}}}"
        )
    };
    let many = "r".repeat(60);
    vec![
        ("limits on all robots", list("constraints", 1_024, &zone)),
        ("limits that do not fit", list("constraints", 1_024, &|_| "{type: goal_jump, params: 1, frame: a}".into())),
        ("motions", list("goals", 128, &step)),
        ("unknown operations", list("goals", 128, &|at| format!("{{operation: list_world_stat{at}}}"))),
        ("missing missions", list("depends_on", 64, &|at| format!("m{at:05}x"))),
        ("locks", list("resources", 32, &|at| format!("rover-1/{many}{at}"))),
    ]
}

#[test]
fn mi_15_the_meaning_of_a_hostile_file_takes_bounded_work() {
    let crowd = (0..500).fold(site(), |site, at| {
        let text = format!("---\nrobots: [rover-1]\nresources: [rover-1/body]\ndepends_on: [m{:05}]\n---\n", at + 1);
        site.with(&format!("m{at:05}"), &text, Standing::Held)
    });
    let kib = |bytes: u64| bytes / 1024;
    for (name, text) in labours() {
        let length = u64::try_from(text.len()).unwrap();
        let alone = allocation_counter::measure(|| drop(at(shared(), &text)));
        let crowded = allocation_counter::measure(|| drop(at(&crowd, &text)));
        assert!(alone.bytes_max <= 64 * length + 64 * 1024, "{name}: {} KiB", kib(alone.bytes_max));
        assert!(alone.count_total <= 250_000, "{name}: {} allocations", alone.count_total);
        // The other missions are looked through once, whatever the file asks for: 2 KiB for each of them.
        let more = crowded.bytes_max.saturating_sub(alone.bytes_max);
        assert!(more <= 500 * 2 * 1024, "{name}: {} KiB for the others", kib(more));
    }
}

#[test]
fn mc_16_a_long_front_matter_takes_no_more_allocations_than_its_length_explains() {
    let text = |bytes: usize| {
        let mut yaml = "robots: [arm-1, rover-1]\ngoals:\n".to_owned();
        let goal = "{operation: send_command, input: {robot: rover-1, actuator: base, motion: {pose_goal: {position_m: [1, 2, 0]}}}}";
        // More goals than a mission may have would not be looked at. A short text is like a long one, with less of each.
        (0..60 * bytes / (16 * 1024)).for_each(|_| yaml.push_str(&format!(" - {goal}\n")));
        yaml.push_str("constraints:\n");
        for at in 0.. {
            let zone = format!(" - {{type: forbidden_zone, params: {{center: [{at}, 9, 0], radius: 1}}}}\n");
            if yaml.len() + zone.len() > bytes {
                break;
            }
            yaml.push_str(&zone);
        }
        format!("---\n{yaml}---\n")
    };
    let work = |bytes: usize| {
        let text = text(bytes);
        assert!(text.len() + 128 > bytes, "it is as long as it may be");
        allocation_counter::measure(|| drop(at(shared(), &text)))
    };
    work(1024);
    let (short, long) = (work(8 * 1024), work(16 * 1024));
    assert!(long.count_total <= 3 * short.count_total, "{} and {}", long.count_total, short.count_total);
}
