use proptest::prelude::*;
use serde_json::json;

use super::*;

fn applied(source: &str, edit_: Edit) -> Result<String, EditError> {
    edit(source.as_bytes(), &[edit_]).map(|bytes| String::from_utf8(bytes).unwrap())
}

fn set(key: &str, value: Json) -> Edit {
    Edit::Set { key: key.into(), value }
}

fn add(id: &str) -> Edit {
    Edit::AddDependency(MissionId::new(id).unwrap())
}

fn remove(id: &str) -> Edit {
    Edit::RemoveDependency(MissionId::new(id).unwrap())
}

/// Ways of writing a list of missions: the text behind `depends_on`, `|` being an end of line.
const LISTS: [&str; 10] = [
    ": [a, b]   # two",
    ":   [ 'a' , \"b\", ] # two",
    ": [|  a, # one|  b|  ]",
    ":|- a|- b",
    ":|  # first|  - a   # one||  # second|  - 'b'  # two",
    ": # list|    -   a|    - \"b\"",
    ": ['a']",
    ":|  - a",
    ":",
    ": []",
];

/// Surroundings of it: text before and behind, `|` being an end of line.
const AROUND: [(&str, &str); 6] = [
    ("", ""),
    ("# head|title: \"Nacht  patrouille\"  # name||", "|# tail|robots: [rover-1]||"),
    ("robots:|  - 'rover-1'|", "unknown: {x: 1,  y: [2]} # kept|"),
    ("title: >-|  a long|  title|", "zz: |-|  巡回\t|  🤖|"),
    ("\"title\": 'it''s'|", "goals:|  - {wait_secs: 5}|  - operation: x|    input: {a: 1}|"),
    ("triggers: [immediate]|# only a comment|", "# at the end"),
];

/// Odd files: every combination of line end, byte-order mark, last line end, list and surroundings, and files of other forms.
fn corpus() -> Vec<String> {
    let mut files = Vec::new();
    for end in ["\n", "\r\n"] {
        for mark in ["", "\u{FEFF}"] {
            for last in ["", "\n\n  "] {
                for list in LISTS {
                    for (before, behind) in AROUND {
                        let behind = if behind.is_empty() || behind.ends_with('|') {
                            behind.into()
                        } else {
                            format!("{behind}|")
                        };
                        let text = format!("---|{before}depends_on{list}|{behind}---|# Text|\tGo. 巡回{last}");
                        files.push(format!("{mark}{}", text.replace('|', "\n").replace('\n', end)));
                    }
                }
                for other in [
                    "Go.|",
                    "",
                    "---|---|Go.",
                    "---|{title: x, depends_on: [a, b]} # flow|---|",
                    "---|{}|---|Go.",
                    "---|# no keys|---|",
                ] {
                    files.push(format!("{mark}{}{last}", other.replace('|', end)));
                }
            }
        }
    }
    files
}

/// True if `before` becomes `after` by a change within `range` alone.
fn lies_within(before: &str, after: &str, range: Span) -> bool {
    let (head, tail) = (&before[..range.from], &before[range.to..]);
    after.len() >= head.len() + tail.len() && after.starts_with(head) && after.ends_with(tail)
}

/// The lines of a key with its value; the closing fence or the body's beginning if it is not there.
fn lines_of(file: &File, key: &str) -> Span {
    let entries = file.root.as_ref().map(Node::entries).unwrap_or_default();
    let text = file.source.text();
    match entries.iter().find(|entry| entry.key == key) {
        Some(entry) => {
            let from = text[..entry.key_span.from].rfind('\n').map_or(0, |end| end + 1);
            let value = entry.key_span.to.max(entry.value.span.to);
            Span::new(from, text[value..].find('\n').map_or(text.len(), |end| value + end + 1))
        }
        None => {
            file.source.front().map_or(Span::new(file.source.body_span().from, file.source.body_span().from), |front| {
                Span::new(front.from, front.to)
            })
        }
    }
}

#[test]
fn mc_09_an_edit_that_says_what_is_so_changes_no_byte() {
    let corpus = corpus();
    assert!(corpus.len() >= 300, "{}", corpus.len());
    for source in corpus {
        let file = File::read(source.as_bytes()).unwrap();
        for (key, value) in file.meaning() {
            assert_eq!(applied(&source, set(&key, value)).as_ref(), Ok(&source), "{key}");
        }
        let body = Edit::SetBody(file.source.body().to_owned());
        for edit in [remove("zz"), Edit::Remove { key: "zzz".into() }, body] {
            assert_eq!(applied(&source, edit).as_ref(), Ok(&source));
        }
        if file.dependency(&MissionId::new("a").unwrap()).is_some() {
            assert_eq!(applied(&source, add("a")).as_ref(), Ok(&source));
        }
    }
}

#[test]
fn mc_08_mc_11_every_edit_of_every_file_changes_its_key_alone() {
    let entry = json!({"wait_secs": 5});
    let edits = [
        ("title", set("title", json!("It's: \"new\" # 巡回\n"))),
        ("title", set("title", json!("plain"))),
        ("title", Edit::Remove { key: "title".into() }),
        ("depends_on", set("depends_on", json!(["x", "y-1", "z"]))),
        ("depends_on", set("depends_on", json!([]))),
        ("depends_on", set("depends_on", Json::Null)),
        ("depends_on", Edit::Remove { key: "depends_on".into() }),
        ("depends_on", add("new")),
        ("depends_on", remove("a")),
        ("depends_on", remove("b")),
        ("depends_on", Edit::InsertEntry { key: "depends_on".into(), index: 0, value: json!("first") }),
        ("depends_on", Edit::ReplaceEntry { key: "depends_on".into(), index: 0, value: json!("other") }),
        ("robots", set("robots", json!(["rover-2"]))),
        ("goals", Edit::InsertEntry { key: "goals".into(), index: 0, value: entry.clone() }),
        ("goals", Edit::RemoveEntry { key: "goals".into(), index: 1 }),
        ("budget_usd", set("budget_usd", json!(2.5))),
        ("on_failure", set("on_failure", json!({"retry": {"times": 2, "delay_secs": 60}}))),
    ];
    for source in corpus() {
        let file = File::read(source.as_bytes()).unwrap();
        for (key, edit) in &edits {
            let after = match applied(&source, edit.clone()) {
                Ok(after) => after,
                Err(EditError::NoEntry { .. }) => continue,
                Err(error) => panic!("{error} by {edit:?} of\n{source}"),
            };
            let within = lies_within(&source, &after, lines_of(&file, key));
            assert!(within, "{edit:?} touched more than its lines of\n{source}\n{after}");
            let again = File::read(after.as_bytes()).unwrap();
            let others = |file: &File| {
                let mut all = file.meaning();
                all.retain(|(name, _)| name != key);
                all
            };
            assert_eq!(
                (others(&again), again.source.body()),
                (others(&file), file.source.body()),
                "{edit:?}\n{source}"
            );
            let ends = |text: &str| text.matches("\r\n").count() == text.matches('\n').count();
            assert!(!source.contains('\n') || ends(&after) == ends(&source), "{edit:?} mixes line ends in {after:?}");
        }
    }
}

#[test]
fn mc_09_connecting_and_disconnecting_gives_the_same_bytes_where_a_list_was() {
    let mut compared = 0;
    for source in corpus() {
        if File::read(source.as_bytes()).unwrap().length(DEPENDS_ON) > 0 {
            let there = applied(&source, add("new")).unwrap();
            assert_ne!(there, source);
            assert_eq!(applied(&there, remove("new")).as_ref(), Ok(&source));
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn mc_10_the_style_is_kept() {
    let check = |source: &str, edit: Edit, expected: &str| {
        let source = format!("---\n{source}\n---\nGo.");
        assert_eq!(applied(&source, edit).unwrap(), format!("---\n{expected}\n---\nGo."), "{source}");
    };
    check("depends_on: [a] # x", add("b"), "depends_on: [a, b] # x");
    check("depends_on: [ a, ] # x", add("b"), "depends_on: [ a, b, ] # x");
    check("depends_on:\n    - a # x", add("b"), "depends_on:\n    - a # x\n    - b");
    check("depends_on:\n- a\n- b\n# tail", remove("a"), "depends_on:\n- b\n# tail");
    check("depends_on: [a, b]", remove("a"), "depends_on: [b]");
    // The last item removed leaves an empty list.
    check("depends_on: [ 'a' ] # x", remove("a"), "depends_on: [] # x");
    check("depends_on:\n  - a # x\nrobots: []", remove("a"), "depends_on: [] # x\nrobots: []");
    check("title: 'a'  # x", set("title", json!("b's")), "title: 'b''s'  # x");
    check("title: \"a\"", set("title", json!("b")), "title: \"b\"");
    check("title: a", set("title", json!("b: c")), "title: \"b: c\"");
    check("title: a", set("title", json!("5")), "title: \"5\"");
    check("title: a", set("title", json!("no")), "title: \"no\"");
    check("title: 'a'", set("title", json!("b\nc\u{1b}")), "title: \"b\\nc\\u001B\"");
    check("title:", set("title", json!("b")), "title: b");
    check("title: # x", set("title", json!("b")), "title: b # x");
    check("title: |\n  a\n  b\nrobots: []", set("title", json!("c")), "title: \"c\"\nrobots: []");
    check("# only", set("title", json!("c")), "# only\ntitle: c");
    check("{title: a}", set("robots", json!(["b"])), "{title: a, robots: [b]}");
    check("on_failure:\n  retry:\n    times: 2\nx: 1", set("on_failure", json!("stop")), "on_failure: stop\nx: 1");
    assert_eq!(applied("\u{FEFF}Go.\r\n", add("a")).unwrap(), "\u{FEFF}---\r\ndepends_on: [a]\r\n---\r\nGo.\r\n");
    assert_eq!(applied("", set("title", json!("b"))).unwrap(), "---\ntitle: b\n---\n");
}

#[test]
fn mc_11_an_edit_that_would_touch_something_else_is_refused() {
    let refused = |source: &str, edit: Edit| applied(source, edit).unwrap_err().to_string();
    let not_local = |key: &str| format!("`{key}` cannot be changed without touching something else; change the text");
    assert_eq!(refused("Go.", Edit::SetBody("---\ntitle: x\n---\n".into())), not_local("text"));
    assert_eq!(refused("---\nx: 1\n...\n---\n", set("title", json!("a"))), not_local("title"));
    assert_eq!(
        refused("---\n- a\n---\n", set("title", json!("a"))),
        "line 2, column 1: The front matter is a list and should be keys with values. Correct the text first."
    );
    assert!(refused("---\ntitle: [\n---\n", add("a")).starts_with("line "));
    assert!(refused("---\ntitle: [\n", add("a")).starts_with("line 1, column 1: The front matter that begins here"));
    assert!(refused("---\nx: 1\nx: 2\n---\n", add("a")).starts_with("line 3, column 1: `x` stands"));
    assert_eq!(
        refused("---\nrobots: [a]\n---\n", Edit::RemoveEntry { key: "robots".into(), index: 1 }),
        "`robots` has no entry 1"
    );
    assert_eq!(
        refused("---\ntitle: a\n---\n", Edit::InsertEntry { key: "title".into(), index: 0, value: json!(1) }),
        "`title` has no entry 0"
    );
    assert_eq!(
        refused("ä", Edit::Replace { bytes: Span::new(1, 2), text: String::new() }),
        "the file has no range of characters from byte 1 to 2"
    );
    let long = "x".repeat(FILE_BYTES_MAX);
    assert_eq!(
        refused(&long, Edit::Replace { bytes: Span::new(0, 0), text: "y".into() }),
        format!("the file would have more than {FILE_BYTES_MAX} bytes")
    );
    // Text can be edited in a file of any form.
    let mended = Edit::Replace { bytes: Span::new(11, 12), text: "a".into() };
    assert_eq!(applied("---\ntitle: [\n---\n", mended).unwrap(), "---\ntitle: a\n---\n");
    // Several edits, or none of them.
    let both = [
        add("b"),
        Edit::Remove { key: "title".into() },
        Edit::Replace { bytes: Span::new(900, 901), text: String::new() },
    ];
    assert_eq!(edit(b"---\ntitle: a\n---\n", &both), Err(EditError::NoRange(Span::new(900, 901))));
    assert_eq!(edit(b"---\ntitle: a\n---\n", &both[..2]).unwrap(), b"---\ndepends_on: [b]\n---\n");
}

fn json_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        "[a-z0-9:#,\\[\\]{}'\" \\\\\n-]{0,8}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            prop::collection::btree_map("[a-z0-9 :#-]{1,6}", inner, 0..3)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn mc_08_any_value_is_written_so_that_it_reads_as_itself(value in json_value(), list in prop::sample::select(LISTS.to_vec())) {
        let source = format!("---\ntitle: 'x'\ndepends_on{}\nrobots: [r]\n---\nGo.", list.replace('|', "\n"));
        for key in ["title", "depends_on", "new"] {
            let after = applied(&source, set(key, value.clone())).unwrap();
            let again = File::read(after.as_bytes()).unwrap();
            prop_assert_eq!(again.value(key).map(meaning), Some(value.clone()), "{}", after);
        }
    }

    #[test]
    fn mi_15_no_edit_of_any_text_panics(yaml in "[a-z:\\[\\]{}&*!|>'\"#?,\r\n -]{0,60}", index in 0_usize..3, text: String) {
        let source = format!("---\n{yaml}\n---\n{text}");
        let key = || "a".to_owned();
        for change in [
            set("a", json!(["x"])),
            Edit::Remove { key: key() },
            Edit::InsertEntry { key: key(), index, value: json!("y") },
            Edit::ReplaceEntry { key: key(), index, value: json!({"z": 1}) },
            Edit::RemoveEntry { key: key(), index },
            Edit::SetBody(yaml.clone()),
            Edit::Replace { bytes: Span::new(index, index * 7), text: text.clone() },
            add("b"),
        ] {
            let is_text = matches!(change, Edit::Replace { .. } | Edit::SetBody(_));
            if let (Ok(after), false) = (applied(&source, change), is_text) {
                prop_assert!(after.ends_with(&text));
            }
        }
    }
}

#[test]
fn me_07_mc_08_an_entry_is_moved_with_its_value_and_written_in_the_order_of_people() {
    let moved = |index, to| Edit::MoveEntry { key: "goals".into(), index, to };
    let file = "---\ngoals:\n  - Look  # well\n  - {wait_secs: 5}\n---\nLook.\n";
    let text = |edit: Edit| String::from_utf8(super::edit(file.as_bytes(), &[edit]).unwrap()).unwrap();
    assert!(text(moved(1, 0)).starts_with("---\ngoals:\n  - {wait_secs: 5}\n  - Look  # well\n---\n"));
    assert_eq!(text(moved(1, 1)), file);
    assert!(super::edit(file.as_bytes(), &[moved(2, 0)]).is_err());
    let limit = serde_json::json!({ "params": 0.5, "reason": "it is narrow", "type": "max_velocity" });
    let added = text(Edit::InsertEntry { key: "constraints".into(), index: 0, value: limit });
    assert!(added.contains("constraints: [{type: max_velocity, params: 0.5, reason: it is narrow}]\n"), "{added}");
}
