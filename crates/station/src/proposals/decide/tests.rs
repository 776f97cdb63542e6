use super::*;
use crate::proposals::standing::Covering;
use crate::test_support::Rig;
use fleet::stops;
use robot::Role;

const WORDS: &str = "the blue crate is heavy";

/// A card that asks for a note.
async fn asked() -> (Rig, Proposal) {
    let rig = Rig::start().await;
    let wanted = json!({ "operation": "remember_note", "input": { "text": WORDS }, "reason": "please" });
    rig.by_person("create_proposal", wanted).await.unwrap();
    let card = rig.station.proposals.list(None).remove(0);
    (rig, card)
}

/// The same, and its approval by a person, not carried out yet.
async fn approved() -> (Rig, Proposal, Approval) {
    let ((rig, card), by) = (asked().await, Session::bootstrap());
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
    let (rig, card) = asked().await;
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

/// A standing approval that holds in memory alone.
fn over_on_disk() -> Beforehand {
    Beforehand::Standing(Covering { id: "sa-over".into(), granted_by: "dana".into(), session: None })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_standing_approval_is_over_on_disk_waits_as_if_nothing_had_covered_it_and_can_be_approved() {
    let (rig, card) = asked().await;
    let proposals = &rig.station.proposals;
    assert!(!proposals.approve_under(&rig.station, &card.id, over_on_disk()).await);
    let again = proposals.list(None).remove(0);
    assert_eq!((&again.id, again.state, again.version), (&card.id, ProposalState::Waiting, card.version));
    assert_eq!((again.decided_by, again.standing_approval), (None, None));
    assert!(!notes(&rig).await.contains(WORDS));
    let seen = CardRef { id: &card.id, version: card.version };
    proposals.approve(&rig.station, &Session::bootstrap(), seen, &card.action_hash).await.unwrap();
    while [ProposalState::Approved, ProposalState::Dispatched].contains(&proposals.list(None)[0].state) {
        tokio::task::yield_now().await;
    }
    assert!(notes(&rig).await.contains(WORDS));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_beforehand_covers_no_card_once_a_stop_has_come() {
    let (rig, card) = asked().await;
    stops::press_at_once(&rig.station.fleet, &Session::bootstrap(), None, None);
    assert!(!rig.station.proposals.approve_under(&rig.station, &card.id, over_on_disk()).await);
    assert_ne!(rig.station.proposals.list(None)[0].state, ProposalState::Approved);
    assert!(rig.station.runtime.db.approvals(1).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_standing_approval_a_stop_has_ended_is_void_as_everything_that_waited() {
    let (rig, card) = asked().await;
    let (station, by) = (&rig.station, Session::bootstrap());
    let seen = CardRef { id: &card.id, version: card.version };
    let (row, presses) = station.proposals.take(station, seen, "dana", Some("sa-over")).unwrap();
    let record = AuditEntry::by(&by, "approval", "ok");
    let approval = Approval { row, presses, under: Some(over_on_disk()), record, approver: Approver::OfMotion(None) };
    // Everything that waits is void when this returns.
    let stop_id = stops::press(&station.fleet, &by, None, None).await.stop_id;
    let room = station.runtime.audit.reserve().unwrap();
    assert!(matches!(carry_out(station, approval, room).await.unwrap(), Ok(Carried::NoLeave)));
    let voided = station.proposals.list(None).remove(0);
    assert_eq!((voided.state, voided.decided_by), (ProposalState::Voided, None));
    assert_eq!(voided.state_reason_kind, Some(ProposalReason::Stopped { stop_id }));
}
