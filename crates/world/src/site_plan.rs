//! The site plan: walls and named areas, drawn behind the robots of a site. It is a picture for people: no command is
//! judged by it, and a wall in it stops no robot. Limits do that.

use robot::FrameId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::reading::is_deceptive;

/// The most walls of a plan.
pub const WALLS_MAX: usize = 2_000;
/// The most points of its walls and areas together.
pub const POINTS_MAX: usize = 20_000;
/// The most areas of a plan.
pub const AREAS_MAX: usize = 200;
/// The most corners of one area.
pub const CORNERS_MAX: usize = 500;
/// The longest name of an area, in characters.
pub const NAME_CHARS_MAX: usize = 60;
/// No coordinate lies further from the origin of the frame, metres.
pub const COORDINATE_M_MAX: f64 = 10_000.0;

/// A point of the plan, metres.
pub type PlanPoint = [f64; 2];

/// Walls and named areas of a site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SitePlan {
    /// The frame of its coordinates, for example `map`.
    pub frame: FrameId,
    /// Each a chain of at least two points.
    #[serde(default)]
    pub walls: Vec<Vec<PlanPoint>>,
    /// Named parts of the site. None of them binds a robot.
    #[serde(default)]
    pub areas: Vec<PlanArea>,
}

/// A named part of a site, as a person or an imported file calls it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PlanArea {
    /// 1 to 60 characters, and no other area's.
    pub name: String,
    /// At least three, in order along the edge, which never crosses itself.
    pub corners: Vec<PlanPoint>,
}

/// A fault of a plan and its place, for example `areas[2].corners`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlanError {
    /// The field.
    pub path: String,
    /// A sentence that says what to do.
    pub message: String,
}

fn refused<T>(path: impl Into<String>, message: impl Into<String>) -> Result<T, PlanError> {
    Err(PlanError { path: path.into(), message: message.into() })
}

impl SitePlan {
    /// A plan that shows nothing.
    #[must_use]
    pub const fn empty(frame: FrameId) -> Self {
        Self { frame, walls: Vec::new(), areas: Vec::new() }
    }

    /// Checks the bounds of a plan and the shape of everything in it.
    pub fn check(&self) -> Result<(), PlanError> {
        let Self { walls, areas, .. } = self;
        if walls.len() > WALLS_MAX {
            return refused("walls", format!("A plan has at most {WALLS_MAX} walls; this one has {}.", walls.len()));
        }
        if areas.len() > AREAS_MAX {
            return refused("areas", format!("A plan has at most {AREAS_MAX} areas; this one has {}.", areas.len()));
        }
        let of_areas = areas.iter().map(|area| area.corners.len());
        let points: usize = walls.iter().map(Vec::len).chain(of_areas).sum();
        if points > POINTS_MAX {
            return refused("walls", format!("A plan has at most {POINTS_MAX} points; this one has {points}."));
        }
        for (at, wall) in walls.iter().enumerate() {
            check_points(&format!("walls[{at}]"), wall, 2)?;
        }
        areas.iter().enumerate().try_for_each(|(at, area)| self.check_area(at, area))
    }

    fn check_area(&self, at: usize, area: &PlanArea) -> Result<(), PlanError> {
        let name = format!("areas[{at}].name");
        let chars = area.name.chars().count();
        if area.name.trim() != area.name || !(1..=NAME_CHARS_MAX).contains(&chars) || area.name.contains(is_deceptive) {
            let message =
                format!("An area's name has 1 to {NAME_CHARS_MAX} visible characters and no space at its ends.");
            return refused(name, message);
        }
        if self.areas.iter().take(at).any(|other| other.name == area.name) {
            return refused(name, "Another area has this name.");
        }
        let path = format!("areas[{at}].corners");
        check_points(&path, &area.corners, 3)?;
        // Bounded before the next check, which compares every pair of edges.
        if area.corners.len() > CORNERS_MAX {
            return refused(path, format!("An area has at most {CORNERS_MAX} corners."));
        }
        if !is_simple(&area.corners) {
            return refused(path, "The edge of an area must enclose something and never cross or touch itself.");
        }
        Ok(())
    }
}

fn check_points(path: &str, points: &[PlanPoint], least: usize) -> Result<(), PlanError> {
    if points.len() < least {
        return refused(path, format!("At least {least} points are needed."));
    }
    let is_legal = |number: f64| number.is_finite() && number.abs() <= COORDINATE_M_MAX;
    match points.iter().position(|[x, y]| !is_legal(*x) || !is_legal(*y)) {
        Some(at) => refused(format!("{path}[{at}]"), "Coordinates are metres within 10 km of the frame's origin."),
        None => Ok(()),
    }
}

type Edge = (PlanPoint, PlanPoint);

/// True if the closed edge through `corners` encloses something and shares no point with itself but its corners.
fn is_simple(corners: &[PlanPoint]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let edges: Vec<Edge> = corners.iter().copied().zip(next.copied()).collect();
    let last = edges.len() - 1;
    edges.iter().enumerate().all(|(at, edge)| {
        let before = edges[if at == 0 { last } else { at - 1 }];
        edge.0 != edge.1
            && !turns_back(before, *edge)
            && edges.iter().enumerate().skip(at + 2).all(|(other_at, other)| {
                // The edge is closed, so that the first and the last share a corner.
                let is_neighbour = at == 0 && other_at == last;
                is_neighbour || !meet(*edge, *other)
            })
    })
}

/// Twice the area of a triangle; positive if it turns left.
fn turn([ax, ay]: PlanPoint, [bx, by]: PlanPoint, [cx, cy]: PlanPoint) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// True if an edge runs back along the one before it.
fn turns_back((from, corner): Edge, (_, to): Edge) -> bool {
    let along = (corner[0] - from[0]) * (to[0] - corner[0]) + (corner[1] - from[1]) * (to[1] - corner[1]);
    turn(from, corner, to) == 0.0 && along < 0.0
}

/// True if two edges share a point.
fn meet((a, b): Edge, (c, d): Edge) -> bool {
    let (c_side, d_side) = (turn(a, b, c), turn(a, b, d));
    let (a_side, b_side) = (turn(c, d, a), turn(c, d, b));
    if c_side * d_side < 0.0 && a_side * b_side < 0.0 {
        return true;
    }
    let touches = |side: f64, edge: Edge, point: PlanPoint| side == 0.0 && spans(edge, point);
    touches(c_side, (a, b), c) || touches(d_side, (a, b), d) || touches(a_side, (c, d), a) || touches(b_side, (c, d), b)
}

/// True if `point`, which lies on the line through an edge, lies between its ends.
fn spans((a, b): Edge, point: PlanPoint) -> bool {
    (0..2).all(|axis| a[axis].min(b[axis]) <= point[axis] && point[axis] <= a[axis].max(b[axis]))
}

#[cfg(test)]
mod tests;
