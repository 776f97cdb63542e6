use agent_runner::Requester;
use robot::Now;
use runtime::session::Session;
use safety::Precondition;
use safety::approval::tier::Tier;
use serde_json::{Value, json};

use super::*;
use crate::operations::SEND_COMMAND;
use crate::proposals::make::blank;

/// A card that waits.
fn waiting() -> Entry {
    let asker = Requester::of(&Session::bootstrap(), &AgentId::new("main").unwrap());
    Entry::new(&blank(asker, Tier::Medium, "a_rule", SEND_COMMAND, Now::default()), None, 0)
}

fn broken(precondition: Precondition) -> ProposalReason {
    ProposalReason::Precondition { precondition }
}

/// A refusal whose values change while its sentence stays.
fn refused(details: Value) -> ProposalReason {
    ProposalReason::Refused { error: "too_large".into(), sentence: "It is too long.".into(), details }
}

fn check(entry: &mut Entry, reason: ProposalReason, (is_news, version): (bool, u64)) {
    assert_eq!(entry.recheck(reason.clone()), is_news, "{reason:?}");
    let card = &entry.proposal;
    assert_eq!((card.state, card.version), (ProposalState::Recheck, version), "{reason:?}");
    assert_eq!(card.state_reason.as_deref(), Some(reason.to_string().as_str()));
}

#[test]
fn a_card_that_holds_no_more_is_a_new_version_once_for_each_reason() {
    let mut entry = waiting();
    check(&mut entry, broken(Precondition::StartPose), (true, 2));
    check(&mut entry, broken(Precondition::StartPose), (false, 2));
    check(&mut entry, broken(Precondition::LinkFresh), (true, 3));
    check(&mut entry, refused(json!({ "points": 40_000 })), (true, 4));
    check(&mut entry, refused(json!({ "points": 40_001 })), (false, 4));
    entry.proposal.put(ProposalState::Waiting, None);
    check(&mut entry, refused(json!({ "points": 40_001 })), (true, 5));
}
