use super::*;

fn asked(actuator: &str) -> Request {
    let raw = json!({ "robot": "arm-1", "actuator": actuator, "motion": { "switch": { "on": true } } });
    Request::new(&serde_json::from_value(raw).unwrap(), "dana")
}

fn commands() -> (Commands, CommandId, RobotId) {
    let (commands, id) = (Commands::default(), CommandId(uuid::Uuid::from_u128(1)));
    let robot = RobotId::new("arm-1").unwrap();
    assert!(commands.reserve(id, &robot, (asked("arm"), None), Instant::default()));
    (commands, id, robot)
}

#[test]
fn only_the_robot_itself_ends_a_command_and_late_reports_take_nothing_back() {
    let (commands, id, robot) = commands();
    assert!(commands.set(id, Progress::at(CommandStep::Sent)).is_some());
    let failed = Status::Failed(Failure::Stopped);
    assert!(commands.report(id, &RobotId::new("rover-1").unwrap(), failed).is_none());
    assert!(commands.report(id, &robot, failed).is_some());
    assert!(commands.report(id, &robot, Status::Running).is_none());
}

#[test]
fn a_silent_robot_leaves_the_outcome_unknown_until_it_speaks() {
    let (commands, id, robot) = commands();
    commands.set(id, Progress::at(CommandStep::Sent));
    assert!(commands.sweep(Instant::from_millis(2_000)).is_empty());
    assert_eq!(commands.sweep(Instant::from_millis(2_001)).len(), 1);
    assert!(commands.report(id, &robot, Status::Received).is_some());
}

#[test]
fn what_a_robot_was_doing_has_failed_when_its_gate_was_started_anew() {
    let (commands, id, robot) = commands();
    commands.set(id, Progress::at(CommandStep::Sent));
    assert!(commands.gate_restarted(&robot).is_empty(), "nobody knows whether it arrived");
    commands.report(id, &robot, Status::Running);
    assert!(commands.gate_restarted(&RobotId::new("rover-1").unwrap()).is_empty());
    let ended: Vec<_> = commands.gate_restarted(&robot).into_iter().map(|step| step.progress.step).collect();
    assert_eq!(ended, [CommandStep::Failed]);
}

#[test]
fn an_id_is_used_once() {
    let (commands, id, robot) = commands();
    assert!(!commands.reserve(id, &robot, (asked("arm"), None), Instant::default()));
}

#[test]
fn a12_an_id_that_was_given_to_another_command_is_refused_with_what_differs() {
    let (commands, id, _) = commands();
    commands.keep_outcome(id, json!("first"));
    assert_eq!(commands.outcome(id, &asked("arm")).unwrap(), Some(json!("first")));
    let refused = commands.outcome(id, &asked("gripper")).unwrap_err();
    assert_eq!(refused.code, "command_repeated");
    let differs = json!([{ "path": "actuator", "from": "arm", "to": "gripper" }]);
    assert_eq!(refused.details["differs"], differs);
    let by_another = Request { by: "erik".into(), ..asked("arm") };
    assert_eq!(commands.outcome(id, &by_another).unwrap_err().code, "command_repeated");
}

#[test]
fn each_robot_has_its_own_memory_of_ids() {
    let (commands, id, _) = commands();
    let rover = RobotId::new("rover-1").unwrap();
    for n in 0..2 * COMMANDS_OF_ROBOT_MAX as u128 {
        commands.reserve(CommandId(uuid::Uuid::from_u128(10 + n)), &rover, (asked("base"), None), Instant::default());
    }
    assert_eq!(commands.lock().records.len(), COMMANDS_OF_ROBOT_MAX + 1);
    assert!(commands.lock().records.contains_key(&id), "another robot's commands push nothing out");
}
