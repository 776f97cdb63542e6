//! Objects that a detector finds in the pictures of a camera, each with a box in pixels. For the eyes of people: a box
//! says nothing about a distance.

use std::marker::PhantomData;

use robot::{DetectionEncoding, DetectionFault};
use serde::Deserialize;
use serde_json::json;

use crate::payload::picture::{write_doubles, write_header, write_length, write_text};

/// The largest message that is read, bytes.
pub(crate) const DETECTIONS_BYTES_MAX: usize = 256 * 1024;
/// Objects of one picture; the most confident are kept.
const OBJECTS_MAX: usize = 64;
/// Letters of a label: a word, not a text.
const LABEL_CHARS_MAX: usize = 40;

/// An object in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    /// The class that it belongs to, for example `person`; empty if the detector does not say.
    pub label: String,
    /// 0 to 1; `None` if the detector gives no such number.
    pub confidence: Option<f64>,
    /// Upper left corner of its box, pixels to the right and down from that of the picture.
    pub min_px: [f64; 2],
    /// Lower right corner, in the same way.
    pub max_px: [f64; 2],
}

impl Detection {
    /// The detection with a label that can be shown; `None` without a finite box.
    fn shown(label: &str, confidence: f64, min_px: [f64; 2], max_px: [f64; 2]) -> Option<Self> {
        let is_box = [0, 1]
            .iter()
            .all(|&axis| min_px[axis].is_finite() && max_px[axis].is_finite() && min_px[axis] <= max_px[axis]);
        // The label comes from the network, and is shown in one line.
        let letters = label.chars().filter(|c| is_shown(*c)).take(LABEL_CHARS_MAX);
        let confidence = (0.0..=1.0).contains(&confidence).then_some(confidence);
        is_box.then(|| Self { label: letters.collect(), confidence, min_px, max_px })
    }
}

/// False for what a person would not see in a line: controls, marks of direction, and letters without width.
fn is_shown(c: char) -> bool {
    let is_hidden = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    !c.is_control() && !is_hidden
}

/// The objects in a detector's message, the most confident first. One without a box is left out.
pub(crate) fn read_detections(encoding: DetectionEncoding, message: &[u8]) -> Result<Vec<Detection>, DetectionFault> {
    let mut found = match encoding {
        DetectionEncoding::Json => of_json(message),
        DetectionEncoding::Detection2dArray => of_ros(message),
    }
    .ok_or(DetectionFault::NotDetections)?;
    found.sort_by(|a, b| b.confidence.unwrap_or(0.0).total_cmp(&a.confidence.unwrap_or(0.0)));
    found.truncate(OBJECTS_MAX);
    Ok(found)
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonMessage {
    Array(Vec<JsonDetection>),
    Object { detections: Vec<JsonDetection> },
}

#[derive(Deserialize)]
struct JsonDetection {
    #[serde(default, alias = "class_name", alias = "class_id", alias = "class")]
    label: String,
    #[serde(default = "no_number", alias = "score")]
    confidence: f64,
    bbox: JsonBox,
}

const fn no_number() -> f64 {
    f64::NAN
}

#[derive(Deserialize)]
struct JsonBox {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
}

fn of_json(message: &[u8]) -> Option<Vec<Detection>> {
    let detections = match serde_json::from_slice(message).ok()? {
        JsonMessage::Array(detections) | JsonMessage::Object { detections } => detections,
    };
    let read = |JsonDetection { label, confidence, bbox: JsonBox { x1, y1, x2, y2 } }: JsonDetection| {
        Detection::shown(&label, confidence, [x1, y1], [x2, y2])
    };
    Some(detections.into_iter().filter_map(read).collect())
}

#[derive(Deserialize)]
struct Detection2DArray<'m> {
    #[serde(borrow)]
    detections: Vec<Detection2D<'m>>,
}

#[derive(Deserialize)]
struct Detection2D<'m> {
    #[serde(borrow)]
    results: Vec<ObjectHypothesisWithPose<'m>>,
    bbox: BoundingBox2D,
}

#[derive(Deserialize)]
struct ObjectHypothesisWithPose<'m> {
    #[serde(borrow)]
    hypothesis: ObjectHypothesis<'m>,
}

#[derive(Deserialize)]
struct ObjectHypothesis<'m> {
    class_id: &'m str,
    score: f64,
}

#[derive(Deserialize)]
struct BoundingBox2D {
    center: Pose2D,
    size_x: f64,
    size_y: f64,
}

#[derive(Deserialize)]
struct Pose2D {
    position: Point2D,
    theta: f64,
}

#[derive(Deserialize)]
struct Point2D {
    x: f64,
    y: f64,
}

fn of_ros(message: &[u8]) -> Option<Vec<Detection>> {
    let definition = ros2::built_in().get("vision_msgs/msg/Detection2DArray")?;
    let array: Detection2DArray<'_> = ros2::read(message, definition, PhantomData).ok()?;
    let read = |Detection2D { results, bbox }: Detection2D<'_>| {
        let best = results.iter().map(|result| &result.hypothesis).max_by(|a, b| a.score.total_cmp(&b.score));
        let (label, score) = best.map_or(("", f64::NAN), |best| (best.class_id, best.score));
        let (min_px, max_px) = bbox.upright();
        Detection::shown(label, score, min_px, max_px)
    };
    Some(array.detections.into_iter().filter_map(read).collect())
}

impl BoundingBox2D {
    /// The corners of the upright box around this one, which may be turned.
    fn upright(&self) -> ([f64; 2], [f64; 2]) {
        let Pose2D { position: Point2D { x, y }, theta } = self.center;
        let (sin, cos) = (theta.sin().abs(), theta.cos().abs());
        let half_x = (self.size_x * cos + self.size_y * sin) / 2.0;
        let half_y = (self.size_x * sin + self.size_y * cos) / 2.0;
        ([x - half_x, y - half_y], [x + half_x, y + half_y])
    }
}

/// A message that the station reads, for robots and for tests. `stamp_ms` are Unix milliseconds.
#[must_use]
pub fn write_detections(
    encoding: DetectionEncoding,
    frame_id: &str,
    stamp_ms: i64,
    detections: &[Detection],
) -> Vec<u8> {
    match encoding {
        DetectionEncoding::Json => {
            let of = |Detection { label, confidence, min_px: [x1, y1], max_px: [x2, y2] }: &Detection| {
                json!({ "label": label, "confidence": confidence.unwrap_or(0.0),
                        "bbox": { "x1": x1, "y1": y1, "x2": x2, "y2": y2 } })
            };
            json!(detections.iter().map(of).collect::<Vec<_>>()).to_string().into_bytes()
        }
        DetectionEncoding::Detection2dArray => {
            let mut message = write_header(frame_id, stamp_ms);
            write_length(&mut message, detections.len());
            detections.iter().for_each(|detection| write_detection_2d(&mut message, frame_id, stamp_ms, detection));
            message
        }
    }
}

fn write_detection_2d(message: &mut Vec<u8>, frame_id: &str, stamp_ms: i64, detection: &Detection) {
    let Detection { label, confidence, min_px, max_px } = detection;
    message.resize(message.len().next_multiple_of(4), 0);
    // A header without its encapsulation.
    message.extend(&write_header(frame_id, stamp_ms)[4..]);
    write_length(message, 1);
    write_text(message, label);
    // The score, and the pose with its covariance, which a picture does not give.
    write_doubles(message, &[confidence.unwrap_or(0.0)]);
    write_doubles(message, &[0.0; 7 + 36]);
    let [x, y] = [0, 1].map(|axis| (min_px[axis] + max_px[axis]) / 2.0);
    let [size_x, size_y] = [0, 1].map(|axis| max_px[axis] - min_px[axis]);
    write_doubles(message, &[x, y, 0.0, size_x, size_y]);
    write_text(message, "");
}

#[cfg(test)]
mod tests;
