//! The points of a named place that a draft visits: the corners of its area, drawn inward.

use robot::FrameId;
use safety::PlaceLimit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;
use ts_rs::TS;
use world::SitePlan;
use world::site_plan::{PlanArea, PlanPoint};

use super::{PLACE, TEMPLATES};
use crate::format::edit::Edit;
use crate::format::front::{Limit, decode};
use crate::format::parsed::{Parsed, parse};

/// Space between a point and the edges of its area, and between it and the limits of the mission, metres: more than the
/// body of a robot with its error.
const ROOM_M: f64 = 0.8;
/// The least distance of two points, metres; corners that are nearer to each other are one.
const APART_M: f64 = 1.0;
/// The most points of an area that are visited.
const POINTS_MAX: usize = 8;
/// The longest name of a place in the name of a step, in characters.
const NAME_CHARS_MAX: usize = 100;
/// The place of the goal in a step of a template.
const GOAL: &str = "/input/motion/pose_goal";
/// The place of its position.
const POSITION: &str = "/input/motion/pose_goal/position_m";

/// The points of a place that a draft visits before it goes home.
#[derive(Debug, Clone, PartialEq)]
pub enum Visit {
    /// These, in order.
    Points {
        /// The frame of their coordinates.
        frame: FrameId,
        /// At least one and at most eight, metres.
        points: Vec<PlanPoint>,
    },
    /// Those of the template: the site plan has no area with this name.
    NoArea,
    /// Those of the template: no point of the area lies within the limits of the mission.
    OutOfReach,
}

/// A wish that a draft does not follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[schemars(rename = "MissionDraftNote")]
#[ts(rename = "MissionDraftNote")]
pub enum DraftNote {
    /// It visits the points of its template: the site plan has no area with this name.
    #[error("The site plan has no area `{place}`. The draft visits the points of its template.")]
    NoArea {
        /// The name.
        place: String,
    },
    /// It visits the points of its template: no point of the area lies within the limits of the mission.
    #[error(
        "No point of `{place}` lies within the limits of this mission. The draft visits the points of its template."
    )]
    OutOfReach {
        /// The name of the area.
        place: String,
    },
}

impl Visit {
    /// The reason why the points of the template stay; none if they do not.
    #[must_use]
    pub fn note(&self, place: &str) -> Option<DraftNote> {
        match self {
            Self::Points { .. } => None,
            Self::NoArea => Some(DraftNote::NoArea { place: place.to_owned() }),
            Self::OutOfReach => Some(DraftNote::OutOfReach { place: place.to_owned() }),
        }
    }
}

/// The visit of `place` on `plan`; none if the template goes to no place that could be another one.
#[must_use]
pub fn visit(template: &str, place: &str, plan: &SitePlan) -> Option<Visit> {
    let (_, text) = TEMPLATES.into_iter().find(|(name, _)| *name == template)?;
    let parsed = parse(text.as_bytes());
    let model = Steps::of(&parsed).filter(|_| parsed.source.body().contains(PLACE))?.model;
    let Some(area) = area_named(plan, place) else { return Some(Visit::NoArea) };
    let height_m = height_m(&model);
    let robot = model.pointer("/input/robot").and_then(Value::as_str).unwrap_or_default();
    let binds = |limit: &&Limit| limit.robot.as_ref().is_none_or(|bound| bound.as_str() == robot);
    let limits: Vec<&Limit> = parsed.front.constraints.iter().map(|limit| &limit.value).filter(binds).collect();
    let is_free = |[x, y]: &PlanPoint| limits.iter().all(|limit| allows(limit, &plan.frame, [*x, *y, height_m]));
    let free: Vec<PlanPoint> = points_of(area).into_iter().filter(is_free).collect();
    if free.is_empty() {
        return Some(Visit::OutOfReach);
    }
    let kept = free.len().min(POINTS_MAX);
    // Of many corners, some all along the edge.
    let points = (0..kept).filter_map(|number| free.get(number * free.len() / kept)).copied().collect();
    Some(Visit::Points { frame: plan.frame.clone(), points })
}

/// The edits that put `points` in the place of those of a template. Its last goal that goes somewhere stays.
pub(super) fn edits(parsed: &Parsed, place: &str, frame: &FrameId, points: &[PlanPoint]) -> Vec<Edit> {
    let Some(Steps { model, home, count }) = Steps::of(parsed) else { return Vec::new() };
    let height_m = height_m(&model);
    let key = || "goals".to_owned();
    // From the last to the first, so that each index still counts when its turn comes.
    let away = (0..count).rev().filter(|index| *index != home).map(|index| Edit::RemoveEntry { key: key(), index });
    let place: String = place.chars().take(NAME_CHARS_MAX).collect();
    let visited = points.iter().enumerate().map(|(index, [x, y])| {
        let mut value = model.clone();
        let name = if points.len() == 1 { place.clone() } else { format!("{place} {}", index + 1) };
        put(&mut value, "", "name", json!(name));
        put(&mut value, "/input", "frame", json!(frame));
        put(&mut value, GOAL, "position_m", json!([x, y, height_m]));
        Edit::InsertEntry { key: key(), index, value }
    });
    away.chain(visited).collect()
}

/// The third number of the position in a step.
fn height_m(step: &Value) -> f64 {
    step.pointer(POSITION).and_then(|position| position.get(2)).and_then(Value::as_f64).unwrap_or(0.0)
}

fn put(value: &mut Value, pointer: &str, key: &str, to: Value) {
    if let Some(fields) = value.pointer_mut(pointer).and_then(Value::as_object_mut) {
        fields.insert(key.to_owned(), to);
    }
}

/// The goals of a template that go somewhere.
struct Steps {
    /// The first of them, as it is written.
    model: Value,
    /// The number of goals before the last of them.
    home: usize,
    /// The number of all goals.
    count: usize,
}

impl Steps {
    fn of(parsed: &Parsed) -> Option<Self> {
        let entries = parsed.root.as_ref()?.entries();
        let goals = entries.iter().find(|entry| entry.key == "goals")?;
        let goals: Vec<Value> = decode(&goals.value, &[]).ok()?;
        let goes = |goal: &Value| goal.pointer(POSITION).is_some();
        let home = goals.iter().rposition(goes)?;
        let model = goals.iter().find(|goal| goes(goal))?.clone();
        Some(Self { model, home, count: goals.len() })
    }
}

/// The area with this name; case does not count, and a space is a `_`.
fn area_named<'a>(plan: &'a SitePlan, name: &str) -> Option<&'a PlanArea> {
    let plain = |name: &str| {
        let spaced = name.to_lowercase().replace('_', " ");
        spaced.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let same = plan.areas.iter().find(|area| area.name == name);
    same.or_else(|| plan.areas.iter().find(|area| plain(&area.name) == plain(name)))
}

/// True if a point keeps its room to a limit. A limit in another frame could be anywhere.
fn allows(Limit { kind, frame, .. }: &Limit, plan_frame: &FrameId, point: [f64; 3]) -> bool {
    let is_comparable = frame.as_ref() == Some(plan_frame);
    match kind.place() {
        Some(PlaceLimit::Workspace { x, y, z }) => {
            // A robot on the floor touches it.
            let [x_m, y_m, z_m] = point;
            is_comparable && holds(&x, x_m, ROOM_M) && holds(&y, y_m, ROOM_M) && holds(&z, z_m, 0.0)
        }
        Some(PlaceLimit::ForbiddenZone { center, radius }) => {
            let squares: f64 = center.iter().zip(point).map(|(own, other)| (own - other).powi(2)).sum();
            is_comparable && squares.sqrt() >= radius + ROOM_M
        }
        Some(PlaceLimit::KeepOutBox { min, max }) => {
            let is_outside =
                min.iter().zip(max).zip(point).any(|((least, most), at)| at <= least - ROOM_M || at >= most + ROOM_M);
            is_comparable && is_outside
        }
        None => true,
    }
}

fn holds([least, most]: &[f64; 2], at: f64, room: f64) -> bool {
    least + room <= at && at <= most - room
}

/// The points of an area: its corners drawn inward, or its middle where they come together.
fn points_of(area: &PlanArea) -> Vec<PlanPoint> {
    let mut points: Vec<PlanPoint> = Vec::new();
    for point in drawn_in(&area.corners) {
        if points.iter().all(|other| distance(*other, point) >= APART_M) {
            points.push(point);
        }
    }
    let middle = middle(&area.corners).filter(|_| points.len() < 2);
    middle.map_or(points, |middle| vec![rounded(middle)])
}

/// Each corner where it keeps its room to both of its edges, if it does to all others too.
fn drawn_in(corners: &[PlanPoint]) -> Vec<PlanPoint> {
    let side = if area_m2(corners) > 0.0 { 1.0 } else { -1.0 };
    let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    let after = corners.iter().cycle().skip(1);
    let inward = before.zip(corners).zip(after).filter_map(|((before, corner), after)| {
        let (first, second) = (inward_normal(*before, *corner, side), inward_normal(*corner, *after, side));
        // The sum of both normals leads along the half of the angle.
        // Near 0 at a spike; the point then lies far outside and is dropped by the test below.
        let share = 1.0 + first[0] * second[0] + first[1] * second[1];
        let [x, y] = *corner;
        let point = [x + ROOM_M * (first[0] + second[0]) / share, y + ROOM_M * (first[1] + second[1]) / share];
        is_inside(corners, point).then(|| rounded(point))
    });
    // A centimetre less, because points are rounded to whole centimetres.
    let keeps_room = |point: &PlanPoint| edges(corners).all(|(a, b)| distance_to(*point, a, b) >= ROOM_M - 0.01);
    inward.filter(keeps_room).collect()
}

fn edges(corners: &[PlanPoint]) -> impl Iterator<Item = (PlanPoint, PlanPoint)> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// The size of an area; negative if its corners go round with the clock.
fn area_m2(corners: &[PlanPoint]) -> f64 {
    edges(corners).map(|([ax, ay], [bx, by])| ax * by - bx * ay).sum::<f64>() / 2.0
}

/// The centre of the area, if it lies inside.
fn middle(corners: &[PlanPoint]) -> Option<PlanPoint> {
    // Near the origin the products lose nothing.
    let &[x0, y0] = corners.first()?;
    let moved: Vec<PlanPoint> = corners.iter().map(|[x, y]| [x - x0, y - y0]).collect();
    let six_areas = 6.0 * area_m2(&moved);
    let sums = edges(&moved).map(|([ax, ay], [bx, by])| {
        let cross = ax * by - bx * ay;
        [(ax + bx) * cross, (ay + by) * cross]
    });
    let [x, y] = sums.fold([0.0, 0.0], |[x, y], [more_x, more_y]| [x + more_x, y + more_y]);
    let middle = [x0 + x / six_areas, y0 + y / six_areas];
    is_inside(corners, middle).then_some(middle)
}

/// The direction into the area across the edge from `a` to `b`, of length one.
fn inward_normal([ax, ay]: PlanPoint, [bx, by]: PlanPoint, side: f64) -> PlanPoint {
    let length = distance([ax, ay], [bx, by]);
    [-side * (by - ay) / length, side * (bx - ax) / length]
}

/// True if a way from the point to the left meets the edge an odd number of times.
fn is_inside(corners: &[PlanPoint], [x, y]: PlanPoint) -> bool {
    let meets = |([ax, ay], [bx, by]): &(PlanPoint, PlanPoint)| {
        (*ay > y) != (*by > y) && ax + (y - ay) / (by - ay) * (bx - ax) < x
    };
    edges(corners).filter(meets).count() % 2 == 1
}

fn distance([ax, ay]: PlanPoint, [bx, by]: PlanPoint) -> f64 {
    (ax - bx).hypot(ay - by)
}

fn distance_to([x, y]: PlanPoint, [ax, ay]: PlanPoint, [bx, by]: PlanPoint) -> f64 {
    let (along_x, along_y) = (bx - ax, by - ay);
    let share = ((x - ax) * along_x + (y - ay) * along_y) / (along_x * along_x + along_y * along_y);
    let share = share.clamp(0.0, 1.0);
    distance([x, y], [ax + share * along_x, ay + share * along_y])
}

/// Whole centimetres, as a person would write them.
fn rounded([x, y]: PlanPoint) -> PlanPoint {
    // A zero without a sign.
    let whole = |m: f64| (m * 100.0).round() / 100.0 + 0.0;
    [whole(x), whole(y)]
}

#[cfg(test)]
mod tests;
