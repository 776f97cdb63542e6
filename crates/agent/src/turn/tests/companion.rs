//! The companion: its context of the moment, and its calls.

use super::presets::language;
use super::*;
use crate::Preset;

fn companion() -> TurnSetup {
    TurnSetup { caps: language(), ..setup(Policy::preset(Preset::Companion), Mode::Assist) }
}

fn state(body: &str) -> Input {
    Input::Context(vec![crate::testing::text(body)])
}

#[test]
fn b_09_the_state_of_the_moment_stands_in_each_users_message_and_nowhere_else() {
    let asks = "please open line 4 of the readme";
    let mut turn = Turn::new(companion());
    let first = requests(&mut turn, vec![start(asks), state("[Body] tired"), says("It is a title."), done("-", "{}")]);
    let mut next = Turn::new(TurnSetup { transcript: turn.into_transcript(), ..companion() });
    let second = requests(&mut next, vec![start(asks), state("[Body] rested")]);
    let users = |request: &Request| -> Vec<String> {
        let users = request.messages.iter().filter(|message| matches!(message.origin, Origin::Operator(_)));
        users.map(|message| print_blocks(&message.blocks)).collect()
    };
    let asked = "[Desk (@dana, Operator) 2026-03-08 17:15 UTC] please open line 4 of the readme";
    let tired = format!("[Turn context] | [Body] tired | {asked}");
    assert_eq!(users(&first[0]).join("\n"), tired);
    assert_eq!(users(&second[0]), [tired, format!("[Turn context] | [Body] rested | {asked}")]);
    assert!(first[0].system.iter().chain(&second[0].system).all(|text| !text.contains("[Body]")));
    assert_eq!(first[0].system, second[0].system, "a state that changes changes no system text");
}

fn print_blocks(blocks: &[Block]) -> String {
    let texts = blocks.iter().map(|block| match block {
        Block::Text { text, .. } => text.as_str(),
        Block::Call { .. } | Block::Result { .. } => "not text",
    });
    texts.collect::<Vec<_>>().join(" | ")
}

#[test]
fn b_11_every_call_goes_through_the_registry_and_has_its_result() {
    let reply = calls(&[
        ("a", "list_robots", "{}"),
        ("b", "no_such_tool", "{}"),
        ("c", "remember_note", "{}"),
        ("d", "remember_note", r#"{"text":"x"}"#),
        ("e", "think", r#"{"text":"hm"}"#),
    ]);
    let mut turn = Turn::new(companion());
    turn.step(start("please open line 4 of the readme"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    expect![[r#"
        Append 1; Emit CallEnded b error 0 ms; Emit CallEnded c error 0 ms; Emit CallStarted a; Emit CallStarted d; Emit CallEnded e 0 ms; Run a d; Wake 30010
        Emit CallEnded d 10 ms
        Append 2; Append 3; Append 4; Append 5; Append 6; Emit CallEnded a 20 ms; Emit Nudge [Tools] The results are above.; Append 7; Call
        a = {}
        b = {"code":"unknown_tool","message":"there is no tool \"no_such_tool\"; nearest: stop_all, stop_robot, end_turn"}
        c = {"code":"invalid_arguments","message":"text: missing"}
        d = {}
        e = {}
    "#]].assert_eq(&play(&mut turn, vec![(10, reply), (20, done("d", "{}")), (30, done("a", "{}"))]));
}
