//! Reasons in plain English, with their numbers. Screens, logs and the agent show these and never match on them.

use robot::{Reason, sentence_of};

use crate::{Axis, Cause, Item, Kind, Overall, Unit, Verdict};

/// One item as a sentence: "Workspace x 2.00 m is over the limit 1.00 m by 1.00 m." The numbers in it add up as they
/// are printed.
#[must_use]
pub fn sentence(item: &Item) -> String {
    sentence_of(&clause(item))
}

/// A whole verdict: the decision, then every violation it lists, the worst first, then how many more there are.
pub(crate) fn of_verdict(verdict: &Verdict) -> String {
    let first = verdict.items.first().map_or_else(String::new, clause);
    match verdict.overall {
        Overall::Allow if first.is_empty() => "Allowed: no limit applies.".into(),
        Overall::Allow => "Allowed: every limit holds.".into(),
        // The items found before the failure are incomplete, and would read as if they were all there is.
        Overall::ValidatorError(cause) => format!("Denied: {}.", cause_clause(cause)),
        Overall::Deny => {
            let denied = || verdict.items.iter().filter(|item| item.verdict != Overall::Allow);
            // Two limits that say the same are one sentence.
            let further = denied().map(sentence).fold(Vec::new(), |mut said: Vec<String>, sentence| {
                if !said.contains(&sentence) {
                    said.push(sentence);
                }
                said
            });
            let total = usize::try_from(verdict.violations_total).unwrap_or(usize::MAX);
            let unlisted = total.saturating_sub(denied().count().max(1));
            let more = (unlisted > 0).then(|| format!("{unlisted} more violations are not listed."));
            let said = std::iter::once(format!("Denied: {first}.")).chain(further.into_iter().skip(1)).chain(more);
            said.collect::<Vec<_>>().join(" ")
        }
    }
}

fn cause_clause(cause: Cause) -> &'static str {
    match cause {
        Cause::Panicked => "the safety engine failed inside, and then allows nothing",
        Cause::ClockFailed => "the station clock gave no time",
        Cause::StoreUnavailable => "the constraints could not be read",
        Cause::LockPoisoned => "a part of the station failed while it held what the check needs",
    }
}

fn clause(item: &Item) -> String {
    match item.verdict {
        Overall::Allow => allowed(item),
        Overall::Deny => denied(item),
        Overall::ValidatorError(cause) => cause_clause(cause).into(),
    }
}

fn allowed(item: &Item) -> String {
    if item.predicted.is_nan() {
        return unconcerned(item);
    }
    let margin = quantity(item.margin, item.unit);
    match item.kind {
        Kind::Precondition => "the condition holds".into(),
        Kind::Envelope => format!("the goal is {margin} inside the plausible bounds"),
        Kind::GoalJump => format!("the goal is {margin} nearer than the longest step allowed"),
        Kind::AngularVelocity => format!("the angular speed is {margin} below its limit"),
        Kind::Workspace => format!("{} leaves {margin}", place(item, "workspace")),
        Kind::MaxVelocity => format!("the speed is {margin} below its limit"),
        Kind::ForbiddenZone => format!("the way keeps {margin} from {}", name(item, "forbidden zone")),
        Kind::MaxForce => format!("the force is {margin} below its limit"),
        Kind::KeepOutBox => format!("the way keeps {margin} from {}", name(item, "keep-out box")),
        Kind::JointLimits => format!("{} is {margin} inside its limit", joint(item)),
        Kind::MaxAcceleration => format!("the acceleration is {margin} below its limit"),
        Kind::StoppingDistance => format!("the way to stop is {margin} below its limit"),
        Kind::ApproachSpeed => format!("the speed is {margin} below what the distance to the nearest limit allows"),
        Kind::CommandRate => format!("the rate is {margin} below its limit"),
    }
}

/// A limit that binds the actuator and says nothing about such a motion.
fn unconcerned(item: &Item) -> String {
    let what = match item.kind {
        Kind::Precondition | Kind::Envelope => "the limit".into(),
        Kind::GoalJump => "the longest step".into(),
        Kind::AngularVelocity => "the angular speed limit".into(),
        Kind::Workspace => "the workspace".into(),
        Kind::MaxVelocity => "the speed limit".into(),
        Kind::ForbiddenZone => name(item, "forbidden zone"),
        Kind::MaxForce => "the force limit".into(),
        Kind::KeepOutBox => name(item, "keep-out box"),
        Kind::JointLimits => format!("the limit of {}", joint(item)),
        Kind::MaxAcceleration => "the acceleration limit".into(),
        Kind::StoppingDistance => "the longest way to stop".into(),
        Kind::ApproachSpeed => "the speed near limits".into(),
        Kind::CommandRate => return "the rate of commands is counted when one is sent".into(),
    };
    format!("{what} does not concern this motion")
}

fn denied(item: &Item) -> String {
    match item.reason.code {
        Reason::NonFinite => expected(item, "a number is not finite"),
        Reason::BadArity => expected(item, "a list has the wrong length"),
        Reason::BadOrientation => expected(item, "the orientation is no rotation"),
        Reason::Schema => expected(item, "the command is malformed"),
        Reason::TooLarge => expected(item, "the command is too large"),
        Reason::UnknownActuator => expected(item, "the actuator is unknown"),
        Reason::EmptySet => {
            let missing = item.reason.args.expected.as_deref().unwrap_or("further");
            format!("the constraint set is incomplete: expected a {missing} constraint")
        }
        Reason::Velocity if item.reason.args.expected.is_some() => expected(item, "the speed makes no sense"),
        Reason::Force if item.reason.args.expected.is_some() => expected(item, "the force makes no sense"),
        Reason::Sequence => "the command is out of order".into(),
        Reason::Replay => "the command was sent before".into(),
        Reason::Expired => aged(item, "the command"),
        Reason::RateLimited => {
            let rate = item.reason.args.expected.as_deref().unwrap_or("allowed");
            format!("commands come faster than {rate}")
        }
        Reason::JointNames => expected(item, "the joints do not match the robot"),
        Reason::NotProvable => not_provable(item),
        Reason::MissingVelocity => missing(item, "speed"),
        Reason::MissingForce if item.limit.is_nan() => "the command has no force, and this actuator needs one".into(),
        Reason::MissingForce => missing(item, "force"),
        Reason::Velocity if item.limit == 0.0 => "the speed limit is 0 m/s, so nothing but a stop passes".into(),
        Reason::Velocity if item.kind == Kind::AngularVelocity => over(item, "the angular speed"),
        Reason::Velocity => over(item, "the speed"),
        Reason::Force => over(item, "the force"),
        Reason::Workspace => box_violation(item, "workspace"),
        Reason::ForbiddenZone => zone_violation(item),
        Reason::StoppingDistance => stopping(item),
        Reason::GoalJump => {
            let Beyond { asked, limit, by, .. } = beyond(item, 0.0);
            format!("the goal is a step of {asked}, and the longest allowed is {limit}{}", by.too("long"))
        }
        Reason::FrameMismatch => {
            let frame = item.reason.args.frame.as_ref().map_or_else(String::new, |frame| format!(" {frame}"));
            format!("frame{frame} is not connected to the robot")
        }
        Reason::NoFreshPose => no_pose(item),
        Reason::Implausible => {
            format!("{}: probably a wrong unit", box_violation(item, "the plausible range"))
        }
        Reason::NotArmed if item.reason.args.expected.is_some() => expected(item, "the robot is armed to escape only"),
        Reason::NotArmed => "the robot is not armed".into(),
        Reason::Latched => "a stop is in force".into(),
        Reason::StaleSet => "the constraints changed after the command was approved".into(),
        Reason::Lease => match &item.reason.args.owner {
            Some(owner) => format!("{owner} uses it until the motion has ended"),
            None => "another holds control of the robot".into(),
        },
        Reason::Arbitration => controlled(item),
        Reason::AuditUnavailable => "the audit cannot be written".into(),
        Reason::ApprovalMissing => "the command needs an approval".into(),
        Reason::ApprovalVoid => void(item),
        Reason::Deadline => "the check took too long".into(),
        Reason::NotCommissioned => expected(item, "the robot is not commissioned"),
        Reason::KeepsMoving => expected(item, "the robot keeps moving if its gate dies"),
        Reason::StaleTransform => stale_transform(item),
        Reason::KeepOut => keep_out(item),
        Reason::ApproachSpeed => format!("{} this near to another limit", over(item, "the speed")),
        Reason::Acceleration if !item.predicted.is_finite() => sudden(item),
        Reason::Acceleration => format!("{} between two set-points", over(item, "the acceleration")),
        Reason::JointLimit => joint_violation(item),
    }
}

/// `what`, with the failing field and what was expected there.
fn expected(item: &Item, what: &str) -> String {
    let args = &item.reason.args;
    match (&args.field, &args.expected) {
        (Some(field), Some(expected)) => format!("{what}: {field} must be {expected}"),
        (None, Some(expected)) => format!("{what}: expected {expected}"),
        (Some(field), None) => format!("{what}: {field}"),
        (None, None) => what.into(),
    }
}

/// A sentence about the basis of the approval that does not hold any more.
fn void(item: &Item) -> String {
    let why = item.reason.args.expected.as_ref().map(|why| why.trim_end_matches('.'));
    why.map_or_else(|| "the approval no longer holds".into(), |why| format!("the approval no longer holds: {why}"))
}

/// The holder of control and the remedy; or, where that is not the matter, the person who would have to ask.
fn controlled(item: &Item) -> String {
    let args = &item.reason.args;
    if args.owner.is_none() && args.expected.is_some() {
        return expected(item, "nobody else may ask for this");
    }
    let holder = args.owner.as_deref().unwrap_or("somebody else");
    let remedy = args.expected.as_ref().map_or_else(String::new, |remedy| format!(": {remedy}"));
    format!("{holder} has control of the robot{remedy}")
}

/// An age beside its limit: in the limit's unit while the two can be compared at a glance.
pub(crate) fn age_in_words(age_ms: u64) -> String {
    const COMPARED_MS_MAX: u64 = 10_000;
    if age_ms < COMPARED_MS_MAX { format!("{age_ms} ms") } else { robot::span_in_words(age_ms) }
}

fn aged(item: &Item, what: &str) -> String {
    match (item.reason.args.age_ms, item.reason.args.age_ms_max) {
        // A stamp ahead of the clock has age 0 and is refused all the same.
        (Some(age_ms), Some(max_ms)) if age_ms >= max_ms => {
            format!("{what} is {} old, limit {max_ms} ms", age_in_words(age_ms))
        }
        (Some(_), _) => format!("{what} is stamped in the future"),
        (None, _) => format!("{what} is too old"),
    }
}

fn missing(item: &Item, what: &str) -> String {
    format!("the command has no {what}, and the limit is {}", quantity(item.limit, item.unit))
}

fn sudden(item: &Item) -> String {
    let limit = quantity(item.limit, item.unit);
    format!("the velocity changes from one moment to the next, and the limit is {limit}")
}

fn stale_transform(item: &Item) -> String {
    let frame = item.reason.args.frame.as_ref();
    let frame = frame.map_or_else(|| "a moving frame".into(), |frame| format!("frame {frame}"));
    aged(item, &format!("the transform of {frame}"))
}

fn no_pose(item: &Item) -> String {
    let args = &item.reason.args;
    match (args.age_ms, &args.expected) {
        (Some(_), _) => aged(item, "the pose"),
        (None, Some(expected)) => format!("the pose is unusable: expected {expected}"),
        (None, None) => "the robot's pose is not known".into(),
    }
}

/// A sentence about what cannot be shown, and how much of it could be.
fn not_provable(item: &Item) -> String {
    let args = &item.reason.args;
    let Some(step_m_max) = args.step_m_max else { return expected(item, "the motion cannot be shown to be safe") };
    let (step, most) = (quantity(item.predicted, Unit::M), quantity(step_m_max, Unit::M));
    format!("the joints can move the tool by up to {step}, and only {most} can be shown to be safe")
}

fn joint(item: &Item) -> String {
    item.reason.args.joint.as_ref().map_or_else(|| "a joint".into(), |joint| format!("joint {joint}"))
}

fn joint_violation(item: &Item) -> String {
    if item.unit == Unit::Radps || item.unit == Unit::Mps {
        return over(item, &format!("the speed of {}", joint(item)));
    }
    let side = if item.predicted < item.limit { "under" } else { "over" };
    let Beyond { asked, limit, by, .. } = beyond(item, 0.0);
    format!("{} at {asked} is {side} its limit {limit}{}", joint(item), by.by())
}

/// A number that is not from 0 to its limit.
fn over(item: &Item, what: &str) -> String {
    if item.predicted < 0.0 {
        return format!("{what} {} is below 0", quantity(item.predicted, item.unit));
    }
    if !item.predicted.is_finite() {
        return format!("{what} is no number, and the limit is {}", quantity(item.limit, item.unit));
    }
    let Beyond { asked, limit, by, .. } = beyond(item, 0.0);
    format!("{what} {asked} is over the limit {limit}{}", by.by())
}

fn box_violation(item: &Item, what: &str) -> String {
    let (predicted, limit) = (quantity(item.predicted, item.unit), quantity(item.limit, item.unit));
    let inflation = item.reason.args.inflation_m.filter(|inflation_m| *inflation_m > 0.0);
    let depth = -item.margin;
    let place = place(item, what);
    // Distance of the point itself beyond the limit; the rest of the depth is the robot's size.
    let outside = depth - inflation.unwrap_or(0.0);
    if let (false, Some(inflation_m)) = (outside > 0.0, inflation) {
        let (distance, inflation) = (quantity(inflation_m - depth, item.unit), quantity(inflation_m, item.unit));
        return format!(
            "{place} {predicted} is {distance} from the limit {limit}, closer than {inflation} (body, error and \
             margin){}",
            at(item)
        );
    }
    let side = if item.predicted < item.limit { "under" } else { "over" };
    let Beyond { asked, limit, share, by } = beyond(item, inflation.unwrap_or(0.0));
    let share = share.map_or_else(String::new, |share| format!(", with {share} for body, error and margin,"));
    format!("{place} {asked}{share} is {side} the limit {limit}{}{}", by.by(), at(item))
}

/// Words for the point on the way at which it was measured; empty if that is not known.
fn at(item: &Item) -> String {
    let point = item.point_m.filter(|point| point.iter().all(|part| part.is_finite()));
    point.map_or_else(String::new, |[x, y, z]| format!(" at ({x:.2}, {y:.2}, {z:.2})"))
}

/// The numbers of a violation as they are printed: `asked` and `share` together are `by` beyond the limit.
struct Beyond {
    asked: String,
    limit: String,
    share: Option<String>,
    by: By,
}

/// The distance of something beyond its limit; nothing if that is no number.
struct By(Option<String>);

impl By {
    fn by(&self) -> String {
        self.0.as_ref().map_or_else(String::new, |by| format!(" by {by}"))
    }

    fn too(&self, what: &str) -> String {
        self.0.as_ref().map_or_else(String::new, |by| format!(", {by} too {what}"))
    }
}

/// Rounds before it adds, with as many places as it takes to tell the two apart.
fn beyond(item: &Item, share: f64) -> Beyond {
    let (asked, limit) = (item.predicted, item.limit);
    if !(asked.is_finite() && limit.is_finite() && share.is_finite()) {
        let [asked, limit] = [asked, limit].map(|number| quantity(number, item.unit));
        return Beyond { asked, limit, share: None, by: By(None) };
    }
    let fewest = if item.unit == Unit::N { 1 } else { 2 };
    let apart = |places: i32| {
        let [asked, limit, share] = [asked, limit, share].map(|number| rounded(number, places));
        let is_told = (share == 0.0) == (item.reason.args.inflation_m.is_none_or(|inflation_m| inflation_m <= 0.0));
        (asked != limit && is_told).then_some((places, asked, limit, share))
    };
    let found = (fewest..=PLACES_MAX).find_map(apart);
    let (places, asked, limit, share) = found.unwrap_or((PLACES_MAX, asked, limit, share));
    let printed = |number: f64| with_unit(number, item.unit, places);
    let by = rounded((asked - limit).abs() + share, places);
    Beyond {
        asked: printed(asked),
        limit: printed(limit),
        share: (share > 0.0).then(|| printed(share)),
        by: By(Some(printed(by))),
    }
}

/// Places behind the point that are ever printed.
const PLACES_MAX: i32 = 6;

fn rounded(number: f64, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    (number * scale).round() / scale
}

fn with_unit(number: f64, unit: Unit, places: i32) -> String {
    let places = usize::try_from(places).unwrap_or_default();
    let name = match unit {
        Unit::M => " m",
        Unit::Mps => " m/s",
        Unit::Rad => " rad",
        Unit::Radps => " rad/s",
        Unit::N => " N",
        Unit::Mps2 => " m/s²",
        Unit::Hz => " Hz",
        Unit::None => "",
    };
    format!("{number:.places$}{name}")
}

fn zone_violation(item: &Item) -> String {
    let zone = name(item, "forbidden zone");
    let inflation_m = item.reason.args.inflation_m.unwrap_or(0.0);
    // Beyond the radius only its share of the robot reaches in.
    if item.predicted > item.limit {
        let (radius, share) = (quantity(item.limit, item.unit), quantity(inflation_m, item.unit));
        let distance = quantity(item.predicted - item.limit, item.unit);
        return format!(
            "the way passes {distance} from {zone} of {radius}, closer than {share} (body, error and margin){}",
            at(item)
        );
    }
    let Beyond { asked, limit, share, by } = beyond(item, inflation_m);
    let share = share.map_or_else(String::new, |share| format!(", with {share} for body, error and margin"));
    format!("the way passes {asked} from the centre of {zone} of {limit}{share}{}{}", by.too("near"), at(item))
}

fn keep_out(item: &Item) -> String {
    let what = name(item, "keep-out box");
    let share = quantity(item.limit, item.unit);
    if item.predicted > 0.0 {
        let distance = quantity(item.predicted, item.unit);
        return format!(
            "the way passes {distance} from {what}, closer than {share} (body, error and margin){}",
            at(item)
        );
    }
    if item.predicted == 0.0 {
        return format!("the way touches {what}{}", at(item));
    }
    format!("the way goes {} into {what}{}", quantity(-item.predicted, item.unit), at(item))
}

fn stopping(item: &Item) -> String {
    let what = match item.kind {
        Kind::ForbiddenZone => Some(name(item, "forbidden zone")),
        Kind::KeepOutBox => Some(name(item, "keep-out box")),
        Kind::Workspace => Some(place(item, "workspace")),
        Kind::StoppingDistance | Kind::Precondition | Kind::Envelope | Kind::GoalJump | Kind::AngularVelocity => None,
        Kind::MaxVelocity | Kind::MaxForce | Kind::MaxAcceleration | Kind::ApproachSpeed => None,
        Kind::JointLimits | Kind::CommandRate => None,
    };
    let args = &item.reason.args;
    let speed = args.speed_mps.map_or_else(|| "an unknown speed".into(), |mps| quantity(mps, Unit::Mps));
    let allowed = args.speed_allowed_mps.map(|mps| quantity(mps, Unit::Mps));
    let allowed = allowed.map_or_else(String::new, |allowed| format!("; {allowed} is allowed"));
    let (needed, room) = (quantity(item.predicted, item.unit), quantity(item.limit, item.unit));
    match what {
        Some(what) => format!("stopping from {speed} takes {needed}, and {what} leaves {room}{allowed}"),
        None => {
            let Beyond { asked, limit, by, .. } = beyond(item, 0.0);
            format!("stopping from {speed} takes {asked}, over the limit {limit}{}{allowed}", by.by())
        }
    }
}

/// `what`, with the axis of a box.
fn place(item: &Item, what: &str) -> String {
    match item.reason.args.axis {
        Some(Axis::X) => format!("{what} x"),
        Some(Axis::Y) => format!("{what} y"),
        Some(Axis::Z) => format!("{what} z"),
        None => what.into(),
    }
}

/// `what`, with the id of the constraint.
fn name(item: &Item, what: &str) -> String {
    item.constraint.as_ref().map_or_else(|| what.into(), |id| format!("{what} {id}"))
}

/// A number with its unit, short lengths in millimetres.
fn quantity(number: f64, unit: Unit) -> String {
    if !number.is_finite() {
        return "an unknown amount".into();
    }
    match unit {
        Unit::M if number != 0.0 && number.abs() < 0.0005 => "less than 1 mm".into(),
        Unit::M if number != 0.0 && number.abs() < 0.01 => format!("{:.1} mm", number * 1e3),
        Unit::M => format!("{number:.2} m"),
        Unit::Mps => format!("{number:.2} m/s"),
        Unit::Rad => format!("{number:.2} rad"),
        Unit::Radps => format!("{number:.2} rad/s"),
        Unit::N => format!("{number:.1} N"),
        Unit::Mps2 => format!("{number:.2} m/s²"),
        Unit::Hz => format!("{number:.1} Hz"),
        Unit::None => format!("{number}"),
    }
}

#[cfg(test)]
mod tests;
