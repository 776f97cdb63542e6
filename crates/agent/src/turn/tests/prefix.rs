//! Bytes that a server with a cache has to read anew: with the world after the conversation, as here, and with the
//! world on top of the system text, as is often done.

use super::presets::language;
use super::*;
use crate::Preset;

const TURNS: usize = 20;
/// Entries of the world that change from turn to turn, 40 bytes each: about 500 tokens.
const CHANGES: usize = 50;
/// Bytes of what an agent is told about its task; with the tools a short prompt.
const SYSTEM_BYTES: usize = 6_000;
/// Bytes beside the world and the words of a turn that may be new: the frames of its messages.
const FRAME_BYTES: usize = 600;

fn world(turn: usize) -> String {
    (0..CHANGES).map(|key| format!("robot-{key:02}.pose = {:>22}\n", turn * 1_000 + key)).collect()
}

/// The parts of `request` in the order in which a model reads them, with what stands `on_top`.
fn read(request: &Request, on_top: &str) -> Vec<u8> {
    let tools = request.tools.iter().map(|tool| serde_json::to_string(tool).unwrap());
    let messages = request.messages.iter().map(|message| serde_json::to_string(&message.blocks).unwrap());
    let parts = request.system.iter().cloned().chain(tools).chain(messages);
    std::iter::once(on_top.to_owned()).chain(parts).collect::<String>().into_bytes()
}

fn common(before: &[u8], after: &[u8]) -> usize {
    before.iter().zip(after).take_while(|(a, b)| a == b).count()
}

/// The prompts of a long conversation, one request a turn. `is_on_top` puts the world in front of everything else.
fn prompts(is_on_top: bool) -> Vec<Vec<u8>> {
    let mut transcript = Transcript::default();
    let mut prompts = Vec::new();
    for number in 0..TURNS {
        let mut setup =
            TurnSetup { caps: language(), transcript, ..setup(Policy::preset(Preset::Operator), Mode::Ask) };
        setup.system.identity = "x".repeat(SYSTEM_BYTES);
        let mut turn = Turn::new(setup);
        let world = world(number);
        let (top, gathered) =
            if is_on_top { (world.as_str(), Vec::new()) } else { ("", vec![crate::testing::text(&world)]) };
        let answer = says("The robots have moved, and nothing else has changed since you asked.");
        let sent = requests(&mut turn, vec![start("go"), Input::Context(gathered), answer]);
        prompts.extend(sent.iter().map(|request| read(request, top)));
        transcript = turn.into_transcript();
    }
    prompts
}

/// The share of all bytes, from the second prompt on, that are an unchanged beginning; and the most that is new in one.
fn kept(prompts: &[Vec<u8>]) -> (f64, usize) {
    let pairs = || prompts.windows(2).map(|pair| (common(&pair[0], &pair[1]), pair[1].len()));
    let (same, all) = pairs().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (same as f64 / all as f64, pairs().map(|(same, all)| all - same).max().unwrap_or_default())
}

#[test]
fn perf_09_nine_tenths_of_a_long_conversation_are_an_unchanged_beginning() {
    let ((ours, new), (on_top, _)) = (kept(&prompts(false)), kept(&prompts(true)));
    println!(
        "P9: unchanged {:.1} %, world on top {:.1} %; new in one turn at most {new} bytes",
        ours * 1e2,
        on_top * 1e2
    );
    assert!(ours >= 0.9, "{ours}");
    assert!(on_top < 0.1, "{on_top}: the other layout keeps nothing");
    assert!(new <= world(0).len() + FRAME_BYTES, "{new} bytes are new in one turn");
}
