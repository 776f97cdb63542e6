use super::*;
use crate::world::MANIFESTS;

fn robot(id: &str) -> SimRobot {
    let (_, text) = MANIFESTS.into_iter().find(|(known, _)| *known == id).unwrap();
    SimRobot::new(Manifest::parse(text, id).unwrap(), [0.3, 0.0, 0.8])
}

fn command(robot: &str, actuator: &str, seq: u64, motion: Motion) -> Command {
    let json = serde_json::json!({
        "robot": robot, "actuator": actuator, "id": format!("00000000-0000-0000-0000-{seq:012}"), "source": "agent",
        "lease": { "station": "desk", "epoch": 1, "seq": seq }, "issued_at": 0, "ttl_ms": 500, "frame": "map",
        "motion": motion,
    });
    serde_json::from_value(json).unwrap()
}

fn goal(position_m: [f64; 3]) -> Motion {
    Motion::PoseGoal { position_m, orientation: None, speed_mps: Some(0.5), duration_s: None }
}

/// Steps until something ends.
fn run(robot: &mut SimRobot) -> Vec<Status> {
    for _ in 0..2_000 {
        let ended = robot.step(0.02);
        if !ended.is_empty() {
            return ended.into_iter().map(|ended| ended.status).collect();
        }
    }
    Vec::new()
}

fn statuses(ended: Vec<Ended>) -> Vec<Status> {
    ended.into_iter().map(|ended| ended.status).collect()
}

#[test]
fn a_goal_in_another_frame_is_taken_into_its_own() {
    let mut arm = robot("arm-1");
    arm.begin(&command("arm-1", "arm", 1, goal([1.5, 0.2, 1.0]))).unwrap();
    assert_eq!(run(&mut arm), [Status::Done]);
    let position_m = arm.mover.unwrap().position_m;
    for (is, wanted) in position_m.iter().zip([0.5, 0.2, 1.0]) {
        assert!((is - wanted).abs() < 0.002, "{position_m:?}");
    }
}

#[test]
fn a_frame_without_a_transform_is_refused() {
    let mut rover = robot("rover-1");
    let mut lost = command("rover-1", "base", 1, goal([1.0; 3]));
    lost.frame = "odom".parse().unwrap();
    assert_eq!(rover.begin(&lost), Err(Reason::FrameMismatch));
    assert_eq!(run(&mut rover), []);
}

#[test]
fn a_stop_ends_everything_and_the_robot_comes_to_rest() {
    let mut rover = robot("rover-1");
    rover.begin(&command("rover-1", "base", 1, goal([5.0, 0.0, 0.8]))).unwrap();
    for _ in 0..100 {
        rover.step(0.02);
    }
    assert!(!rover.measured().standstill);
    assert_eq!(statuses(rover.halt(Failure::Stopped)), [Status::Failed(Failure::Stopped)]);
    assert_eq!(run(&mut rover), []);
    assert!(rover.measured().standstill);
}

#[test]
fn a_newer_command_replaces_the_one_before() {
    let mut rover = robot("rover-1");
    let velocity = Motion::Velocity { linear_mps: [0.2, 0.0, 0.0], angular_radps: [0.0; 3] };
    let base = |seq, motion| command("rover-1", "base", seq, motion);
    assert_eq!(statuses(rover.begin(&base(1, goal([5.0, 0.0, 0.0]))).unwrap()), []);
    assert_eq!(statuses(rover.begin(&base(2, velocity.clone())).unwrap()), [Status::Failed(Failure::Replaced)]);
    assert_eq!(statuses(rover.begin(&base(3, velocity)).unwrap()), [Status::Done]);
    assert_eq!(statuses(rover.end_set_point(&"base".parse().unwrap())), [Status::Done]);
}

#[test]
fn fingers_and_door_take_their_time() {
    let mut arm = robot("arm-1");
    arm.begin(&command("arm-1", "gripper", 1, Motion::Gripper { opening_m: 0.04, speed_mps: Some(0.05) })).unwrap();
    assert_eq!(run(&mut arm), [Status::Done]);
    assert!((arm.gripper.unwrap().opening_m - 0.04).abs() < 1e-9);

    let mut door = robot("gate-1");
    door.begin(&command("gate-1", "latch", 1, Motion::Switch { on: true })).unwrap();
    door.step(0.5);
    assert!(!door.door.as_ref().unwrap().open);
    assert_eq!(run(&mut door), [Status::Done]);
    assert!(door.door.unwrap().open);
}

#[test]
fn a_rover_charges_at_the_dock_only() {
    let mut rover = robot("rover-1");
    rover.step(10.0);
    assert!(rover.battery_percent.unwrap() < 90.0);
    rover.mover.as_mut().unwrap().position_m = [DOCK_M[0], DOCK_M[1], 0.0];
    rover.step(10.0);
    assert!(rover.battery_percent.unwrap() > 90.0);
}

#[test]
fn a_velocity_that_turns_turns_the_base() {
    let mut rover = robot("rover-1");
    let turning = Motion::Velocity { linear_mps: [0.0; 3], angular_radps: [0.0, 0.0, 0.5] };
    rover.begin(&command("rover-1", "base", 1, turning)).unwrap();
    rover.step(0.02);
    assert!(!rover.measured().standstill, "a base that turns does not stand");
    assert_eq!(statuses(rover.halt(Failure::Stopped)), [Status::Failed(Failure::Stopped)]);
    rover.step(0.02);
    assert!(rover.measured().standstill);
}

#[test]
fn fingers_that_move_beside_a_pretended_motion_do_not_end_it() {
    let mut arm = robot("arm-1");
    arm.act(Acting::Never);
    arm.begin(&command("arm-1", "arm", 1, goal([1.5, 0.2, 1.0]))).unwrap();
    arm.begin(&command("arm-1", "gripper", 2, Motion::Gripper { opening_m: 0.07, speed_mps: Some(0.05) })).unwrap();
    let mut ended = Vec::new();
    for _ in 0..50 {
        ended.extend(statuses(arm.step(0.02)));
    }
    assert_eq!(ended, [Status::Done, Status::Done], "both are reported");
}
