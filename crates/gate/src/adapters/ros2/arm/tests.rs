use std::marker::PhantomData;

use ros2::Definitions;
use ros2_client::dds::rustdds::CDRSerializerAdapter;
use ros2_client::dds::rustdds::no_key::SerializerAdapter as _;

use super::*;

const NOW: Instant = Instant(1_000_000_000);
const DEFINITION: &str = "MSG: control_msgs/FollowJointTrajectory_Goal
trajectory_msgs/JointTrajectory trajectory
trajectory_msgs/MultiDOFJointTrajectory multi_dof_trajectory
JointTolerance[] path_tolerance
JointComponentTolerance[] component_path_tolerance
JointTolerance[] goal_tolerance
JointComponentTolerance[] component_goal_tolerance
builtin_interfaces/Duration goal_time_tolerance
===
MSG: control_msgs/JointTolerance
string name
float64 position
float64 velocity
float64 acceleration
===
MSG: control_msgs/JointComponentTolerance
string joint_name
uint16 component
float64 position
float64 velocity
float64 acceleration
===
MSG: trajectory_msgs/JointTrajectory
std_msgs/Header header
string[] joint_names
trajectory_msgs/JointTrajectoryPoint[] points
===
MSG: trajectory_msgs/JointTrajectoryPoint
float64[] positions
float64[] velocities
float64[] accelerations
float64[] effort
builtin_interfaces/Duration time_from_start
===
MSG: trajectory_msgs/MultiDOFJointTrajectory
std_msgs/Header header
string[] joint_names
string[] points
===
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
===
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
===
MSG: builtin_interfaces/Duration
int32 sec
uint32 nanosec";

fn arm() -> Arm {
    Arm::of(&Manifest::parse(include_str!("../../../../examples/ur-1.toml"), "ur-1").unwrap()).unwrap()
}

fn names() -> Box<[JointName]> {
    arm().joints.iter().map(|joint| joint.name.clone()).collect()
}

fn goal(names: Box<[JointName]>, positions: &[f64], speed_radps: Option<f64>) -> Motion {
    Motion::Joints { names, positions_rad: positions.into(), speed_radps }
}

fn at(positions: [f64; 6]) -> JointPositions {
    JointPositions { names: names(), positions: positions.into() }
}

fn way(positions: [f64; 6], speed: f64) -> Result<Trajectory, Reason> {
    arm().trajectory(&goal(names(), &positions, Some(speed)), Some((&at([0.0; 6]), NOW)), NOW)
}

#[test]
fn rg_28_the_time_of_a_trajectory_keeps_every_limit_on_whichever_spline_the_controller_follows() {
    let goal = [1.0, -0.5, 0.2, 0.0, 0.0, 2.0];
    for speed in [0.05, 0.2, 10.0] {
        let trajectory = way(goal, speed).unwrap();
        let time_s = trajectory.duration.as_secs_f64();
        let mut tool_mps = 0.0;
        for (joint, way) in arm().joints.iter().zip(goal) {
            let peak = 1.875 * way.abs() / time_s;
            assert!(peak <= speed.min(joint.velocity) + 1e-6, "{speed}: {peak} of {}", joint.name);
            assert!(6.0 * way.abs() / time_s.powi(2) <= joint.acceleration.unwrap() + 1e-6);
            tool_mps += joint.reach_m * peak;
        }
        assert!(tool_mps <= 0.25 + 1e-6, "{tool_mps}");
    }
    let slow = way([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 0.1).unwrap();
    assert!((slow.duration.as_secs_f64() - 18.75).abs() < 1e-6, "the command's own speed is the bound");
    assert_eq!(way([0.0; 6], 0.1).unwrap().duration, DURATION_MIN);
}

#[test]
fn rg_28_other_joints_another_order_one_without_measurement_and_no_speed_are_refused() {
    let arm = arm();
    let measured = at([0.0; 6]);
    let asked = |motion: &Motion| arm.trajectory(motion, Some((&measured, NOW)), NOW).err();
    assert_eq!(asked(&goal(names(), &[0.1; 6], Some(0.1))), None);
    let mut swapped = names();
    swapped.swap(0, 1);
    assert_eq!(asked(&goal(swapped, &[0.1; 6], Some(0.1))), Some(Reason::JointNames));
    let more = names().iter().cloned().chain(["rail".parse().unwrap()]).collect();
    assert_eq!(asked(&goal(more, &[0.1; 7], Some(0.1))), Some(Reason::JointNames));
    assert_eq!(asked(&goal(names(), &[0.1; 5], Some(0.1))), Some(Reason::JointNames));
    assert_eq!(asked(&goal(names(), &[4.0; 6], Some(0.1))), Some(Reason::JointLimit));
    for speed in [None, Some(0.0), Some(f64::NAN)] {
        assert_eq!(asked(&goal(names(), &[0.1; 6], speed)), Some(Reason::MissingVelocity));
    }
    assert_eq!(asked(&goal(names(), &[1.0; 6], Some(1e-9))), Some(Reason::NotProvable), "it would take for ever");
    let fits = goal(names(), &[0.1; 6], Some(0.1));
    let five = JointPositions { names: names()[..5].into(), positions: [0.0; 5].into() };
    let unknown = |measured| arm.trajectory(&fits, measured, NOW).err();
    assert_eq!(unknown(None), Some(Reason::NotProvable));
    assert_eq!(unknown(Some((&five, NOW))), Some(Reason::NotProvable));
    assert_eq!(unknown(Some((&measured, NOW.minus(Duration::from_millis(201))))), Some(Reason::NotProvable));
}

#[test]
fn rg_28_joints_without_a_limit_of_their_acceleration_are_never_slow_enough() {
    let mut arm = arm();
    arm.joints[3].acceleration = None;
    let asked = arm.trajectory(&goal(names(), &[0.1; 6], Some(0.1)), Some((&at([0.0; 6]), NOW)), NOW);
    assert_eq!(asked, Err(Reason::NotProvable));
}

#[test]
fn rg_28_a_trajectory_starts_within_five_hundredths_of_a_radian_of_where_it_was_judged() {
    let (arm, mut trajectory) = (arm(), way([0.3, 0.0, 0.0, 0.0, 0.0, 0.0], 0.1).unwrap());
    let moved = |pan: f64| at([pan, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(arm.starts_at(Some(&moved(0.049)), &trajectory) && !arm.starts_at(Some(&moved(0.051)), &trajectory));
    assert!(!arm.starts_at(None, &trajectory));
    let before = trajectory.duration;
    assert!(arm.begin_from(&mut trajectory, Some((&moved(-0.049), NOW)), NOW));
    assert!(trajectory.duration > before, "the way is longer now");
    assert!(!arm.begin_from(&mut trajectory, Some((&moved(0.051), NOW)), NOW));
    assert!(!arm.begin_from(&mut trajectory, None, NOW));
}

#[test]
fn rg_28_rg_61_a_goal_is_read_by_its_definition_as_one_point_at_rest() {
    let trajectory = way([0.3, 0.1, 0.0, 0.0, 0.0, -0.2], 0.1).unwrap();
    let sent = TrajectoryGoal::from(trajectory.clone());
    let body = CDRSerializerAdapter::<TrajectoryGoal>::to_bytes(&sent).unwrap();
    let message = [&[0, 1, 0, 0], body.as_ref()].concat();
    let definitions = Definitions::parse(DEFINITION).unwrap();
    let definition = definitions.get("control_msgs/msg/FollowJointTrajectory_Goal").unwrap();
    let read: serde_json::Value = ros2::read(&message, definition, PhantomData).unwrap();
    assert_eq!(read["trajectory"]["joint_names"][5], "wrist_3_joint");
    let points = read["trajectory"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0]["positions"], serde_json::json!([0.3, 0.1, 0.0, 0.0, 0.0, -0.2]));
    assert_eq!(points[0]["velocities"], serde_json::json!(vec![0.0; 6]));
    assert_eq!(points[0]["time_from_start"]["sec"], trajectory.duration.as_secs());
    assert_eq!(read["goal_time_tolerance"]["sec"], 0);
}
