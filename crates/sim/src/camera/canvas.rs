//! A small renderer: a floor with a grid, boxes with flat faces, and a depth for each pixel.

use super::solids::Solid;

/// Faces nearer than this are cut off, metres.
const NEAR_M: f64 = 0.05;
/// The floor's grid, metres.
const GRID_M: f64 = 1.0;
/// Half the width of a line of the grid, metres.
const GRID_LINE_M: f64 = 0.02;
/// Everything fades into the background over this distance, metres.
const FADE_M: f64 = 22.0;
const BACKGROUND: [f64; 3] = [176.0, 184.0, 190.0];
const FLOOR: [f64; 3] = [128.0, 130.0, 126.0];
const FLOOR_LINE: [f64; 3] = [98.0, 100.0, 98.0];
/// Direction towards the light.
const LIGHT: [f64; 3] = [0.45, -0.35, 0.82];

/// A camera's place and direction, and how far the picture plane is off, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Eye {
    /// Metres, `map`.
    pub position_m: [f64; 3],
    /// About the z axis; 0 looks along x. Radians.
    pub yaw_rad: f64,
    /// Positive looks up. Radians.
    pub pitch_rad: f64,
    /// Focal length, pixels.
    pub focal_px: f64,
}

impl Eye {
    /// From `map` to the eye: ahead, to the right, up.
    fn seen(&self, point_m: [f64; 3]) -> [f64; 3] {
        let [dx, dy, dz] = [0, 1, 2].map(|axis| point_m[axis] - self.position_m[axis]);
        let ((sin, cos), (tilt_sin, tilt_cos)) = (self.yaw_rad.sin_cos(), self.pitch_rad.sin_cos());
        let (level, right) = (dx * cos + dy * sin, dx * sin - dy * cos);
        [level * tilt_cos + dz * tilt_sin, right, dz * tilt_cos - level * tilt_sin]
    }

    /// The pixel of a point off the middle of the picture, right and up, and the reciprocal of its depth; `None`
    /// behind the eye.
    pub fn placed(&self, point_m: [f64; 3]) -> Option<[f64; 3]> {
        let [ahead, right, up] = self.seen(point_m);
        (ahead >= NEAR_M).then(|| [self.focal_px * right / ahead, self.focal_px * up / ahead, 1.0 / ahead])
    }

    /// The direction in `map` of what lies `[right, up]` pixels off the middle of the picture.
    fn ray(&self, [right, up]: [f64; 2]) -> [f64; 3] {
        let ((sin, cos), (tilt_sin, tilt_cos)) = (self.yaw_rad.sin_cos(), self.pitch_rad.sin_cos());
        let level = self.focal_px * tilt_cos - up * tilt_sin;
        [level * cos + right * sin, level * sin - right * cos, self.focal_px * tilt_sin + up * tilt_cos]
    }
}

/// Pixels in red, green and blue, and the reciprocal of the depth of each.
pub struct Canvas {
    size: [usize; 2],
    rgb: Vec<u8>,
    nearness: Vec<f64>,
}

impl Canvas {
    /// An empty picture.
    pub fn new(size_px: [u16; 2]) -> Self {
        let size = size_px.map(usize::from);
        let count = size[0] * size[1];
        Self { size, rgb: vec![0; 3 * count], nearness: vec![0.0; count] }
    }

    /// Rows from the top, three bytes a pixel.
    pub fn pixels(&self) -> &[u8] {
        &self.rgb
    }

    /// Draws what `eye` sees.
    pub fn draw(&mut self, eye: &Eye, solids: &[Solid]) {
        self.draw_floor(eye);
        for solid in solids {
            for (normal, corners_m) in solid.faces() {
                let shade = 0.62 + 0.38 * dot(normal, LIGHT).max(0.0);
                let seen: Vec<[f64; 3]> = corners_m.iter().map(|corner| eye.seen(*corner)).collect();
                self.draw_face(&cut_near(&seen), eye.focal_px, solid.rgb.map(|colour| f64::from(colour) * shade));
            }
        }
    }

    /// Fills a rectangle of pixels, as far as it lies in the picture.
    pub fn fill(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], colour: [u8; 3]) {
        for row in y..(y + height).min(self.size[1]) {
            for column in x..(x + width).min(self.size[0]) {
                let at = row * self.size[0] + column;
                self.rgb[3 * at..3 * at + 3].copy_from_slice(&colour);
            }
        }
    }

    /// The reciprocal of the depth of what a pixel shows; 0 for the sky and outside the picture.
    pub fn nearness(&self, [column, row]: [usize; 2]) -> f64 {
        let is_inside = column < self.size[0] && row < self.size[1];
        if is_inside { self.nearness[row * self.size[0] + column] } else { 0.0 }
    }

    /// Pixels in a row and in a column.
    pub const fn size(&self) -> [usize; 2] {
        self.size
    }

    #[expect(clippy::cast_precision_loss, reason = "a picture has a few hundred rows")]
    fn offset_px(&self, column: usize, row: usize) -> [f64; 2] {
        let [width, height] = self.size;
        [column as f64 + 0.5 - width as f64 / 2.0, height as f64 / 2.0 - row as f64 - 0.5]
    }

    fn draw_floor(&mut self, eye: &Eye) {
        let [width, height] = self.size;
        for row in 0..height {
            for column in 0..width {
                let ray = eye.ray(self.offset_px(column, row));
                let (colour, nearness) = floor(eye, ray);
                let at = row * width + column;
                self.rgb[3 * at..3 * at + 3].copy_from_slice(&bytes(colour));
                self.nearness[at] = nearness;
            }
        }
    }

    /// A convex face, its corners as seen, in fans of three.
    fn draw_face(&mut self, corners: &[[f64; 3]], focal_px: f64, colour: [f64; 3]) {
        let on_plane = |[ahead, right, up]: [f64; 3]| [focal_px * right / ahead, focal_px * up / ahead, 1.0 / ahead];
        let placed: Vec<[f64; 3]> = corners.iter().map(|corner| on_plane(*corner)).collect();
        let Some((first, rest)) = placed.split_first() else { return };
        for pair in rest.windows(2) {
            self.draw_triangle([*first, pair[0], pair[1]], colour);
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the picture"
    )]
    fn draw_triangle(&mut self, [a, b, c]: [[f64; 3]; 3], colour: [f64; 3]) {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        // Seen from its edge, or with a corner that is not a number.
        if !(area.abs() > 1e-9) {
            return;
        }
        let [width, height] = self.size.map(|side| side as f64);
        let least = |axis: usize| a[axis].min(b[axis]).min(c[axis]);
        let most = |axis: usize| a[axis].max(b[axis]).max(c[axis]);
        let columns = (least(0) + width / 2.0).clamp(0.0, width) as usize
            ..(most(0) + width / 2.0 + 1.0).clamp(0.0, width) as usize;
        let rows = (height / 2.0 - most(1)).clamp(0.0, height) as usize
            ..(height / 2.0 - least(1) + 1.0).clamp(0.0, height) as usize;
        for row in rows {
            for column in columns.clone() {
                let [x, y] = self.offset_px(column, row);
                let of_b = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
                let of_c = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
                let of_a = 1.0 - of_b - of_c;
                if of_a < 0.0 || of_b < 0.0 || of_c < 0.0 {
                    continue;
                }
                // The reciprocal of the depth is linear in the picture, which the depth itself is not.
                let nearness = of_a * a[2] + of_b * b[2] + of_c * c[2];
                let at = row * self.size[0] + column;
                if nearness > self.nearness[at] {
                    self.nearness[at] = nearness;
                    self.rgb[3 * at..3 * at + 3].copy_from_slice(&bytes(faded(colour, 1.0 / nearness)));
                }
            }
        }
    }
}

/// Colour and nearness of the floor along a ray; the background above the horizon.
fn floor(eye: &Eye, ray: [f64; 3]) -> ([f64; 3], f64) {
    // A ray that is nearly level meets the floor too far away to be drawn.
    if ray[2] >= -1e-6 {
        return (BACKGROUND, 0.0);
    }
    let steps = eye.position_m[2] / -ray[2];
    let ahead_m = steps * eye.focal_px;
    let on_line = [0, 1].iter().any(|axis| {
        let along = (eye.position_m[*axis] + steps * ray[*axis]).rem_euclid(GRID_M);
        along < GRID_LINE_M || GRID_M - along < GRID_LINE_M
    });
    let colour = if on_line && ahead_m < FADE_M / 2.0 { FLOOR_LINE } else { FLOOR };
    (faded(colour, ahead_m), 1.0 / ahead_m.max(NEAR_M))
}

fn faded(colour: [f64; 3], ahead_m: f64) -> [f64; 3] {
    let share = (ahead_m / FADE_M).clamp(0.0, 1.0);
    [0, 1, 2].map(|i| colour[i] + (BACKGROUND[i] - colour[i]) * share)
}

/// The part of a convex face that lies ahead of the eye.
fn cut_near(corners: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut cut = Vec::new();
    for (i, to) in corners.iter().enumerate() {
        let from = corners[(i + corners.len() - 1) % corners.len()];
        // Behind the eye the projection turns over, so the face ends where it comes too near.
        if (from[0] < NEAR_M) != (to[0] < NEAR_M) {
            let share = (NEAR_M - from[0]) / (to[0] - from[0]);
            cut.push([0, 1, 2].map(|axis| from[axis] + share * (to[axis] - from[axis])));
        }
        if to[0] >= NEAR_M {
            cut.push(*to);
        }
    }
    cut
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn bytes(colour: [f64; 3]) -> [u8; 3] {
    colour.map(|part| part.clamp(0.0, 255.0) as u8)
}
