//! Tiers of care for actions that wait for a person's click. Rules as data: nothing a model says changes a tier, and
//! the name of the rule that made it is shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::verdict::Bearing;
use crate::{Item, Kind, PathChecked, Unit, Verdict};

/// Nearer to a limit of place than this is High, metres.
const MARGIN_M_MIN: f64 = 0.10;
/// A larger share of a speed or force limit than this is High.
const SHARE_MAX: f64 = 0.5;
/// A person nearer than this is High, metres.
pub const PERSON_NEAR_M: f64 = 2.0;
/// The rule about people.
pub const PERSON_RULE: &str = "person_within_2_m_or_of_unknown_position";

/// Degree of care that a proposal needs; set by a rule of the station, never by a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Contact-free, or a write of the agent's own; 10 min.
    Low,
    /// Well inside the limits; 3 min.
    Medium,
    /// Near a limit, fast, or the first motion; 60 s.
    High,
}

impl Tier {
    /// Time that a person has to decide, milliseconds.
    #[must_use]
    pub const fn lifetime_ms(self) -> u64 {
        match self {
            Self::Low => 600_000,
            Self::Medium => 180_000,
            Self::High => 60_000,
        }
    }
}

/// Detection of people around the robot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PersonSeen {
    /// No fresh detection.
    Nobody,
    /// The nearest one, metres from the way of the motion.
    At(f64),
    /// There is one, and nobody knows how far away.
    Somewhere,
}

/// Facts that the rules look at. All of them are known to the station.
#[derive(Debug, Clone, PartialEq)]
pub struct Circumstances {
    /// It cannot be taken back.
    pub irreversible: bool,
    /// It changes a constraint or a setting.
    pub changes_configuration: bool,
    /// The turn that asks has read untrusted text.
    pub tainted: bool,
    /// It leaves a violated region.
    pub escape: bool,
    /// Nothing has moved since the robot was armed.
    pub first_motion: bool,
    /// People around the robot.
    pub person: PersonSeen,
    /// The robot plans its own way.
    pub goal_only: bool,
    /// Room to the nearest limit of place, metres; `None` if the motion goes nowhere.
    pub margin_m: Option<f64>,
    /// The largest share of a speed limit; none if no such limit was looked at.
    pub speed_share: Option<f64>,
    /// The largest share of a force limit; none if no such limit was looked at.
    pub force_share: Option<f64>,
    /// The actuator cannot touch anything.
    pub contact_free: bool,
    /// It moves nothing and changes only what is the agent's own.
    pub own_scope: bool,
    /// A person saw the motion when activating the mission whose step it is.
    pub seen: bool,
}

/// One rule: the tier it makes, its name, and when it applies.
struct Rule {
    tier: Tier,
    name: &'static str,
    applies: fn(&Circumstances) -> bool,
}

/// The first rule that applies counts. All High ones come first, so that none of them is ever passed over. Three of
/// them are about surprise: what a person saw beforehand is not High by them.
const RULES: [Rule; 13] = [
    high("irreversible", |about| about.irreversible),
    high("changes_limits_or_settings", |about| about.changes_configuration),
    high("leaves_a_violated_region", |about| about.escape),
    high("first_motion_since_arming", |about| about.first_motion && !about.seen),
    high("robot_plans_its_own_path", |about| about.goal_only && !about.seen),
    // The negated comparisons make High of a margin or share that is no number.
    high("margin_below_0_10_m", |about| about.margin_m.is_some_and(|margin_m| !(margin_m >= MARGIN_M_MIN))),
    high("speed_above_half_of_limit", |about| about.speed_share.is_some_and(|share| is_fast(share, about.seen))),
    high("force_above_half_of_limit", |about| about.force_share.is_some_and(|share| !(share <= SHARE_MAX))),
    high(PERSON_RULE, |about| about.person.is_near()),
    high("turn_has_read_untrusted_text", |about| about.tainted),
    Rule { tier: Tier::Low, name: "contact_free_actuator", applies: |about| about.contact_free },
    Rule { tier: Tier::Low, name: "write_in_own_scope", applies: |about| about.own_scope },
    Rule { tier: Tier::Medium, name: "well_inside_limits", applies: |_| true },
];

const fn high(name: &'static str, applies: fn(&Circumstances) -> bool) -> Rule {
    Rule { tier: Tier::High, name, applies }
}

/// True if a share of a speed limit asks for care. A share that is no number asks for it even if the motion was seen.
fn is_fast(share: f64, seen: bool) -> bool {
    if seen { share.is_nan() } else { !(share <= SHARE_MAX) }
}

impl PersonSeen {
    /// True if somebody is near, or may be: a distance that is no number counts as near.
    #[must_use]
    pub fn is_near(self) -> bool {
        match self {
            Self::Nobody => false,
            Self::At(distance_m) => !(distance_m > PERSON_NEAR_M),
            Self::Somewhere => true,
        }
    }
}

/// The tier of an action and the name of the rule that made it.
#[must_use]
pub fn tier_of(about: &Circumstances) -> (Tier, &'static str) {
    let rule = RULES.iter().find(|rule| (rule.applies)(about));
    // The last rule applies to everything; without it the answer would be the careful one.
    rule.map_or((Tier::High, "no_rule_applies"), |rule| (rule.tier, rule.name))
}

/// The names of all rules by which an action is High. The tier names the first of them only.
pub fn reasons_for_care(about: &Circumstances) -> impl Iterator<Item = &'static str> {
    RULES.iter().filter(|rule| rule.tier == Tier::High && (rule.applies)(about)).map(|rule| rule.name)
}

impl Circumstances {
    /// Facts that an allowed verdict gives about a motion; the rest is for the caller to fill in.
    #[must_use]
    pub fn of_motion(verdict: &Verdict) -> Self {
        let items = verdict.items.as_slice();
        let of_place = |item: &&Item| item.unit == Unit::M && item.kind.bearing() == Bearing::Place;
        Self {
            irreversible: false,
            changes_configuration: false,
            tainted: false,
            escape: false,
            first_motion: false,
            person: PersonSeen::Nobody,
            goal_only: verdict.path_checked == PathChecked::GoalOnly,
            margin_m: worst(items.iter().filter(of_place).map(|item| -item.margin)).map(|worst| -worst),
            speed_share: worst(items.iter().filter(|item| item.kind.bearing() == Bearing::Speed).map(share)),
            force_share: worst(items.iter().filter(|item| item.kind == Kind::MaxForce).map(share)),
            contact_free: false,
            own_scope: false,
            seen: false,
        }
    }

    /// A call that moves no robot by itself.
    #[must_use]
    pub const fn of_call(irreversible: bool, changes_configuration: bool, tainted: bool) -> Self {
        Self {
            irreversible,
            changes_configuration,
            tainted,
            escape: false,
            first_motion: false,
            person: PersonSeen::Nobody,
            goal_only: false,
            margin_m: None,
            speed_share: None,
            force_share: None,
            contact_free: false,
            own_scope: true,
            seen: false,
        }
    }
}

/// The largest number; not a number if one of them is none, so that no rule takes it for harmless.
fn worst(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    numbers.reduce(|worst, next| if next.is_nan() || next > worst { next } else { worst })
}

/// Share of its limit that a motion uses. Nothing of a limit of zero is harmless, anything else is not.
fn share(item: &Item) -> f64 {
    if item.predicted == 0.0 { 0.0 } else { item.predicted / item.limit }
}

#[cfg(test)]
mod tests;
