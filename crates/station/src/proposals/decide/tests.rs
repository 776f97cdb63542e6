use super::*;
use crate::test_support::Rig;
use fleet::stops;
use robot::Role;

const WORDS: &str = "the blue crate is heavy";

/// A card that asks for a note, and its approval by a person, not carried out yet.
async fn approved() -> (Rig, Proposal, Approval) {
    let rig = Rig::start().await;
    let wanted = json!({ "operation": "remember_note", "input": { "text": WORDS }, "reason": "please" });
    rig.by_person("create_proposal", wanted).await.unwrap();
    let (card, by) = (rig.station.proposals.list(None).remove(0), Session::bootstrap());
    let seen = CardRef { id: &card.id, version: card.version };
    let (row, presses) = rig.station.proposals.take(&rig.station, seen, by.actor(), None).unwrap();
    let record = AuditEntry::by(&by, "approval", "ok");
    let approval = Approval { row, presses, under: None, record, approver: Approver::OfCall(by) };
    (rig, card, approval)
}

async fn notes(rig: &Rig) -> String {
    rig.by_person("list_notes", json!({})).await.unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_approved_before_a_stop_is_not_carried_out_after_it() {
    let (rig, card, approval) = approved().await;
    let room = rig.station.runtime.audit.reserve().unwrap();
    stops::press_at_once(&rig.station.fleet, &Session::bootstrap(), None, None);
    let carried = carry_out(&rig.station, approval, room).await.unwrap();
    assert!(matches!(carried, Err(error) if error.code == "stopped_meanwhile"));
    let left = rig.station.proposals.list(None).remove(0);
    assert_eq!((left.id, left.state), (card.id, ProposalState::Failed));
    assert!(!notes(&rig).await.contains(WORDS));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_waited_when_a_stop_came_cannot_be_approved_before_it_is_voided_either() {
    let rig = Rig::start().await;
    let wanted = json!({ "operation": "remember_note", "input": { "text": WORDS }, "reason": "please" });
    rig.by_person("create_proposal", wanted).await.unwrap();
    let card = rig.station.proposals.list(None).remove(0);
    stops::press_at_once(&rig.station.fleet, &Session::bootstrap(), None, None);
    let seen = CardRef { id: &card.id, version: card.version };
    let approved = rig.station.proposals.approve(&rig.station, &Session::bootstrap(), seen, &card.action_hash).await;
    assert!(approved.is_err());
    assert!(!notes(&rig).await.contains(WORDS));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_approved_by_nobody_below_the_role_that_it_needs() {
    let rig = Rig::start().await;
    let proposals = &rig.station.proposals;
    let card = async |operation: &str, input: Value| {
        let wanted = json!({ "operation": operation, "input": input, "reason": "please" });
        rig.by_person("create_proposal", wanted).await.unwrap();
        proposals.list(None).remove(0)
    };
    let approve = async |role: Role, card: &Proposal| {
        let seen = CardRef { id: &card.id, version: card.version };
        let by = Session::program("kim", role);
        let approved = proposals.approve(&rig.station, &by, seen, &card.action_hash).await;
        approved.map(drop).map_err(|error| error.code.to_string())
    };
    let of_admin = card("cancel_mission", json!({ "mission_id": "carry", "reason": "it is late" })).await;
    assert_eq!(of_admin.role_needed, Role::Admin);
    assert_eq!(approve(Role::Operator, &of_admin).await, Err("forbidden".to_owned()));
    let of_operator = card("remember_note", json!({ "text": WORDS })).await;
    assert_eq!(approve(Role::Viewer, &of_operator).await, Err("forbidden".to_owned()));
    assert!(proposals.list(None).iter().all(|card| card.state == ProposalState::Waiting));
    assert_eq!(approve(Role::Operator, &of_operator).await, Ok(()));
}
