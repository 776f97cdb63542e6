use serde_json::json;

use super::*;
use crate::test_support::Rig;

/// A card that asks for a note.
async fn card(rig: &Rig) -> Proposal {
    let wanted = json!({ "operation": "remember_note", "input": { "text": "the crate is heavy" }, "reason": "please" });
    rig.by_person("create_proposal", wanted).await.unwrap();
    rig.station.proposals.list(None).remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_waits_until_whoever_asked_takes_it_back_and_one_that_was_decided_stays_as_it_is() {
    let rig = Rig::start().await;
    let (station, proposals) = (&rig.station, &rig.station.proposals);
    assert!(proposals.none_open());
    let waiting = card(&rig).await;
    assert!(!proposals.none_open());
    proposals.withdraw(station, &waiting.id, &ProposalReason::JobCancelled);
    let withdrawn = proposals.list(None).remove(0);
    assert_eq!((&withdrawn.id, withdrawn.state), (&waiting.id, ProposalState::Voided));
    assert_eq!((withdrawn.state_reason_kind, withdrawn.decided_by), (Some(ProposalReason::JobCancelled), None));
    assert!(proposals.none_open());

    let decided = card(&rig).await;
    let no = json!({ "id": decided.id, "version": decided.version, "reason": "not_now" });
    rig.by_person("reject_proposal", no).await.unwrap();
    proposals.withdraw(station, &decided.id, &ProposalReason::JobCancelled);
    assert_eq!(proposals.list(None)[0].state, ProposalState::Rejected);
}
