//! The joints of the simulated arm: a column that turns and lifts, and a boom that slides out of it. They follow from where
//! the tool point is, so that a goal of either form moves the same arm.

/// The column stands behind the workspace, so that no place in it has two ways to be reached; metres, default frame.
const COLUMN_X_M: f64 = -1.5;

/// Joints in the order of the manifest: the turn of the column, radians, its height and the boom, metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmJoints {
    /// Radians about the z axis; 0 points along x.
    pub turn_rad: f64,
    /// Metres.
    pub lift_m: f64,
    /// Metres from the column's axis to the tool point.
    pub boom_m: f64,
}

impl ArmJoints {
    /// The joints that hold the tool point at `position_m`.
    #[must_use]
    pub fn at(position_m: [f64; 3]) -> Self {
        let [x_m, y_m, z_m] = position_m;
        let out_m = x_m - COLUMN_X_M;
        Self { turn_rad: y_m.atan2(out_m), lift_m: z_m, boom_m: out_m.hypot(y_m) }
    }

    /// The place at which the joints hold the tool point, metres.
    #[must_use]
    pub fn position_m(&self) -> [f64; 3] {
        let (sin, cos) = self.turn_rad.sin_cos();
        [COLUMN_X_M + self.boom_m * cos, self.boom_m * sin, self.lift_m]
    }

    /// In the order of the manifest.
    #[must_use]
    pub const fn positions(&self) -> [f64; 3] {
        [self.turn_rad, self.lift_m, self.boom_m]
    }

    /// The time that the joint with the longest way takes to `goal`, seconds.
    #[must_use]
    pub fn seconds_to(&self, goal: &Self, speed_radps: f64) -> f64 {
        let ways = self.positions().into_iter().zip(goal.positions()).map(|(from, to)| (to - from).abs());
        ways.fold(0.0, f64::max) / speed_radps
    }
}

impl TryFrom<&[f64]> for ArmJoints {
    type Error = std::array::TryFromSliceError;

    fn try_from(positions: &[f64]) -> Result<Self, Self::Error> {
        let [turn_rad, lift_m, boom_m] = positions.try_into()?;
        Ok(Self { turn_rad, lift_m, boom_m })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_and_place_follow_from_each_other_in_the_whole_workspace() {
        for position_m in [[0.3, 0.0, 0.8], [-1.0, 1.0, 0.0], [1.0, -1.0, 1.5], [0.0, 0.0, 0.0]] {
            let back_m = ArmJoints::at(position_m).position_m();
            let apart_m = position_m.iter().zip(back_m).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart_m < 1e-12, "{position_m:?} {back_m:?}");
        }
        let (from, to) = (ArmJoints::at([0.3, 0.0, 0.8]), ArmJoints { turn_rad: 0.5, lift_m: 0.9, boom_m: 1.8 });
        assert_eq!(from.seconds_to(&to, 0.25), 2.0);
    }
}
