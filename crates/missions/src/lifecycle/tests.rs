use super::*;

const PERSON: Resumer = Resumer::Person { stop_open: false };

fn dana() -> Cause {
    Cause::Person("dana".into())
}

fn agent() -> Cause {
    Cause::Agent("main".into())
}

fn outcome(status: Option<Status>, act: &Act) -> String {
    let cause = (status == Some(Status::Paused)).then(dana);
    let state = status.map(|status| State { status, phase: Phase::Live, cause });
    match step(state.as_ref(), act) {
        Ok(Step::Same) => "=".into(),
        Ok(Step::To(state)) => state.status.as_str().into(),
        Err(refusal) => refusal.code().to_string(),
    }
}

#[test]
fn ml_08_every_act_in_every_status() {
    let check = |act: &Act, expected: [&str; 6]| {
        let statuses = [None].into_iter().chain(Status::ALL.map(Some));
        let outcomes: Vec<String> = statuses.map(|status| outcome(status, act)).collect();
        assert_eq!(outcomes, expected, "{act:?}: draft, active, paused, completed, failed, cancelled");
    };
    let ended = "mission_ended";
    check(&Act::Activate { same_text: false }, ["active", "active", "active", "active", "active", "mission_cancelled"]);
    check(&Act::Activate { same_text: true }, ["active", "=", "active", "active", "active", "mission_cancelled"]);
    check(&Act::Pause(dana()), ["not_activated", "paused", "=", ended, ended, ended]);
    check(&Act::Resume(PERSON), ["not_activated", "=", "active", ended, ended, ended]);
    check(&Act::Resume(Resumer::Person { stop_open: true }), ["not_activated", "=", "stop_open", ended, ended, ended]);
    check(&Act::Cancel, ["cancelled", "cancelled", "cancelled", ended, ended, "="]);
    check(&Act::Complete, ["not_activated", "completed", "completed", "=", ended, ended]);
}

#[test]
fn ml_10_a_second_pause_keeps_the_stronger_cause() {
    let paused = |cause: Cause| State { status: Status::Paused, phase: Phase::Held, cause: Some(cause) };
    let check = |before: Cause, then: Cause, expected: &Cause| {
        let state = paused(before);
        let after = match step(Some(&state), &Act::Pause(then)).unwrap() {
            Step::Same => state,
            Step::To(state) => state,
        };
        assert_eq!(after.cause.as_ref(), Some(expected));
    };
    check(dana(), agent(), &dana());
    check(agent(), dana(), &dana());
    check(dana(), Cause::Stop, &Cause::Stop);
    check(Cause::Stop, dana(), &Cause::Stop);
}

#[test]
fn ml_11_others_resume_only_what_they_paused_themselves() {
    let check = |cause: Cause, resumer: Resumer, expected: Result<(), Refusal>| {
        let state = State { status: Status::Paused, phase: Phase::Held, cause: Some(cause) };
        assert_eq!(step(Some(&state), &Act::Resume(resumer)).map(|_| ()), expected);
    };
    check(agent(), Resumer::Other(agent()), Ok(()));
    check(dana(), Resumer::Other(agent()), Err(Refusal::NotYours));
    check(Cause::Stop, Resumer::Other(agent()), Err(Refusal::NotYours));
    check(Cause::Stop, PERSON, Ok(()));
    check(agent(), PERSON, Ok(()));
}

#[test]
fn ml_11_a_resumed_mission_waits_for_what_it_depends_on_again() {
    let state = State { status: Status::Paused, phase: Phase::Live, cause: Some(dana()) };
    let expected = State { status: Status::Active, phase: Phase::Held, cause: None };
    assert_eq!(step(Some(&state), &Act::Resume(PERSON)), Ok(Step::To(expected)));
}
