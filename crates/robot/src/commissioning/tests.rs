use super::*;

fn result(step: CommissioningStep, outcome: StepOutcome) -> StepResult {
    StepResult {
        step,
        outcome,
        time_ms: None,
        distance_m: None,
        time_ms_max: None,
        distance_m_max: None,
        speeds: Vec::new(),
        joints: Vec::new(),
        means: Vec::new(),
        person: "Ada".to_owned(),
        at_ms: 0,
    }
}

#[test]
fn rg_30_what_is_missing_is_the_first_step_without_a_result_that_counts() {
    use CommissioningStep::{AxisTurn, AxisX, AxisY, HardwareStop};
    let needed = [AxisX, AxisY, AxisTurn, HardwareStop];
    let missing = |results: &[(CommissioningStep, StepOutcome)]| {
        let results: Vec<_> = results.iter().map(|(step, outcome)| result(*step, *outcome)).collect();
        CommissioningState::first_missing(&needed, &results)
    };
    assert_eq!(missing(&[]), Some(AxisX));
    assert_eq!(missing(&[(AxisX, StepOutcome::WrongWay)]), Some(AxisX));
    assert_eq!(missing(&[(AxisX, StepOutcome::Passed), (AxisTurn, StepOutcome::Passed)]), Some(AxisY));
    let none = StepOutcome::NoSuchAxis;
    let pressed = (HardwareStop, StepOutcome::NotVisible);
    assert_eq!(missing(&[(AxisX, none), (AxisY, StepOutcome::Passed), (AxisTurn, none), pressed]), None);
    assert_eq!(missing(&[(AxisX, none), (AxisY, none), (AxisTurn, none), pressed]), Some(AxisX), "it never moved");
    let turns = [(AxisX, none), (AxisY, none), (AxisTurn, StepOutcome::Passed), pressed];
    assert_eq!(missing(&turns), Some(AxisX), "it looks along neither axis, so that nobody has seen it drive");
    assert_eq!(CommissioningState::first_missing(&[HardwareStop], &[result(HardwareStop, StepOutcome::Passed)]), None);
}

#[test]
fn rg_32_only_a_base_that_was_measured_to_stop_within_a_second_stops() {
    let stops = |timeout: BaseTimeout| !timeout.keeps_moving();
    assert!(stops(BaseTimeout::After(1_000)));
    assert!(!stops(BaseTimeout::After(1_001)) && !stops(BaseTimeout::Never) && !stops(BaseTimeout::NotMeasured));
    let silence = result(CommissioningStep::Silence, StepOutcome::Passed);
    assert_eq!(BaseTimeout::of(&[StepResult { time_ms: Some(480), ..silence.clone() }]), BaseTimeout::After(480));
    assert_eq!(BaseTimeout::of(&[StepResult { outcome: StepOutcome::KeepsMoving, ..silence }]), BaseTimeout::Never);
}
