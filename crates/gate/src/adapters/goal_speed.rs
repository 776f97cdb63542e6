//! The speed that a pose goal was judged at: robots take a speed, and goals may have a time instead.

use robot::Reason;

/// Largest speed on the way to a goal, metres per second, at most `most_mps`. `way_m` is the length of the way from where
/// it was judged. A goal with a time has at least `least_mps`, at which the robot counts as standing: one that turns on
/// the spot has no way, and a limit near 0 would slow its turn as well.
///
/// # Errors
/// The reason that there is none: a speed of 0, or a way that nobody knows.
pub fn judged_mps(
    speed_mps: Option<f64>,
    duration_s: Option<f64>,
    way_m: impl FnOnce() -> Result<f64, Reason>,
    [least_mps, most_mps]: [f64; 2],
) -> Result<f64, Reason> {
    let judged_mps = match (speed_mps, duration_s) {
        (Some(speed_mps), _) => speed_mps,
        // The peak of a trapezoid whose ramps fill the whole time, as the judgement reckons.
        (None, Some(duration_s)) => {
            let peak_mps = 2.0 * way_m()? / duration_s;
            // `max` would take not-a-number for the least.
            if peak_mps < least_mps { least_mps } else { peak_mps }
        }
        (None, None) => most_mps,
    };
    // Nav2 takes a limit of 0 for none. Written so that not-a-number is refused.
    if judged_mps > 0.0 { Ok(judged_mps.min(most_mps)) } else { Err(Reason::MissingVelocity) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_27_a_goal_has_the_speed_that_it_was_judged_at_and_never_none() {
        let of = |speed_mps, duration_s| judged_mps(speed_mps, duration_s, || Ok(1.5), [0.02, 0.5]);
        assert_eq!(of(Some(0.2), Some(1.0)), Ok(0.2));
        assert_eq!(of(None, Some(10.0)), Ok(0.3));
        assert_eq!(of(None, Some(1.0)), Ok(0.5));
        assert_eq!(of(None, None), Ok(0.5));
        for none in [Some(0.0), Some(f64::NAN)] {
            assert_eq!(of(none, None), Err(Reason::MissingVelocity));
        }
        assert_eq!(judged_mps(None, Some(10.0), || Ok(0.0), [0.02, 0.5]), Ok(0.02), "a turn on the spot");
        assert_eq!(judged_mps(None, Some(1.0), || Ok(f64::NAN), [0.02, 0.5]), Err(Reason::MissingVelocity));
        let unknown = || Err(Reason::NoFreshPose);
        assert_eq!(judged_mps(None, Some(1.0), unknown, [0.02, 0.5]), Err(Reason::NoFreshPose));
        assert_eq!(judged_mps(Some(0.2), None, unknown, [0.02, 0.5]), Ok(0.2));
    }
}
