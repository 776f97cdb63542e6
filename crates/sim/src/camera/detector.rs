//! A detector that looks at what a camera has drawn: it finds what is large enough in the picture and not hidden.

use bridge::Detection;

use super::canvas::{Canvas, Eye};
use super::solids::Named;

/// Least side of a box, pixels; anything smaller is not found.
const SIDE_PX_MIN: f64 = 4.0;
/// Points in a row and in a column of a box at which the picture is looked at.
const POINTS: u8 = 9;
/// The least share of those points that show the object itself.
const SHOWN_MIN: f64 = 0.2;
/// Slack of an object's surface before and behind its corners, as a share of the depth.
const DEPTH_SLACK: f64 = 0.02;
/// Confidence in something close, and what is lost of it by each metre.
const CONFIDENCE: f64 = 0.96;
const CONFIDENCE_PER_M: f64 = 0.02;

/// Those of `named` that the picture on `canvas` shows.
pub fn detect(canvas: &Canvas, eye: &Eye, named: &[Named]) -> Vec<Detection> {
    named.iter().filter_map(|named| find(canvas, eye, named)).collect()
}

fn find(canvas: &Canvas, eye: &Eye, Named { label, solids }: &Named) -> Option<Detection> {
    let corners = solids.iter().flat_map(|solid| solid.faces().into_iter().flat_map(|(_, corners)| corners));
    // An object that reaches behind the eye has no box in the picture.
    let placed = corners.map(|corner| eye.placed(corner)).collect::<Option<Vec<_>>>()?;
    let most = |axis: usize| placed.iter().map(|place| place[axis]).fold(f64::NEG_INFINITY, f64::max);
    let least = |axis: usize| placed.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
    let [width, height] = canvas.size().map(|side| side as f64);
    let in_picture = |min: f64, max: f64, size: f64| (min.clamp(0.0, size), max.clamp(0.0, size));
    let (left, right) = in_picture(width / 2.0 + least(0), width / 2.0 + most(0), width);
    let (top, bottom) = in_picture(height / 2.0 - most(1), height / 2.0 - least(1), height);
    let depths = least(2) * (1.0 - DEPTH_SLACK)..=most(2) * (1.0 + DEPTH_SLACK);
    let is_large = right - left >= SIDE_PX_MIN && bottom - top >= SIDE_PX_MIN;
    if !is_large || shown_share(canvas, [left, top], [right, bottom], &depths) < SHOWN_MIN {
        return None;
    }
    let confidence = (CONFIDENCE - CONFIDENCE_PER_M / most(2)).max(0.0);
    let rounded = |number: f64, to: f64| (number * to).round() / to;
    Some(Detection {
        label: (*label).to_owned(),
        confidence: Some(rounded(confidence, 100.0)),
        min_px: [left, top].map(|px| rounded(px, 1.0)),
        max_px: [right, bottom].map(|px| rounded(px, 1.0)),
    })
}

/// The share of points in a box whose depth is that of the object.
fn shown_share(
    canvas: &Canvas,
    [left, top]: [f64; 2],
    [right, bottom]: [f64; 2],
    depths: &std::ops::RangeInclusive<f64>,
) -> f64 {
    let along = |from: f64, to: f64, i: u8| from + (to - from) * (f64::from(i) + 0.5) / f64::from(POINTS);
    let points = (0..POINTS).flat_map(|row| (0..POINTS).map(move |column| [column, row]));
    let is_shown = |[column, row]: &[u8; 2]| {
        let at = [along(left, right, *column), along(top, bottom, *row)];
        depths.contains(&canvas.nearness(at.map(|px| px as usize)))
    };
    let shown = points.filter(is_shown).count();
    shown as f64 / f64::from(POINTS * POINTS)
}
