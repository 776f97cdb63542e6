use super::{Place, Spot, place};
use crate::TransientMark;
use crate::wire::{BlockKey, Marks};

/// A conversation in letters, one merged message a word: `u` words or results, `m` words or calls of the model, `t`
/// thinking, `e` a nudge that is gone after this call. A block's key is its number among the blocks that stay.
fn messages(conversation: &str) -> Vec<Vec<Spot>> {
    let mut entry = 0..;
    let spot = |letter: char, entry: u64| Spot {
        key: (letter != 'e').then_some(BlockKey { entry, block: 0 }),
        eligible: letter != 't',
        transient: letter == 'e',
    };
    let mut message = |word: &str| -> Vec<Spot> {
        word.chars().map(|letter| spot(letter, if letter == 'e' { 0 } else { entry.next().unwrap_or(0) })).collect()
    };
    conversation.split(' ').filter(|word| !word.is_empty()).map(&mut message).collect()
}

struct Conversation {
    transient: TransientMark,
    marks: Marks,
}

impl Conversation {
    fn new(transient: TransientMark) -> Self {
        Self { transient, marks: Marks { epoch: 1, prev: None } }
    }

    /// One call in `epoch`: where its marks must stand, and on which block (by number) the newest is remembered.
    fn call(&mut self, epoch: u32, conversation: &str, expected: &[Place], prev: Option<u64>) {
        let placed = place(&messages(conversation), self.transient, epoch, &self.marks);
        assert_eq!(placed.places, expected, "{conversation}");
        assert_eq!(placed.marks.prev.map(|key| key.entry), prev, "{conversation}");
        assert_eq!(placed.marks.epoch, epoch, "{conversation}");
        self.marks = placed.marks;
    }
}

#[test]
fn wb_03_the_table_of_second_to_last() {
    let mut calls = Conversation::new(TransientMark::SecondToLast);
    calls.call(1, "u", &[(0, 0)], Some(0));
    calls.call(1, "u m u", &[(0, 0), (2, 0)], Some(2));
    calls.call(1, "u m u m ue", &[(2, 0), (3, 0)], Some(3));
    calls.call(1, "u m u m u m ue", &[(3, 0), (5, 0)], Some(5));
    calls.call(1, "u m u m u m u m u", &[(5, 0), (8, 0)], Some(8));
}

#[test]
fn wb_04_the_table_of_before_transient() {
    let mut calls = Conversation::new(TransientMark::BeforeTransient);
    calls.call(1, "u", &[(0, 0)], Some(0));
    calls.call(1, "u m u", &[(0, 0), (2, 0)], Some(2));
    calls.call(1, "u m u m ue", &[(2, 0), (4, 0)], Some(4));
    calls.call(1, "u m u m u m ue", &[(4, 0), (6, 0)], Some(6));
    calls.call(1, "u m u m u m u m u", &[(6, 0), (8, 0)], Some(8));
}

#[test]
fn wb_03_a_nudge_merged_into_the_marked_message_hits_the_same_block() {
    let mut calls = Conversation::new(TransientMark::SecondToLast);
    calls.call(1, "u m u", &[(2, 0)], Some(2));
    calls.call(1, "u m ue", &[(2, 0)], Some(2));
    calls.call(1, "u m u m u", &[(2, 0), (4, 0)], Some(4));
}

#[test]
fn wb_03_a_nudge_on_an_empty_history_has_no_marks() {
    let mut calls = Conversation::new(TransientMark::SecondToLast);
    calls.call(1, "ue", &[], None);
    calls.call(1, "u", &[(0, 0)], Some(0));
    calls.call(1, "ue", &[], Some(0));
    let mut calls = Conversation::new(TransientMark::BeforeTransient);
    calls.call(1, "e", &[], None);
    calls.call(1, "ue", &[(0, 0)], Some(0));
}

#[test]
fn wb_06_what_was_marked_is_forgotten_with_its_epoch_or_its_block() {
    let mut calls = Conversation::new(TransientMark::BeforeTransient);
    calls.call(1, "u m u", &[(2, 0)], Some(2));
    calls.call(2, "u m u", &[(2, 0)], Some(2));
    calls.call(2, "u m u m u", &[(2, 0), (4, 0)], Some(4));
    calls.call(2, "u", &[(0, 0)], Some(0));
}

#[test]
fn wb_06_the_same_request_again_has_one_mark() {
    let mut calls = Conversation::new(TransientMark::BeforeTransient);
    calls.call(1, "u m u", &[(2, 0)], Some(2));
    calls.call(1, "u m u", &[(2, 0)], Some(2));
}

#[test]
fn wb_06_thinking_bears_no_mark_so_the_nearest_block_before_it_does() {
    let mut calls = Conversation::new(TransientMark::SecondToLast);
    calls.call(1, "u mt", &[(1, 0)], Some(1));
    calls.call(1, "u tt", &[(0, 0)], Some(0));
    calls.call(1, "t", &[], None);
    calls.call(1, "u mt u e", &[(2, 0)], Some(3));
}

#[test]
fn wb_01_wb_02_the_newest_block_of_a_merged_message_bears_the_mark() {
    let mut calls = Conversation::new(TransientMark::BeforeTransient);
    calls.call(1, "uuu", &[(0, 2)], Some(2));
    calls.call(1, "uuu mm uu", &[(0, 2), (2, 1)], Some(6));
}
