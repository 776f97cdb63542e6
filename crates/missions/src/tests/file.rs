use crate::{Edit, MissionError, MissionFile, edit, id_of, parse};

fn read(text: &str) -> Result<MissionFile, MissionError> {
    MissionFile::read(id_of("patrol").unwrap(), text)
}

fn refusal(text: &str) -> String {
    read(text).map(|file| file.title).map_err(|error| format!("{} {error}", error.code)).unwrap_err()
}

#[test]
fn mi_01_mi_13_the_station_gets_the_values_of_a_file_and_what_it_hides() {
    let file =
        read("---\ntitle: Night patrol\nrobots: [rover-1]\ndepends_on: [calibrate-arm]\n---\nGo\u{202e}.\n").unwrap();
    assert_eq!((file.title.as_str(), file.body.as_str()), ("Night patrol", "Go\u{202e}.\n"));
    assert_eq!((file.robots[0].as_str(), file.depends_on[0].as_str()), ("rover-1", "calibrate-arm"));
    assert_eq!(file.hidden[0].line, 6);
}

#[test]
fn mi_11_a_file_that_asks_for_more_than_the_station_acts_on_is_refused() {
    assert_eq!(
        refusal("---\ntitle: x\nconstraints: [{type: max_velocity, params: 0.5}]\n---\n"),
        "unknown_key line 3: The station does not act on `constraints`. Remove the key."
    );
    assert_eq!(
        refusal("---\nmode: assist\n---\n"),
        "forbidden_key line 2: `mode`: A mission file cannot grant rights, and `mode` would. Remove the key; a person \
         decides this in the window."
    );
    assert_eq!(
        refusal("---\ntitle: x\ndepends_on: [patrol]\n---\n"),
        "out_of_range line 3: A mission cannot depend on itself. Remove its id from `depends_on`."
    );
}

#[test]
fn mi_16_the_shipped_examples_are_valid() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../missions");
    let mut ids = std::collections::BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let id = id_of(path.file_stem().unwrap().to_str().unwrap()).unwrap();
        MissionFile::read(id.clone(), &std::fs::read_to_string(&path).unwrap()).unwrap();
        ids.insert(id.to_string());
    }
    assert!(["calibrate-arm", "security-patrol"].iter().all(|id| ids.contains(*id)), "{ids:?}");
}

/// Missions that use every part of the format; the station does not act on all of it yet.
const EXAMPLES: [(&str, &str); 6] = [
    ("calibrate-arm", include_str!("examples/calibrate-arm.md")),
    ("dog-monitor", include_str!("examples/dog-monitor.md")),
    ("maintenance-check", include_str!("examples/maintenance-check.md")),
    ("park-arm", include_str!("examples/park-arm.md")),
    ("run-welding-task", include_str!("examples/run-welding-task.md")),
    ("security-patrol", include_str!("examples/security-patrol.md")),
];

#[test]
fn mi_16_missions_that_use_the_whole_format_are_read_without_a_problem() {
    for (id, text) in EXAMPLES {
        let parsed = parse(text.as_bytes());
        assert_eq!(super::sentences(&parsed), "", "{id}");
        let (goals, robots) = (parsed.front.goals.len(), parsed.front.robots.len());
        let expected = match id {
            "calibrate-arm" => (2, 1),
            "park-arm" => (1, 1),
            "run-welding-task" | "security-patrol" => (3, 1),
            _ => (0, 0),
        };
        assert_eq!((goals, robots), expected, "{id}");
        // Whatever the edit, one key of it can be changed and nothing else.
        let edited = edit(text.as_bytes(), &[Edit::AddDependency(id_of("home-arm").unwrap())]).unwrap();
        assert_eq!(super::sentences(&parse(&edited)), "", "{id}");
    }
    assert_eq!(parse(EXAMPLES[2].1.as_bytes()).title(&id_of("x").unwrap()), "Check the filters");
}
