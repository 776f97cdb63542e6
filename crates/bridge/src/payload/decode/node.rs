//! A decoded document of any codec, and the limits under which it is built.

use robot::{RejectReason, Scalar};

/// Values and keys of one document.
pub(super) const NODES_MAX: usize = 100_000;
/// Nesting of maps, arrays and tags.
pub(super) const DEPTH_MAX: u8 = 64;

/// One value. Maps keep repeated keys, so that a used one can be found out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Scalar(Scalar),
    /// Bytes, a number that is not finite, or an integer of more than 64 bits.
    Opaque,
    Array(Vec<Node>),
    /// A key that is neither text nor integer is `None`: no path leads to it.
    Map(Vec<(Option<Box<str>>, Node)>),
}

impl Node {
    /// The value of `name`, if this is a map that has it; an error if it has it twice.
    pub(crate) fn get(&self, name: &str) -> Result<Option<&Self>, RejectReason> {
        let Self::Map(entries) = self else { return Ok(None) };
        let mut found = entries.iter().filter(|(key, _)| key.as_deref() == Some(name)).map(|(_, value)| value);
        let first = found.next();
        if found.next().is_some() { Err(RejectReason::Ambiguous) } else { Ok(first) }
    }

    /// The scalar here, if it is one.
    pub(crate) fn scalar(&self) -> Option<&Scalar> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            Self::Null | Self::Opaque | Self::Array(_) | Self::Map(_) => None,
        }
    }

    /// An integer that fits no `i64` counts as a number, not exactly.
    #[expect(clippy::cast_precision_loss, reason = "integers are exact within i64 only")]
    pub(super) fn from_u64(int: u64) -> Self {
        Self::Scalar(i64::try_from(int).map_or_else(|_| Scalar::Float(int as f64), Scalar::Int))
    }

    pub(super) fn from_f64(float: f64) -> Self {
        if float.is_finite() { Self::Scalar(Scalar::Float(float)) } else { Self::Opaque }
    }
}
