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
fn rg_40_a_pose_by_transforms_of_a_namespace_names_their_topic() {
    let draft = drafted(&with(FindField::Pose, "tf map base_link /spot/tf"));
    assert_eq!(draft.problems, []);
    let table: toml::Table = draft.wiring.parse().unwrap();
    assert_eq!(table["ros2"]["pose"]["tf"]["topic"].as_str(), Some("/spot/tf"));
    let other = drafted(&with(FindField::Pose, "tf odom base_link /spot/tf")).problems;
    assert_eq!(other.first().and_then(|problem| problem.field), Some(FindField::Frame), "{other:?}");
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

fn field(field: FindField, value: &str) -> DraftField {
    DraftField { field, value: value.to_owned(), source: None, at: String::new(), is_guess: false }
}

/// The whole fields without some, and with others.
fn changed(without: &[FindField], more: &[(FindField, &str)]) -> Vec<DraftField> {
    let kept = whole().into_iter().filter(|given| !without.contains(&given.field));
    kept.chain(more.iter().map(|(kind, value)| field(*kind, value))).collect()
}

#[test]
fn rg_40_a_robot_that_takes_goals_plans_its_way_and_needs_no_topic_of_velocities() {
    let draft = drafted(&changed(&[FindField::CommandTopic], &[(FindField::Navigate, "/spot/navigate_to_pose")]));
    assert_eq!(draft.problems, []);
    assert!(draft.manifest.contains("path = \"own\""), "{}", draft.manifest);
    let wiring: toml::Table = draft.wiring.parse().unwrap();
    assert_eq!(wiring["ros2"]["navigate"].as_str(), Some("/spot/navigate_to_pose"));
    assert!(wiring["ros2"].get("cmd_vel").is_none());
}

#[test]
fn rg_26_rg_40_mux_and_lock_stand_beside_the_topic_and_not_without_it() {
    let behind = [(FindField::Mux, "/twist_mux"), (FindField::Lock, "/quarterdeck_lock")];
    let draft = drafted(&changed(&[], &behind));
    assert_eq!(draft.problems, []);
    let wiring: toml::Table = draft.wiring.parse().unwrap();
    let cmd_vel = &wiring["ros2"]["cmd_vel"];
    assert_eq!((cmd_vel["mux"].as_str(), cmd_vel["lock"].as_str()), (Some("/twist_mux"), Some("/quarterdeck_lock")));
    let alone = [behind[0], behind[1], (FindField::Navigate, "/navigate_to_pose")];
    let problems = drafted(&changed(&[FindField::CommandTopic], &alone)).problems;
    let named: Vec<_> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(named, [Some(FindField::Mux), Some(FindField::Lock)]);
}

#[test]
fn rg_40_an_arm_needs_every_number_of_its_joints_and_no_base() {
    let arm = |joints| {
        let more = [
            (FindField::Trajectory, "/arm_controller/follow_joint_trajectory"),
            (FindField::Joints, "/joint_states"),
            (FindField::JointLimits, joints),
        ];
        changed(&[FindField::CommandTopic, FindField::Velocity], &more)
    };
    let draft = drafted(&arm("shoulder rad -1.5 1.5 0.5 1 0.75 40; elbow m 0 0.25 0.1 0.2 1"));
    assert_eq!(draft.problems, []);
    for line in [
        "position_rad = [-1.5, 1.5], velocity_radps = 0.5, acceleration_radps2 = 1.0, reach_m = 0.75, effort_nm = 40.0",
        "position_m = [0.0, 0.25], velocity_mps = 0.1, acceleration_mps2 = 0.2, reach_m = 1.0",
        "id = \"arm\"\nkind = \"tool\"",
    ] {
        assert!(draft.manifest.contains(line), "{line}: {}", draft.manifest);
    }
    assert!(!draft.manifest.contains("state/velocity"));
    for (joints, said) in [
        ("shoulder rad -1.5 1.5 0.5 ? 0.75", "shoulder: its acceleration is missing"),
        ("shoulder rad ? ? ? ? ?", "shoulder: its lowest position is missing"),
        ("shoulder deg 0 1 1 1 1", "`NAME rad LOW HIGH"),
        ("shoulder rad 1.5 -1.5 0.5 1 0.75", "lo < hi"),
    ] {
        let problems = drafted(&arm(joints)).problems;
        assert_eq!(problems.len(), 1, "{joints}: {problems:?}");
        assert_eq!(problems[0].field, Some(FindField::JointLimits));
        assert!(problems[0].message.contains(said), "{joints}: {problems:?}");
    }
    let both = drafted(&changed(&[], &[(FindField::Trajectory, "/follow")])).problems;
    let named: Vec<_> = both.iter().map(|problem| (problem.field, problem.kind)).collect();
    assert_eq!(
        named,
        [
            (Some(FindField::Joints), DraftProblemKind::Missing),
            (Some(FindField::JointLimits), DraftProblemKind::Missing),
            (Some(FindField::Trajectory), DraftProblemKind::Bad)
        ]
    );
}

#[test]
fn rg_40_cameras_and_the_map_stand_in_both_files() {
    let seen = [
        (FindField::Cameras, "front compressed_image /spot/front/compressed; back image /spot/back"),
        (FindField::Map, "/spot/map"),
    ];
    let draft = drafted(&changed(&[], &seen));
    assert_eq!(draft.problems, []);
    let wiring: toml::Table = draft.wiring.parse().unwrap();
    assert_eq!(wiring["ros2"]["cameras"]["back"].as_str(), Some("/spot/back"));
    assert_eq!(wiring["ros2"]["map"].as_str(), Some("/spot/map"));
    assert!(draft.manifest.contains("map = { key = \"lab/spot/out/map\" }"), "{}", draft.manifest);
    assert!(draft.manifest.contains("id = \"back\"\nkey = \"lab/spot/out/camera/back\"\nencoding = \"image\""));
    for cameras in ["front jpeg /a", "front image", "front image /a; front image /b", "front image a b"] {
        let problems = drafted(&changed(&[], &[(FindField::Cameras, cameras)])).problems;
        assert!(problems.len() == 1 && problems[0].field == Some(FindField::Cameras), "{cameras}: {problems:?}");
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

#[test]
fn rg_36_behind_a_router_the_pairing_brings_the_way_and_the_manifest_names_the_certificate() {
    let draft = draft(FindProtocol::Ros2Dds, &whole(), None, |_| false);
    assert_eq!(draft.problems, []);
    assert!(
        draft.wiring.contains("placement = \"onboard\"") && !draft.wiring.contains("station ="),
        "{}",
        draft.wiring
    );
    assert!(draft.manifest.contains("certificate_name = \"spot.lab\"\n"), "{}", draft.manifest);
}
