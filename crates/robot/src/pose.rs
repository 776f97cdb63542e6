//! Orientation and rigid transforms, as plain numbers. Lengths in metres.

use serde::{Deserialize, Serialize};

/// Largest difference of a quaternion's length from 1 that is normalised rather than refused.
const UNIT_TOLERANCE: f64 = 1e-3;

/// A rotation `[x, y, z, w]` of length 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 4]", into = "[f64; 4]")]
pub struct UnitQuaternion([f64; 4]);

impl UnitQuaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self([0.0, 0.0, 0.0, 1.0]);

    /// Accepts `[x, y, z, w]` whose length is 1 within 1e-3 and normalises it; anything else, not-a-number included,
    /// gives `None`.
    #[must_use]
    pub fn new(xyzw: [f64; 4]) -> Option<Self> {
        let length = xyzw.iter().map(|part| part * part).sum::<f64>().sqrt();
        // Written so that not-a-number is refused.
        if !((length - 1.0).abs() <= UNIT_TOLERANCE) {
            return None;
        }
        Some(Self(xyzw.map(|part| part / length)))
    }

    /// The parts `[x, y, z, w]`.
    #[must_use]
    pub const fn xyzw(self) -> [f64; 4] {
        self.0
    }

    /// Rotates `point` about the origin.
    #[must_use]
    pub fn rotate(self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.0;
        let axis = [x, y, z];
        let twice = cross(axis, point).map(|part| 2.0 * part);
        let turned = cross(axis, twice);
        std::array::from_fn(|i| point[i] + w * twice[i] + turned[i])
    }

    /// The opposite rotation.
    #[must_use]
    pub const fn inverse(self) -> Self {
        let [x, y, z, w] = self.0;
        // At length 1 the conjugate is the inverse.
        Self([-x, -y, -z, w])
    }

    /// Heading about the z axis, radians in (-π, π].
    #[must_use]
    pub fn yaw_rad(self) -> f64 {
        let [x, y, z, w] = self.0;
        (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z))
    }

    /// A heading of `yaw_rad` about the z axis.
    #[must_use]
    pub fn from_yaw_rad(yaw_rad: f64) -> Self {
        let (sin, cos) = (yaw_rad / 2.0).sin_cos();
        Self([0.0, 0.0, sin, cos])
    }
}

impl TryFrom<[f64; 4]> for UnitQuaternion {
    type Error = &'static str;
    fn try_from(xyzw: [f64; 4]) -> Result<Self, Self::Error> {
        Self::new(xyzw).ok_or("a rotation needs four finite numbers of length 1")
    }
}

impl From<UnitQuaternion> for [f64; 4] {
    fn from(rotation: UnitQuaternion) -> Self {
        rotation.0
    }
}

/// A rigid transform that takes points of a child frame into its parent frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Isometry {
    /// The child's origin in the parent, metres.
    pub translation_m: [f64; 3],
    /// The child's axes in the parent.
    pub rotation: UnitQuaternion,
}

impl Isometry {
    /// Parent and child coincide.
    pub const IDENTITY: Self = Self { translation_m: [0.0; 3], rotation: UnitQuaternion::IDENTITY };

    /// A point of the child frame, in the parent frame.
    #[must_use]
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.rotation.rotate(point);
        std::array::from_fn(|i| turned[i] + self.translation_m[i])
    }

    /// The transform from parent to child.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { translation_m: rotation.rotate(self.translation_m).map(|part| -part), rotation }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_rotations_that_are_not_unit() {
        for xyzw in [[0.0; 4], [f64::NAN, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 2.0], [f64::INFINITY, 0.0, 0.0, 0.0]] {
            assert!(UnitQuaternion::new(xyzw).is_none(), "{xyzw:?} was accepted");
        }
    }

    proptest! {
        #[test]
        fn a_transform_and_its_inverse_cancel(
            translation_m in prop::array::uniform3(-100.0..100.0f64),
            point in prop::array::uniform3(-100.0..100.0f64),
            yaw in -3.0..3.0f64,
        ) {
            let child_to_parent = Isometry { translation_m, rotation: UnitQuaternion::from_yaw_rad(yaw) };
            let back = child_to_parent.inverse().apply(child_to_parent.apply(point));
            for i in 0..3 {
                prop_assert!((back[i] - point[i]).abs() < 1e-9);
            }
        }

        #[test]
        fn yaw_survives_the_quaternion(yaw in -3.1..3.1f64) {
            prop_assert!((UnitQuaternion::from_yaw_rad(yaw).yaw_rad() - yaw).abs() < 1e-9);
        }
    }
}
