use super::*;
use runtime::wire::ProposalState::{self, *};

fn check(stored: ProposalState, approval: Option<ApprovalState>, expected: ProposalState) {
    let mut proposal: Proposal = serde_json::from_value(serde_json::json!({
        "id": "pr-1", "version": 1, "action_hash": "00", "tier": "high", "tier_rule": "irreversible",
        "role_needed": "operator", "agent": "main", "robot": "arm-1", "mission": null, "turn": null,
        "operation": "send_command", "group": "g", "input": {}, "sentence": "", "reason": "", "facts": [],
        "preconditions": [], "verdict_id": null, "set_version": 1, "lease_epoch": 1, "snapshot_seq": 1,
        "start_pose": null, "verdict": null, "explanation": [], "preview": null, "diff_from_last": null,
        "created_at": 0, "expires_at": 60, "expires_mono_ms": 0, "state": stored, "state_reason": null,
        "steps": [], "decided_by": null, "standing_approval": null,
    }))
    .unwrap();
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
