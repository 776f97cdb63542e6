//! Rooms of the user interface: host → design → domain → features → app over generated code; STOP ALL stands alone.

use crate::repository::{Source, Violation, files, refuse};

/// The only module that knows that there is Tauri.
const TAURI_HOST: &str = "ui/src/host/tauri.ts";

/// The only room that draws in three dimensions.
const SPACE_ROOM: &str = "ui/src/domain/scene/space/";

/// The room of the flat scene, which a decision rests on.
const FLAT_ROOM: &str = "ui/src/domain/scene/flat/";

/// A folder or an entry of `ui/src`.
struct Room {
    name: &'static str,
    /// Rooms, or parts of rooms, that it may import from besides itself.
    uses: &'static [&'static str],
    /// The reason for the limit.
    reason: &'static str,
    /// The way out.
    remedy: &'static str,
}

/// Every room, the lowest first.
const ROOMS: &[Room] = &[
    Room {
        name: "generated",
        uses: &[],
        reason: "the station's types stand for themselves, and the generator writes them anew",
        remedy: "derive it where the type is defined, and run `cargo xtask gen`",
    },
    Room {
        name: "locales",
        uses: &[],
        reason: "the catalogue is read by every room above",
        remedy: "pass what a sentence names as its parameter",
    },
    Room {
        name: "host",
        uses: &["generated"],
        reason: "the transport knows no screen",
        remedy: "pass it in, or move what is drawn into `design` or `domain`",
    },
    Room {
        name: "design",
        uses: &["host", "locales"],
        reason: "fields, tables and charts know nothing of robots, so that they fit every screen",
        remedy: "take plain values as properties, or move the component into `domain`",
    },
    Room {
        name: "domain",
        uses: &["design", "host", "generated", "locales"],
        reason: "what several features show knows none of them",
        remedy: "move what it needs of a feature down into `domain`, or pass it in",
    },
    Room {
        name: "features",
        uses: &["domain", "design", "host", "generated", "locales"],
        reason: "a feature can be changed or left out without another one noticing",
        remedy: "move what two features need into `domain`, or pass it in from `app`",
    },
    Room {
        name: "stop",
        uses: &[
            "host",
            "generated",
            // Neither has words nor asks a station.
            "design/components/BareButton",
            "design/fields/useFocusBack",
            "design/format",
            "design/hold",
            "design/shortcuts",
            "design/theme",
            "domain/stop",
        ],
        reason: "STOP ALL works when everything else has failed, catalogues and the query client too",
        remedy: "compile the words in, in `stop/strings.ts`, and read the live store",
    },
    Room {
        name: "app",
        uses: &["features", "domain", "design", "host", "generated", "locales"],
        reason: "the shell composes screens, and STOP ALL has a root of its own",
        remedy: "mount it in `main.tsx`",
    },
    Room {
        name: "stop-window",
        uses: &["stop", "host", "design/theme"],
        reason: "the small window shows STOP ALL and nothing else",
        remedy: "move it into `stop`",
    },
    Room {
        name: "main",
        uses: &["app", "stop", "host", "domain", "design", "locales"],
        reason: "the entry joins the shell and STOP ALL and shows nothing itself",
        remedy: "move it into `app`",
    },
];

/// The sources that ship, each with what it imports.
fn modules() -> Vec<(Source, Vec<String>)> {
    let mut sources = files("ui/src", &[".ts", ".tsx"]);
    sources.retain(|source| !source.path.contains(".test.") && !source.path.contains("/testing/"));
    assert!(!sources.is_empty(), "ui/src holds no TypeScript");
    sources.into_iter().map(|source| (imports(&source), source)).map(|(found, source)| (source, found)).collect()
}

/// The quoted names after `from` and `import`, which is all the import syntax this code uses.
fn imports(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (_, line) in source.code() {
        for opening in ["from \"", "import \"", "import(\""] {
            let Some((_, rest)) = line.split_once(opening) else { continue };
            found.extend(rest.split('"').next().map(str::to_owned));
        }
    }
    found
}

/// The place below `ui/src` that a relative import leads to; `None` for a package.
fn target(source: &Source, import: &str) -> Option<String> {
    if !import.starts_with('.') {
        return None;
    }
    let mut way: Vec<&str> = source.path.trim_start_matches("ui/src/").split('/').collect();
    way.pop();
    for step in import.split('/') {
        match step {
            "." => {}
            ".." => {
                way.pop();
            }
            name => way.push(name),
        }
    }
    Some(way.join("/"))
}

/// The first step of a path below `ui/src`, an entry without its ending.
fn family(path: &str) -> &str {
    let first = path.split('/').next().unwrap_or(path);
    first.split('.').next().unwrap_or(first)
}

/// The part of a path that is whole in itself: a room, and of the features one feature.
fn part(path: &str) -> String {
    match (family(path), path.split('/').nth(1)) {
        ("features", Some(feature)) => format!("features/{feature}"),
        (family, _) => family.to_owned(),
    }
}

/// The room that a place lies in; a place outside of all of them is refused.
fn room_of(path: &str) -> &'static Room {
    let name = family(path);
    let found = ROOMS.iter().find(|room| room.name == name);
    found.unwrap_or_else(|| panic!("ui/src/{path} lies in no room: name its place in tests/architecture/ui.rs"))
}

fn may_import(from: &Room, from_path: &str, to_path: &str) -> bool {
    let within = |place: &str| {
        to_path == place || to_path.starts_with(&format!("{place}/")) || to_path.starts_with(&format!("{place}."))
    };
    part(from_path) == part(to_path) || from.uses.iter().any(|place| within(place))
}

#[test]
fn imports_point_downwards() {
    let mut found = Vec::new();
    for (source, imports) in modules() {
        let path = source.path.trim_start_matches("ui/src/");
        let room = room_of(path);
        let targets = imports.iter().filter_map(|import| target(&source, import));
        for to in targets.filter(|to| !may_import(room, path, to)) {
            found.push(Violation {
                edge: format!("{} → {to}", source.path), reason: room.reason, remedy: room.remedy
            });
        }
    }
    refuse(found);
}

#[test]
fn one_module_knows_tauri() {
    let mut found = Vec::new();
    for (source, imports) in modules() {
        if source.path == TAURI_HOST {
            continue;
        }
        for import in imports.iter().filter(|import| import.starts_with("@tauri-apps/")) {
            found.push(Violation {
                edge: format!("{} → {import}", source.path),
                reason: "the same page runs in the browser, where there is no Tauri",
                remedy: "use the `Host` interface of `host/host.ts`",
            });
        }
    }
    refuse(found);
}

#[test]
fn three_dimensions_are_one_room_and_the_flat_scene_stands_without_it() {
    let mut found = Vec::new();
    for (source, imports) in modules() {
        let draws = |import: &&String| *import == "three" || import.starts_with("three/");
        let leans = |import: &&String| target(&source, import).is_some_and(|to| to.starts_with("domain/scene/space/"));
        let wrong = imports.iter().filter(|import| {
            (draws(import) && !source.path.starts_with(SPACE_ROOM))
                || (leans(import) && source.path.starts_with(FLAT_ROOM))
        });
        found.extend(wrong.map(|import| Violation {
            edge: format!("{} → {import}", source.path),
            reason: "a decision rests on the flat scene, which works where graphics do not, and nobody waits for the code \
                     of three",
            remedy: "draw it in `domain/scene/space`, and let features use `AnyScene`",
        }));
    }
    refuse(found);
}

#[test]
fn att_12_att_13_text_from_outside_never_becomes_markup() {
    let mut found = Vec::new();
    for (source, _) in modules() {
        let writes_markup = |line: &str| {
            [
                "dangerouslySetInnerHTML",
                ".innerHTML",
                ".outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
            ]
            .iter()
            .any(|word| line.contains(word))
        };
        found.extend(source.places(writes_markup).into_iter().map(|edge| Violation {
            edge,
            reason: "robot, model and file text reaches the screen as text nodes",
            remedy: "render the text as a child",
        }));
    }
    refuse(found);
}
