//! Robot state as the safety engine needs it. Whatever is not complete and finite is an error, never a default.

use robot::{Codec, FrameId, IdError, Isometry, JointName, RejectReason, Sample, Scalar, UnitQuaternion};
use safety::{JointPositions, MovingTransform, Pose};

use crate::payload::decode::{Node, document, unwrapped};

/// A value and the source's own time of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped<T> {
    /// The value.
    pub value: T,
    /// `stamp_ms` of the sample, Unix milliseconds, if it has one.
    pub stamp_ms: Option<i64>,
}

/// A measured velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity {
    /// Metres per second.
    pub linear_mps: [f64; 3],
    /// Radians per second.
    pub angular_radps: [f64; 3],
}

impl Velocity {
    /// The norm of the linear part, metres per second.
    #[must_use]
    pub fn speed_mps(&self) -> f64 {
        self.linear_mps.iter().map(|part| part * part).sum::<f64>().sqrt()
    }
}

/// Reads `{"frame", "position_m": [x, y, z], "orientation"?: [x, y, z, w], "stamp_ms"?}`.
pub fn decode_pose(sample: &Sample, codec: Codec) -> Result<Stamped<Pose>, RejectReason> {
    let document = document(sample, codec)?;
    let frame = required(&document, "frame")?.scalar().and_then(Scalar::as_text).ok_or(RejectReason::NotScalar)?;
    let orientation = match document.get("orientation")? {
        None | Some(Node::Null) => None,
        Some(node) => Some(UnitQuaternion::new(numbers(node)?).ok_or(RejectReason::Undecodable)?),
    };
    stamped(
        &document,
        Pose {
            frame: FrameId::new(frame).map_err(|_| RejectReason::Undecodable)?,
            position_m: numbers(required(&document, "position_m")?)?,
            orientation,
        },
    )
}

/// Reads `{"linear_mps": [x, y, z], "angular_radps": [x, y, z], "stamp_ms"?}`.
pub fn decode_velocity(sample: &Sample, codec: Codec) -> Result<Stamped<Velocity>, RejectReason> {
    let document = document(sample, codec)?;
    stamped(
        &document,
        Velocity {
            linear_mps: numbers(required(&document, "linear_mps")?)?,
            angular_radps: numbers(required(&document, "angular_radps")?)?,
        },
    )
}

/// Reads `{"force_n", "stamp_ms"?}`, newtons.
pub fn decode_force(sample: &Sample, codec: Codec) -> Result<Stamped<f64>, RejectReason> {
    let document = document(sample, codec)?;
    stamped(&document, number(required(&document, "force_n")?)?)
}

/// Reads `{"names": ["shoulder", …], "positions": [a, …], "stamp_ms"?}`: radians, metres for a sliding joint.
pub fn decode_joints(sample: &Sample, codec: Codec) -> Result<Stamped<JointPositions>, RejectReason> {
    let document = document(sample, codec)?;
    let names = elements(required(&document, "names")?)?.iter().map(|node| name(node, JointName::new));
    let names: Box<[JointName]> = names.collect::<Result<_, _>>()?;
    let positions = elements(required(&document, "positions")?)?.iter().map(number);
    let positions: Box<[f64]> = positions.collect::<Result<_, _>>()?;
    // With one value too few the rest would be taken for those of other joints.
    if names.len() != positions.len() {
        return Err(RejectReason::Undecodable);
    }
    stamped(&document, JointPositions { names, positions })
}

/// Reads `{"parent", "child", "translation_m": [x, y, z], "rotation_xyzw": [x, y, z, w], "stamp_ms"?}`.
pub fn decode_frame(sample: &Sample, codec: Codec, max_age_ms: u64) -> Result<Stamped<MovingTransform>, RejectReason> {
    let document = document(sample, codec)?;
    let rotation = UnitQuaternion::new(numbers(required(&document, "rotation_xyzw")?)?);
    let parent_from_child = Isometry {
        translation_m: numbers(required(&document, "translation_m")?)?,
        rotation: rotation.ok_or(RejectReason::Undecodable)?,
    };
    let parent = name(required(&document, "parent")?, FrameId::new)?;
    let child = name(required(&document, "child")?, FrameId::new)?;
    stamped(&document, MovingTransform { parent, child, parent_from_child, max_age_ms })
}

/// Reads `{"percent", "stamp_ms"?}`, in [0, 100].
pub fn decode_battery(sample: &Sample, codec: Codec) -> Result<Stamped<f64>, RejectReason> {
    let document = document(sample, codec)?;
    let percent = number(required(&document, "percent")?)?;
    if !(0.0..=100.0).contains(&percent) {
        return Err(RejectReason::Undecodable);
    }
    stamped(&document, percent)
}

/// Reads `stamp_ms` of a document of any form, within an envelope or without: Unix milliseconds, if it has one.
pub fn decode_stamp(sample: &Sample, codec: Codec) -> Result<Option<i64>, RejectReason> {
    stamp_ms(unwrapped(&document(sample, codec)?))
}

fn stamped<T>(document: &Node, value: T) -> Result<Stamped<T>, RejectReason> {
    Ok(Stamped { value, stamp_ms: stamp_ms(document)? })
}

fn stamp_ms(document: &Node) -> Result<Option<i64>, RejectReason> {
    match document.get("stamp_ms")? {
        None | Some(Node::Null) => Ok(None),
        Some(node) => milliseconds(node).map(Some),
    }
}

fn milliseconds(node: &Node) -> Result<i64, RejectReason> {
    match node.scalar() {
        Some(Scalar::Int(stamp_ms)) => Ok(*stamp_ms),
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and such a stamp is not fresh")]
        Some(Scalar::Float(stamp_ms)) => Ok(*stamp_ms as i64),
        Some(Scalar::Bool(_) | Scalar::Text(_)) | None => Err(RejectReason::NotScalar),
    }
}

fn required<'n>(document: &'n Node, name: &str) -> Result<&'n Node, RejectReason> {
    document.get(name)?.ok_or(RejectReason::MissingValue)
}

fn elements(node: &Node) -> Result<&[Node], RejectReason> {
    match node {
        Node::Array(elements) => Ok(elements),
        Node::Null | Node::Scalar(_) | Node::Opaque | Node::Map(_) => Err(RejectReason::NotScalar),
    }
}

/// A name that its own grammar accepts.
fn name<T>(node: &Node, parse: impl Fn(String) -> Result<T, IdError>) -> Result<T, RejectReason> {
    let text = node.scalar().and_then(Scalar::as_text).ok_or(RejectReason::NotScalar)?;
    parse(text.to_owned()).map_err(|_| RejectReason::Undecodable)
}

/// Exactly `N` finite numbers.
fn numbers<const N: usize>(node: &Node) -> Result<[f64; N], RejectReason> {
    let numbers = elements(node)?.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    numbers.try_into().map_err(|_| RejectReason::Undecodable)
}

fn number(node: &Node) -> Result<f64, RejectReason> {
    node.scalar().and_then(Scalar::as_f64).ok_or(RejectReason::NotScalar)
}

#[cfg(test)]
mod tests;
