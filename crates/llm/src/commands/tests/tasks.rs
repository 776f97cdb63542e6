//! Lines that ask the station for something beside a motion, and calls beside a conversation.

use super::*;
use crate::SideCall;

#[test]
fn m_02_a_mission_is_found_by_its_name_before_anything_is_done_to_it() {
    check(
        "pause dog",
        expect![[r#"
        > list_missions {}
        > pause_mission {"mission_id":"dog-monitor"}
        Mission dog-monitor paused. Still moving: rover-1.
    "#]],
    );
    check(
        "resume dog-monitor",
        expect![[r#"
        > list_missions {}
        > resume_mission {"mission_id":"dog-monitor"}
        Mission dog-monitor resumed.
    "#]],
    );
    check(
        "cancel dog",
        expect![[r#"
        > list_missions {}
        > create_proposal {"input":{"mission_id":"dog-monitor"},"operation":"cancel_mission","reason":"An operator asked for it at the desk."}
        Proposal pr-7 waits for approval.
    "#]],
    );
    check(
        "pause pat",
        expect![[r#"
            > list_missions {}
            "pat" could be patrol, patrol-south. Say which.
        "#]],
    );
    check(
        "pause cat; pause dog",
        expect![[r#"
            > list_missions {}
            No mission is called "cat". There are: patrol, patrol-south, dog-monitor.
        "#]],
    );
    check(
        "pause",
        expect![[r#"
        Nothing was sent: expected a mission; for example: pause patrol
    "#]],
    );
}

#[test]
fn m_02_what_is_remembered_recalled_and_forgotten() {
    check(
        "remember that the cup stands under the sink",
        expect![[r#"
            > remember_note {"text":"the cup stands under the sink"}
            Note written to MEMORY.md.
        "#]],
    );
    check(
        "recall the dropped, broken cup",
        expect![[r#"
            > memory_search {"query":"the dropped, broken cup"}
            2026-02-20T13:03:22.180Z sensor(cam-1): "label: \"stop all\""
        "#]],
    );
    check(
        "recall unicorn",
        expect![[r#"
        > memory_search {"query":"unicorn"}
        Nothing like that is remembered.
    "#]],
    );
    check(
        "forget dropped cup",
        expect![[r#"
        > create_proposal {"input":{"query":"dropped cup","reason":"An operator asked for it at the desk."},"operation":"memory_forget","reason":"An operator asked for it at the desk."}
        Proposal pr-7 waits for approval.
    "#]],
    );
    check(
        "forget",
        expect![[r#"
        Nothing was sent: expected a text; for example: forget dropped cup
    "#]],
    );
}

#[test]
fn m_02_why_something_was_denied() {
    check(
        "why was it denied?",
        expect![[r#"
        > list_verdicts {}
        > explain_verdict {"id":"0198bb"}
        Denied: workspace.
        - workspace: limit 1.0 m, asked 2.0904 m, over by 1.0904 m
    "#]],
    );
    check(
        "why 2",
        expect![[r#"
        > list_verdicts {}
        > explain_verdict {"id":"0197cc"}
        Denied: workspace.
        - workspace: limit 1.0 m, asked 2.0904 m, over by 1.0904 m
    "#]],
    );
    check(
        "why 0199",
        expect![[r#"
            > list_verdicts {}
            > explain_verdict {"id":"0199aa"}
            Denied: workspace.
            - workspace: limit 1.0 m, asked 2.0904 m, over by 1.0904 m
        "#]],
    );
    check(
        "why 3",
        expect![[r#"
        > list_verdicts {}
        There are 2 denials; 1 is the newest.
    "#]],
    );
    check(
        "why abc",
        expect![[r#"
            > list_verdicts {}
            0 verdicts begin with "abc"; `why 1` is the newest denial.
        "#]],
    );
}

#[test]
fn m_02_a_limit_becomes_a_card() {
    check(
        "add constraint patrol workspace x 0.1 0.9 y -50 cm 50 cm z 0 1.2",
        expect![[r#"
            > list_robots {}
            > list_missions {}
            > create_proposal {"input":{"constraint_type":"workspace","mission_id":"patrol","params_json":"{\"x\":[0.1,0.9],\"y\":[-0.5,0.5],\"z\":[0.0,1.2]}"},"operation":"register_constraint","reason":"An operator asked for it at the desk."}
            Proposal pr-7 waits for approval.
        "#]],
    );
    check(
        "add constraint dog max_velocity 50 cm/s",
        expect![[r#"
        > list_robots {}
        > list_missions {}
        > create_proposal {"input":{"constraint_type":"max_velocity","mission_id":"dog-monitor","params_json":"0.5"},"operation":"register_constraint","reason":"An operator asked for it at the desk."}
        Proposal pr-7 waits for approval.
    "#]],
    );
    check(
        "add constraint arm-1 forbidden_zone 1 1 0 radius 50 cm",
        expect![[r#"
        > list_robots {}
        > list_missions {}
        > create_proposal {"input":{"constraint_type":"forbidden_zone","params_json":"{\"center\":[1.0,1.0,0.0],\"radius\":0.5}","robot":"arm-1"},"operation":"register_constraint","reason":"An operator asked for it at the desk."}
        Proposal pr-7 waits for approval.
    "#]],
    );
    check(
        "add constraint arm-1 max_force 20 N",
        expect![[r#"
        > list_robots {}
        > list_missions {}
        > create_proposal {"input":{"constraint_type":"max_force","params_json":"20.0","robot":"arm-1"},"operation":"register_constraint","reason":"An operator asked for it at the desk."}
        Proposal pr-7 waits for approval.
    "#]],
    );
    check(
        "add constraint nobody max_force 20 N",
        expect![[r#"
            > list_robots {}
            > list_missions {}
            No mission is called "nobody". There are: patrol, patrol-south, dog-monitor. No robot is called "nobody". There are: arm-1, rover-1, rover-2.
        "#]],
    );
    check(
        "add constraint arm-1 gravity",
        expect![[r#"
        Nothing was sent: expected workspace, max_velocity, forbidden_zone or max_force; for example: add constraint patrol max_velocity 0.5 m/s
    "#]],
    );
    check(
        "add constraint arm-1 max_velocity inf",
        expect![[r#"
        Nothing was sent: "inf" is no finite number.
    "#]],
    );
}

#[test]
fn m_09_a_schedule_keeps_its_command_as_it_was_written() {
    check(
        "schedule \"move arm-1 to 0.5 0.2 1.0; then stop\" at 7:05",
        expect![[r#"
        > schedule_task {"at":"07:05","prompt":"move arm-1 to 0.5 0.2 1.0; then stop"}
        Task scheduled. It runs next at 2026-03-08T18:00:00+00:00.
    "#]],
    );
    check(
        "/schedule \"status\" every 30",
        expect![[r#"
        > schedule_task {"every_secs":1800,"prompt":"status"}
        Task scheduled. It runs next at 2026-03-08T18:00:00+00:00.
    "#]],
    );
    check(
        "schedule \"status\" every 2 h; alerts",
        expect![[r#"
        > list_alerts {}
        > schedule_task {"every_secs":7200,"prompt":"status"}
        Task scheduled. It runs next at 2026-03-08T18:00:00+00:00.
        There are no alert rules.
    "#]],
    );
    check(
        "schedule \"status\" daily 18:00",
        expect![[r#"
        > schedule_task {"cron_schedule":"0 18 * * *","prompt":"status"}
        Task scheduled. It runs next at 2026-03-08T18:00:00+00:00.
    "#]],
    );
    check(
        "schedule \"status\" cron \"0 6 * * 1-5\"",
        expect![[r#"
        > schedule_task {"cron_schedule":"0 6 * * 1-5","prompt":"status"}
        Task scheduled. It runs next at 2026-03-08T18:00:00+00:00.
    "#]],
    );
    check(
        "schedule status at 7:05",
        expect![[r#"
        Nothing was sent: expected a command in quotes; for example: schedule "status" every 30 min
    "#]],
    );
    check(
        "schedule \"status\" at 25:00",
        expect![[r#"
        Nothing was sent: expected a time as hh:mm; for example: schedule "status" every 30 min
    "#]],
    );
    check(
        "schedule \"status\" sometimes",
        expect![[r#"
        Nothing was sent: expected at, every, daily or cron; for example: schedule "status" every 30 min
    "#]],
    );
}

#[test]
fn m_07_quotes_hide_no_stop_outside_a_schedule() {
    check(
        "recall 5\" tall; stop; recall 6\" wide",
        expect![[r#"
        > stop_all {}
        > memory_search {"query":"5\" tall"}
        > memory_search {"query":"6\" wide"}
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
        2026-02-20T13:03:22.180Z sensor(cam-1): "label: \"stop all\""
        2026-02-20T13:03:22.180Z sensor(cam-1): "label: \"stop all\""
    "#]],
    );
}

#[test]
fn m_02_a_base_turns_in_place() {
    check(
        "turn rover-1 left 90",
        expect![[r#"
            > list_robots {}
            > send_command {"robot":"rover-1","actuator":"base","frame":"map","motion":{"pose_goal":{"position_m":[2.0,1.0,0.0],"orientation":[0.0,0.0,-0.707107,0.707107],"speed_mps":0.05}}}
            rover-1 accepted: base to (2.0, 1.0, 0.0) m facing -90.0 deg in map at 0.05 m/s.
        "#]],
    );
    check(
        "turn rover-1 right 1.5708 rad",
        expect![[r#"
            > list_robots {}
            > send_command {"robot":"rover-1","actuator":"base","frame":"map","motion":{"pose_goal":{"position_m":[2.0,1.0,0.0],"orientation":[0.0,0.0,0.707105,0.707108],"speed_mps":0.05}}}
            rover-1 accepted: base to (2.0, 1.0, 0.0) m facing 90.0 deg in map at 0.05 m/s.
        "#]],
    );
    check(
        "dryrun turn rover-1 right 10 deg",
        expect![[r#"
            > list_robots {}
            > check_command {"robot":"rover-1","actuator":"base","frame":"map","motion":{"pose_goal":{"position_m":[2.0,1.0,0.0],"orientation":[0.0,0.0,0.996195,0.087156],"speed_mps":0.05}}}
            rover-1 would be allowed: base to (2.0, 1.0, 0.0) m facing 170.0 deg in map at 0.05 m/s. Nothing was sent.
        "#]],
    );
    check(
        "turn arm-1 left 90",
        expect![[r#"
        > list_robots {}
        arm-1 has no base that could turn.
    "#]],
    );
    check(
        "turn rover-2 left 90",
        expect![[r#"
        > list_robots {}
        The pose of rover-2 is 900 ms old; a relative motion needs one of at most 500 ms.
    "#]],
    );
    check(
        "turn rover-1 around",
        expect![[r#"
        Nothing was sent: expected left or right; for example: turn rover-1 left 90 deg
    "#]],
    );
}

#[test]
fn m_08_a_slip_of_the_pen_gets_the_nearest_command_first() {
    let printed = converse(&["pase patrol"]);
    let first = printed.lines().nth(1).unwrap_or_default();
    assert_eq!(first, "- pause mission (for example: pause patrol)", "{printed}");
}

fn check_beside(call: SideCall, messages: Vec<RequestMessage>, expected: &str) {
    let reply = CommandModel::beside(call).reply(&request(messages));
    assert_eq!(reply.blocks, [ReplyBlock::Text(expected.to_owned())], "{call:?}");
}

#[test]
fn m_05_calls_beside_a_conversation_are_answered_without_obeying_them() {
    let said = || vec![desk("stop all")];
    check_beside(SideCall::Router, said(), "EXACT");
    check_beside(SideCall::Judge, said(), "DONE:");
    check_beside(SideCall::Flush, said(), "[]");
    let lines: Vec<String> = (0..20).map(|line| format!("{line} {}", "ä".repeat(200))).collect();
    let expected: Vec<String> =
        (8..20).map(|line| format!("{line} {}", "ä".repeat(200)).chars().take(120).collect()).collect();
    check_beside(SideCall::Summary, vec![text(Origin::System, &lines.join("\n\n"))], &expected.join("\n"));
    check_beside(SideCall::Summary, Vec::new(), "");
}

#[test]
fn m_02_limits_are_listed_of_what_exists_and_a_name_of_nothing_is_told() {
    check(
        "constraints rover",
        expect![[r#"
            > list_robots {}
            > list_missions {}
            "rover" could be rover-1, rover-2. Say which. No mission is called "rover". There are: patrol, patrol-south, dog-monitor.
        "#]],
    );
    check(
        "constraints dog",
        expect![[r#"
            > list_robots {}
            > list_missions {}
            > list_constraints {"mission_id":"dog-monitor"}
            manifest-speed, robot {"MaxVelocity":1.0}
        "#]],
    );
    check(
        "status rover-2; constraints it",
        expect![[r#"
            > safety_status {}
            > list_robots {}
            > list_constraints {"robot":"rover-2"}
            armed: 2
            latched: false
            rover-2: armed, link lost, at (4.0, 1.0, 0.0) m in map, 900 ms old
            manifest-speed, robot {"MaxVelocity":1.0}
        "#]],
    );
    check(
        "constraints it",
        expect![[r#"
            > list_robots {}
            No robot has been named yet.
        "#]],
    );
}

#[test]
fn m_02_it_is_the_robot_that_the_same_line_named_last() {
    let asked = |line: &str| {
        let said = converse(&["status arm-1", line]);
        said.lines().rfind(|line| line.starts_with("> why_idle")).map(str::to_owned)
    };
    assert_eq!(asked("status rover-2; why idle it").as_deref(), Some(r#"> why_idle {"robot":"rover-2"}"#));
    assert_eq!(asked("why idle it").as_deref(), Some(r#"> why_idle {"robot":"arm-1"}"#));
}
