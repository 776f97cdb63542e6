//! Arithmetic that rounds against the command: a result that is not exact is the next number on the side that denies,
//! and one that is exact stays it. So a judgement may deny more than exact arithmetic would, never less.

use std::time::Duration;

use glam::DVec3;

/// Whole numbers up to this have a `f64` of their own.
const EXACT_MAX: u128 = 1 << 53;

/// `a + b`, rounded up.
pub(crate) fn sum_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if rest_of_sum(a, b, sum) > 0.0 { sum.next_up() } else { sum }
}

/// `a - b`, rounded down.
pub(crate) fn difference_down(a: f64, b: f64) -> f64 {
    let difference = a - b;
    if rest_of_sum(a, -b, difference) < 0.0 { difference.next_down() } else { difference }
}

/// `a * b`, rounded up.
pub(crate) fn product_up(a: f64, b: f64) -> f64 {
    let product = a * b;
    // The fused operation rounds once, so its sign is that of the exact rest.
    if a.mul_add(b, -product) > 0.0 { product.next_up() } else { product }
}

/// `a * b`, rounded down.
pub(crate) fn product_down(a: f64, b: f64) -> f64 {
    let product = a * b;
    if a.mul_add(b, -product) < 0.0 { product.next_down() } else { product }
}

/// `a / b`, rounded up; `b` is above 0.
pub(crate) fn quotient_up(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if (-quotient).mul_add(b, a) > 0.0 { quotient.next_up() } else { quotient }
}

/// A time in seconds, rounded down.
pub(crate) fn seconds_down(time: Duration) -> f64 {
    // A longer time counts as 104 days; shorter is the side that denies an acceleration.
    let nanoseconds = time.as_nanos().min(EXACT_MAX) as f64;
    let seconds = nanoseconds / 1e9;
    if (-seconds).mul_add(1e9, nanoseconds) < 0.0 { seconds.next_down() } else { seconds }
}

/// The square root of `square`, rounded up.
pub(crate) fn root_up(square: f64) -> f64 {
    let root = square.sqrt();
    if (-root).mul_add(root, square) > 0.0 { root.next_up() } else { root }
}

/// The square root of `square`, rounded down.
pub(crate) fn root_down(square: f64) -> f64 {
    let root = square.sqrt();
    if (-root).mul_add(root, square) < 0.0 { root.next_down() } else { root }
}

/// The length of `way`, rounded up.
pub(crate) fn length_up(way: DVec3) -> f64 {
    let [x, y, z] = way.to_array().map(|part| product_up(part, part));
    root_up(sum_up(sum_up(x, y), z))
}

/// The amount by which two numbers differ, rounded up.
pub(crate) fn apart_up(a: f64, b: f64) -> f64 {
    if a < b { sum_up(b, -a) } else { sum_up(a, -b) }
}

/// The distance between two points, rounded up.
pub(crate) fn distance_up(from: DVec3, to: DVec3) -> f64 {
    length_up(DVec3::from_array(std::array::from_fn(|axis| apart_up(from[axis], to[axis]))))
}

/// The coordinate reached from `at` at `speed` after `time`, rounded the way it goes.
pub(crate) fn moved_up(at: f64, speed: f64, time: f64) -> f64 {
    // Rounding up means away from the start, which is downwards for a negative speed.
    if speed < 0.0 { -sum_up(-at, product_up(-speed, time)) } else { sum_up(at, product_up(speed, time)) }
}

/// The part of `a + b` that did not fit into `sum`, after Knuth, "The Art of Computer Programming", volume 2, 4.2.2;
/// not-a-number if the sum overflows.
fn rest_of_sum(a: f64, b: f64, sum: f64) -> f64 {
    let of_b = sum - a;
    (a - (sum - of_b)) + (b - of_b)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    fn exact(number: f64) -> BigRational {
        BigRational::from_float(number).unwrap()
    }

    /// Lengths, speeds and times as a command may hold them.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![-1e4..1e4f64, -2.0..2.0f64, (-20..20i32).prop_map(|tenths| f64::from(tenths) / 10.0)]
    }

    proptest! {
        #![proptest_config(crate::fixtures::tried(256))]

        #[test]
        fn g16_nothing_is_rounded_towards_a_permission(a in number(), b in number(), above in 1e-3..1e3f64) {
            let (x, y, z) = (exact(a), exact(b), exact(above));
            prop_assert!(exact(sum_up(a, b)) >= &x + &y);
            prop_assert!(exact(difference_down(a, b)) <= &x - &y);
            prop_assert!(exact(product_up(a, b)) >= &x * &y);
            prop_assert!(exact(product_down(a, b)) <= &x * &y);
            prop_assert!(exact(quotient_up(a, above)) >= &x / &z);
            prop_assert!((exact(moved_up(a, b, above)) - &x) * &y >= &y * &y * &z);
            let time = Duration::from_nanos((above * 1e12) as u64);
            prop_assert!(exact(seconds_down(time)) * exact(1e9) <= exact(time.as_nanos() as f64));
            let (up, down) = (exact(root_up(above)), exact(root_down(above)));
            prop_assert!(&up * &up >= z && &down * &down <= z);
            let (from, to) = (DVec3::new(a, b, above), DVec3::new(b, above, a));
            let apart = [&x - &y, &y - &z, &z - &x].iter().fold(exact(0.0), |sum, part| sum + part * part);
            let distance = exact(distance_up(from, to));
            prop_assert!(&distance * &distance >= apart);
        }

        #[test]
        fn g16_what_is_exact_stays_exact(a in -1_000..1_000i32, b in -1_000..1_000i32, c in 1..1_000i32) {
            let (a, b, c) = (f64::from(a) / 8.0, f64::from(b) / 8.0, f64::from(c));
            prop_assert_eq!((sum_up(a, b), difference_down(a, b)), (a + b, a - b));
            prop_assert_eq!((product_up(a, b), product_down(a, b)), (a * b, a * b));
            prop_assert_eq!((root_up(c * c), root_down(c * c), quotient_up(a * c, c)), (c, c, a));
            prop_assert_eq!(seconds_down(Duration::from_secs_f64(c / 8.0)), c / 8.0);
            prop_assert_eq!(distance_up(DVec3::ZERO, DVec3::new(3.0 * c, 0.0, 4.0 * c)), 5.0 * c);
        }
    }

    #[test]
    fn g16_what_is_not_finite_is_never_a_permission() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!(difference_down(1.0, number) >= 0.0) || number == f64::NEG_INFINITY, "{number}");
            assert!(!(sum_up(1.0, number) <= 10.0) || number == f64::NEG_INFINITY, "{number}");
            assert!(!(length_up(DVec3::new(number, 0.0, 0.0)) <= 10.0), "{number}");
            assert!(!(distance_up(DVec3::ZERO, DVec3::new(number, 0.0, 0.0)) <= 10.0), "{number}");
        }
    }
}
