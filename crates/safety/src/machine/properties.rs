use proptest::prelude::*;

use super::*;

fn acts() -> impl Strategy<Value = Option<Act>> {
    let cause = (0..SafetyCause::ALL.len()).prop_map(|i| SafetyCause::ALL[i]);
    prop_oneof![
        6 => Just(None),
        3 => Just(Some(Act::Arm)),
        1 => Just(Some(Act::ArmToEscape)),
        1 => Just(Some(Act::ArmingFailed)),
        3 => cause.prop_map(|cause| Some(Act::Acknowledge(cause))),
        1 => any::<bool>().prop_map(|looked| Some(Act::Disarm { looked })),
        1 => Just(Some(Act::Recommission)),
    ]
}

/// Steps of (milliseconds since the one before, inputs); mostly nothing is wrong, so that arming is reached.
fn steps() -> impl Strategy<Value = Vec<(u64, Inputs)>> {
    let causes = prop_oneof![
        4 => Just(CauseSet::EMPTY),
        1 => proptest::collection::vec(0..SafetyCause::ALL.len(), 1..3)
            .prop_map(|picked| picked.into_iter().map(|i| SafetyCause::ALL[i]).collect()),
    ];
    let inputs = (causes, prop::bool::weighted(0.9), any::<bool>(), 0..3_u64, acts()).prop_map(
        |(present, healthy, still, epoch, act)| Inputs { present, healthy, still, epoch, act, times: Times::default() },
    );
    proptest::collection::vec((1..3_000_u64, inputs), 1..40)
}

fn rank(state: State) -> u8 {
    match state {
        State::Disarmed | State::Arming | State::Armed => 0,
        State::Hold => 1,
        State::SafeStop => 2,
        State::Lockout => 3,
    }
}

proptest! {
    #[test]
    fn prop_09_severity_falls_only_through_clear_conditions_armed_only_through_arming_and_the_epoch_only_rises(
        steps in steps()
    ) {
        let (mut safety, mut ms) = (RobotSafety::new(Instant::default()), 0);
        for (after_ms, inputs) in steps {
            ms += after_ms;
            let now = Instant::from_millis(ms);
            let (next, actions) = step(&safety, &inputs, now);
            prop_assert!(next.epoch() >= safety.epoch() && next.epoch() >= inputs.epoch);
            prop_assert_eq!(actions.contains(&Action::BumpEpoch), next.epoch() > safety.epoch().max(inputs.epoch));
            if next.is_armed() && !safety.is_armed() {
                prop_assert!(matches!(safety.state(), State::Arming | State::Hold), "armed out of {:?}", safety.state());
                prop_assert!(inputs.healthy && next.keeps_disarmed().is_none());
            }
            if rank(next.state()) < rank(safety.state()) {
                let person = match inputs.act {
                    Some(Act::Recommission) => true,
                    Some(Act::Disarm { .. }) => safety.state() == State::Hold,
                    Some(Act::Arm | Act::ArmToEscape | Act::ArmingFailed | Act::Acknowledge(_)) | None => false,
                };
                prop_assert!(person || next.causes().iter().all(|active| active.severity < Severity::Hold));
            }
            for active in safety.causes() {
                let stays = next.causes().iter().any(|other| other.cause == active.cause);
                let needs_person = matches!(active.cause.rule().clears, Clears::OnAcknowledge | Clears::Never);
                if !stays && inputs.present.has(active.cause) {
                    let given_up = safety.state() == State::Arming || inputs.act.is_some();
                    prop_assert!(given_up || !needs_person, "{:?} went while it held", active.cause);
                }
            }
            safety = next;
        }
    }
    #[test]
    fn f13_what_was_written_down_of_a_lock_brings_it_back_at_any_moment_until_it_is_recommissioned(
        steps in steps(), crash_at in any::<prop::sample::Index>()
    ) {
        let (mut safety, mut ms, mut disk) = (RobotSafety::new(Instant::default()), 0, CauseSet::EMPTY);
        let crash_at = crash_at.index(steps.len());
        for (at, (after_ms, inputs)) in steps.into_iter().enumerate() {
            ms += after_ms;
            let now = Instant::from_millis(ms);
            if at == crash_at {
                let left = if disk == CauseSet::EMPTY { RobotSafety::new(now) } else { RobotSafety::locked_out(disk, now) };
                prop_assert_eq!(left.state() == State::Lockout, safety.state() == State::Lockout);
                prop_assert_eq!(left.locked_by(), safety.locked_by());
                safety = left;
            }
            let (next, actions) = step(&safety, &inputs, now);
            if safety.state() == State::Lockout && inputs.act != Some(Act::Recommission) {
                prop_assert_eq!(next.state(), State::Lockout);
                prop_assert!(safety.locked_by().is_subset(next.locked_by()));
            }
            if actions.contains(&Action::PersistLockout) {
                disk = next.locked_by();
            }
            if next.state() != State::Lockout {
                disk = CauseSet::EMPTY;
            }
            prop_assert_eq!(disk, next.locked_by());
            safety = next;
        }
    }
}
