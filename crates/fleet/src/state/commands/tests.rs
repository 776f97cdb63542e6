use super::*;

fn asked(actuator: &str) -> Request {
    let raw = json!({ "robot": "arm-1", "actuator": actuator, "motion": { "switch": { "on": true } } });
    Request::new(&serde_json::from_value(raw).unwrap(), "dana")
}

fn commands() -> (Commands, CommandId, RobotId) {
    let (commands, id) = (Commands::default(), CommandId(uuid::Uuid::from_u128(1)));
    let robot = RobotId::new("arm-1").unwrap();
    assert!(commands.reserve(id, asked("arm"), None, Instant::default()).unwrap());
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
    assert!(swept(&commands, 2_000, None).is_empty());
    assert_eq!(swept(&commands, 2_001, None), [CommandStep::Unknown]);
    assert!(commands.report(id, &robot, Status::Received).is_some());
}

/// Steps that a look at `at_ms` finds, given when the robot was last heard.
fn swept(commands: &Commands, at_ms: u64, heard_ms: Option<u64>) -> Vec<CommandStep> {
    let heard = heard_ms.map(|ms| (RobotId::new("arm-1").unwrap(), Instant::from_millis(ms)));
    let steps = commands.sweep(Instant::from_millis(at_ms), &heard.into_iter().collect());
    steps.into_iter().map(|step| step.progress.step).collect()
}

#[test]
fn a_command_that_was_received_and_never_begun_is_unknown_after_two_seconds() {
    let (commands, id, robot) = commands();
    commands.report(id, &robot, Status::Received);
    assert!(swept(&commands, 1_000, Some(1_000)).is_empty());
    assert!(swept(&commands, 3_000, Some(3_000)).is_empty());
    assert_eq!(swept(&commands, 3_001, Some(3_001)), [CommandStep::Unknown]);
    assert!(commands.report(id, &robot, Status::Running).is_some(), "it can still become known");
}

#[test]
fn a_motion_goes_on_for_as_long_as_its_robot_is_heard_and_is_unknown_two_seconds_later() {
    let (commands, id, robot) = commands();
    commands.report(id, &robot, Status::Running);
    for at_ms in [0, 10_000, 60_000] {
        assert!(swept(&commands, at_ms, Some(at_ms)).is_empty());
    }
    assert!(swept(&commands, 62_000, Some(60_000)).is_empty());
    assert_eq!(swept(&commands, 62_001, Some(60_000)), [CommandStep::Unknown]);
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
    let (commands, id, _) = commands();
    assert!(!commands.reserve(id, asked("arm"), None, Instant::default()).unwrap());
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
        let of_rover = Request { robot: rover.clone(), ..asked("base") };
        let sent = CommandId(uuid::Uuid::from_u128(10 + n));
        commands.reserve(sent, of_rover, None, Instant::default()).unwrap();
        commands.set(sent, Progress::at(CommandStep::Superseded));
    }
    assert_eq!(commands.lock().records.len(), COMMANDS_OF_ROBOT_MAX + 1);
    assert!(commands.lock().records.contains_key(&id), "another robot's commands push nothing out");
}

#[test]
fn a12_an_id_that_was_denied_gets_its_denial_again_and_stands_for_no_other_command() {
    let (commands, id, _) = commands();
    commands.deny(id, json!("denied"));
    assert!(!commands.reserve(id, asked("arm"), None, Instant::default()).unwrap());
    assert_eq!(commands.outcome(id, &asked("arm")).unwrap(), Some(json!("denied")));
    assert_eq!(commands.outcome(id, &asked("gripper")).unwrap_err().code, "command_repeated");
}

#[test]
fn what_is_denied_pushes_out_no_command_that_was_sent() {
    let (commands, id, _) = commands();
    commands.keep_outcome(id, json!("first"));
    for n in 0..2 * COMMANDS_OF_ROBOT_MAX as u128 {
        let denied = CommandId(uuid::Uuid::from_u128(10 + n));
        commands.reserve(denied, asked("base"), None, Instant::default()).unwrap();
        commands.deny(denied, json!("denied"));
    }
    assert_eq!(commands.outcome(id, &asked("arm")).unwrap(), Some(json!("first")));
    assert_eq!(commands.lock().records.len(), COMMANDS_OF_ROBOT_MAX + 1);
}

#[test]
fn a_command_that_waits_for_a_person_is_taken_up_once_and_by_its_own_proposal() {
    let (commands, id, _) = commands();
    commands.waits_under(id, &"pr-1".into());
    let by = |proposal: Option<&str>| {
        commands.reserve(id, asked("arm"), proposal.map(Into::into), Instant::default()).unwrap()
    };
    assert!(!by(None) && !by(Some("pr-2")));
    assert!(by(Some("pr-1")));
    assert!(!by(Some("pr-1")), "it is sent once");
    commands.give_up(id);
    assert!(by(None), "what nothing came of may be used again");
}

/// Reserves so many commands of the arm's robot, from `from` on.
fn reserve(commands: &Commands, from: u128, count: usize) -> Result<Vec<CommandId>, OpError> {
    let ids = (from..).take(count).map(|n| CommandId(uuid::Uuid::from_u128(n)));
    ids.map(|id| commands.reserve(id, asked("base"), None, Instant::default()).map(|_| id)).collect()
}

#[test]
fn a_command_that_moves_its_robot_is_remembered_however_many_follow_it() {
    let (commands, moves, robot) = commands();
    commands.report(moves, &robot, Status::Running);
    for n in 0..2 * COMMANDS_OF_ROBOT_MAX as u128 {
        let jog = reserve(&commands, 10 + n, 1).unwrap()[0];
        commands.set(jog, Progress::at(CommandStep::Superseded));
    }
    assert!(commands.report(moves, &robot, Status::Failed(Failure::Stopped)).is_some());
    assert_eq!(commands.lock().records.len(), COMMANDS_OF_ROBOT_MAX);
}

#[test]
fn no_command_is_taken_while_as_many_are_under_way_as_are_remembered() {
    let (commands, first, _) = commands();
    reserve(&commands, 10, COMMANDS_OF_ROBOT_MAX - 1).unwrap();
    assert_eq!(reserve(&commands, 9_000, 1).unwrap_err().code, "busy");
    commands.waits_under(first, &"pr-1".into());
    reserve(&commands, 9_001, 1).unwrap();
    assert!(!commands.lock().records.contains_key(&first), "what waits for a person moves nothing");
}
