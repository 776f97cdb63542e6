//! The time of day in a corner of the picture, as cameras write it: who looks can see how late the picture is.

use super::canvas::Canvas;

/// Pixels of a picture for one dot of a sign.
const DOT_PX: usize = 2;
/// Dots of a sign in a row and in a column.
const SIGN: [usize; 2] = [3, 5];
/// Distance from the edges, pixels.
const MARGIN_PX: usize = 6;
const PAPER: [u8; 3] = [24, 26, 30];
const INK: [u8; 3] = [236, 238, 240];

/// Rows of each digit from the top; the highest of three bits is the left dot.
const DIGITS: [[u8; 5]; 10] = [
    [7, 5, 5, 5, 7],
    [2, 6, 2, 2, 7],
    [7, 1, 7, 4, 7],
    [7, 1, 7, 1, 7],
    [5, 5, 7, 1, 1],
    [7, 4, 7, 1, 7],
    [7, 4, 7, 5, 7],
    [7, 1, 1, 1, 1],
    [7, 5, 7, 5, 7],
    [7, 5, 7, 1, 7],
];
const COLON: [u8; 5] = [0, 2, 0, 2, 0];
const POINT: [u8; 5] = [0, 0, 0, 0, 2];

/// Writes the time of `wall_ms`, UTC, with tenths of a second.
pub fn write(canvas: &mut Canvas, wall_ms: i64) {
    let signs = signs(wall_ms);
    let [width, height] = [(SIGN[0] + 1) * DOT_PX, SIGN[1] * DOT_PX];
    let top = canvas.size()[1] - MARGIN_PX - height;
    canvas.fill([MARGIN_PX - 3, top - 3], [signs.len() * width + 4, height + 6], PAPER);
    for (i, rows) in signs.iter().enumerate() {
        for (row, dots) in rows.iter().enumerate() {
            for column in (0..SIGN[0]).filter(|column| dots >> (SIGN[0] - 1 - column) & 1 == 1) {
                let at = [MARGIN_PX + i * width + column * DOT_PX, top + row * DOT_PX];
                canvas.fill(at, [DOT_PX, DOT_PX], INK);
            }
        }
    }
}

fn signs(wall_ms: i64) -> [[u8; 5]; 10] {
    let tenths = wall_ms.rem_euclid(86_400_000) / 100;
    let digit = |per: i64, of: i64| usize::try_from(tenths / per % of).ok().and_then(|d| DIGITS.get(d)).copied();
    let digit = |per: i64, of: i64| digit(per, of).unwrap_or_default();
    let two = |per: i64, of: i64| [digit(per * 10, of / 10), digit(per, 10)];
    let ([h1, h0], [m1, m0], [s1, s0]) = ([digit(360_000, 3), digit(36_000, 10)], two(600, 60), two(10, 60));
    [h1, h0, COLON, m1, m0, COLON, s1, s0, POINT, digit(1, 10)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_406_a_simulated_camera_writes_the_time_of_day() {
        let of = |digits: [usize; 7]| digits.map(|digit| DIGITS[digit]);
        // 23:59:48.7
        let wall_ms = 86_400_000 * 3 + ((23 * 60 + 59) * 60 + 48) * 1_000 + 712;
        let [h1, h0, _, m1, m0, _, s1, s0, _, tenth] = signs(wall_ms);
        assert_eq!([h1, h0, m1, m0, s1, s0, tenth], of([2, 3, 5, 9, 4, 8, 7]));
    }
}
