//! Basis of an approval, and the check that it still holds: while a card waits, at the click, and at sending.

use robot::UnitQuaternion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Overall, Pose};

/// Greatest displacement of the robot since the motion was judged, metres.
const START_MOVED_M_MAX: f64 = 0.02;
/// Greatest rotation since then, radians (2 degrees).
const START_TURNED_RAD_MAX: f64 = 2.0 * std::f64::consts::PI / 180.0;

/// The basis on which an action was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// SHA-256 of the action, hex.
    pub action_hash: String,
    /// Version of the constraint set.
    pub set_version: u64,
    /// The station's claim on the robot.
    pub lease_epoch: u64,
    /// The latch's generation: it rises with every stop.
    pub latch_generation: u64,
    /// Pose of the robot; `None` for a robot of switches alone.
    pub start: Option<Pose>,
}

/// The same as it is now, with what is asked of the present alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Present {
    /// Basis of a new judgement.
    pub binding: Binding,
    /// No fact the card shows is stale.
    pub facts_fresh: bool,
    /// The robot answers.
    pub link_live: bool,
    /// No stop is in force.
    pub unstopped: bool,
    /// Present decision of the engine.
    pub overall: Overall,
}

/// A condition under which an approval holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Precondition {
    /// Nothing of the action was changed.
    SameAction,
    /// The robot is within 0.02 m and 2° of where it was.
    StartPose,
    /// The facts it relied on are fresh.
    FactsFresh,
    /// The limits are the same.
    SameSet,
    /// The station's claim on the robot is the same.
    SameEpoch,
    /// No stop has come since.
    NoStopSince,
    /// The robot answers.
    LinkFresh,
    /// The engine still allows it.
    VerdictAllow,
}

impl Precondition {
    /// Every condition, in the order in which a card names the first that fails.
    pub const ALL: [Self; 8] = [
        Self::SameAction,
        Self::NoStopSince,
        Self::LinkFresh,
        Self::FactsFresh,
        Self::SameSet,
        Self::SameEpoch,
        Self::StartPose,
        Self::VerdictAllow,
    ];

    /// A human-readable sentence about the condition when it does not hold.
    #[must_use]
    pub const fn broken(self) -> &'static str {
        match self {
            Self::SameAction => "the action is another one",
            Self::StartPose => "the robot has moved",
            Self::FactsFresh => "what it relied on is old",
            Self::SameSet => "the limits have changed",
            Self::SameEpoch => "control of the robot has changed",
            Self::NoStopSince => "the robot was stopped",
            Self::LinkFresh => "the robot does not answer",
            Self::VerdictAllow => "it is not allowed now",
        }
    }

    fn holds(self, bound: &Binding, present: &Present) -> bool {
        let now = &present.binding;
        match self {
            Self::SameAction => bound.action_hash == now.action_hash,
            Self::StartPose => is_same_place(bound.start.as_ref(), now.start.as_ref()),
            Self::FactsFresh => present.facts_fresh,
            Self::SameSet => bound.set_version == now.set_version,
            Self::SameEpoch => bound.lease_epoch == now.lease_epoch,
            // The generation too: a stop that was pressed and released in between voids the approval as well.
            Self::NoStopSince => present.unstopped && bound.latch_generation == now.latch_generation,
            Self::LinkFresh => present.link_live,
            Self::VerdictAllow => present.overall == Overall::Allow,
        }
    }
}

impl Binding {
    /// Every condition with whether it holds.
    #[must_use]
    pub fn check(&self, present: &Present) -> [(Precondition, bool); Precondition::ALL.len()] {
        Precondition::ALL.map(|condition| (condition, condition.holds(self, present)))
    }

    /// A human-readable sentence about a condition that does not hold: the expected value, and the present one.
    #[must_use]
    pub fn why(&self, condition: Precondition, present: &Present) -> String {
        let (broken, now) = (condition.broken(), &present.binding);
        match condition {
            Precondition::SameAction | Precondition::FactsFresh => broken.to_owned(),
            Precondition::LinkFresh | Precondition::VerdictAllow => broken.to_owned(),
            Precondition::StartPose => {
                let found = apart(self.start.as_ref(), now.start.as_ref());
                format!("{broken}: expected within 0.02 m and 2° of where it was judged, found {found}")
            }
            Precondition::SameSet => {
                format!("{broken}: expected version {}, found version {}", self.set_version, now.set_version)
            }
            Precondition::SameEpoch => {
                format!("{broken}: expected claim {}, found claim {}", self.lease_epoch, now.lease_epoch)
            }
            Precondition::NoStopSince if !present.unstopped => {
                format!("{broken}: expected no stop, found one in force or the robot not armed")
            }
            Precondition::NoStopSince => format!("{broken}: expected no stop since then, found one that is over"),
        }
    }

    /// The first condition that does not hold.
    #[must_use]
    pub fn broken(&self, present: &Present) -> Option<Precondition> {
        Precondition::ALL.into_iter().find(|condition| !condition.holds(self, present))
    }
}

/// Human-readable distance of a robot from its former pose.
fn apart(was: Option<&Pose>, is: Option<&Pose>) -> String {
    let Some(is) = is else { return "no pose".to_owned() };
    let Some(was) = was else { return "a pose where there was none".to_owned() };
    if was.frame != is.frame {
        return format!("a pose in {} and not in {}", is.frame, was.frame);
    }
    let moved_m = moved_m(was, is);
    match (was.orientation, is.orientation) {
        (Some(was), Some(is)) => format!("{moved_m:.3} m and {:.1}°", angle_rad(was, is).to_degrees()),
        (None, None) => format!("{moved_m:.3} m"),
        (Some(_), None) => format!("{moved_m:.3} m and no orientation"),
        (None, Some(_)) => format!("{moved_m:.3} m and an orientation where there was none"),
    }
}

fn moved_m(was: &Pose, is: &Pose) -> f64 {
    was.position_m.iter().zip(is.position_m).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// True if a robot is still at its former pose. A pose that came or went, or is in another frame, is another place; so
/// is a number that is none.
fn is_same_place(was: Option<&Pose>, is: Option<&Pose>) -> bool {
    let (Some(was), Some(is)) = (was, is) else { return was.is_none() && is.is_none() };
    let turned = match (was.orientation, is.orientation) {
        (Some(was), Some(is)) => angle_rad(was, is) <= START_TURNED_RAD_MAX,
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    was.frame == is.frame && moved_m(was, is) <= START_MOVED_M_MAX && turned
}

/// The angle between two orientations. A quaternion and its negative are the same one.
fn angle_rad(a: UnitQuaternion, b: UnitQuaternion) -> f64 {
    let cosine_of_half: f64 = a.xyzw().iter().zip(b.xyzw()).map(|(a, b)| a * b).sum();
    // Rounding can take two equal orientations above 1, where the angle would be no number.
    2.0 * cosine_of_half.abs().min(1.0).acos()
}

#[cfg(test)]
mod tests;
