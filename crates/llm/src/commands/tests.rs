//! Conversations with a station made of fixed answers. A line with `>` is a call, the rest is what the operator reads.

use super::*;
use crate::{Block, MarkWish, ModelKind, RequestMessage, Speaker, ThinkingWish};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use robot::{ConversationId, Origin, Trust};
use serde_json::json;
use station::station;

mod beliefs;
mod drafts;
mod motions;
mod phrasings;
mod station;
mod tasks;

/// More calls than any line needs.
const CALLS_MAX: usize = 8;

fn message(speaker: Speaker, origin: Origin, blocks: Vec<Block>) -> RequestMessage {
    RequestMessage { speaker, origin, entry: None, blocks, sidecar: None }
}

fn text(origin: Origin, text: &str) -> RequestMessage {
    let block = Block::Text { text: text.into(), trust: Trust::Text };
    message(Speaker::User, origin, vec![block])
}

fn desk(words: &str) -> RequestMessage {
    text(Origin::Operator("dana".into()), &format!("[Desk (@dana, Operator) 2026-03-08 17:15 UTC] {words}"))
}

fn request(messages: Vec<RequestMessage>) -> Request {
    Request {
        session: ConversationId::from("s-1"),
        epoch: 0,
        system: Vec::new(),
        tools: std::sync::Arc::new([]),
        messages,
        choice: ToolChoice::Auto,
        output_max: 4096,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}

/// Says `lines` one after the other and plays each to its answer.
fn converse(lines: &[&str]) -> String {
    let model = CommandModel::default();
    let (mut messages, mut printed) = (Vec::new(), String::new());
    for line in lines {
        messages.push(desk(line));
        for _ in 0..CALLS_MAX {
            let reply = model.reply(&request(messages.clone()));
            let mut results = Vec::new();
            let mut blocks = Vec::new();
            for block in reply.blocks {
                match block {
                    ReplyBlock::Text(text) => printed += &format!("{text}\n"),
                    ReplyBlock::Call { id, name, args_raw } => {
                        printed += &format!("> {name} {args_raw}\n");
                        let (json, is_error) = station(&name, &serde_json::from_str(&args_raw).unwrap());
                        let result =
                            Block::Result { call: id.clone(), json: json.to_string(), is_error, trust: Trust::Trusted };
                        let origin = Origin::Tool(name.clone());
                        results.push(message(Speaker::User, origin, vec![result]));
                        blocks.push(Block::Call { id, name, args_raw });
                    }
                }
            }
            if blocks.is_empty() {
                break;
            }
            messages.push(message(Speaker::Assistant, Origin::Agent, blocks));
            messages.extend(results);
        }
    }
    printed
}

fn check(line: &str, expected: Expect) {
    expected.assert_eq(&converse(&[line]));
}

#[test]
fn m_01_it_says_that_it_is_no_language_model() {
    let model = CommandModel::default();
    assert_eq!((model.caps().kind, model.caps().name.as_str()), (ModelKind::Interpreter, "quarterdeck-commands"));
    assert_eq!(crate::cost_micros(model.caps(), &Usage::default()), Some(0));
}

#[test]
fn m_02_a_command_that_names_a_robot_first_lists_the_robots() {
    check(
        "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"arm-1","actuator":"arm","frame":"base_link","motion":{"pose_goal":{"position_m":[0.5,0.2,1.0],"speed_mps":0.2}}}
        arm-1 accepted: arm to (0.5, 0.2, 1.0) m in base_link at 0.2 m/s.
    "#]],
    );
    check(
        "drive rover-1 to 1.5 1",
        expect![[r#"
        > list_robots {}
        > send_command {"robot":"rover-1","actuator":"base","frame":"map","motion":{"pose_goal":{"position_m":[1.5,1.0,0.0],"speed_mps":0.05}}}
        rover-1 accepted: base to (1.5, 1.0, 0.0) m in map at 0.05 m/s.
    "#]],
    );
    check(
        "status rover",
        expect![[r#"
        > safety_status {}
        > list_robots {}
        "rover" could be rover-1, rover-2. Say which.
    "#]],
    );
    check(
        "Status arm-1.",
        expect![[r#"
        > safety_status {}
        > list_robots {}
        armed: 2
        latched: false
        arm-1: armed, link live, at (0.3, 0.0, 0.8) m in base_link, 60 ms old
    "#]],
    );
}

#[test]
fn m_02_stop_lists_nothing_and_is_understood_in_every_form() {
    check(
        "Stop!",
        expect![[r#"
        > stop_all {}
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
    "#]],
    );
    check(
        "please STOP ALL",
        expect![[r#"
        > stop_all {}
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
    "#]],
    );
    check(
        "stop arm-1",
        expect![[r#"
        > stop_robot {"robot":"arm-1"}
        Stop sent to arm-1. Only a person can release it.
    "#]],
    );
    check(
        "stop Herbert",
        expect![[r#"
        > stop_robot {"robot":"herbert"}
        > stop_all {}
        herbert could not be stopped by name (no such robot), so all robots were told to stop.
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
    "#]],
    );
    check(
        "/stop right now",
        expect![[r#"
        > stop_all {}
        STOP ALL sent to 4 robots: arm-1, gate-1, rover-1, rover-2. Only a person can release it.
    "#]],
    );
}

#[test]
fn m_03_only_an_operator_is_obeyed() {
    let model = CommandModel::default();
    let check = |message: RequestMessage| {
        let reply = model.reply(&request(vec![message.clone()]));
        assert!(matches!(reply.blocks.as_slice(), [ReplyBlock::Text(_)]), "{message:?} gave {reply:?}");
    };
    for words in ["stop all", "move arm-1 to 0.5 0.2 1.0"] {
        check(text(Origin::Sensor("camera.label".into()), words));
        check(text(Origin::Tool("read_output".into()), words));
        check(text(Origin::Room("north".into()), words));
        check(text(Origin::System, words));
        check(text(Origin::Agent, words));
    }
}

#[test]
fn m_03_c_01_words_of_a_room_are_answered_and_carried_out_by_nobody() {
    let messages = vec![desk("status"), text(Origin::Room("dana@north".into()), "stop all; move arm-1 to 0.5 0.2 1.0")];
    let reply = CommandModel::default().reply(&request(messages));
    assert_eq!(reply.blocks, [ReplyBlock::Text(answer::OF_A_ROOM.into())]);
}

#[test]
fn m_03_a_late_decision_is_named_and_calls_nothing_again() {
    let event = json!({ "trigger": "decision", "proposal": "pr-1", "operation": "send_command", "state": "rejected" });
    let messages = vec![desk("move arm-1 to 0.5 0.2 1.0"), text(Origin::System, &event.to_string())];
    let reply = CommandModel::default().reply(&request(messages));
    let expected = "decision pr-1: rejected. No language model is configured, so nothing follows from it.";
    assert_eq!(reply.blocks, [ReplyBlock::Text(expected.into())]);
}

#[test]
fn m_03_an_alert_is_reported_and_nothing_is_called() {
    let event = json!({"trigger": "alert", "alert": "al-1", "predicate": "person.location == \"hallway\"",
        "values": ["person.location = \"stop all\" (confidence: 0.92, age: 0s)"]});
    let reply = CommandModel::default().reply(&request(vec![desk("stop"), text(Origin::System, &event.to_string())]));
    expect![[r#"
        [
            Text(
                "Alert: person.location == \"hallway\"\nperson.location = \"stop all\" (confidence: 0.92, age: 0s)\nNothing was done: no language model is configured.",
            ),
        ]
    "#]].assert_debug_eq(&reply.blocks);
}

#[test]
fn m_08_unknown_input_gets_the_three_nearest_commands() {
    check(
        "mision",
        expect![[r#"
            I do not know the command "mision". Did you mean:
            - missions [state] (for example: missions active)
            - stop | stop all | stop robot (for example: stop rover-1)
            - resume mission (for example: resume patrol)
        "#]],
    );
    check(
        "what do you sea",
        expect![[r#"
            I do not know the command "what do you sea". Did you mean:
            - why was it denied | why number (for example: why 2)
            - help [command] (for example: help move)
            - status [robot] (for example: status arm-1)
        "#]],
    );
}

#[test]
fn lists_show_twenty_rows_and_count_the_rest() {
    check(
        "what can you see?",
        expect![[r#"
        > list_world_state {"limit":100}
        person.location = "hallway" (0.92, 3 s old)
        oven.temperature = 182.5 degC (confidence unknown, 95 s old, stale)
        and 7 more
    "#]],
    );
    check(
        "world person.",
        expect![[r#"
        > list_world_state {"limit":100,"prefix":"person"}
        person.location = "hallway" (0.92, 3 s old)
        oven.temperature = 182.5 degC (confidence unknown, 95 s old, stale)
        and 7 more
    "#]],
    );
    check(
        "missions active; alerts; proposals",
        expect![[r#"
            > list_missions {"status":"active"}
            > list_alerts {}
            > list_proposals {}
            patrol, Patrol, active
            patrol-south, Patrol, paused
            dog-monitor, Dog, active
            There are no alert rules.
            Nothing is waiting for a decision.
        "#]],
    );
    check(
        "constraints arm-1",
        expect![[r#"
        > list_robots {}
        > list_constraints {"robot":"arm-1"}
        manifest-speed, robot {"MaxVelocity":1.0}
    "#]],
    );
    check(
        "constraints patrol",
        expect![[r#"
        > list_robots {}
        > list_missions {}
        > list_constraints {"mission_id":"patrol"}
        manifest-speed, robot {"MaxVelocity":1.0}
    "#]],
    );
}

#[test]
fn what_only_a_person_can_do_is_said_and_not_called() {
    check(
        "approve 3",
        expect![[r#"
        Only a person can approve: press Approve on the card in Approvals.
    "#]],
    );
    check(
        "release stop; arm arm-1; mode assist; reject 3",
        expect![[r#"
        Only a person can release a stop: press Release in the stop panel, after looking at the robots.
        Only a person can arm a robot: press Arm on its tile in the Overview.
        Only a person can set the agent's mode: choose it at the top of the agent dock.
        Only a person can reject: press Reject on the card in Approvals.
    "#]],
    );
}

#[test]
fn help_lists_every_row_with_its_example() {
    check(
        "help grip",
        expect![[r#"
        grip robot [at force]
        For example: grip arm-1 at 10 N
    "#]],
    );
    let help = converse(&["help"]);
    for row in grammar::ROWS {
        assert!(help.contains(row.usage), "{} is not in help", row.usage);
        assert!(grammar::parse_line(row.example).iter().all(Result::is_ok), "{} does not parse", row.example);
    }
}

#[test]
fn m_06_every_call_is_of_a_listed_operation() {
    for row in grammar::ROWS {
        for line in converse(&[row.example]).lines() {
            let Some(call) = line.strip_prefix("> ") else { continue };
            let name = call.split(' ').next().unwrap();
            assert!(CommandModel::OPERATIONS.contains(&name), "{name} is not listed");
        }
    }
}

#[test]
fn a_final_call_gets_words() {
    let request = Request { choice: ToolChoice::None, ..request(vec![desk("status")]) };
    assert!(matches!(CommandModel::default().reply(&request).blocks.as_slice(), [ReplyBlock::Text(_)]));
}

#[test]
fn a_final_call_still_stops() {
    for line in ["stop", "stop arm-1; status"] {
        let request = Request { choice: ToolChoice::None, ..request(vec![desk(line)]) };
        let reply = CommandModel::default().reply(&request);
        let [ReplyBlock::Call { name, .. }] = reply.blocks.as_slice() else { panic!("{line}: {reply:?}") };
        assert!(name.starts_with("stop_"), "{line}: {name}");
    }
}

fn line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("move"),
        Just("stop"),
        Just("arm-1"),
        Just("it"),
        Just("to"),
        Just("0.5"),
        Just("nan"),
        Just("m/s"),
        Just("at"),
        Just(";"),
        Just("then"),
        Just("the"),
        Just("world"),
        Just("forward"),
        Just("cm"),
        Just("1e400"),
    ];
    prop_oneof![prop::collection::vec(word, 0..14).prop_map(|words| words.join(" ")), "\\PC{0,60}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn m_04_the_same_words_get_the_same_answer_and_every_line_gets_one(line in line()) {
        let printed = converse(&[&line]);
        prop_assert_eq!(&printed, &converse(&[&line]));
        prop_assert!(printed.lines().last().is_some_and(|last| !last.starts_with("> ")), "{}", printed);
    }

    #[test]
    fn i_20_no_call_is_made_from_text_that_is_no_operators(line in line(), before in line()) {
        let model = CommandModel::default();
        for origin in [Origin::Sensor("k".into()), Origin::Tool("t".into()), Origin::Room("r".into()), Origin::System, Origin::Agent] {
            let reply = model.reply(&request(vec![text(origin.clone(), &before), text(origin, &line)]));
            prop_assert!(reply.blocks.iter().all(|block| matches!(block, ReplyBlock::Text(_))));
        }
    }

    #[test]
    fn a_line_with_a_stop_in_it_stops_before_anything_else(before in line(), after in line()) {
        let printed = converse(&[&format!("{before}; stop; {after}")]);
        let first = printed.lines().next().unwrap_or_default();
        prop_assert!(first.starts_with("> stop_"), "{}", printed);
        prop_assert!(!printed.contains("> send_command"), "{}", printed);
    }
}

#[test]
fn m_09_a_text_is_checked_without_being_carried_out() {
    assert_eq!(CommandModel::check("status; move arm-1 to 0.5 0.2 1.0 at 0.2 m/s"), Ok(()));
    assert_eq!(CommandModel::check(" ; "), Err(answer::NOTHING_SAID.to_owned()));
    let complaint = CommandModel::check("status; summarise the night").unwrap_err();
    assert!(complaint.starts_with("I do not know the command \"summarise the night\""), "{complaint}");
}
