//! The contract of adapters: one suite over every adapter and a mock, with robots that obey and robots that do not. Time is
//! simulated; a message counts as sent in the call that sent it.

mod bench;
mod commissioning;
mod mock;
mod rounds;
mod stage;

use std::sync::Arc;

use bridge::envelope::{Failure, GateFault, Status};
use robot::Reason;

use crate::adapter::StopEvidence;
pub use bench::{Behaviour, Bench, ROVER, Said, Sent};
pub use mock::speed_of;
pub use stage::{Stage, drive_at, goal_at};

/// Nothing was sent that can move the robot.
fn no_motion(sent: &[Sent]) -> bool {
    !sent.iter().any(|sent| matches!(sent, Sent::Move { .. } | Sent::SetPoint))
}

fn stops(sent: &[Sent]) -> usize {
    sent.iter().filter(|sent| matches!(sent, Sent::Stop(_))).count()
}

fn starts_latched_and_silent<B: Bench>() {
    let mut stage = Stage::<B>::open(Behaviour::Obedient);
    stage.beats(50);
    assert!(stage.runner().gate().state().memory().stops.iter().any(|stop| stop.by.is_gate()));
    assert_eq!(stage.ahead_at(0.3), Some(Status::Refused(Reason::Latched)));
    stage.beats(10);
    assert_eq!(stage.taken(), [], "nothing is sent before a station has released the latch");
}

fn nothing_moves_that_was_not_admitted<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Obedient);
    let too_much = if B::TAKES_VELOCITIES { (0.6, Reason::Velocity) } else { (0.3, Reason::KeepsMoving) };
    for (motion, expected) in [
        (drive_at(too_much.0), Status::Refused(too_much.1)),
        (B::goal(20.0, 0.3), Status::Refused(B::TOO_FAR)),
        (B::goal(0.5, 0.6), Status::Refused(Reason::Velocity)),
    ] {
        assert_eq!(stage.command(motion), Some(expected));
    }
    assert_eq!(stage.forged(Stage::<B>::ahead(0.3)), Some(Status::BadSignature));
    assert_eq!(stage.in_another_frame(Stage::<B>::ahead(0.3)), Some(Status::Refused(Reason::FrameMismatch)));
    stage.beats(10);
    assert!(no_motion(&stage.taken()));
    assert_eq!(stage.ahead_at(0.3), Some(Status::Running));
    let moves = stage.taken();
    assert_eq!(moves.iter().filter(|sent| matches!(sent, Sent::Move { .. })).count(), 1, "{moves:?}");
    stage.beats(10);
    assert!(stage.robot_mps() > 0.15, "it moves at {}", stage.robot_mps());
}

fn a_stop_is_sent_at_once_and_again_until_the_robot_stands<B: Bench>() {
    for is_hold in [false, true] {
        let mut stage = Stage::<B>::armed(Behaviour::Obedient);
        stage.ahead_at(0.4);
        stage.beats(20);
        stage.taken();
        if is_hold {
            stage.hold()
        } else {
            stage.stop()
        };
        assert_eq!(stops(&stage.taken()), 1, "in the call that took in the message, before any tick");
        let mut sent = 0;
        while stage.robot_mps() > 0.0 {
            stage.step();
            sent += stops(&stage.taken());
        }
        // 0.4 s to stand, at 20 a second or more.
        assert!(sent >= 8, "{sent} stops");
        stage.beats(5);
        assert!(!stage.runner().is_stopping());
        stage.beats(B::LINGERS_STEPS);
        stage.taken();
        stage.beats(50);
        assert_eq!(stops(&stage.taken()), 0, "it stands");
    }
}

fn silence_of_the_station_stops_the_robot<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Obedient);
    stage.go(5.0, 11);
    stage.taken();
    stage.wait_ms(460);
    assert_eq!(stops(&stage.taken()), 0);
    stage.wait_ms(40);
    assert!(stops(&stage.taken()) >= 1, "held after 500 ms");
    // A velocity has ended with its time to live.
    assert!(!B::GOES_TO_GOALS || stage.last_status() == Some(Status::Failed(Failure::Held)));
    stage.wait_ms(1_000);
    let latched = stage.runner().gate().state().memory().stops.len();
    assert_eq!(latched, 1, "latched after 1.5 s");
    assert_eq!(stage.robot_mps(), 0.0);
}

fn a_velocity_that_is_not_renewed_ends<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Obedient);
    if !B::TAKES_VELOCITIES {
        assert_eq!(stage.command(drive_at(0.3)), Some(Status::Refused(Reason::KeepsMoving)));
        return;
    }
    stage.ahead_at(0.4);
    stage.beats(10);
    assert!(no_motion(&stage.taken().split_off(1)) || B::REFRESHES);
    stage.beats(20);
    let sent = stage.taken();
    assert!(stops(&sent) >= 1, "{sent:?}");
    stage.beats(40);
    assert_eq!(stage.robot_mps(), 0.0);
    stage.taken();
    stage.beats(10);
    assert!(no_motion(&stage.taken()));
}

fn no_set_point_follows_a_stop<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Obedient);
    stage.ahead_at(0.4);
    stage.beats(5);
    stage.stop();
    stage.taken();
    for _ in 0..20 {
        assert_eq!(stage.ahead_at(0.4), Some(Status::Refused(Reason::Latched)));
        stage.beats(1);
    }
    assert!(no_motion(&stage.taken()));
}

fn a_silent_robot_is_stopped_for_ever<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Silent);
    stage.ahead_at(0.4);
    stage.beats(20);
    stage.stop();
    stage.taken();
    stage.beats(250);
    let sent = stops(&stage.taken());
    assert!(sent >= 100, "{sent} stops in 5 s");
    assert!(
        stage.statuses_of_stops().iter().all(|status| *status == Status::Received),
        "nobody has measured standstill"
    );
}

fn a_refused_stop_latches_and_is_sent_again<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Refusing);
    stage.ahead_at(0.4);
    stage.beats(10);
    if B::HOLD_IS_ANSWERED {
        stage.hold();
    } else {
        stage.stop();
    }
    stage.taken();
    stage.beats(50);
    assert!(stops(&stage.taken()) >= 20);
    assert!(stage.has_fault(GateFault::StopRefused));
    assert_eq!(stage.ahead_at(0.4), Some(Status::Refused(Reason::Latched)));
}

fn a_late_answer_is_not_waited_for<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Late);
    stage.ahead_at(0.4);
    stage.beats(20);
    stage.stop();
    stage.beats(4);
    assert_eq!(stage.statuses_of_stops(), [Status::Received]);
    assert_eq!(stage.runner().evidence(), StopEvidence::Sent);
    stage.beats(60);
    assert_eq!(stage.statuses_of_stops(), [Status::Received, Status::Done]);
    assert_eq!(stage.runner().evidence(), StopEvidence::RobotAnswered);
}

fn a_stop_that_its_station_repeats_is_one_stop<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Late);
    stage.ahead_at(0.4);
    stage.beats(20);
    stage.stop();
    for _ in 0..3 {
        stage.beats(5);
        stage.repeat_stop();
    }
    assert!(stage.runner().is_stopping());
    assert_eq!(stage.runner().evidence(), StopEvidence::RobotAnswered, "its answer came after the first copies");
    stage.stop();
    assert!(stage.runner().evidence() < StopEvidence::RobotAnswered, "it says nothing of another stop");
}

fn a_robot_that_lies_about_its_speed_does_not_stand<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Lying);
    stage.go(8.0, 30);
    stage.stop();
    stage.taken();
    stage.beats(50);
    assert!(stage.robot_mps() > 0.3, "it says that it stands and goes on");
    assert!(stops(&stage.taken()) >= 20);
    assert_eq!(stage.statuses_of_stops(), [Status::Received]);
}

fn another_source_of_motion_is_named_and_everything_but_a_stop_refused<B: Bench>() {
    let mut stage = Stage::<B>::armed(Behaviour::Obedient);
    stage.ahead_at(0.4);
    stage.beats(5);
    stage.foreign(Some("joystick"));
    stage.beats(2);
    assert!(stage.runner().foreign().is_some_and(|name| name.ends_with("joystick")));
    assert_eq!(stage.last_status(), Some(Status::Failed(Failure::Held)));
    stage.taken();
    assert_eq!(stage.ahead_at(0.4), Some(Status::Refused(Reason::Arbitration)));
    stage.beats(20);
    assert_eq!(stage.taken(), [], "nothing is sent against somebody else");
    stage.stop();
    assert_eq!(stops(&stage.taken()), 1);
    stage.foreign(None);
    stage.beats(20);
    assert!(stage.runner().foreign().is_some(), "whoever was here a moment ago may come back");
    stage.beats(120);
    assert_eq!(stage.runner().foreign(), None);
    assert_eq!(stage.ahead_at(0.4), Some(Status::Refused(Reason::Latched)));
}

fn a_fault_stops_at_once_and_latches<B: Bench>() {
    for fault in [GateFault::Crashed, GateFault::Ending] {
        let mut stage = Stage::<B>::armed(Behaviour::Obedient);
        stage.ahead_at(0.4);
        stage.beats(10);
        stage.taken();
        stage.fail(fault);
        assert_eq!(stops(&stage.taken()), 1);
        assert!(stage.has_fault(fault));
        assert_eq!(stage.ahead_at(0.4), Some(Status::Refused(Reason::Latched)));
    }
}

#[test]
fn rg_12_a_stop_that_has_not_left_is_acknowledged_by_no_standstill() {
    let mut stage = Stage::<mock::MockBench>::armed(Behaviour::Obedient);
    stage.adapter().is_blocked = true;
    stage.stop();
    stage.beats(50);
    assert_eq!(stage.statuses_of_stops(), [], "it stands, and no stop has reached it");
    stage.adapter().is_blocked = false;
    stage.beats(5);
    assert_eq!(stage.statuses_of_stops(), [Status::Received, Status::Done]);
}

#[test]
fn rg_12_a_standstill_that_was_measured_before_the_stop_left_confirms_nothing() {
    let mut stage = Stage::<mock::MockBench>::armed(Behaviour::Silent);
    stage.ahead_at(0.4);
    stage.stop();
    stage.beats(20);
    assert_eq!(stage.statuses_of_stops(), [Status::Received], "it stood when it was told to move");
    assert!(stage.runner().is_stopping());
}

#[test]
fn rg_10_a_fault_that_comes_again_right_after_a_release_latches_again() {
    let mut stage = Stage::<mock::MockBench>::armed(Behaviour::Obedient);
    stage.fail(GateFault::StopRefused);
    stage.beats(5);
    stage.release(2);
    assert!(!stage.has_fault(GateFault::StopRefused));
    stage.fail(GateFault::StopRefused);
    assert!(stage.has_fault(GateFault::StopRefused));
}

#[test]
fn a_command_of_an_actuator_that_the_robots_protocol_does_not_move_is_refused() {
    let mut stage = Stage::<mock::MockBench>::armed(Behaviour::Obedient);
    stage.adapter().moves_nothing = true;
    assert_eq!(stage.command(drive_at(0.3)), Some(Status::Refused(Reason::UnknownActuator)));
    let moved = stage.taken().iter().filter(|sent| matches!(sent, Sent::Move { .. })).count();
    assert_eq!(moved, 0, "nothing moves in its place");
}

#[test]
fn rg_05_calls_of_the_adapter_that_take_too_long_refuse_a_motion_and_stop_the_robot_in_the_end() {
    let slow = |takes_ms, is_moving| {
        let mut stage = Stage::<mock::MockBench>::armed(Behaviour::Obedient);
        let ms = Arc::clone(&stage.ms);
        stage.adapter().ms = ms;
        if is_moving {
            stage.command(drive_at(0.3));
        }
        stage.adapter().takes_ms = takes_ms;
        stage
    };
    let mut stage = slow(6, false);
    assert_eq!(stage.command(drive_at(0.3)), Some(Status::Refused(Reason::Deadline)));
    assert!(stops(&stage.taken()) >= 1, "nobody knows how far it got");
    stage.beats(10);
    assert!(stage.has_fault(GateFault::Late));
    let mut stage = slow(250, true);
    stage.beats(2);
    assert!(stage.has_fault(GateFault::Late), "one that hangs is enough");
    let mut stage = slow(0, true);
    stage.adapter().refresh_takes_ms = 6;
    stage.beats(5);
    assert!(!stage.has_fault(GateFault::Late));
    stage.beats(6);
    assert!(stage.has_fault(GateFault::Late), "whatever comes quickly in between");
}

macro_rules! contract {
    ($name:ident, $bench:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn rg_10_rg_64_starts_latched_and_sends_nothing() {
                starts_latched_and_silent::<$bench>();
            }

            #[test]
            fn rg_10_rg_64_nothing_moves_that_the_gate_has_not_admitted() {
                nothing_moves_that_was_not_admitted::<$bench>();
            }

            #[test]
            fn rg_10_rg_13_rg_64_a_stop_is_sent_at_once_and_20_times_a_second_until_the_robot_stands() {
                a_stop_is_sent_at_once_and_again_until_the_robot_stands::<$bench>();
            }

            #[test]
            fn rg_10_rg_03_rg_64_a_station_that_falls_silent_ends_motion() {
                silence_of_the_station_stops_the_robot::<$bench>();
            }

            #[test]
            fn rg_10_rg_64_a_velocity_ends_with_its_time_to_live() {
                a_velocity_that_is_not_renewed_ends::<$bench>();
            }

            #[test]
            fn rg_10_rg_64_no_set_point_follows_a_stop() {
                no_set_point_follows_a_stop::<$bench>();
            }

            #[test]
            fn rg_10_rg_64_the_stop_of_a_silent_robot_is_repeated_for_ever() {
                a_silent_robot_is_stopped_for_ever::<$bench>();
            }

            #[test]
            fn rg_12_rg_64_a_robot_that_refuses_to_stop_latches_the_gate() {
                a_refused_stop_latches_and_is_sent_again::<$bench>();
            }

            #[test]
            fn rg_12_rg_64_a_stop_is_acknowledged_once_it_has_left_and_done_once_the_robot_stands() {
                a_late_answer_is_not_waited_for::<$bench>();
            }

            #[test]
            fn rg_12_rg_13_rg_64_a_stop_that_its_station_repeats_is_one_stop() {
                a_stop_that_its_station_repeats_is_one_stop::<$bench>();
            }

            #[test]
            fn rg_12_rg_64_a_robot_that_lies_about_its_speed_is_not_believed_to_stand() {
                a_robot_that_lies_about_its_speed_does_not_stand::<$bench>();
            }

            #[test]
            fn rg_14_rg_64_another_source_of_motion_is_named_and_motion_refused() {
                another_source_of_motion_is_named_and_everything_but_a_stop_refused::<$bench>();
            }

            #[test]
            fn rg_10_rg_64_a_crash_and_the_end_of_the_gate_stop_the_robot() {
                a_fault_stops_at_once_and_latches::<$bench>();
            }
        }
    };
}

contract!(mock_adapter, mock::MockBench);
contract!(mock_of_means, mock::MeansBench);
#[cfg(feature = "exec")]
contract!(exec_adapter, crate::adapters::exec::tests::ExecBench);
#[cfg(feature = "ros2")]
contract!(ros2_adapter, crate::adapters::ros2::tests::Ros2Bench);
#[cfg(feature = "ros2")]
contract!(ros2_goals, crate::adapters::ros2::tests::goals::GoalBench<false>);
#[cfg(feature = "ros2")]
contract!(ros2_arm, crate::adapters::ros2::tests::goals::GoalBench<true>);
#[cfg(feature = "vda5050")]
contract!(vda5050_adapter, crate::adapters::vda5050::tests::Vda5050Bench);
