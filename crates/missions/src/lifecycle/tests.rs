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
        Ok(Step::To(state)) => serde_json::to_value(state.status).unwrap().as_str().unwrap().into(),
        Err(refusal) => refusal.code().to_string(),
    }
}

fn parent() -> MissionId {
    MissionId::new("weld").unwrap()
}

fn resumed(by: Resumer) -> Act {
    Act::Resume { by, is_expired: false }
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
    for cause in [dana(), agent(), Cause::Machine("planner".into())] {
        check(&Act::Pause(cause), ["not_activated", "paused", "=", ended, ended, ended]);
    }
    let stronger = [Cause::Stop, Cause::Fallback(FallbackClass::Link), Cause::CompileFailed, Cause::Failure(0)];
    for cause in stronger {
        check(&Act::Pause(cause), ["=", "paused", "paused", "=", "=", "="]);
    }
    check(&Act::Pause(Cause::Parent(parent())), ["=", "paused", "=", "=", "=", "="]);
    check(&resumed(PERSON), ["not_activated", "=", "active", ended, ended, ended]);
    check(&resumed(Resumer::Person { stop_open: true }), ["not_activated", "=", "stop_open", ended, ended, ended]);
    check(&resumed(Resumer::Other(agent())), ["not_activated", "=", "not_yours", ended, ended, ended]);
    let late = Act::Resume { by: PERSON, is_expired: true };
    check(&late, ["not_activated", "=", "mission_expired", ended, ended, ended]);
    check(&Act::Cancel, ["cancelled", "cancelled", "cancelled", ended, ended, "="]);
    check(&Act::CancelWith(parent()), ["=", "cancelled", "cancelled", "=", "=", "="]);
    check(&Act::Complete { parts_open: false }, ["not_activated", "completed", "completed", "=", ended, ended]);
    let open = "sub_missions_open";
    check(&Act::Complete { parts_open: true }, ["not_activated", open, open, "=", ended, ended]);
    check(&Act::Finish, ["=", "completed", "=", "=", "=", "="]);
    check(&Act::Fail(2), ["=", "failed", "=", "=", "=", "="]);
    check(&Act::Expire, ["=", "cancelled", "=", "=", "=", "="]);
}

#[test]
fn ml_09_what_ended_with_its_time_may_be_activated_again() {
    let active = State { status: Status::Active, phase: Phase::Running, cause: None };
    let Ok(Step::To(expired)) = step(Some(&active), &Act::Expire) else { panic!() };
    assert_eq!(step(Some(&expired), &Act::Activate { same_text: true }), Ok(to(Status::Active, None)));
    let Ok(Step::To(with_parent)) = step(Some(&active), &Act::CancelWith(parent())) else { panic!() };
    assert_eq!(step(Some(&with_parent), &Act::Activate { same_text: false }), Err(Refusal::Cancelled));
}

#[test]
fn ml_13_every_event_in_every_phase() {
    let check = |event: PhaseEvent, expected: [Option<Phase>; 4]| {
        assert_eq!(Phase::ALL.map(|phase| phase.after(event)), expected, "{event:?}: held, checking, live, running");
    };
    check(PhaseEvent::Ready { needs_check: true }, [Some(Phase::Checking), None, None, None]);
    check(PhaseEvent::Ready { needs_check: false }, [Some(Phase::Live), None, None, None]);
    check(PhaseEvent::Valid, [None, Some(Phase::Live), None, None]);
    check(PhaseEvent::CheckAgain, [None, Some(Phase::Held), None, None]);
    check(PhaseEvent::Triggered, [None, None, Some(Phase::Running), None]);
    check(PhaseEvent::RunEnded, [None, None, None, Some(Phase::Live)]);
}

#[test]
fn ml_14_what_is_in_force_follows_from_status_and_phase() {
    let of = |status, phase| {
        let InForce { limits, providers, rules, goals } = in_force(Some(&State { status, phase, cause: None }));
        [limits, providers, rules, goals]
            .map(|is_in_force| if is_in_force { 'y' } else { '-' })
            .iter()
            .collect::<String>()
    };
    let expected = ["yy--", "yy--", "yyy-", "yyyy"];
    assert_eq!(Phase::ALL.map(|phase| of(Status::Active, phase)), expected, "limits, providers, rules, goals");
    for phase in Phase::ALL {
        assert_eq!(of(Status::Paused, phase), "y---");
        for status in [Status::Completed, Status::Failed, Status::Cancelled] {
            assert_eq!(of(status, phase), "----");
        }
    }
    assert_eq!(in_force(None), InForce::default());
}

fn causes() -> Vec<Cause> {
    vec![
        Cause::Stop,
        Cause::Fallback(FallbackClass::Link),
        Cause::CompileFailed,
        Cause::Failure(1),
        dana(),
        Cause::Person("kim".into()),
        Cause::Machine("planner".into()),
        Cause::Parent(parent()),
        agent(),
        Cause::Expired,
    ]
}

fn acts() -> Vec<Act> {
    let mut acts = vec![Act::Cancel, Act::Finish, Act::Fail(1), Act::Expire, Act::CancelWith(parent())];
    acts.extend([true, false].map(|same_text| Act::Activate { same_text }));
    acts.extend([true, false].map(|parts_open| Act::Complete { parts_open }));
    for is_expired in [true, false] {
        acts.extend([true, false].map(|stop_open| Act::Resume { by: Resumer::Person { stop_open }, is_expired }));
        acts.extend(causes().into_iter().map(|cause| Act::Resume { by: Resumer::Other(cause), is_expired }));
    }
    acts.extend(causes().into_iter().map(Act::Pause));
    acts
}

#[test]
fn ml_12_every_act_on_every_state_keeps_what_must_hold() {
    let mut compared = 0;
    for (status, phase) in Status::ALL.into_iter().flat_map(|status| Phase::ALL.map(|phase| (status, phase))) {
        for cause in causes().into_iter().map(Some).chain([None]) {
            let state = State { status, phase, cause };
            for act in acts() {
                compared += 1;
                let Ok(Step::To(after)) = step(Some(&state), &act) else { continue };
                // Active only by an activation or a resumption, and then every check is made again.
                let starts = matches!(act, Act::Activate { .. } | Act::Resume { .. });
                assert_eq!(after.status == Status::Active, starts, "{act:?} of {state:?}");
                assert_eq!(after.phase, Phase::Held, "{act:?} of {state:?}");
                // Cancelled by a person absorbs; what has ended goes on by an activation alone.
                let is_final = state.status == Status::Cancelled && state.cause != Some(Cause::Expired);
                assert!(!is_final, "{act:?} of {state:?}");
                assert!(!state.status.has_ended() || matches!(act, Act::Activate { .. }), "{act:?} of {state:?}");
                // Only a person resumes after a stop, and nobody while it is open or the time is over.
                if let (Act::Resume { by, is_expired }, Some(Cause::Stop)) = (&act, &state.cause) {
                    assert!(
                        !is_expired && matches!(by, Resumer::Person { stop_open: false } | Resumer::Other(Cause::Stop)),
                        "{act:?} of {state:?}"
                    );
                }
                // A pause has a cause that is at least as strong as the one before.
                if after.status == Status::Paused {
                    let before = state.cause.as_ref().filter(|_| state.status == Status::Paused);
                    let rank = after.cause.as_ref().unwrap().rank();
                    assert!(before.is_none_or(|before| rank < before.rank()), "{act:?} of {state:?}");
                }
            }
        }
    }
    assert_eq!(compared, 5 * 4 * 11 * 43);
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
        assert_eq!(step(Some(&state), &resumed(resumer)).map(|_| ()), expected);
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
    assert_eq!(step(Some(&state), &resumed(PERSON)), Ok(Step::To(expected)));
}
