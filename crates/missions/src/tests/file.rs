use crate::{MissionError, MissionFile, id_of};

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
