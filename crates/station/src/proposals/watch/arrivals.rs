//! People who come while a card waits.

use agent_runner::Requester;
use robot::{Now, RawCommand};
use runtime::session::Session;
use safety::approval::tier::{PERSON_RULE, Tier};
use safety::{Overall, Present};
use serde_json::json;
use tokio::sync::mpsc;

use super::*;
use crate::operations::SEND_COMMAND;
use crate::proposals::make::blank;
use crate::test_support::Rig;

fn switch() -> RawCommand {
    let raw = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } } });
    serde_json::from_value(raw).unwrap()
}

/// The motion judged beside `keys` of people, with all that it is bound to as it should be.
fn judged(rig: &Rig, keys: &[&str]) -> Content {
    let people = People::seen_at(rig.station.runtime.clock.now().station, keys);
    // A turn that has read untrusted text: its card is High already.
    let mut content = Content::of(&rig.station, &rig.agent.id, &switch(), &people, true).unwrap();
    let present = content.present.clone();
    content.present =
        Present { facts_fresh: true, link_live: true, unstopped: true, overall: Overall::Allow, ..present };
    content
}

/// A card of the motion with nobody near, as it waits.
fn waiting(rig: &Rig) -> Entry {
    let asker = Requester::of(&Session::bootstrap(), &rig.agent.id);
    let content = judged(rig, &[]);
    let (binding, care) = (Box::new(content.present.binding.clone()), content.care());
    let live = Live {
        agent: rig.agent.id.clone(),
        action: Action::Motion { raw: Box::new(switch()), binding, care },
        tainted: true,
        seen: false,
        cause: None,
        entry: None,
        notes: mpsc::channel(1).0,
    };
    let (tier, rule) = content.tier;
    let mut card = blank(asker, tier, rule, SEND_COMMAND, Now::default());
    content.fill(&mut card, Now::default());
    Entry::new(&card, Some(live), 0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_comes_is_on_a_card_that_is_high_already_before_it_can_be_approved() {
    let rig = Rig::start_with_gate_where("", "red button on the post").await;
    let mut card = waiting(&rig);
    assert_eq!((card.proposal.tier, card.proposal.facts.len()), (Tier::High, 0));
    assert!(!card.compare(Ok(judged(&rig, &[])), Now::default()), "nobody has come");
    for (come, version) in [(&["person.location"][..], 2), (&["person.location", "worker.location"][..], 4)] {
        assert!(card.compare(Ok(judged(&rig, come)), Now::default()));
        let now = &card.proposal;
        assert_eq!((now.state, now.version), (ProposalState::Recheck, version));
        let rule = PERSON_RULE.to_owned();
        assert_eq!(now.state_reason_kind, Some(ProposalReason::MoreCare { rule: rule.clone() }));
        assert_eq!(now.tier_rule, rule);
        let shown: Vec<&str> = now.facts.iter().map(|fact| fact.key.as_str()).collect();
        assert_eq!(shown, come);
        assert!(card.compare(Ok(judged(&rig, come)), Now::default()));
        assert_eq!((card.proposal.state, card.proposal.version), (ProposalState::Waiting, version + 1));
        assert!(!card.compare(Ok(judged(&rig, come)), Now::default()), "the same person is no news");
    }
}
