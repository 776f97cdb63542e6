//! Any transcript makes a legal request, and requests of an epoch only grow.

use std::collections::BTreeSet;

use llm::{Block, CallId, Request, SidecarBlock, Speaker};
use proptest::prelude::*;

use super::{form, frame, sidecar, thinking};
use crate::context::stable::first_difference;
use crate::context::view::{CallForm, Frame, NudgeWay, view};
use crate::testing::{push, text};
use crate::{Compaction, Covered, EntryKind, EpochReason, Marker, Preset, Transcript, mask_all, mask_move};

/// One thing that happens to a transcript.
#[derive(Debug, Clone)]
enum Happens {
    Says(String),
    State,
    Replies { calls: usize, answered: usize, thinks: bool },
    Hint,
    Masks,
    MasksAll,
    Compacts,
    Refuses,
    Crashes,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        4 => "[a-z]{0,20}".prop_map(Happens::Says),
        2 => Just(Happens::State),
        8 => (0..4_usize, 0..5_usize, any::<bool>())
            .prop_map(|(calls, answered, thinks)| Happens::Replies { calls, answered, thinks }),
        1 => Just(Happens::Hint),
        1 => Just(Happens::Masks),
        1 => Just(Happens::MasksAll),
        1 => Just(Happens::Compacts),
        1 => Just(Happens::Refuses),
        1 => Just(Happens::Crashes),
    ]
}

/// Appends what happens as the loop would: what edits the past begins an epoch.
fn apply(said: &mut Transcript, frame: &Frame, what: &Happens) {
    match what {
        Happens::Says(words) => {
            push(said, EntryKind::User, vec![text(words)]);
        }
        Happens::State => {
            push(said, EntryKind::Volatile, vec![text("world")]);
        }
        Happens::Replies { calls, answered, thinks } => reply(said, *calls, *answered, *thinks),
        Happens::Hint => {
            push(said, EntryKind::Nudge, vec![text("[Hint]")]);
        }
        Happens::Masks => {
            if let Some(moved) = mask_move(said, &frame.policy, &BTreeSet::new()) {
                edit(said, EpochReason::MaskMoved, EntryKind::Marker(moved.marker), Vec::new());
            }
        }
        Happens::MasksAll => {
            if let Some(moved) = mask_all(said, &frame.policy, &BTreeSet::new()) {
                edit(said, EpochReason::MaskMoved, EntryKind::Marker(moved.marker), Vec::new());
            }
        }
        Happens::Compacts => {
            if let Some(plan) = Compaction::plan(said, &frame.policy, 1_000, 0) {
                let Covered { from, to } = plan.covered;
                assert!(from < to);
                let kind = EntryKind::Summary(plan.covered);
                edit(said, EpochReason::Compaction, kind, plan.summary(None));
            }
        }
        Happens::Refuses => {
            let from = said.entries().iter().rfind(|entry| entry.kind == EntryKind::User).map(|entry| entry.id);
            if let Some(from) = from {
                let marker = Marker::Refused { from, partial: String::new() };
                edit(said, EpochReason::RefusedLeftOut, EntryKind::Marker(marker), Vec::new());
            }
        }
        Happens::Crashes => {
            // Some designs say so in the system text, which is another one then.
            edit(said, EpochReason::SystemChanged, EntryKind::Marker(Marker::Resumed), Vec::new());
        }
    }
}

fn edit(said: &mut Transcript, reason: EpochReason, kind: EntryKind, blocks: Vec<Block>) {
    said.push(said.next_epoch(0, reason));
    push(said, kind, blocks);
}

fn reply(said: &mut Transcript, calls: usize, answered: usize, thinks: bool) {
    let id = said.next_id();
    let ids: Vec<CallId> = (0..calls).map(|number| CallId(format!("c{id}-{number}"))).collect();
    let call = |id: &CallId| Block::Call { id: id.clone(), name: "look".into(), args_raw: "{}".into() };
    let blocks = std::iter::once(text("hm")).chain(ids.iter().map(call)).collect();
    push(said, EntryKind::Assistant, blocks);
    let mut entries = said.entries().to_vec();
    if let Some(entry) = entries.last_mut().filter(|_| thinks) {
        let theirs = ids.iter().map(|id| {
            let id = CallId(format!("theirs-{id}"));
            SidecarBlock::Call { id, name: "look".into(), args_raw: "{}".into(), sig: None }
        });
        entry.sidecar = Some(sidecar(std::iter::once(thinking("hm")).chain(theirs).collect()));
    }
    *said = Transcript::default();
    entries.into_iter().for_each(|entry| said.push(entry));
    for id in ids.iter().take(answered) {
        push(
            said,
            EntryKind::ToolResult,
            vec![crate::testing::result(&id.0, &format!("{{\"x\":\"{}\"}}", "y".repeat(200)))],
        );
    }
}

/// Every call has exactly one result, right after it, and no result stands alone.
fn is_legal(request: &Request) -> Result<(), String> {
    let mut open: Vec<CallId> = Vec::new();
    for message in &request.messages {
        let results: Vec<&CallId> = message.blocks.iter().filter_map(result_of).collect();
        if results.is_empty() && !open.is_empty() {
            return Err(format!("{open:?} have no result"));
        }
        for result in results {
            if open.is_empty() || open.remove(0) != *result {
                return Err(format!("{result} answers nothing"));
            }
        }
        if message.speaker == Speaker::Assistant {
            open = message.blocks.iter().filter_map(call_of).cloned().collect();
        }
        if message.blocks.is_empty() && message.sidecar.is_none() {
            return Err("a message without content".to_owned());
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} have no result")) }
}

fn call_of(block: &Block) -> Option<&CallId> {
    match block {
        Block::Call { id, .. } => Some(id),
        Block::Text { .. } | Block::Result { .. } => None,
    }
}

fn result_of(block: &Block) -> Option<&CallId> {
    match block {
        Block::Result { call, .. } => Some(call),
        Block::Text { .. } | Block::Call { .. } => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn i_01_i_07_i_08_any_transcript_makes_a_legal_request(steps in prop::collection::vec(happens(), 0..30), preset in 0..5_usize, foreign: bool) {
        let mut frame = frame(Preset::ALL[preset]);
        if foreign {
            frame.caps.provider = "other".into();
        }
        let mut said = Transcript::default();
        for step in &steps {
            apply(&mut said, &frame, step);
            let request = view(&said, &frame, &form());
            prop_assert_eq!(is_legal(&request), Ok(()), "{:?}", steps);
            prop_assert!(!foreign || request.messages.iter().all(|message| message.sidecar.is_none()));
        }
        let lines: String = said.entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        let loaded = Transcript::load(&lines).transcript;
        prop_assert_eq!(view(&loaded, &frame, &form()), view(&said, &frame, &form()));
    }

    /// A request is made after each reply has its results and after each message of a person, as the loop makes them.
    #[test]
    fn i_02_e_02_i_03_i_06_requests_of_an_epoch_only_grow(steps in prop::collection::vec(happens(), 0..30), preset in 0..5_usize) {
        let frame = frame(Preset::ALL[preset]);
        // State in the system text is its own reason for a new epoch.
        prop_assume!(frame.policy.volatile != crate::VolatilePlace::System);
        let mut said = Transcript::default();
        let mut before: Option<Request> = None;
        let mut is_waiting = false;
        for step in steps {
            let step = match step.clone() {
                // Results and hints follow a reply; state follows what it was gathered for.
                Happens::Replies { calls, thinks, .. } => Happens::Replies { calls, answered: calls, thinks },
                Happens::State | Happens::Hint if !is_waiting => Happens::Says("go".into()),
                Happens::Says(_)
                | Happens::State
                | Happens::Hint
                | Happens::Masks
                | Happens::MasksAll
                | Happens::Compacts
                | Happens::Refuses
                | Happens::Crashes => step,
            };
            is_waiting = matches!(step, Happens::Says(_));
            apply(&mut said, &frame, &step);
            if is_waiting {
                continue;
            }
            // Hints that stay are entries; others are the tail of this request only.
            let way = NudgeWay::of(&frame.policy, &frame.caps);
            let nudges = if way.is_kept() { Vec::new() } else { vec!["[Budget]".to_owned()] };
            let request = view(&said, &frame, &CallForm { nudges, ..form() });
            if let Some(before) = &before {
                prop_assert_eq!(first_difference(before, &request), None, "{:?}", said);
                prop_assert_eq!(&before.tools, &request.tools);
            }
            let tail = request.transient_from.map_or(0, |from| request.messages.len() - from);
            prop_assert_eq!(tail, usize::from(!way.is_kept()));
            prop_assert!(!said.entries().iter().any(|entry| entry.blocks.contains(&text("[Budget]"))));
            before = Some(request);
        }
    }
}
