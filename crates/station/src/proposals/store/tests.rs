use super::*;
use runtime::wire::ProposalState::{self, *};

/// A proposal as a version kept it that knew no codes of reasons.
fn left(stored: ProposalState, state_reason: Option<&str>) -> Proposal {
    serde_json::from_value(serde_json::json!({
        "id": "pr-1", "version": 1, "action_hash": "00", "tier": "high", "tier_rule": "irreversible",
        "role_needed": "operator", "agent": "main", "robot": "arm-1", "mission": null, "turn": null,
        "operation": "send_command", "group": "g", "input": {}, "sentence": "", "reason": "", "facts": [],
        "preconditions": [], "verdict_id": null, "set_version": 1, "lease_epoch": 1, "snapshot_seq": 1,
        "start_pose": null, "verdict": null, "explanation": [], "preview": null, "diff_from_last": null,
        "created_at": 0, "expires_at": 60, "expires_mono_ms": 0, "state": stored, "state_reason": state_reason,
        "steps": [], "decided_by": null, "standing_approval": null,
    }))
    .unwrap()
}

fn check(stored: ProposalState, approval: Option<ApprovalState>, expected: ProposalState) {
    let mut proposal = left(stored, None);
    settle(&mut proposal, approval);
    assert_eq!(proposal.state, expected, "{stored:?} {approval:?}");
}

#[test]
fn what_was_claimed_is_unknown_and_what_waited_is_over() {
    let of_both = [Waiting, Recheck, Approved, Dispatched, Received, Running, Done, Failed, Unknown];
    for stored in of_both {
        check(stored, Some(ApprovalState::Dispatched), Unknown);
        check(stored, Some(ApprovalState::Done), Done);
        check(stored, Some(ApprovalState::Failed), Failed);
    }
    for (stored, expected) in [
        (Waiting, Expired),
        (Recheck, Expired),
        (Approved, Voided),
        (Dispatched, Unknown),
        (Running, Unknown),
        (Rejected, Rejected),
        (Voided, Voided),
        (Done, Done),
    ] {
        check(stored, None, expected);
    }
}

#[test]
fn a_reason_of_an_older_version_stays_its_sentence_and_a_new_one_has_a_code() {
    let voided = left(Voided, Some("stop #7"));
    assert_eq!((voided.state_reason.as_deref(), &voided.state_reason_kind), (Some("stop #7"), &None));
    let mut waiting = left(Waiting, None);
    settle(&mut waiting, None);
    assert_eq!(waiting.state_reason.as_deref(), Some("the station ended before anybody decided"));
    assert_eq!(waiting.state_reason_kind, Some(ProposalReason::EndedUndecided));
    let again: Proposal = serde_json::from_str(&serde_json::to_string(&waiting).unwrap()).unwrap();
    assert_eq!(again.state_reason_kind, waiting.state_reason_kind);
}
