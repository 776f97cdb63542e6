use super::*;
use crate::belief::{Author, BeliefName, BeliefState, ConfirmedBy, Statement};

fn belief(id: &str, names: (&str, &str), confidence: f64, at_ms: i64) -> Arc<Belief> {
    let said = Statement { value: "v".into(), confidence: Some(confidence), ..Statement::default() };
    let author = Author { by: ConfirmedBy::Agent, name: "agent".into(), evidence: None };
    let name = BeliefName { subject: names.0, predicate: names.1 };
    Arc::new(Belief::create(BeliefId::new(id), name, &said, &author, at_ms).unwrap().belief)
}

fn ids<'a>(beliefs: impl Iterator<Item = &'a Arc<Belief>>) -> Vec<&'a str> {
    beliefs.map(|belief| belief.id.as_str()).collect()
}

fn book() -> Book {
    let mut book = Book::default();
    for belief in [
        belief("b-1", ("Front Door", "status"), 0.9, 30),
        belief("b-2", ("cup", "location"), 0.9, 10),
        belief("b-3", ("cup", "colour"), 0.9, 20),
        belief("b-4", ("cupboard", "location"), 0.9, 40),
    ] {
        book.put(belief, 50);
    }
    book
}

#[test]
fn bl_15_beliefs_are_found_by_name_by_subject_and_by_age() {
    let book = book();
    assert_eq!(book.named("cup", "location").map(|belief| belief.id.as_str()), Some("b-2"));
    assert_eq!(ids(book.about("cup")), ["b-3", "b-2"]);
    assert_eq!(ids(book.after(None)), ["b-1", "b-3", "b-2", "b-4"]);
    assert_eq!(ids(book.after(book.get("b-3").map(AsRef::as_ref))), ["b-2", "b-4"]);
    assert_eq!(ids(book.newest()), ["b-4", "b-1", "b-3", "b-2"]);
    assert_eq!(ids(book.newest_about("front_door")), ["b-1"]);
}

#[test]
fn bl_15_a_belief_that_is_gone_is_in_no_index() {
    let mut book = book();
    for id in ["b-1", "b-2", "b-3", "b-4"] {
        assert!(book.remove(id).is_some());
    }
    assert!(book.is_empty() && book.next_crossing_ms().is_none() && book.newest().next().is_none());
    assert!(book.newest_about("cup").next().is_none() && book.remove("b-1").is_none());
}

#[test]
fn bl_14_a_belief_that_begins_on_an_edge_has_not_fallen_from_it() {
    let check = |confidence, state, has_fallen| {
        let belief = belief("b-1", ("cup", "location"), confidence, 0);
        assert_eq!(belief.has_fallen_to(state), has_fallen, "{confidence} to {state:?}");
    };
    check(0.5, BeliefState::Weak, false);
    check(0.504, BeliefState::Weak, false);
    check(0.51, BeliefState::Weak, true);
    check(0.5, BeliefState::Faded, true);
    check(0.05, BeliefState::Faded, false);
    check(0.9, BeliefState::Held, false);
}

#[test]
fn bl_14_a_crossing_is_known_beforehand_and_taken_once() {
    let mut book = Book::default();
    book.put(belief("b-1", ("cup", "location"), 0.6, 0), 0);
    let mut states = Vec::new();
    while let Some(due_ms) = book.next_crossing_ms() {
        assert!(book.take_crossed(due_ms - 1).is_empty());
        states.extend(book.take_crossed(due_ms).iter().map(|belief| belief.state_at(due_ms)));
        assert!(book.take_crossed(due_ms).is_empty());
    }
    assert_eq!(states, [BeliefState::Weak, BeliefState::Faded]);
}
