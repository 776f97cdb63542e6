use std::path::PathBuf;

use robot::JointName;
use safety::JointPositions;

use super::*;
use crate::adapter::{JointReading, Reading, ReadingValue};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.gate.toml"))
}

fn checked(config: &Path, state: Option<&Path>, offline: bool) -> Report {
    tokio::runtime::Runtime::new().unwrap().block_on(check(config, state, offline))
}

/// The lines of a check of an example that say that something is wrong, without their remedies.
fn wrong(name: &str) -> Vec<String> {
    let state = tempfile::tempdir().unwrap();
    let report = checked(&example(name), Some(state.path()), true);
    let wrong = report.lines.iter().filter(|(mark, _)| *mark == Mark::Wrong);
    wrong.map(|(_, what)| what.lines().next().unwrap().to_owned()).collect()
}

#[test]
fn rg_03_the_examples_of_built_adapters_pass() {
    for name in ["rover-9", "rover-2", "spot-1", "agv-1", "ur-1"] {
        assert!(wrong(name).is_empty(), "{name}: {:?}", wrong(name));
    }
}

#[test]
fn rg_03_of_the_other_examples_only_what_this_program_lacks_is_wrong() {
    let adapter = |name: &str| format!("this program has no adapter {name} (adapter_not_built)");
    // Their bundles are exported by the station of a site.
    let has_no_bundle = |name: &str, lacks: &[String]| {
        let (bundle, others): (Vec<_>, Vec<_>) =
            wrong(name).into_iter().partition(|line| line.contains("station.key: "));
        assert_eq!(others, lacks);
        assert!(bundle.len() == 1 && bundle[0].ends_with("(bad_station)"), "{bundle:?}");
    };
    has_no_bundle("tb4-1", &[]);
    has_no_bundle("px4-1", &[adapter("mavlink")]);
}

#[test]
fn rg_04_a_broker_where_the_station_listens_is_refused() {
    let at = |broker: &str| {
        let mut setup = Setup::read(&example("agv-1"), None).unwrap();
        setup.wiring.vda5050.as_mut().unwrap().broker = broker.to_owned();
        setup.misfits().iter().map(|misfit| misfit.code).collect::<Vec<_>>()
    };
    for same in ["mqtt://127.0.0.1:7447", "mqtt://localhost:7447", "mqtts://[::1]:7447"] {
        assert_eq!(at(same), [GateCode::EndpointClash], "{same}");
    }
    for other in ["mqtt://127.0.0.1", "mqtt://10.0.0.2:7447", "mqtt://fleet.lab:7447"] {
        assert!(at(other).is_empty(), "{other}");
    }
}

#[test]
fn rg_03_a_wiring_whose_messages_name_no_actuator_needs_exactly_one_base() {
    for robot in ["agv-1", "rover-2"] {
        let mut setup = Setup::read(&example(robot), None).unwrap();
        assert!(setup.misfits().is_empty(), "{robot}: {:?}", setup.misfits());
        let base = setup.manifest.base().unwrap().clone();
        let other = robot::Actuator { id: "second".parse().unwrap(), ..base };
        setup.manifest.actuators.push(other);
        let misfits: Vec<_> = setup.misfits().iter().map(|misfit| misfit.code).collect();
        assert!(!misfits.is_empty() && misfits.iter().all(|code| *code == GateCode::ManifestUnfit), "{robot}");
    }
}

#[test]
fn rg_31_a_standstill_that_is_as_fast_as_a_step_moves_a_joint_is_refused() {
    let mut setup = Setup::read(&example("ur-1"), None).unwrap();
    assert!(setup.misfits().is_empty(), "{:?}", setup.misfits());
    setup.manifest.stop.standstill_radps = 0.1;
    let misfits = setup.misfits();
    assert!(misfits.len() == 1 && misfits[0].to_string().contains("standstill"), "{misfits:?}");
}

/// A copy of the rover's files, changed.
fn changed(file: &str, from: &str, to: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for name in ["rover-9.gate.toml", "rover-9.toml", "exec_robot.py"] {
        std::fs::copy(example("rover-9").with_file_name(name), folder.path().join(name)).unwrap();
    }
    let path = folder.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&path, text.replace(from, to)).unwrap();
    let report = checked(&folder.path().join("rover-9.gate.toml"), None, true);
    let wrong = report.lines.iter().filter(|(mark, _)| *mark == Mark::Wrong);
    let code = |what: &String| what.lines().next().unwrap().rsplit(['(', ')']).nth(1).unwrap().to_owned();
    wrong.map(|(_, what)| code(what)).collect()
}

#[test]
fn rg_03_everything_that_does_not_fit_is_named_by_its_code() {
    let wiring = |from, to| changed("rover-9.gate.toml", from, to);
    let manifest = |from, to| changed("rover-9.toml", from, to);
    assert_eq!(wiring("./exec_robot.py", "./robot.py"), ["bad_command"]);
    assert_eq!(wiring("[\"./exec_robot.py\"]", "[]"), ["bad_command"]);
    assert_eq!(wiring("127.0.0.1", "10.0.0.1"), ["endpoint_not_loopback"]);
    assert_eq!(wiring("robot = \"rover-9\"", "robot = \"rover-8\""), ["bad_manifest"]);
    assert_eq!(wiring("[exec]", "mode = \"shadow\"\n[exec]"), ["manifest_unfit"]);
    assert_eq!(manifest("gate = \"reference\"", "gate = \"vendor\""), ["manifest_unfit"]);
    assert_eq!(
        manifest("out/state/pose\", codec = \"json\"", "out/state/pose\", codec = \"cbor\""),
        ["manifest_unfit"]
    );
    assert_eq!(manifest("schema = 1", "schema = 2"), ["bad_manifest"]);
}

#[test]
fn rg_26_a_graph_is_held_against_the_wiring() {
    let setup = Setup::read(&example("rover-2"), None).unwrap();
    let wiring = setup.wiring.ros2.unwrap();
    let mut report = Report::default();
    ros2::check_graph(&crate::adapters::ros2::Graph::default(), &wiring, &mut report);
    let text = report.to_string();
    for said in [
        "nobody listens to /cmd_vel (bad_ros2)",
        "/cmd_vel: nobody else publishes",
        "nobody serves /stop_motion (bad_ros2)",
    ] {
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn rg_26_a_mux_that_tells_nothing_is_wrong_and_a_monitor_beside_the_way_is_named() {
    let setup = Setup::read(&example("tb4-1"), None).unwrap();
    let wiring = setup.wiring.ros2.unwrap();
    let mut report = Report::default();
    order::check_mux("/twist_mux", None, &wiring, &mut report);
    assert!(!report.is_good() && report.to_string().contains("nobody knows whose velocities win"), "{report}");
    let graph = crate::adapters::ros2::Graph::default();
    let way = crate::adapters::ros2::Way { topic: "/cmd_vel_quarterdeck", mux: Some("/twist_mux"), graph: &graph };
    let monitored = |input: &str| {
        let value = ros2_client::ParameterValue::String(input.to_owned());
        let mut report = Report::default();
        let told = [("cmd_vel_in_topic".to_owned(), value)].into();
        let monitor = crate::adapters::ros2::place("/collision_monitor", Some(&told), way);
        order::note_monitor(&monitor, way.topic, &mut report);
        report.to_string()
    };
    assert!(monitored("cmd_vel_quarterdeck").contains("ok     behind the collision monitor /collision_monitor"));
    assert!(monitored("cmd_vel_raw").contains("not behind the collision monitor /collision_monitor"));
}

#[test]
fn rg_27_a_robot_that_plans_its_way_needs_supervision_and_its_action_server() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |file: &str, change: &dyn Fn(String) -> String| {
        let text = std::fs::read_to_string(example("rover-2").with_file_name(file)).unwrap();
        std::fs::write(folder.path().join(file), change(text)).unwrap();
    };
    let goals = |text: String| text.replace("cmd_vel = { topic = \"cmd_vel\" }", "navigate = \"navigate_to_pose\"");
    copy("rover-2.gate.toml", &goals);
    let checked = |path: &str, supervision: &str| {
        copy("rover-2.toml", &|text: String| {
            text.replace("path = \"segment\"", path).replace("\"required\"", supervision)
        });
        checked(&folder.path().join("rover-2.gate.toml"), None, true).to_string()
    };
    let good = checked("path = \"own\"", "\"required\"");
    assert!(good.contains("Nothing is wrong.") && good.contains("the hardware stop alone"), "{good}");
    let wrong = checked("path = \"segment\"", "\"unattended\"");
    assert_eq!(wrong.matches("(manifest_unfit)").count(), 2, "{wrong}");
    let setup = Setup::read(&folder.path().join("rover-2.gate.toml"), None).unwrap();
    let mut report = Report::default();
    ros2::check_graph(&crate::adapters::ros2::Graph::default(), setup.wiring.ros2.as_ref().unwrap(), &mut report);
    assert!(report.to_string().contains("no action server /navigate_to_pose (bad_ros2)"), "{report}");
}

#[test]
fn rg_28_an_arm_needs_supervision_accelerations_and_its_controller() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |file: &str, change: &dyn Fn(String) -> String| {
        let text = std::fs::read_to_string(example("ur-1").with_file_name(file)).unwrap();
        std::fs::write(folder.path().join(file), change(text)).unwrap();
    };
    copy("ur-1.gate.toml", &|text| text);
    let checked = |from: &str, to: &str| {
        copy("ur-1.toml", &|text: String| text.replace(from, to));
        checked(&folder.path().join("ur-1.gate.toml"), None, true).to_string()
    };
    let good = checked("", "");
    assert!(good.contains("Nothing is wrong.") && good.contains("each joint alone"), "{good}");
    for (from, to) in [
        ("path = \"own\"", "path = \"segment\""),
        ("\"required\"", "\"unattended\""),
        (", acceleration_radps2 = 1.0, reach_m = 0.7", ", reach_m = 0.7"),
    ] {
        let wrong = checked(from, to);
        assert_eq!(wrong.matches("(manifest_unfit)").count(), 1, "{wrong}");
    }
    copy("ur-1.toml", &|text| text);
    let setup = Setup::read(&folder.path().join("ur-1.gate.toml"), None).unwrap();
    let mut report = Report::default();
    ros2::check_graph(&crate::adapters::ros2::Graph::default(), setup.wiring.ros2.as_ref().unwrap(), &mut report);
    let text = report.to_string();
    for said in [
        "no action server /scaled_joint_trajectory_controller/follow_joint_trajectory (bad_ros2)",
        "nobody listens to /trajectory_execution_event (bad_ros2)",
        "nobody publishes /io_and_status_controller/robot_program_running",
    ] {
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn rg_28_joints_that_nobody_measures_and_those_in_another_order_are_named() {
    let setup = Setup::read(&example("ur-1"), None).unwrap();
    let checked = |names: &[&str], at: f64| {
        let names: Box<[JointName]> = names.iter().map(|name| name.parse().unwrap()).collect();
        let positions = JointPositions { positions: names.iter().map(|_| at).collect(), names };
        let value = ReadingValue::Joints(JointReading { positions, speeds: None });
        let mut report = Report::default();
        let reading = Reading { stamp_ms: 0.0, arrived: robot::Instant(0), value };
        watch::check_joints(&setup, &[reading], &mut report);
        report.to_string()
    };
    let alphabetical =
        ["elbow_joint", "shoulder_lift_joint", "shoulder_pan_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"];
    let other_order = checked(&alphabetical, 0.0);
    assert!(other_order.contains("another order") && other_order.contains("Nothing is wrong."), "{other_order}");
    assert!(other_order.contains("measures no speed of its joints"));
    assert!(checked(&alphabetical[1..], 0.0).contains("nobody measures joint elbow_joint of arm (manifest_unfit)"));
    assert!(checked(&alphabetical, 3.5).contains("joint elbow_joint is at 3.500, outside [-3.14, 3.14]"));
}

#[test]
fn rg_51_what_has_shown_itself_of_broker_and_vehicle_is_named() {
    let setup = Setup::read(&example("agv-1"), None).unwrap();
    let wiring = setup.wiring.vda5050.unwrap();
    for (seen, said) in [
        ((false, false, None), "the broker mqtt://127.0.0.1:1883 does not answer (bad_vda5050)"),
        ((true, false, None), "no vehicle ACME/agv-1 is online under \"uagv\" at the broker (bad_vda5050)"),
        ((true, false, Some("2.0.0".to_owned())), "the vehicle ACME/agv-1 is not online (bad_vda5050)"),
        ((true, true, Some("2.0.0".to_owned())), "the vehicle is online and speaks VDA 5050 2.0.0"),
    ] {
        let mut report = Report::default();
        vda5050::check_seen(&seen, &wiring, &mut report);
        assert!(report.to_string().contains(said), "{report}");
    }
}

#[test]
fn rg_20_a_wiring_whose_frame_is_not_the_manifest_s_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["rover-2.gate.toml", "rover-2.toml"] {
        std::fs::copy(example("rover-2").with_file_name(name), folder.path().join(name)).unwrap();
    }
    let path = folder.path().join("rover-2.gate.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("{ odom = \"odom\" }", "{ tf = [\"map\", \"base_link\"] }")).unwrap();
    let text = checked(&path, None, true).to_string();
    assert!(
        text.contains("`pose` is in \"map\", and the manifest's default_frame is \"odom\" (manifest_unfit)"),
        "{text}"
    );
}

#[test]
fn rg_34_a_manifest_with_another_key_is_named() {
    let state = tempfile::tempdir().unwrap();
    crate::key(state.path()).unwrap();
    let report = checked(&example("rover-9"), Some(state.path()), true);
    assert!(!report.is_good() && report.to_string().contains("key_mismatch"), "{report}");
}

#[test]
fn rg_03_a_robot_whose_gate_runs_is_not_looked_at_by_a_second_program() {
    let state = tempfile::tempdir().unwrap();
    let _running = crate::state::StateFolder::open(state.path()).unwrap();
    let text = checked(&example("rover-9"), Some(state.path()), false).to_string();
    assert!(
        text.contains("the robot is not looked at: another gate uses") && !text.contains("measurements a second"),
        "{text}"
    );
}

#[test]
fn rg_11_rg_15_a_check_of_the_robot_says_what_stop_means_and_who_commands_last() {
    let state = tempfile::tempdir().unwrap();
    let report = checked(&example("rover-9"), Some(state.path()), false);
    assert!(report.is_good(), "{report}");
    let text = report.to_string();
    for said in
        ["hold: ", "stop: the line {\"stop\": id}", "last to command: the integrator's program", "base timeout: "]
    {
        assert!(text.contains(said), "{text}");
    }
}
