use memory::belief::{Belief, BeliefName};
use serde_json::json;

use super::*;
use crate::test_support::{Rig, tainted};
use runtime::session::Cause;

fn author(by: ConfirmedBy) -> Author {
    Author { by, name: "desk".into(), evidence: None }
}

fn said(value: &str, confidence: f64) -> Statement {
    Statement { value: value.into(), confidence: Some(confidence), ..Statement::default() }
}

#[test]
fn op_04_the_answer_says_what_came_of_it() {
    let id = BeliefId::new("belief-1");
    let name = BeliefName { subject: "front_door_camera", predicate: "is_reliable" };
    let made = Belief::create(id, name, &said("true", 0.95), &author(ConfirmedBy::Agent), 0).unwrap();
    let held = &made.belief;
    let kept = held.tell(&said("false", 0.3), &author(ConfirmedBy::Machine), 0).unwrap();
    let heard = held.tell(&said("true", 0.3), &author(ConfirmedBy::External), 0).unwrap();
    let again = heard.belief.tell(&said("true", 0.3), &author(ConfirmedBy::External), 0).unwrap();
    for (change, expected) in [
        (&made, "Belief (front_door_camera, is_reliable) updated with confidence 0.95"),
        (&kept, "Belief (front_door_camera, is_reliable) kept \"true\" with confidence 0.8, contradicted by \"false\""),
        (&again, "Belief (front_door_camera, is_reliable) unchanged: the same source has said so before"),
    ] {
        assert_eq!(sentence(change, &row(&change.belief, 0)), expected);
    }
}

#[test]
fn bl_11_who_wrote_is_taken_from_the_session() {
    let of_agent = Session::of_agent(&robot::AgentId::new("main").unwrap());
    let by = |session: &Session| (author_of(session).by, serde_json::to_value(author_of(session).evidence).unwrap());
    assert_eq!(by(&Session::app_window()), (ConfirmedBy::Person, json!({ "operator": "desk" })));
    let called = of_agent.caused_by(Cause { entry: Some(("desk".into(), 7)), ..Cause::default() });
    assert_eq!(by(&called), (ConfirmedBy::Agent, json!({ "session": "desk", "entry": 7 })));
    let person = Session::app_window();
    let let_through = author_of(&person.letting_through(Reviewed::AsItStood));
    assert_eq!((let_through.by, let_through.name.as_str()), (ConfirmedBy::External, "external, let through by desk"));
    assert_eq!(author_of(&person.letting_through(Reviewed::Edited)).by, ConfirmedBy::Person);
    assert_eq!(by(&Session::supervision()), (ConfirmedBy::Machine, json!({ "program": "supervision" })));
}

fn author_of(session: &Session) -> Author {
    super::author(session, None)
}

#[tokio::test(flavor = "multi_thread")]
async fn att_04_pn_06_bl_11_what_a_tainted_turn_believes_waits_and_overrides_no_person() {
    let rig = Rig::start().await;
    let about = |predicate: &str, value: &str, confidence: f64| json!({ "subject": "front_door", "predicate": predicate, "value": value, "confidence": confidence });
    rig.by_person("update_belief", about("state", "watched", 0.9)).await.unwrap();
    let refused = rig.by_agent(tainted(), "update_belief", about("state", "safe", 7.5)).await.unwrap_err();
    assert_eq!(refused.code, "invalid_belief", "what cannot be said is not put before anybody");
    for predicate in ["state", "use"] {
        let planted = rig.by_agent(tainted(), "update_belief", about(predicate, "always safe", 1.0)).await.unwrap();
        assert_eq!(planted["applied"], "pending_review", "{planted}");
        let waiting = rig.by_person("list_memory_reviews", json!({})).await.unwrap();
        assert_eq!((&waiting[0]["id"], &waiting[0]["after"]), (&planted["review"], &json!("always safe")));
        let accept = json!({ "id": planted["review"], "accept": true });
        rig.by_person("decide_memory_review", accept).await.unwrap();
    }
    let found = rig.by_person("get_belief", json!({ "subject": "front_door" })).await.unwrap();
    let (state, used) = (&found[0], &found[1]);
    assert_eq!((&state["value"], &state["confirmed_by"]), (&json!("watched"), &json!("person")));
    assert_eq!((&state["contradiction_count"], &state["confidence"]), (&json!(1), &json!(0.75)));
    assert_eq!((&used["confidence"], &used["trust"]), (&json!(0.5), &json!("text")));
    assert_eq!(used["confirmed_by"], "external");
}
