//! Lines that move something, or nearly.

use super::{check, converse};
use expect_test::expect;

#[test]
fn m_06_a_motion_says_what_was_filled_in() {
    check(
        "move arm-1 to 0.5 0.2 1.0",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.5,0.2,1.0],"speed_mps":0.1}}}
        arm-1 accepted: arm to (0.5, 0.2, 1.0) m in base_link at 0.1 m/s.
    "#]],
    );
    check(
        "move arm-1 to 50 cm 20 cm 100 cm in map",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"map","motion":{"pose_goal":{"position_m":[0.5,0.2,1.0],"speed_mps":0.1}}}
        arm-1 accepted: arm to (0.5, 0.2, 1.0) m in map at 0.1 m/s.
    "#]],
    );
    check(
        "move arm-1 up 5cm at 20 cm/s",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.3,0.0,0.85],"speed_mps":0.2}}}
        arm-1 accepted: arm to (0.3, 0.0, 0.85) m in base_link at 0.2 m/s.
    "#]],
    );
    check(
        "drive rover-1 forward 50 cm",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"rover-1","actuator":"base","frame":"map","motion":{"pose_goal":{"position_m":[1.5,1.0,0.0],"speed_mps":0.05}}}
        rover-1 accepted: base to (1.5, 1.0, 0.0) m in map at 0.05 m/s.
    "#]],
    );
    check(
        "grip arm-1 at 10 N",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"gripper","force_n":10.0,"motion":{"gripper":{"opening_m":0.0}}}
        arm-1 accepted: gripper closes at 10.0 N.
    "#]],
    );
    check(
        "open arm-1",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"gripper","motion":{"gripper":{"opening_m":0.08}}}
        arm-1 accepted: gripper opens to 0.08 m.
    "#]],
    );
}

#[test]
fn m_06_a_denial_names_the_limit_and_the_nearest_allowed_command() {
    check(
        "move arm-1 to 2 0 1",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[2.0,0.0,1.0],"speed_mps":0.1}}}
        arm-1 denied: arm to (2.0, 0.0, 1.0) m in base_link at 0.1 m/s.
        Denied: workspace.
        - workspace: limit 1.0 m, asked 2.0904 m, over by 1.0904 m
        Nearest allowed: move arm-1 to 0.909 0.0 1.0 in base_link at 0.1 m/s
    "#]],
    );
    check(
        "dryrun move arm-1 to 2 0 1",
        expect![[r#"
        > list_robots {}
        > check_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[2.0,0.0,1.0],"speed_mps":0.1}}}
        arm-1 would be denied: arm to (2.0, 0.0, 1.0) m in base_link at 0.1 m/s.
        Denied: workspace.
        - workspace: limit 1.0 m, asked 2.0904 m, over by 1.0904 m
        Nearest allowed: move arm-1 to 0.909 0.0 1.0 in base_link at 0.1 m/s
    "#]],
    );
    check(
        "dryrun move arm-1 to 0.5 0 1",
        expect![[r#"
        > list_robots {}
        > check_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.5,0.0,1.0],"speed_mps":0.1}}}
        arm-1 would be allowed: arm to (0.5, 0.0, 1.0) m in base_link at 0.1 m/s. Nothing was sent.
    "#]],
    );
}

#[test]
fn m_06_numbers_that_can_be_read_in_two_ways_are_refused_with_both() {
    check(
        "move rover-1 to 1,5 2",
        expect![[r#"
            Nothing was sent: 1,5 could be 1.5, or 1 5. Write a point in a number and a blank between two.
        "#]],
    );
    check(
        "move rover-1 to 1,500 2",
        expect![[r#"
        Nothing was sent: 1,500 could be 1500 or 1.500, or 1 500. Write a point in a number and a blank between two.
    "#]],
    );
    check(
        "move arm-1 to 0,5,0,2,1,0",
        expect![[r#"
        Nothing was sent: 0,5,0,2,1,0 could be 0.5 0.2 1.0, or 0 5 0 2 1 0. Write a point in a number and a blank between two.
    "#]],
    );
    check(
        "move arm-1 to 0.5 0.2 100 cm",
        expect![[r#"
        Nothing was sent: it could be 0.005 0.002 1.0 in metres, or 0.5 0.2 1.0. Give every number its unit, or none.
    "#]],
    );
    check(
        "move arm-1 to 50 cm 0.2 1",
        expect![[r#"
        Nothing was sent: it could be 0.5 0.002 0.01 in metres, or 0.5 0.2 1.0. Give every number its unit, or none.
    "#]],
    );
    check(
        "move arm-1 to (0.5, 0.2, 1.0)",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.5,0.2,1.0],"speed_mps":0.1}}}
        arm-1 accepted: arm to (0.5, 0.2, 1.0) m in base_link at 0.1 m/s.
    "#]],
    );
    check(
        "move arm-1 forward 1,5 m",
        expect![[r#"
        Nothing was sent: 1,5 could be 1.5, or 1 5. Write a point in a number and a blank between two.
    "#]],
    );
    check(
        "add constraint patrol workspace x -50 50 cm y -1 1 z 0 1,2",
        expect![[r#"
        Nothing was sent: it could be -0.5 0.5 in metres, or -50.0 0.5. Give every number its unit, or none.
    "#]],
    );
    check(
        "move arm-1 up 2 inches at 0.9 km/h",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.3,0.0,0.8508],"speed_mps":0.25}}}
        arm-1 accepted: arm to (0.3, 0.0, 0.8508) m in base_link at 0.25 m/s.
    "#]],
    );
}

#[test]
fn m_06_refuses_what_it_would_have_to_guess() {
    check(
        "move arm-1 to 1 1",
        expect![[r#"
        > list_robots {}
        arm-1 needs three coordinates: x y z.
    "#]],
    );
    check(
        "move arm-1 to 1 1 1 in moon",
        expect![[r#"
        > list_robots {}
        arm-1 has no frame moon. It has: map, base_link.
    "#]],
    );
    check(
        "grip rover-1",
        expect![[r#"
        > list_robots {}
        rover-1 has no gripper.
    "#]],
    );
    check(
        "drive rover-2 forward 1",
        expect![[r#"
        > list_robots {}
        The pose of rover-2 is 900 ms old; a relative motion needs one of at most 500 ms.
    "#]],
    );
    check(
        "drive rover-1 up 1",
        expect![[r#"
        > list_robots {}
        rover-1 moves on the floor: forward, back, left or right.
    "#]],
    );
    check(
        "move it to 1 1 1",
        expect![[r#"
        > list_robots {}
        No robot has been named yet.
    "#]],
    );
}

#[test]
fn m_07_names_are_exact_or_begin_one_id_only() {
    expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.5,0.2,1.0],"speed_mps":0.1}}}
        arm-1 accepted: arm to (0.5, 0.2, 1.0) m in base_link at 0.1 m/s.
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[2.0,0.0,1.0],"speed_mps":0.1}}}
        arm-1 denied: arm to (2.0, 0.0, 1.0) m in base_link at 0.1 m/s.
        Denied: workspace.
        - workspace: limit 1.0 m, asked 2.0904 m, over by 1.0904 m
        Nearest allowed: move arm-1 to 0.909 0.0 1.0 in base_link at 0.1 m/s
    "#]].assert_eq(&converse(&["move the arm to 0.5 0.2 1.0", "move it to 2 0 1"]));
    check(
        "move rover to 1 1",
        expect![[r#"
        > list_robots {}
        "rover" could be rover-1, rover-2. Say which.
    "#]],
    );
    check(
        "move gripper to 1 1 1",
        expect![[r#"
        > list_robots {}
        No robot is called "gripper". There are: arm-1, rover-1, rover-2.
    "#]],
    );
}

#[test]
fn m_07_if_one_command_is_wrong_none_runs_but_a_stop() {
    check(
        "status; mvoe arm-1 to 1 1 1",
        expect![[r#"
        I do not know the command "mvoe arm-1 to 1 1 1". Did you mean:
        - move|drive robot to x y [z] [in frame] [at speed] | move robot forward|back|left|right|up|down distance [at speed] (for example: move arm-1 to 0.5 0.2 1.0 at 0.2 m/s)
        - stop | stop all | stop robot (for example: stop rover-1)
        - help [command] (for example: help move)
    "#]],
    );
    check(
        "jump then stop",
        expect![[r#"
            > stop_all {}
            STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
            I do not know the command "jump". Did you mean:
            - help [command] (for example: help move)
            - turn robot left|right angle (for example: turn rover-1 left 90 deg)
            - grip robot [at force] (for example: grip arm-1 at 10 N)
        "#]],
    );
    check(
        "alerts; alerts; alerts; alerts; stop; alerts",
        expect![[r#"
        > stop_all {}
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
        Nothing was sent: a line holds at most 5 commands, this one has 6.
    "#]],
    );
    check(
        "grip arm-1; stop",
        expect![[r#"
        > stop_all {}
        > list_robots {}
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
        Not sent because of the stop in the same line: arm-1: gripper closes.
    "#]],
    );
    check(
        "move arm-1 to 0.5 0.2 1.0 then stop it",
        expect![[r#"
        > stop_robot {"robot":"arm-1"}
        > list_robots {}
        Stop sent to arm-1. Only a person can release it.
        Not sent because of the stop in the same line: arm-1: arm to (0.5, 0.2, 1.0) m in base_link at 0.1 m/s.
    "#]],
    );
    check(
        "move arm-1 up 0.1; move arm-1 up 0.1",
        expect![[r#"
        > list_robots {}
        Nothing was sent: a relative motion of arm-1 must be its first in the line.
    "#]],
    );
}

#[test]
fn m_07_what_is_no_number_is_not_sent() {
    check(
        "move arm-1 to nan 0 0",
        expect![[r#"
        Nothing was sent: "nan" is no finite number.
    "#]],
    );
    check(
        "move arm-1 to 1e999 0 0",
        expect![[r#"
        Nothing was sent: "1e999" is no finite number.
    "#]],
    );
    check(
        "move arm-1 to 1 0 0 at 5 furlongs",
        expect![[r#"
            Nothing was sent: I do not understand "furlongs"; say which robot goes where, with numbers:
            - move|drive robot to x y [z] [in frame] [at speed] | move robot forward|back|left|right|up|down distance [at speed] (for example: move arm-1 to 0.5 0.2 1.0 at 0.2 m/s)
            - turn robot left|right angle (for example: turn rover-1 left 90 deg)
        "#]],
    );
    check(
        "move arm-1 to 1kg 0 0",
        expect![[r#"
        Nothing was sent: expected x in m, cm, mm; for example: move arm-1 to 0.5 0.2 1.0 at 0.2 m/s
    "#]],
    );
    check(
        "move arm-1 to 0 0 0 0",
        expect![[r#"
            Nothing was sent: I do not understand "0"; say which robot goes where, with numbers:
            - move|drive robot to x y [z] [in frame] [at speed] | move robot forward|back|left|right|up|down distance [at speed] (for example: move arm-1 to 0.5 0.2 1.0 at 0.2 m/s)
            - turn robot left|right angle (for example: turn rover-1 left 90 deg)
        "#]],
    );
    check(
        "move arm-1 sideways",
        expect![[r#"
        Nothing was sent: expected to, forward, back, left, right, up or down; for example: move arm-1 to 0.5 0.2 1.0 at 0.2 m/s
    "#]],
    );
}
