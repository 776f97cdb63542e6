use super::*;

const AHEAD: Twist = Twist {
    linear: super::super::message::Vector3 { x: 0.3, y: 0.0, z: 0.0 },
    angular: super::super::message::Vector3 { x: 0.0, y: 0.0, z: 0.0 },
};

#[test]
fn rg_10_a_stop_takes_the_place_of_every_velocity_that_waits() {
    let outbox = Outbox::default();
    assert!(outbox.begin(AHEAD));
    let number = outbox.stop(None, false);
    assert_eq!(outbox.next(), Some(Next::Zeros(number)));
    assert!(!outbox.left(number));
    outbox.has_left(number);
    assert!(outbox.left(number));
    outbox.close();
    assert_eq!(outbox.next(), None, "the velocity is gone");
}

const ALL: Calls = Calls { episode: 7, which: Called::All };

fn due(outbox: &Outbox) -> Errand {
    outbox.errand(None, Duration::ZERO).unwrap()
}

fn going() -> Going {
    let orientation = super::super::message::Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    let pose = PlainPose { position: [1.0, 0.0, 0.0].into(), orientation };
    Going { goal: [1; 16], target: Target::Pose { frame: "map".to_owned(), pose, speed_mps: 0.3 } }
}

#[test]
fn rg_10_a_stop_without_the_adapter_locks_and_calls_everything_and_is_sent_even_at_the_end() {
    let outbox = Outbox::default();
    outbox.twist(AHEAD);
    outbox.send();
    let errand = due(&outbox);
    assert_eq!(errand.calls, Some(Calls { episode: WITHOUT_ADAPTER, which: Called::All }));
    assert!(errand.cancel.is_some());
    outbox.close();
    assert!(matches!(outbox.next(), Some(Next::Zeros(_))));
    assert_eq!(outbox.next(), None);
    assert_eq!(outbox.errand(None, Duration::ZERO), Err(Closed));
    assert!(!outbox.begin(AHEAD) && !outbox.go(going()));
}

#[test]
fn rg_10_rg_12_a_second_stop_without_the_adapter_calls_everything_again() {
    let outbox = Outbox::default();
    outbox.send();
    let first = due(&outbox).calls.unwrap();
    outbox.answered(first.episode);
    outbox.send();
    assert_eq!(due(&outbox).calls, None, "it is the same stop");
    outbox.begin(AHEAD);
    outbox.send();
    let second = due(&outbox).calls.unwrap();
    assert_ne!(second, first);
}

#[test]
fn rg_12_services_are_called_until_they_have_answered_or_a_motion_begins() {
    let outbox = Outbox::default();
    outbox.stop(Some(ALL), false);
    assert_eq!(due(&outbox).calls, Some(ALL));
    outbox.answered(7);
    assert_eq!(due(&outbox).calls, None);
    assert!(outbox.is_answered(7) && !outbox.is_answered(8));
    outbox.stop(Some(Calls { episode: 8, ..ALL }), false);
    outbox.begin(AHEAD);
    assert_eq!(due(&outbox).calls, None);
}

#[test]
fn rg_10_rg_27_a_stop_takes_the_place_of_a_goal_that_waits_and_cancels_however_often_it_was_answered() {
    let outbox = Outbox::default();
    assert!(outbox.go(going()));
    let number = outbox.stop(Some(ALL), true);
    let errand = due(&outbox);
    assert_eq!((errand.cancel, errand.goal), (Some(number), None));
    outbox.answered(7);
    let again = outbox.stop(Some(ALL), true);
    assert_eq!(due(&outbox), Errand { cancel: Some(again), ..Errand::default() });
    outbox.has_cancelled(number);
    assert!(outbox.cancelled(number) && !outbox.cancelled(again));
    outbox.stop(Some(ALL), true);
    outbox.go(going());
    assert_eq!(due(&outbox), Errand { goal: Some(going()), ..Errand::default() }, "the stop before it is over");
}

#[test]
fn rg_27_a_goal_that_is_given_up_before_it_was_sent_is_not_sent() {
    let outbox = Outbox::default();
    outbox.go(going());
    assert!(outbox.take_back([1; 16]) && !outbox.take_back([1; 16]));
    outbox.end([1; 16]);
    assert_eq!(due(&outbox), Errand { ends: [[1; 16]].into(), ..Errand::default() });
}
