use super::*;
use crate::adapters::ros2::goals::Server;
use crate::adapters::ros2::message::{GoalStatus, GoalStatusArray, IdBytes, PlainPose, Quaternion, StatusInfo};
use crate::adapters::ros2::outbox::{Errand, Target};

const ONE: GoalId = [1; 16];
const TWO: GoalId = [2; 16];

/// Goals against a server whose words are made here.
struct Bench {
    own: OwnGoals,
    outbox: Outbox,
    goals: Goals,
}

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

fn command(goal: GoalId) -> CommandId {
    CommandId(uuid::Uuid::from_bytes(goal))
}

impl Bench {
    fn new() -> Self {
        let mut goals = Goals::default();
        goals.note_server(Server { is_there: true, ..Server::default() });
        Self { own: OwnGoals::default(), outbox: Outbox::default(), goals }
    }

    fn begin(&mut self, goal: GoalId, ms: u64) {
        let orientation = Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        let pose = PlainPose { position: [1.0, 0.0, 0.0].into(), orientation };
        let going = Going { goal, target: Target::Pose { frame: "map".to_owned(), pose, speed_mps: 0.3 } };
        assert!(self.own.begin(command(goal), going, &self.outbox, at(ms)));
    }

    /// The goal that leaves now, and the goals that are cancelled alone.
    fn sent(&mut self, ms: u64) -> (Option<GoalId>, Vec<GoalId>) {
        self.own.go_on(&self.outbox, at(ms));
        let Errand { goal, ends, .. } = self.outbox.errand(None, Duration::ZERO).unwrap();
        (goal.map(|going| going.goal), ends.into_iter().collect())
    }

    fn answer(&mut self, goal: GoalId, answer: Answer, ms: u64) -> GoalEvents {
        assert!(self.goals.note_answer(goal, answer));
        self.hear(ms)
    }

    fn states(&mut self, states: &[(GoalId, i8)]) {
        let status = |(goal, status): &(GoalId, i8)| (goal.to_vec(), *status);
        let known: Vec<(Vec<u8>, i8)> = states.iter().map(status).collect();
        let status_list = known
            .iter()
            .map(|(uuid, status)| GoalStatus { goal_info: StatusInfo { goal_id: IdBytes { uuid } }, status: *status })
            .collect();
        self.goals.note_states(&GoalStatusArray { status_list }).unwrap();
    }

    fn hear(&mut self, ms: u64) -> GoalEvents {
        self.own.hear(&mut self.goals, true, &self.outbox, at(ms))
    }
}

fn states(told: &GoalEvents) -> Vec<String> {
    let of = |reading: &Reading| {
        let ReadingValue::Extra(_, value) = &reading.value else { panic!("{reading:?}") };
        format!("{} {}", value["state"].as_str().unwrap(), value["error_code"])
    };
    told.readings.iter().map(of).collect()
}

#[test]
fn rg_27_a_goal_ends_with_its_result_and_the_code_of_one_that_has_failed_is_told() {
    for (state, code, outcome, said) in [
        (GoalState::Succeeded, 0, Outcome::Done, "succeeded 0"),
        (GoalState::Aborted, 9_003, Outcome::Failed, "aborted 9003"),
        (GoalState::Canceled, 0, Outcome::Failed, "canceled 0"),
    ] {
        let mut bench = Bench::new();
        bench.begin(ONE, 0);
        assert_eq!(bench.sent(0), (Some(ONE), Vec::new()));
        assert_eq!(states(&bench.answer(ONE, Answer::Taken(true), 20)), ["accepted null"]);
        let told = bench.answer(ONE, Answer::Result(Ending::new(state, code, "")), 40);
        assert_eq!((&told.ended[..], states(&told)), (&[(command(ONE), outcome)][..], vec![said.to_owned()]));
        assert!(!bench.own.is_left());
    }
}

#[test]
fn rg_28_a_goal_that_succeeds_with_an_error_code_has_failed_and_its_words_are_told() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.answer(ONE, Answer::Taken(true), 20);
    let words = format!("wrist strayed{}", " far".repeat(200));
    let told = bench.answer(ONE, Answer::Result(Ending::new(GoalState::Succeeded, -4, &words)), 40);
    assert_eq!(told.ended, [(command(ONE), Outcome::Failed)]);
    assert_eq!(states(&told), ["succeeded -4"]);
    let ReadingValue::Extra(_, value) = &told.readings[0].value else { panic!("{told:?}") };
    let words = value["error_words"].as_str().unwrap();
    assert!(words.starts_with("wrist strayed far") && words.chars().count() == 200);
}

#[test]
fn rg_28_a_goal_that_waits_has_failed_once_its_start_was_left() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.answer(ONE, Answer::Taken(true), 20);
    bench.begin(TWO, 40);
    let told = bench.own.hear(&mut bench.goals, false, &bench.outbox, at(60));
    assert_eq!(
        (&told.ended[..], states(&told)),
        (&[(command(TWO), Outcome::Failed)][..], vec!["start_left null".to_owned()])
    );
    bench.answer(ONE, Answer::Result(Ending::new(GoalState::Canceled, 0, "")), 80);
    assert_eq!(bench.sent(100), (None, Vec::new()), "it was never sent");
}

#[test]
fn rg_27_a_goal_whose_result_does_not_come_ends_with_its_state() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.states(&[(ONE, 2)]);
    assert!(bench.hear(20).ended.is_empty(), "its answer was lost, and its state says that it was taken");
    bench.states(&[(ONE, 4)]);
    assert!(bench.hear(40).ended.is_empty());
    assert!(bench.hear(1_000).ended.is_empty());
    assert_eq!(bench.hear(1_060).ended, [(command(ONE), Outcome::Done)]);
}

#[test]
fn rg_27_a_refused_goal_has_failed_and_is_not_cancelled() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    let told = bench.answer(ONE, Answer::Taken(false), 20);
    assert_eq!(
        (&told.ended[..], states(&told)),
        (&[(command(ONE), Outcome::Failed)][..], vec!["refused null".to_owned()])
    );
    assert_eq!(bench.sent(40), (None, Vec::new()));
}

#[test]
fn rg_27_a_goal_that_nobody_answers_has_failed_and_is_cancelled_even_if_it_is_taken_later() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    assert!(bench.hear(5_000).ended.is_empty());
    let told = bench.hear(5_020);
    assert_eq!(
        (&told.ended[..], states(&told)),
        (&[(command(ONE), Outcome::Failed)][..], vec!["no_answer null".to_owned()])
    );
    assert_eq!(bench.sent(5_020), (None, vec![ONE]));
    assert_eq!(bench.sent(5_040), (None, Vec::new()), "25 times a second");
    assert_eq!(bench.sent(5_060), (None, vec![ONE]));
    bench.answer(ONE, Answer::Cancelled(2), 5_080);
    assert_eq!(bench.sent(5_100), (None, vec![ONE]), "the server has not looked at it yet");
    bench.answer(ONE, Answer::Taken(true), 7_000);
    assert_eq!(bench.sent(7_000), (None, vec![ONE]));
    bench.states(&[(ONE, 5)]);
    bench.hear(7_020);
    assert_eq!(bench.sent(7_100), (None, Vec::new()), "it has ended");
}

#[test]
fn rg_27_a_goal_that_the_server_never_knew_is_let_go_in_the_end() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.own.give_up(&bench.outbox, at(20));
    bench.answer(ONE, Answer::Cancelled(2), 10_000);
    assert!(bench.own.is_left());
    bench.answer(ONE, Answer::Cancelled(2), 10_040);
    assert!(!bench.own.is_left());
    bench.states(&[(ONE, 2)]);
    bench.hear(20_000);
    assert_eq!(bench.sent(20_000), (None, vec![ONE]), "if it moves the robot after all it is cancelled");
}

#[test]
fn rg_27_a_goal_that_the_server_says_has_ended_is_let_go_though_nobody_heard_that_it_was_taken() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.own.give_up(&bench.outbox, at(20));
    bench.answer(ONE, Answer::Cancelled(2), 40);
    assert!(bench.own.is_left());
    bench.answer(ONE, Answer::Cancelled(3), 60);
    assert!(!bench.own.is_left());
}

#[test]
fn rg_27_a_new_goal_waits_for_the_end_of_the_old_one() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.answer(ONE, Answer::Taken(true), 20);
    bench.begin(TWO, 40);
    assert_eq!(bench.sent(40), (None, vec![ONE]));
    bench.states(&[(ONE, 3)]);
    bench.hear(60);
    assert_eq!(bench.sent(80), (None, vec![ONE]), "it is being cancelled, and may still move the robot");
    bench.answer(ONE, Answer::Result(Ending::new(GoalState::Canceled, 0, "")), 100);
    bench.states(&[(ONE, 5)]);
    assert_eq!(bench.sent(100), (Some(TWO), Vec::new()));
}

#[test]
fn rg_27_a_goal_that_waits_too_long_for_the_end_of_another_has_failed() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.begin(TWO, 20);
    assert!(bench.hear(10_020).ended.is_empty());
    assert_eq!(bench.hear(10_040).ended, [(command(TWO), Outcome::Failed)]);
    assert_eq!(bench.sent(10_040), (None, vec![ONE]), "it was never sent");
}

#[test]
fn rg_10_rg_27_a_goal_that_is_given_up_before_it_left_is_forgotten() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.own.give_up(&bench.outbox, at(0));
    assert!(!bench.own.is_left());
    assert_eq!(bench.sent(20), (None, Vec::new()));
}

#[test]
fn rg_27_a_server_that_is_gone_and_one_that_falls_silent_are_faults_once() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.answer(ONE, Answer::Taken(true), 20);
    bench.goals.note_server(Server::default());
    let told = bench.hear(40);
    assert_eq!(
        (&told.faults[..], &told.ended[..]),
        (&[GateFault::Unreachable][..], &[(command(ONE), Outcome::Failed)][..])
    );
    assert!(bench.hear(60).faults.is_empty());

    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.answer(ONE, Answer::Taken(true), 20);
    assert!(bench.hear(60_000).faults.is_empty(), "it has never told how far it is");
    bench.goals.note_feedback(ONE, at(60_000));
    assert!(bench.hear(61_000).faults.is_empty());
    let told = bench.hear(61_020);
    assert_eq!((&told.faults[..], states(&told)), (&[GateFault::Silent][..], vec!["server_silent null".to_owned()]));
    assert_eq!(bench.sent(61_020), (None, vec![ONE]));
    assert!(bench.hear(61_040).faults.is_empty());
}

#[test]
fn rg_12_rg_27_a_server_that_refuses_to_cancel_a_goal_is_a_fault_once_a_second() {
    let mut bench = Bench::new();
    bench.begin(ONE, 0);
    bench.sent(0);
    bench.answer(ONE, Answer::Taken(true), 20);
    bench.own.give_up(&bench.outbox, at(40));
    let mut faults = |ms| bench.answer(ONE, Answer::Cancelled(1), ms).faults.len();
    assert_eq!([faults(60), faults(100), faults(1_060)], [1, 0, 1]);
    assert!(bench.own.is_left());
    assert!(bench.answer(ONE, Answer::Cancelled(3), 1_100).faults.is_empty(), "it has ended");
    assert!(!bench.own.is_left());
}
