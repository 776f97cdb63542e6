use super::*;

const LIMITS: MoverLimits =
    MoverLimits { speed_mps: 1.0, acceleration_mps2: 2.0, deceleration_mps2: 1.5, turn_radps: 2.0, turns: true };
const DT_S: f64 = 0.02;

/// Steps until the goal is reached; the time, the fastest it was, and the farthest it was from the straight line.
fn drive_to(goal: [f64; 3], speed_mps: f64) -> (Mover, f64, f64, f64) {
    let mut mover = Mover::new([0.0; 3], LIMITS);
    mover.go([goal], Some(speed_mps));
    let (mut fastest_mps, mut aside_m) = (0.0f64, 0.0f64);
    for step in 1..10_000 {
        let arrived = mover.step(DT_S);
        fastest_mps = fastest_mps.max(mover.speed_mps());
        let along = (0..3).map(|i| mover.position_m[i] * goal[i]).sum::<f64>() / norm(goal).powi(2);
        aside_m = aside_m.max(norm(plus(mover.position_m, goal, -along)));
        if arrived {
            return (mover, f64::from(step) * DT_S, fastest_mps, aside_m);
        }
    }
    panic!("never arrived: {mover:?}");
}

#[test]
fn goes_straight_to_the_goal_at_the_commanded_speed() {
    for (goal, speed_mps) in [([0.2, 0.2, 0.2], 0.2), ([6.0, 6.0, 0.0], 1.5), ([0.01, 0.0, 0.0], 1.0)] {
        let (mover, took_s, fastest_mps, aside_m) = drive_to(goal, speed_mps);
        assert!(norm(minus(mover.position_m, goal)) <= ARRIVED_M, "{mover:?}");
        assert!(fastest_mps <= speed_mps.min(LIMITS.speed_mps) + 1e-9, "{fastest_mps} m/s");
        assert!(aside_m < 1e-6, "{aside_m} m off the line");
        assert!(took_s < norm(goal) / speed_mps.min(1.0) + 2.0, "{took_s} s");
    }
}

#[test]
fn stops_within_its_braking_distance() {
    let mut mover = Mover::new([0.0; 3], LIMITS);
    mover.drive([3.0, 0.0, 0.0], 0.0);
    for _ in 0..100 {
        mover.step(DT_S);
    }
    assert!((mover.speed_mps() - LIMITS.speed_mps).abs() < 1e-9, "limited to what the body can do");
    let begun_m = mover.position_m[0];
    mover.rest();
    while mover.speed_mps() > 0.0 {
        mover.step(DT_S);
    }
    let braked_m = mover.position_m[0] - begun_m;
    assert!(braked_m <= 1.0 / (2.0 * LIMITS.deceleration_mps2), "{braked_m} m");
}

#[test]
fn turns_into_its_direction_no_faster_than_it_can() {
    let mut mover = Mover::new([0.0; 3], LIMITS);
    mover.drive([0.0, 1.0, 0.0], 0.0);
    for _ in 0..100 {
        mover.step(DT_S);
        assert!(mover.yaw_rate_radps.abs() <= LIMITS.turn_radps + 1e-9);
    }
    assert!((mover.yaw_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
}

#[test]
fn turns_on_the_spot_at_the_commanded_rate_and_no_faster_than_it_can() {
    for (turn_radps, expected_radps) in [(0.5, 0.5), (-0.5, -0.5), (9.0, LIMITS.turn_radps)] {
        let mut mover = Mover::new([1.0, 2.0, 0.0], LIMITS);
        mover.drive([0.0; 3], turn_radps);
        for _ in 0..50 {
            mover.step(DT_S);
        }
        assert_eq!((mover.position_m, mover.yaw_rate_radps), ([1.0, 2.0, 0.0], expected_radps));
        assert!((mover.yaw_rad - expected_radps).abs() < 1e-9, "{} rad after a second", mover.yaw_rad);
        mover.rest();
        mover.step(DT_S);
        assert_eq!(mover.yaw_rate_radps, 0.0);
    }
    let mut arm = Mover::new([0.0; 3], MoverLimits { turns: false, ..LIMITS });
    arm.drive([0.0; 3], 0.5);
    arm.step(DT_S);
    assert_eq!((arm.yaw_rad, arm.yaw_rate_radps), (0.0, 0.0), "the tool point of an arm has no heading");
}
