use super::*;

fn agent() -> AgentId {
    AgentId::new("main").unwrap()
}

fn person(session: &str) -> Person {
    Person { session: session.into(), name: session.to_uppercase(), desk: DeskKind::Browser, exclusive: false }
}

fn shared(session: &str) -> Holder {
    Holder::Person(person(session))
}

fn alone(session: &str) -> Holder {
    Holder::Person(Person { exclusive: true, ..person(session) })
}

fn held_by_agent() -> Holder {
    Holder::Agent { id: agent() }
}

#[test]
fn a5_only_the_holder_moves_the_robot_and_the_agent_only_where_a_person_lets_it() {
    let (main, other) = (agent(), AgentId::new("other").unwrap());
    let (a, b) = (SessionId::from("a"), SessionId::from("b"));
    let own = |session| Mover::Person { session };
    let of_agent = |consent| Mover::Agent { id: &main, consent };
    let of_other = Mover::Agent { id: &other, consent: Consent::Standing };
    let movers = [
        own(&a),
        own(&b),
        of_agent(Consent::Asked),
        of_agent(Consent::By(&a)),
        of_agent(Consent::By(&b)),
        of_agent(Consent::Standing),
        of_other,
    ];
    let check = |holder: Holder, expected: [bool; 7]| {
        assert_eq!(movers.map(|mover| holder.admits(mover)), expected, "{holder:?}");
    };
    check(Holder::Nobody, [false; 7]);
    check(Holder::Local, [false; 7]);
    check(Holder::Unknown, [false; 7]);
    check(shared("a"), [true, false, true, true, false, false, false]);
    check(alone("a"), [true, false, false, false, false, false, false]);
    check(held_by_agent(), [false, false, true, true, true, true, false]);
}

#[test]
fn control_changes_hands_only_by_who_may_give_or_take_it() {
    use ControlRefused::{NotInControl, OutOfReach};
    let acts = || {
        [
            Handover::Arm(Person { exclusive: true, ..person("a") }),
            Handover::Take(person("a")),
            Handover::Replace(person("a")),
            Handover::Release { session: "a".into() },
            Handover::ToAgent { session: "a".into(), id: agent() },
        ]
    };
    let check = |holder: Holder, expected: [Result<Holder, ControlRefused>; 5]| {
        assert_eq!(acts().map(|act| holder.after(act)), expected, "{holder:?}");
    };
    let (mine, given) = (|| Ok(alone("a")), || Ok(held_by_agent()));
    check(Holder::Nobody, [Ok(shared("a")), mine(), mine(), Err(NotInControl), given()]);
    check(shared("a"), [Ok(shared("a")), mine(), mine(), Ok(Holder::Nobody), given()]);
    check(alone("a"), [mine(), mine(), mine(), Ok(Holder::Nobody), given()]);
    check(alone("b"), [Err(NotInControl), Err(NotInControl), mine(), Err(NotInControl), Err(NotInControl)]);
    check(held_by_agent(), [given(), mine(), mine(), Err(NotInControl), given()]);
    check(Holder::Local, [const { Err(OutOfReach) }; 5]);
    check(Holder::Unknown, [const { Err(OutOfReach) }; 5]);
}

#[test]
fn a_pendant_and_a_lost_link_come_before_what_the_station_knows() {
    assert_eq!(shared("a").seen(false, false), shared("a"));
    assert_eq!(shared("a").seen(false, true), Holder::Local);
    assert_eq!(shared("a").seen(true, true), Holder::Unknown);
}

#[test]
fn a_denial_names_the_holder_and_the_way_out() {
    let (robot, main) = (RobotId::new("rover-1").unwrap(), agent());
    let (a, b) = (SessionId::from("a"), SessionId::from("b"));
    let own = Mover::Person { session: &b };
    let check = |holder: Holder, mover, owner: &str, remedy: &str| {
        let args = holder.denial(&robot, mover);
        assert_eq!((args.owner.as_deref(), args.expected.as_deref()), (Some(owner), Some(remedy)));
    };
    check(Holder::Nobody, own, "nobody", "take control of rover-1 first");
    check(alone("a"), own, "A (browser)", "ask A for control of rover-1 first");
    check(held_by_agent(), own, "agent main", "take control of rover-1 first");
    check(alone("a"), Mover::Agent { id: &main, consent: Consent::By(&a) }, "A (browser)", "only A may move it");
    check(shared("a"), Mover::Agent { id: &main, consent: Consent::By(&b) }, "A (browser)", "only A may approve it");
}

#[test]
fn the_wire_form_names_the_kind_of_holder() {
    let json = |holder: Holder| serde_json::to_value(holder).unwrap();
    assert_eq!(json(Holder::Nobody), "nobody");
    assert_eq!(json(held_by_agent()), serde_json::json!({ "agent": { "id": "main" } }));
    assert_eq!(json(alone("a"))["person"]["exclusive"], true);
}
