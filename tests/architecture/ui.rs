//! Rooms of the user interface: host, theme, generated → shared → features → app; STOP ALL stands alone.

use crate::repository::{Source, Violation, files, refuse};

/// The only module that knows that there is Tauri.
const TAURI_HOST: &str = "ui/src/host/tauri.ts";

/// The only room that draws in three dimensions.
const SPACE_ROOM: &str = "ui/src/shared/scene3d/";

/// The room of the flat scene, which a decision rests on.
const FLAT_ROOM: &str = "ui/src/shared/scene2d/";

/// What each room may import from, besides itself.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("generated", &[]),
    ("theme", &[]),
    ("locales", &[]),
    ("host", &["generated", "theme"]),
    ("shared", &["host", "theme", "generated", "locales"]),
    ("features", &["shared", "host", "theme", "generated", "locales"]),
    ("stop", &["host", "theme", "generated", "shared/format", "shared/freshness", "shared/shortcuts"]),
    ("app", &["features", "shared", "host", "theme", "generated", "locales"]),
    ("stop-window", &["stop", "host", "theme"]),
    ("main", &["app", "stop", "host", "shared", "theme", "locales"]),
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

/// A feature is a room of its own.
fn room(path: &str) -> String {
    let mut parts = path.split('/');
    match (parts.next(), parts.next()) {
        (Some("features"), Some(feature)) => format!("features/{feature}"),
        (Some(file), None) => file.split('.').next().unwrap_or(file).to_owned(),
        (Some(room), Some(_)) => room.to_owned(),
        (None, _) => String::new(),
    }
}

fn may_import(from: &str, to_path: &str) -> bool {
    let family = from.split('/').next().unwrap_or(from);
    let to = room(to_path);
    let listed = MAY_IMPORT.iter().find(|(name, _)| *name == family).map_or(&[][..], |(_, allowed)| *allowed);
    from == to
        || listed.iter().any(|allowed| {
            to_path == *allowed
                || to_path.starts_with(&format!("{allowed}/"))
                || to_path.starts_with(&format!("{allowed}."))
        })
}

#[test]
fn imports_point_downwards() {
    let mut found = Vec::new();
    for (source, imports) in modules() {
        let from = room(source.path.trim_start_matches("ui/src/"));
        let targets = imports.iter().filter_map(|import| target(&source, import));
        for to in targets.filter(|to| !may_import(&from, to)) {
            found.push(Violation {
                edge: format!("{} → {to}", source.path),
                reason: "host, theme, generated → shared → features → app; features never import features, and STOP ALL \
                         works when everything else has failed",
                remedy: "move what two rooms need into `shared`, or pass it in from `app`",
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
        let leans = |import: &&String| target(&source, import).is_some_and(|to| to.starts_with("shared/scene3d/"));
        let wrong = imports.iter().filter(|import| {
            (draws(import) && !source.path.starts_with(SPACE_ROOM))
                || (leans(import) && source.path.starts_with(FLAT_ROOM))
        });
        found.extend(wrong.map(|import| Violation {
            edge: format!("{} → {import}", source.path),
            reason: "a decision rests on the flat scene, which works where graphics do not, and nobody waits for the code \
                     of three",
            remedy: "draw it in `shared/scene3d`, and let features use `AnyScene`",
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
