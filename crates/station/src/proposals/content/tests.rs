use agent_runner::Requester;
use robot::Now;

use super::*;
use crate::proposals::make::blank;
use crate::test_support::Rig;

/// The time of every look.
const NOW: Now = Now { station: Instant::from_millis(1_000_000), wall_ms: 5_000_000_000 };

async fn rig() -> Rig {
    Rig::start_with_gate_where("", "red button on the post").await
}

fn switch(on: bool) -> RawCommand {
    let raw = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": on } } });
    serde_json::from_value(raw).unwrap()
}

fn content(rig: &Rig) -> Content {
    Content::of(&rig.station, &rig.agent.id, &switch(true), &People::default(), false).unwrap()
}

/// The tier of a card of tier `shown` that has so many seconds left, with its rule and the seconds it has left by each clock,
/// after a look that found `found`.
fn looked(rig: &Rig, (shown, left_s): (Tier, u64), found: Tier) -> (Tier, String, u64, i64) {
    let ago_ms = shown.lifetime_ms() - left_s * 1_000;
    let made = Now {
        station: Instant::from_millis(NOW.station.mono_ms() - ago_ms),
        wall_ms: NOW.wall_ms - i64::try_from(ago_ms).unwrap(),
    };
    let asker = Requester::of(&Session::bootstrap(), &rig.agent.id);
    let mut card = blank(asker, shown, "shown_rule", SEND_COMMAND, made);
    Content { tier: (found, "found_rule"), ..content(rig) }.fill(&mut card, NOW);
    let mono_s = (card.expires_mono_ms - NOW.station.mono_ms()) / 1_000;
    (card.tier, card.tier_rule, mono_s, card.expires_at - NOW.unix_s())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_needs_more_care_has_no_more_time_than_that_care_gives_and_never_more_than_it_had() {
    use Tier::{High, Low, Medium};
    let rig = rig().await;
    for (shown, found, expected) in [
        ((Medium, 180), High, (High, "found_rule", 60)),
        ((Medium, 30), High, (High, "found_rule", 30)),
        ((Low, 600), Medium, (Medium, "found_rule", 180)),
        ((High, 50), Medium, (High, "shown_rule", 50)),
        ((Medium, 100), Medium, (Medium, "shown_rule", 100)),
    ] {
        let (tier, rule, left_s) = expected;
        let expected = (tier, rule.to_owned(), left_s, i64::try_from(left_s).unwrap());
        assert_eq!(looked(&rig, shown, found), expected, "{shown:?} {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_for_the_very_action_and_only_while_its_agent_and_the_station_are_there() {
    let rig = rig().await;
    let unit = rig.station.fleet.unit(&switch(true).robot).unwrap();
    let bound =
        |station| Bound { binding: content(&rig).present.binding, facts: Vec::new(), care: BTreeSet::new(), station };
    let here = bound(Arc::downgrade(&rig.station));
    let broken = |bound: &Bound, submission: &Submission| {
        let judged = gate::check(&rig.station.fleet, &unit, submission);
        let (condition, why) = bound.broken(&unit, submission, &judged)?;
        Some((condition, why.split(':').next().unwrap_or_default().to_owned()))
    };
    let is = |condition, why: &str| Some((condition, why.to_owned()));
    let by_main = |on| by_agent(&rig.agent.id, &switch(on));
    // Nothing of the action has changed: only the robot is not armed.
    assert_eq!(broken(&here, &by_main(true)), is(Precondition::NoStopSince, "the robot was stopped"));
    assert_eq!(broken(&here, &by_main(false)), is(Precondition::SameAction, "the action is another one"));
    let by_other = by_agent(&AgentId::new("other").unwrap(), &switch(true));
    assert_eq!(broken(&here, &by_other), is(Precondition::SameAction, "the agent is gone"));
    assert_eq!(broken(&bound(Weak::new()), &by_main(true)), is(Precondition::SameAction, "the station ends"));
}
