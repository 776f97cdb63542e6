//! The building of the site, as lines on the floor in `map`.

/// Outer walls between two corners, metres; the door is in the gap.
pub const OUTER_M: [[[f64; 2]; 2]; 5] = [
    [[7.5, 0.9], [7.5, 7.5]],
    [[7.5, 7.5], [-7.5, 7.5]],
    [[-7.5, 7.5], [-7.5, -6.5]],
    [[-7.5, -6.5], [7.5, -6.5]],
    [[7.5, -6.5], [7.5, -0.9]],
];

/// Walls inside, metres; their gaps are doors.
pub const INNER_M: [[[f64; 2]; 2]; 13] = [
    [[3.5, 7.5], [3.5, 5.4]],
    [[5.2, 3.5], [7.5, 3.5]],
    [[-3.6, 7.5], [-3.6, 5.2]],
    [[-3.6, 3.6], [-3.6, 2.0]],
    [[-3.6, 2.0], [-4.8, 2.0]],
    [[-6.2, 2.0], [-7.5, 2.0]],
    [[-7.5, -2.0], [-6.2, -2.0]],
    [[-4.8, -2.0], [-3.6, -2.0]],
    [[-3.6, -2.0], [-3.6, -6.5]],
    [[7.5, -2.0], [4.6, -2.0]],
    [[4.6, -2.0], [4.6, -1.0]],
    [[4.6, 1.0], [4.6, 2.0]],
    [[4.6, 2.0], [7.5, 2.0]],
];

/// Distance from `from_m` to the next wall in the direction of `angle_rad`, metres; none within `range_m`.
pub fn distance_m(from_m: [f64; 2], angle_rad: f64, range_m: f64) -> Option<f64> {
    let (sin, cos) = angle_rad.sin_cos();
    let walls = OUTER_M.iter().chain(&INNER_M);
    let hit = |[[ax, ay], [bx, by]]: &[[f64; 2]; 2]| {
        let (along, to) = ([bx - ax, by - ay], [ax - from_m[0], ay - from_m[1]]);
        let cross = cos * along[1] - sin * along[0];
        let (distance, share) = ((to[0] * along[1] - to[1] * along[0]) / cross, (to[0] * sin - to[1] * cos) / cross);
        // A wall that is parallel to the ray gives no number, and hits nothing.
        ((0.0..=range_m).contains(&distance) && (0.0..=1.0).contains(&share)).then_some(distance)
    };
    walls.filter_map(hit).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_1102_a_beam_ends_at_the_next_wall_within_its_range() {
        let to = |angle_rad: f64, range_m| distance_m([0.0, 0.0], angle_rad, range_m).map(|m| (m * 1e3).round());
        assert_eq!(to(std::f64::consts::FRAC_PI_2, 8.0), Some(7_500.0));
        assert_eq!(to(std::f64::consts::FRAC_PI_2, 6.0), None);
        assert_eq!(to(-std::f64::consts::FRAC_PI_2, 8.0), Some(6_500.0));
        // Through the open door, and past the inner walls beside it.
        assert_eq!(to(0.0, 20.0), None);
        assert_eq!(distance_m([0.0, 1.5], 0.0, 20.0).map(|m| (m * 1e3).round()), Some(4_600.0));
    }
}
