use ros2_client::dds::rustdds::CDRSerializerAdapter;
use ros2_client::dds::rustdds::no_key::SerializerAdapter as _;
use serde::Serialize;

use super::super::message::{Header, Quaternion, Time, Vector3};
use super::super::wiring::TransformSource;
use super::*;

#[derive(Serialize)]
struct Transforms {
    transforms: Vec<(Header, String, Vector3, Quaternion)>,
}

#[derive(Serialize)]
struct Joints {
    header: Header,
    name: Vec<String>,
    position: Vec<f64>,
    velocity: Vec<f64>,
    effort: Vec<f64>,
}

fn message<T: Serialize>(value: &T) -> Vec<u8> {
    let body = CDRSerializerAdapter::<T>::to_bytes(value).unwrap();
    [&[0, 1, 0, 0], body.as_ref()].concat()
}

fn header(sec: i32, frame_id: &str) -> Header {
    Header { stamp: Time { sec, nanosec: 500_000_000 }, frame_id: frame_id.to_owned() }
}

fn odometry(frame: &str, x_m: f64, yaw_rad: f64) -> Vec<u8> {
    let [x, y, z, w] = UnitQuaternion::from_yaw_rad(yaw_rad).xyzw();
    let pose = ([x_m, 0.0, 0.0], Quaternion { x, y, z, w }, [0.0; 18], [0.0; 18]);
    let twist = ([0.5, 0.0, 0.0], [0.0, 0.0, 0.1], [0.0; 18], [0.0; 18]);
    message(&(header(7, frame), "base_link", pose, twist))
}

fn map_to_base_link() -> PoseSource {
    let [parent, child, topic] = ["map", "base_link", "/tf"].map(str::to_owned);
    PoseSource::Tf(TransformSource { parent, child, topic })
}

fn reader(pose: PoseSource, frame: &str) -> Reader {
    Reader::new(pose, frame.parse().unwrap())
}

fn read(reader: &mut Reader, source: Source, message: &[u8]) -> Vec<Reading> {
    let definition = built_in().get("std_msgs/msg/Header").unwrap();
    reader.read("/topic", &source, definition, message, Instant::from_millis(1_000))
}

fn reason(readings: &[Reading]) -> String {
    let [Reading { value: ReadingValue::Extra(name, value), .. }] = readings else { panic!("{readings:?}") };
    assert_eq!(name, UNREADABLE);
    value["/topic"]["reason"].as_str().unwrap().to_owned()
}

const BOTH: Source = Source::Odometry { pose: true, velocity: true };

#[test]
fn rg_06_odometry_gives_the_pose_and_the_velocity_in_the_default_frame() {
    let mut odom = reader(PoseSource::Odom("odom".to_owned()), "odom");
    let readings = read(&mut odom, BOTH, &odometry("odom", 2.0, std::f64::consts::FRAC_PI_2));
    let [pose, velocity] = readings.as_slice() else { panic!("{readings:?}") };
    assert!(matches!(&pose.value, ReadingValue::Pose(pose) if pose.position_m == [2.0, 0.0, 0.0]));
    let ReadingValue::Velocity(Velocity { linear_mps: [x, y, _], angular_radps }) = velocity.value else {
        panic!("{velocity:?}")
    };
    assert!(x.abs() < 1e-9 && (y - 0.5).abs() < 1e-9 && (angular_radps[2] - 0.1).abs() < 1e-9);
    assert_eq!([pose.stamp_ms, velocity.stamp_ms], [7_500.0; 2]);
}

#[test]
fn rg_07_a_message_that_is_repeated_is_no_measurement_and_makes_nothing_younger() {
    let mut odom = reader(PoseSource::Odom("odom".to_owned()), "odom");
    let (first, definition) = (odometry("odom", 2.0, 0.0), built_in().get("std_msgs/msg/Header").unwrap());
    let mut hear = |source: &Source, message: &[u8], ms| {
        let readings = odom.read("/topic", source, definition, message, Instant::from_millis(ms));
        (readings.len(), odom.rotation().map(|(_, arrived)| arrived))
    };
    let first_at = Some(Instant::from_millis(1_000));
    assert_eq!(hear(&BOTH, &first, 1_000), (2, first_at));
    assert_eq!(hear(&BOTH, &first, 1_100), (0, first_at), "a driver that hangs repeats itself");
    let (name, position) = (vec!["lift".to_owned()], vec![0.25]);
    let of = |sec| {
        message(&Joints {
            header: header(sec, ""),
            name: name.clone(),
            position: position.clone(),
            velocity: vec![],
            effort: vec![],
        })
    };
    let joints = [8, 8, 9].map(|sec| hear(&Source::Joints, &of(sec), 1_200).0);
    assert_eq!(joints, [1, 0, 1]);
}

#[test]
fn rg_05_a_transform_that_cannot_be_used_takes_none_of_the_others_with_it() {
    let mut tree = reader(map_to_base_link(), "map");
    let at = |child: &str, x: f64| {
        let (to, rotation) = (Vector3 { x, y: 0.0, z: 0.0 }, Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 });
        (header(1, "map"), child.to_owned(), to, rotation)
    };
    let transforms = vec![at("camera", f64::NAN), at("base_link", 1.0)];
    let readings = read(&mut tree, Source::Tf { is_static: false }, &message(&Transforms { transforms }));
    let [refused, pose] = readings.as_slice() else { panic!("{readings:?}") };
    assert_eq!(reason(std::slice::from_ref(refused)), "a translation is not finite");
    assert!(matches!(pose.value, ReadingValue::Pose(_)));
}

#[test]
fn rg_05_a_reason_is_cut_and_does_not_fill_the_log() {
    let mut odom = reader(PoseSource::Odom("odom".to_owned()), "map");
    let logged = |odom: &Reader| odom.unreadable["/topic"].logged.clone().unwrap();
    let long = reason(&read(&mut odom, BOTH, &odometry(&"x".repeat(5_000), 0.0, 0.0)));
    assert_eq!(long.chars().count(), REASON_CHARS_MAX);
    let first = logged(&odom);
    assert_eq!(first, (long, Instant::from_millis(1_000)));
    for number in 0..100 {
        odom.refuse("/topic", format!("{number} bytes"), Instant::from_millis(1_100));
    }
    assert_eq!(logged(&odom), first, "one line a second");
    odom.refuse("/topic", "100 bytes".to_owned(), Instant::from_millis(2_000));
    assert_eq!(logged(&odom), ("100 bytes".to_owned(), Instant::from_millis(2_000)));
}

#[test]
fn rg_06_a_pose_of_transforms_comes_anew_only_when_its_oldest_link_does() {
    let mut tree = reader(map_to_base_link(), "map");
    let mut hear = |sec, parent: &str, child: &str| {
        let forward = Vector3 { x: 1.0, y: 0.0, z: 0.0 };
        let straight = Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        let transforms = vec![(header(sec, parent), child.to_owned(), forward, straight)];
        let readings = read(&mut tree, Source::Tf { is_static: false }, &message(&Transforms { transforms }));
        readings.first().map(|reading| reading.stamp_ms)
    };
    assert_eq!(hear(1, "map", "odom"), None);
    assert_eq!(hear(5, "odom", "base_link"), Some(1_500.0));
    assert_eq!(hear(6, "odom", "base_link"), None, "the link from the map is still of second 1");
    assert_eq!(hear(7, "map", "odom"), Some(6_500.0));
}

#[test]
fn rg_05_a_message_that_cannot_be_used_is_counted_with_its_reason_and_changes_nothing() {
    let mut odom = reader(PoseSource::Odom("odom".to_owned()), "map");
    let other = read(&mut odom, BOTH, &odometry("odom", 0.0, 0.0));
    assert_eq!(reason(&other), "its frame is \"odom\", and the manifest's is \"map\"");
    assert!(odom.rotation().is_none());
    assert_eq!(reason(&read(&mut odom, BOTH, &odometry("map", f64::NAN, 0.0))), "a position is not finite");
    assert_eq!(reason(&read(&mut odom, BOTH, &odometry("map", 0.0, 0.0)[..50])), "the message ends early");
    assert_eq!(reason(&read(&mut odom, BOTH, &vec![0; MESSAGE_BYTES_MAX + 1])), "1048577 bytes");
    let last = read(&mut odom, BOTH, &[]);
    let ReadingValue::Extra(_, value) = &last[0].value else { panic!("{last:?}") };
    assert_eq!(value["/topic"]["count"], 5);
}

#[test]
fn rg_06_joints_need_a_finite_position_for_every_name() {
    let mut arm = reader(PoseSource::Odom("odom".to_owned()), "odom");
    let mut hear = |name: &[&str], position: &[f64]| {
        let name = name.iter().map(|name| (*name).to_owned()).collect();
        let joints = Joints {
            header: header(1, ""),
            name,
            position: position.to_vec(),
            velocity: Vec::new(),
            effort: Vec::new(),
        };
        read(&mut arm, Source::Joints, &message(&joints))
    };
    let readings = hear(&["lift"], &[0.25]);
    assert!(matches!(&readings[0].value, ReadingValue::Joints(joints) if *joints.positions.positions == [0.25]));
    assert_eq!(reason(&hear(&["lift"], &[])), "1 names and 0 positions");
    assert_eq!(reason(&hear(&["lift"], &[f64::INFINITY])), "a position is not finite");
    assert_eq!(reason(&hear(&["lift", "turn", "lift"], &[0.1, 0.2, 0.3])), "\"lift\" is there twice");
}

#[test]
fn rg_28_joints_have_speeds_only_where_the_robot_measures_one_for_each() {
    let mut arm = reader(PoseSource::Odom("odom".to_owned()), "odom");
    let mut sec = 0;
    let mut hear = |velocity: &[f64]| {
        sec += 1;
        let (name, position) = (["lift", "turn"].map(str::to_owned).to_vec(), vec![0.1, 0.2]);
        let joints =
            Joints { header: header(sec, ""), name, position, velocity: velocity.to_vec(), effort: Vec::new() };
        read(&mut arm, Source::Joints, &message(&joints))
    };
    let speeds = |readings: &[Reading]| {
        let ReadingValue::Joints(joints) = &readings[0].value else { panic!("{readings:?}") };
        joints.speeds.clone()
    };
    assert_eq!(speeds(&hear(&[0.3, 0.4])).as_deref(), Some(&[0.3, 0.4][..]));
    assert_eq!(speeds(&hear(&[])), None);
    assert_eq!(reason(&hear(&[0.3])), "2 names and 1 velocities");
}

#[test]
fn rg_28_only_a_robot_s_own_word_says_that_it_is_ready() {
    let mut arm = reader(PoseSource::Odom("odom".to_owned()), "odom");
    assert_eq!(arm.ready(), None);
    for (said, ready) in [(&message(&true)[..], Some(true)), (&message(&false)[..], Some(false)), (&[], None)] {
        read(&mut arm, Source::Ready, said);
        assert_eq!(arm.ready(), ready);
    }
}

#[test]
fn rg_05_a_forwarded_message_has_no_more_than_ten_thousand_values() {
    let definition = built_in().get("std_msgs/msg/UInt16MultiArray").unwrap();
    let array = |count: usize| message(&((Vec::<u32>::new(), 0_u32), vec![7_u16; count]));
    let (mut any, source) = (reader(PoseSource::Odom("odom".to_owned()), "odom"), Source::Extra("scan".to_owned()));
    let mut hear = |count| any.read("/topic", &source, definition, &array(count), Instant::from_millis(1_000));
    let readings = hear(3);
    let ReadingValue::Extra(name, value) = &readings[0].value else { panic!("{readings:?}") };
    assert_eq!((name.as_str(), &value["data"]), ("scan", &json!([7, 7, 7])));
    assert_eq!(reason(&hear(10_000)), "it has too many values");
}

#[test]
fn rg_20_the_transforms_of_a_robot_are_read_where_its_wiring_says() {
    let topics = |pose: &str| {
        let text = format!("transport = \"dds\"\nnamespace = \"/tb1\"\npose = {pose}");
        let wiring: Ros2Wiring = toml::from_str(&text).unwrap();
        sources(&wiring).into_iter().map(|(topic, _, source)| (topic, source)).collect::<Vec<_>>()
    };
    let both = |moving: &str, lasting: &str| {
        [(moving.to_owned(), Source::Tf { is_static: false }), (lasting.to_owned(), Source::Tf { is_static: true })]
    };
    assert_eq!(topics("{ tf = [\"map\", \"base_link\"] }"), both("/tf", "/tf_static"));
    let own = "{ tf = { parent = \"map\", child = \"base_link\", topic = \"tf\" } }";
    assert_eq!(topics(own), both("/tb1/tf", "/tb1/tf_static"));
}
