use super::{CONVERSATIONS_MAX, Conversations};
use crate::Caps;
use robot::ConversationId;

fn session(number: usize) -> ConversationId {
    ConversationId::from(format!("s-{number}"))
}

#[test]
fn the_conversation_that_was_silent_longest_is_forgotten() {
    let (all, caps) = (Conversations::default(), Caps::interpreter("m"));
    for number in 0..CONVERSATIONS_MAX {
        all.of(&session(number), &caps);
        all.change(&session(number), |known| known.drops_blocks = true);
    }
    assert!(all.of(&session(0), &caps).drops_blocks);
    assert!(!all.of(&session(CONVERSATIONS_MAX), &caps).drops_blocks);
    assert!(all.of(&session(0), &caps).drops_blocks, "it spoke lately");
    assert!(!all.of(&session(1), &caps).drops_blocks, "it was forgotten");
}
