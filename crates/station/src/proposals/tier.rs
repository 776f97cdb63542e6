//! How much care a motion needs. Rules of the station; nothing a model says changes a tier.

use safety::{Kind, PathChecked, Unit, Verdict};

use crate::wire::Tier;

/// Closer to a limit than this is High, metres.
const MARGIN_M_MIN: f64 = 0.10;
/// A larger share of a speed or force limit than this is High.
const SHARE_MAX: f64 = 0.5;

/// The tier of an allowed motion and the rule that made it; the first rule that applies counts.
pub(super) fn tier_of(verdict: &Verdict, contact_free: bool, first_motion: bool) -> (Tier, &'static str) {
    if contact_free {
        return (Tier::Low, "contact_free_actuator");
    }
    if first_motion {
        return (Tier::High, "first_motion_since_arming");
    }
    if verdict.path_checked == PathChecked::GoalOnly {
        return (Tier::High, "robot_plans_its_own_path");
    }
    let near = |item: &safety::Item| item.unit == Unit::M && !(item.margin >= MARGIN_M_MIN);
    let of_place = |item: &safety::Item| matches!(item.kind, Kind::Workspace | Kind::ForbiddenZone | Kind::KeepOutBox);
    if verdict.items.iter().any(|item| near(item) && of_place(item)) {
        return (Tier::High, "margin_below_0_10_m");
    }
    let share = |item: &safety::Item| item.limit > 0.0 && !(item.predicted / item.limit <= SHARE_MAX);
    let of_speed = |item: &safety::Item| matches!(item.kind, Kind::MaxVelocity | Kind::ApproachSpeed);
    if verdict.items.iter().any(|item| of_speed(item) && share(item)) {
        return (Tier::High, "speed_above_half_of_limit");
    }
    if verdict.items.iter().any(|item| item.kind == Kind::MaxForce && share(item)) {
        return (Tier::High, "force_above_half_of_limit");
    }
    (Tier::Medium, "well_inside_limits")
}

/// How long a person has, milliseconds.
pub(super) const fn lifetime_ms(tier: Tier) -> u64 {
    match tier {
        Tier::Low => 600_000,
        Tier::Medium => 180_000,
        Tier::High => 60_000,
    }
}
