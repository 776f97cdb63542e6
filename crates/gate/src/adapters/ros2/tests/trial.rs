//! One means of stopping alone: what the adapter sends for it, and what it does not.

use super::*;
use crate::adapters::ros2::outbox::{Called, Calls, Next};

const BOTH: &str = "velocity = \"odom\"\ncmd_vel = { topic = \"cmd_vel\", mux = \"mux\", lock = \"lock\" }\n\
                    cancel_action = [\"dock\"]\nstop_service = [\"halt\"]\n";

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

#[test]
fn rg_31_each_means_is_sent_without_any_other() {
    let mut adapter = goals::adapter(BOTH, base());
    let means = adapter.means().stops;
    let [zeros, lock, cancel, service] = &means[..] else { panic!("{means:?}") };
    assert_eq!((cancel, service), (&StopMeans::Cancel("/dock".to_owned()), &StopMeans::Service("/halt".to_owned())));
    for (episode, means, which) in [(1, cancel, 0), (2, service, 1)] {
        assert_eq!(adapter.stop_by(means, episode, at(20)), StopEvidence::Waiting);
        let errand = adapter.outbox.errand(None, Duration::ZERO).unwrap();
        assert_eq!(errand.calls, Some(Calls { episode, which: Called::Only(which) }));
        assert!(errand.cancel.is_none() && adapter.outbox.is_still(), "no zeros, and no lock");
        adapter.outbox.answered(episode);
        assert_eq!(adapter.stop_by(means, episode, at(40)), StopEvidence::RobotAnswered);
    }
    adapter.is_locked = false;
    adapter.stop_by(lock, 3, at(60));
    assert_eq!(adapter.outbox.next(), Some(Next::Lock(true)));
    assert!(adapter.outbox.is_still() && !adapter.outbox.is_calling());
    adapter.stop_by(zeros, 4, at(80));
    assert!(matches!(adapter.outbox.next(), Some(Next::Zeros(_))));
    assert!(adapter.outbox.is_still() && !adapter.outbox.is_calling());
}

#[test]
fn rg_31_a_means_that_the_wiring_does_not_have_is_a_stop_by_all() {
    let mut adapter = goals::adapter(BOTH, base());
    adapter.stop_by(&StopMeans::Service("/other".to_owned()), 1, at(20));
    assert!(matches!(adapter.outbox.next(), Some(Next::Zeros(_))));
    let errand = adapter.outbox.errand(None, Duration::ZERO).unwrap();
    assert_eq!(errand.calls, Some(Calls { episode: 1, which: Called::All }));
}

#[test]
fn rg_31_a_stop_service_is_called_alone_until_it_answers_and_no_zeros_leave() {
    let (bench, mut adapter) = Ros2Bench::open(&clock());
    let service = StopMeans::Service(bench.wiring.absolute("stop"));
    assert_eq!(adapter.means().stops, [StopMeans::Zeros, service.clone()]);
    let mut requests = 0;
    until("its answer", || {
        let evidence = adapter.stop_by(&service, 1, clock()().station);
        while let Ok(Some((id, _))) = bench.stop.receive_request() {
            requests += 1;
            assert!(bench.stop.send_response(id, TriggerResponse { success: true, message: String::new() }).is_ok());
        }
        evidence == StopEvidence::RobotAnswered
    });
    assert_eq!((requests > 0, adapter.outbox.handed_out()), (true, 0));
}

#[test]
fn rg_10_an_action_that_was_cancelled_does_not_answer_for_zeros_that_reach_nobody() {
    let mut adapter = goals::adapter(&BOTH.replace("stop_service = [\"halt\"]\n", ""), base());
    adapter.stop(StopKind::Stop, 1, at(20));
    adapter.outbox.answered(1);
    assert_eq!(adapter.stop(StopKind::Stop, 1, at(40)), StopEvidence::Waiting);
    let Some(Next::Zeros(number)) = adapter.outbox.next() else { panic!("no zeros") };
    adapter.outbox.has_left(number);
    assert_eq!(adapter.stop(StopKind::Stop, 1, at(60)), StopEvidence::RobotAnswered);
    let mut adapter = goals::adapter(BOTH, base());
    adapter.stop(StopKind::Stop, 1, at(20));
    adapter.outbox.answered(1);
    assert_eq!(adapter.stop(StopKind::Stop, 1, at(40)), StopEvidence::RobotAnswered, "a service stops it by itself");
}

#[test]
fn rg_33_what_a_stop_calls_is_named_until_it_has_answered_or_a_motion_begins() {
    let mut adapter = goals::adapter(BOTH, base());
    assert_eq!(adapter.unanswered(), [""; 0], "nothing was stopped");
    adapter.stop(StopKind::Stop, 1, at(20));
    assert_eq!(adapter.unanswered(), ["/dock", "/halt"], "nobody has looked for answers yet");
    let first = Calls { episode: 1, which: Called::All };
    adapter.outbox.note_open(first, vec!["/halt".to_owned()]);
    assert_eq!(adapter.unanswered(), ["/halt"]);
    adapter.stop(StopKind::Stop, 2, at(40));
    assert_eq!(adapter.unanswered(), ["/dock", "/halt"], "an answer to the stop before does not count");
    adapter.outbox.answered(2);
    assert_eq!(adapter.unanswered(), [""; 0]);
    adapter.stop(StopKind::Stop, 3, at(60));
    adapter.outbox.begin(Twist::default());
    assert_eq!(adapter.unanswered(), [""; 0]);
}
