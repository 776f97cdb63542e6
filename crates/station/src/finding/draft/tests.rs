use super::*;

const ENDPOINT: &str = "tcp/127.0.0.1:7447";

/// Every field that a robot needs, as a person has filled it in.
const WHOLE: [(FindField, &str); 24] = [
    (FindField::Robot, "spot"),
    (FindField::Site, "lab"),
    (FindField::HardwareStop, "red \"mushroom\" at the door"),
    (FindField::Domain, "7"),
    (FindField::Namespace, "/spot"),
    (FindField::Pose, "tf map base_link"),
    (FindField::Frame, "map"),
    (FindField::Velocity, "/spot/odom"),
    (FindField::CommandTopic, "/spot/cmd_vel"),
    (FindField::Radius, "0.4"),
    (FindField::LocalisationError, "0.05"),
    (FindField::Margin, "0"),
    (FindField::Speed, "1"),
    (FindField::Rotation, "1.5"),
    (FindField::Acceleration, "0.5"),
    (FindField::GoalJump, "10"),
    (FindField::Workspace, "-5 5 -5 5 -1 1"),
    (FindField::Envelope, "-50 50 -50 50 -1 1"),
    (FindField::StopBehaviour, "hold"),
    (FindField::CarriesLoad, "no"),
    (FindField::Reaction, "0.3"),
    (FindField::Braking, "0.5"),
    (FindField::Standstill, "0.02"),
    (FindField::StandstillRotation, "0.05"),
];

fn whole() -> Vec<DraftField> {
    let field = |(field, value): (FindField, &str)| DraftField {
        field,
        value: value.to_owned(),
        source: None,
        at: String::new(),
        is_guess: false,
    };
    WHOLE.into_iter().map(field).collect()
}

fn with(field: FindField, value: &str) -> Vec<DraftField> {
    let set =
        |given: DraftField| if given.field == field { DraftField { value: value.to_owned(), ..given } } else { given };
    whole().into_iter().map(set).collect()
}

fn drafted(fields: &[DraftField]) -> RobotDraft {
    draft(FindProtocol::Ros2Dds, fields, Some(ENDPOINT), |_| false)
}

#[test]
fn rg_40_whole_fields_make_a_manifest_that_says_what_they_say() {
    let draft = drafted(&whole());
    assert_eq!(draft.problems, []);
    let meaning = draft.meaning.unwrap();
    assert_eq!((meaning.robot.as_str(), meaning.site.as_str()), ("spot", "lab"));
    assert_eq!(meaning.hardware_estop, "red \"mushroom\" at the door");
    assert_eq!(meaning.workspace_m, Some([[-5.0, 5.0], [-5.0, 5.0], [-1.0, 1.0]]));
    assert_eq!((meaning.speed_mps_max, meaning.body_radius_m), (1.0, 0.4));
    let table: toml::Table = draft.wiring.parse().unwrap();
    let ros2 = &table["ros2"];
    assert_eq!((ros2["domain"].as_integer(), ros2["namespace"].as_str()), (Some(7), Some("/spot")));
    assert_eq!(ros2["cmd_vel"]["topic"].as_str(), Some("/spot/cmd_vel"));
    // The gate makes its key when it is paired.
    assert!(!draft.manifest.contains("public_key"));
}

#[test]
fn rg_40_each_field_that_is_missing_blocks_and_is_named() {
    for (field, _) in WHOLE {
        let fields: Vec<DraftField> = whole().into_iter().filter(|given| given.field != field).collect();
        let problems = drafted(&fields).problems;
        let named = problems.iter().filter(|problem| problem.field == Some(field));
        assert!(named.count() > 0 && problems[0].kind == DraftProblemKind::Missing, "{field:?}");
    }
}

#[test]
fn rg_40_a_guess_blocks_until_it_is_confirmed() {
    let mut fields = whole();
    fields[9] =
        DraftField { source: Some(FieldSource::Description), at: "/d".into(), is_guess: true, ..fields[9].clone() };
    let draft = drafted(&fields);
    let kinds: Vec<_> = draft.problems.iter().map(|problem| (problem.field, problem.kind)).collect();
    assert_eq!(kinds, [(Some(FindField::Radius), DraftProblemKind::Unconfirmed)]);
    assert!(draft.manifest.contains("bounding_radius_m = 0.4  # description on /d, a guess\n"), "{}", draft.manifest);
    fields[9].is_guess = false;
    assert_eq!(drafted(&fields).problems, []);
}

#[test]
fn rg_40_a_value_that_cannot_be_used_is_named_at_its_field() {
    for (field, value) in [
        (FindField::Robot, "Spot"),
        (FindField::Domain, "102"),
        (FindField::Pose, "gps"),
        (FindField::CommandTopic, "cmd\" }\n[exec]"),
        (FindField::Speed, "-1"),
        (FindField::Radius, "nan"),
        (FindField::Workspace, "5 -5 -5 5 -1 1"),
        (FindField::CarriesLoad, "perhaps"),
        // Of its form, and beyond what a manifest takes.
        (FindField::LocalisationError, "5"),
        (FindField::Speed, "1000"),
    ] {
        let problems = drafted(&with(field, value)).problems;
        let named: Vec<_> = problems.iter().map(|problem| (problem.field, problem.kind)).collect();
        assert_eq!(named, [(Some(field), DraftProblemKind::Bad)], "{value}: {problems:?}");
    }
}

#[test]
fn rg_40_a_pose_in_another_frame_than_the_robots_is_a_contradiction() {
    let problems = drafted(&with(FindField::Frame, "odom")).problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].field, Some(FindField::Frame));
}

#[test]
fn rg_40_a_robot_that_is_known_or_that_no_adapter_speaks_to_is_not_added() {
    let known = draft(FindProtocol::Ros2Dds, &whole(), Some(ENDPOINT), |_| true);
    assert_eq!(known.problems[0].field, Some(FindField::Robot));
    let zenoh = draft(FindProtocol::Ros2Zenoh, &whole(), Some(ENDPOINT), |_| false);
    assert_eq!((zenoh.problems.len(), zenoh.problems[0].field), (1, None));
}

#[test]
fn rg_40_the_name_of_a_source_stays_in_its_comment() {
    let mut fields = whole();
    fields[0] = DraftField { source: Some(FieldSource::Node), at: "x\nlimits = 1".into(), ..fields[0].clone() };
    let draft = drafted(&fields);
    assert_eq!(draft.problems, []);
    assert!(draft.manifest.contains("id = \"spot\"  # node xlimits = 1\n"));
}
