use memory::belief::Belief;

use super::*;

fn author(by: ConfirmedBy) -> Author {
    Author { by, name: "desk".into(), evidence: None }
}

fn said(value: &str, confidence: f64) -> Statement {
    Statement { value: value.into(), confidence: Some(confidence), ..Statement::default() }
}

#[test]
fn op_04_the_answer_says_what_came_of_it() {
    let id = BeliefId::new("belief-1");
    let names = ("front_door_camera", "is_reliable");
    let made = Belief::create(id, names, &said("true", 0.95), &author(ConfirmedBy::Agent), 0).unwrap();
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
    assert_eq!(by(&Session::supervision()), (ConfirmedBy::Machine, json!({ "program": "supervision" })));
}

fn author_of(session: &Session) -> Author {
    super::author(session, None)
}
