use runtime::wire::ProposalState::{
    Approved, Dispatched, Done, DoneNotConfirmed, Expired, Failed, Received, Recheck, Rejected, Running, Unknown,
    Voided, Waiting,
};

use super::*;
use crate::test_support::Rig;
use agent_runner::Wanted;

/// A card of this id, whose motion goes to `x`.
fn card(id: &str, x: f64, state: ProposalState) -> Proposal {
    let asker = Requester::of(&Session::bootstrap(), &AgentId::new("main").unwrap());
    let group = "send_command/arm-1/arm/pose_goal".to_owned();
    let blank = blank(asker, Tier::Medium, "a_rule", SEND_COMMAND, Now::default());
    Proposal { id: id.into(), group, input: json!({ "x": x }), state, ..blank }
}

#[test]
fn a_card_is_compared_with_the_newest_action_of_its_kind_that_was_approved_however_that_ended() {
    let compared_with = |newest: ProposalState| {
        let mut inner = Inner::default();
        for held in [card("pr-1", 0.1, Done), card("pr-2", 0.2, newest)] {
            inner.entries.insert(held.id.clone(), Entry::new(&held, None, 0));
        }
        let diff = inner.diff_from_last(&card("pr-3", 0.3, Waiting)).unwrap();
        (diff.last.to_string(), diff.changes[0].from.clone())
    };
    for approved in [Approved, Dispatched, Received, Running, Done, DoneNotConfirmed, Failed, Unknown] {
        assert_eq!(compared_with(approved), ("pr-2".to_owned(), json!(0.2)), "{approved:?}");
    }
    for never in [Waiting, Recheck, Rejected, Expired, Voided] {
        assert_eq!(compared_with(never), ("pr-1".to_owned(), json!(0.1)), "{never:?}");
    }
}

/// Asks for a command that has an id for the switch, which does not answer: the outcome, or the code of the refusal.
async fn ask(rig: &Rig, on: bool) -> Result<Value, String> {
    let input = json!({ "id": "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b", "robot": "gate-1", "actuator": "latch",
        "motion": { "switch": { "on": on } } });
    let asker = Requester::of(&Session::of_agent(&rig.agent.id), &rig.agent.id);
    let wanted = Wanted { operation: SEND_COMMAND.into(), input };
    match rig.station.proposals.try_ask(&rig.station, &wanted, asker).await {
        Ok(Asked::Ended(outcome)) => Ok(serde_json::from_str(&outcome.json).unwrap()),
        Ok(Asked::Waiting(..) | Asked::Covered(..)) => Err("a card".to_owned()),
        Err(error) => Err(error.code.to_string()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_was_denied_is_not_judged_anew_under_its_id_and_another_may_not_have_it() {
    let rig = Rig::start_with_gate_where("", "red button on the post").await;
    let denied = ask(&rig, true).await.unwrap();
    assert_eq!(denied["state"], "denied");
    assert_eq!(ask(&rig, true).await, Ok(denied));
    assert_eq!(ask(&rig, false).await, Err("command_repeated".to_owned()));
}
