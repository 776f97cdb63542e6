use std::collections::BTreeMap;

use robot::Role;

use super::site::{NOW, at, sentences, shared, site};
use crate::format::front::Approval;
use crate::format::front::Goal;
use crate::graph::Standing;
use crate::{
    ChangeKind, EXAMPLES, Edit, MissionError, MissionFile, MotionPhrase, changes, compile, edit, id_of, parse,
};

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
    assert_eq!((file.title.as_str(), file.body()), ("Night patrol", "Go\u{202e}.\n"));
    assert_eq!((file.robots[0].as_str(), file.depends_on[0].as_str()), ("rover-1", "calibrate-arm"));
    assert_eq!(file.hidden[0].line, 6);
}

#[test]
fn mi_11_a_file_that_asks_for_more_than_the_station_acts_on_has_an_error_and_keeps_its_meaning() {
    let text = "---\ntitle: x\nrobots: [rover-1]\nconstraints: [{type: max_velocity, params: 0.5}]\ntriggers: [{at: 2122-01-01T00:00:00Z}]\n---\n";
    let parsed = parse(text.as_bytes());
    let compilation = compile(&parsed, &id_of("patrol").unwrap(), &site(), NOW).for_station(&parsed);
    assert!(compilation.problems.has_error);
    assert_eq!(
        sentences(&compilation),
        "5:1 unknown_key triggers: This mission has no goals, so that a trigger that fires once starts nothing. Add `goals`, or plan \
         a job in `schedule`.\n"
    );
    let meaning = crate::sentences(&compilation.compiled.unwrap());
    assert!(meaning.contains(&"Robot: rover-1.".to_owned()), "{meaning:?}");
    assert_eq!(read(text).unwrap().robots.len(), 1, "its robots are known all the same");
}

#[test]
fn mi_11_ml_24_only_a_file_that_says_so_lets_its_activation_approve_steps() {
    let found = |front: &str| {
        let parsed = parse(format!("---\nrobots: [rover-1]\n{front}\n---\n").as_bytes());
        let compilation = compile(&parsed, &id_of("patrol").unwrap(), &site(), NOW).for_station(&parsed);
        let keys = compilation.problems.listed.iter().filter_map(|problem| problem.key.clone()).collect::<Vec<_>>();
        (compilation.compiled.unwrap().approval, keys)
    };
    let none = Vec::<String>::new;
    assert_eq!(found("approval: ask\ntriggers: [immediate, spawn]\ngoals: [Look.]"), (Approval::Ask, none()));
    assert_eq!(found("goals: [Look.]"), (Approval::Ask, none()), "silence is no consent");
    assert_eq!(found("approval: null\ngoals: [Look.]"), (Approval::Ask, none()));
    assert_eq!(found("approval: activation\ngoals: [Look.]"), (Approval::Activation, none()));
    let once = found("approval: activation\ntriggers: [{at: 2122-01-01T00:00:00Z}]");
    assert_eq!(once, (Approval::Activation, vec!["triggers".to_owned()]));
    assert_eq!(found("triggers: [{cron: '0 1 * * *'}]").1, none(), "each time its text is taken up");
}

#[test]
fn me_13_ml_04_ml_24_an_activation_that_approves_steps_is_told_as_such_and_an_operator_may_want_it() {
    let meaning = |front: &str| at(shared(), &format!("---\nrobots: [rover-1]\n{front}---\nGo.\n")).compiled.unwrap();
    let (asking, approving) = (meaning(""), meaning("approval: activation\n"));
    let looser = changes(Some(&asking), &approving);
    assert_eq!(looser[0].sentence, "Lets steps below the High tier move something without asking again.");
    assert_eq!((looser.len(), looser[0].kind, looser[0].role_needed), (1, ChangeKind::Loosened, Role::Operator));
    let first = changes(None, &approving).into_iter().find(|change| change.key == "approval").unwrap();
    assert_eq!((first.kind, &first.sentence), (ChangeKind::Added, &looser[0].sentence));
    assert_ne!(asking.hash().unwrap(), approving.hash().unwrap());
}

#[test]
fn mi_11_a_file_that_would_grant_a_right_is_refused() {
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

/// Ids and texts of the files in the folder of examples.
fn examples() -> BTreeMap<String, String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../missions");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let example = |path: std::path::PathBuf| {
        let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (id, std::fs::read_to_string(&path).unwrap())
    };
    files.map(example).collect()
}

#[test]
fn mi_16_the_shipped_examples_can_be_activated_as_they_are() {
    let examples = examples();
    let shipped = EXAMPLES.iter().fold(site(), |site, (id, text)| site.with(id, text, Standing::Draft));
    for (id, text) in EXAMPLES {
        assert_eq!(examples.get(id).map(String::as_str), Some(text), "{id}");
        let parsed = parse(text.as_bytes());
        let compilation = compile(&parsed, &id_of(id).unwrap(), &shipped, NOW).for_station(&parsed);
        assert_eq!(sentences(&compilation), "", "{id} can be activated as it is");
    }
}

#[test]
fn mi_16_every_example_compiles_at_the_simulated_site_without_a_problem() {
    let examples = examples();
    let catalog = examples.iter().fold(site(), |site, (id, text)| site.with(id, text, Standing::Draft));
    let mut steps = BTreeMap::new();
    for (id, text) in &examples {
        let compilation = compile(&parse(text.as_bytes()), &id_of(id).unwrap(), &catalog, NOW);
        assert_eq!(sentences(&compilation), "", "{id}");
        let compiled = compilation.compiled.unwrap();
        let moves = |goal: &&Goal| matches!(goal, Goal::Step { .. });
        steps.insert(id.as_str(), compiled.goals.iter().filter(moves).count());
        assert_eq!(compiled.hash().unwrap().len(), 64, "{id}");
        // Whatever the edit, one key of it can be changed and nothing else.
        let edited = edit(text.as_bytes(), &[Edit::AddDependency(id_of("home-arm").unwrap())]).unwrap();
        assert_eq!(super::sentences(&parse(&edited)), "", "{id}");
    }
    let moving: Vec<&str> = steps.iter().filter(|(_, steps)| **steps > 0).map(|(id, _)| *id).collect();
    assert_eq!(moving, ["calibrate-arm", "childproof-home", "park-arm", "run-welding-task", "security-patrol"]);
    assert_eq!(steps.len(), 7);
}

#[test]
fn mi_16_every_mission_of_the_guide_can_be_activated_as_it_is() {
    let guide = include_str!("../../../../docs/missions.md");
    let texts: Vec<&str> = guide.split("```markdown\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(texts.len(), 3);
    for text in texts {
        let parsed = parse(text.as_bytes());
        let compilation = compile(&parsed, &id_of("guide").unwrap(), &site(), NOW).for_station(&parsed);
        assert_eq!((sentences(&compilation).as_str(), compilation.compiled.is_some()), ("", true), "{text}");
    }
}

#[test]
fn me_13_a_goal_tells_how_its_motion_turns() {
    let said = |motion: &str| {
        let input = format!("{{robot: rover-1, actuator: base, motion: {{{motion}}}}}");
        let text = format!("---\nrobots: [rover-1]\ngoals: [{{operation: send_command, input: {input}}}]\n---\nGo.\n");
        let meaning = at(shared(), &text).compiled.unwrap();
        crate::sentences(&meaning).into_iter().find(|sentence| sentence.contains("rover-1/base")).unwrap()
    };
    let oriented = said("pose_goal: {position_m: [6, 6, 0], orientation: [0, 0, 1, 0], speed_mps: 0.2}");
    assert!(oriented.contains("goes to (6, 6, 0) m, oriented (0, 0, 1, 0), at most 0.2 m/s"), "{oriented}");
    let drives = MotionPhrase::Drives { velocity_mps: vec![0.0; 3], turning_radps: vec![0.0, 0.0, 0.5] };
    assert_eq!(drives.to_string(), "moves at (0, 0, 0) m/s, turning at (0, 0, 0.5) rad/s");
}
