//! The tree of frames that a robot's `/tf` makes, and the pose of one frame in another.

use std::collections::BTreeMap;
use std::time::Duration;

use robot::{Instant, UnitQuaternion};

use super::message::TransformStamped;

/// Frames of a robot; an arm with a hand has about a hundred.
const FRAMES_MAX: usize = 1_024;
/// Time after which a frame that comes no more makes room for another: what a tracker names anew for each thing that it
/// sees would otherwise fill the tree for ever.
const GONE: Duration = Duration::from_secs(60);
/// Frames between two, so that a circle ends.
const STEPS_MAX: usize = 64;

/// The newest transform of each frame.
#[derive(Debug, Default)]
pub struct Frames {
    by_child: BTreeMap<Box<str>, Link>,
    /// Before this moment no frame is gone: a message may name thousands of new ones.
    room_at: Instant,
}

/// The place of a frame in its parent.
#[derive(Debug)]
struct Link {
    parent: Box<str>,
    position_m: [f64; 3],
    rotation: UnitQuaternion,
    /// Robot's time of it; none if it holds for ever.
    stamp_ms: Option<f64>,
    /// The moment at which it came, by the gate's clock: a stranger's stamp says nothing of it.
    arrived: Instant,
}

/// A frame in another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Metres.
    pub position_m: [f64; 3],
    /// Its rotation.
    pub rotation: UnitQuaternion,
    /// Robot's time of the oldest transform between the two; none if all hold for ever.
    pub stamp_ms: Option<f64>,
}

impl Frames {
    /// Takes in a transform; the reason if it cannot be used.
    pub fn note(
        &mut self,
        transform: &TransformStamped,
        is_static: bool,
        arrived: Instant,
    ) -> Result<(), &'static str> {
        let position_m = transform.transform.translation.finite().ok_or("a translation is not finite")?;
        let rotation = transform.transform.rotation.unit().ok_or("a rotation is none")?;
        let child = name(&transform.child_frame_id);
        let stamp_ms = (!is_static).then(|| transform.header.stamp.ms());
        if self.by_child.len() >= FRAMES_MAX && !self.by_child.contains_key(child) && !self.makes_room(arrived) {
            return Err("there are too many frames");
        }
        let parent = name(&transform.header.frame_id).into();
        self.by_child.insert(child.into(), Link { parent, position_m, rotation, stamp_ms, arrived });
        Ok(())
    }

    /// Forgets the frame that has come no more for the longest time; false if none is gone.
    fn makes_room(&mut self, now: Instant) -> bool {
        if now <= self.room_at {
            return false;
        }
        let moving = self.by_child.iter().filter(|(_, link)| link.stamp_ms.is_some());
        let Some((child, link)) = moving.min_by_key(|(_, link)| link.arrived) else { return false };
        self.room_at = link.arrived.plus(GONE);
        let child = child.clone();
        now > self.room_at && self.by_child.remove(&child).is_some()
    }

    /// The place of `child` in `parent`, if the tree leads there.
    #[must_use]
    pub fn place(&self, parent: &str, child: &str) -> Option<Place> {
        let mut place = Place { position_m: [0.0; 3], rotation: UnitQuaternion::IDENTITY, stamp_ms: None };
        let (mut at, parent) = (name(child), name(parent));
        for _ in 0..STEPS_MAX {
            if at == parent {
                return Some(place);
            }
            let link = self.by_child.get(at)?;
            let turned_m = link.rotation.rotate(place.position_m);
            place.position_m = std::array::from_fn(|axis| link.position_m[axis] + turned_m[axis]);
            place.rotation = product(link.rotation, place.rotation)?;
            place.stamp_ms = match (place.stamp_ms, link.stamp_ms) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
            at = &link.parent;
        }
        None
    }
}

/// ROS 1 wrote a slash before the name of a frame, and some robots still do.
fn name(frame: &str) -> &str {
    frame.strip_prefix('/').unwrap_or(frame)
}

/// First `right`, then `left`.
fn product(left: UnitQuaternion, right: UnitQuaternion) -> Option<UnitQuaternion> {
    let ([x, y, z, w], [a, b, c, d]) = (left.xyzw(), right.xyzw());
    UnitQuaternion::new([
        w * a + x * d + y * c - z * b,
        w * b - x * c + y * d + z * a,
        w * c + x * b - y * a + z * d,
        w * d - x * a - y * b - z * c,
    ])
}

#[cfg(test)]
mod tests {
    use super::super::message::{Header, Quaternion, Time, Transform, Vector3};
    use super::*;

    fn at(secs: u64) -> Instant {
        Instant::default().plus(Duration::from_secs(secs))
    }

    fn transform(parent: &str, child: &str, x_m: f64, yaw_rad: f64, sec: i32) -> TransformStamped {
        let [x, y, z, w] = UnitQuaternion::from_yaw_rad(yaw_rad).xyzw();
        TransformStamped {
            header: Header { stamp: Time { sec, nanosec: 0 }, frame_id: parent.to_owned() },
            child_frame_id: child.to_owned(),
            transform: Transform {
                translation: Vector3 { x: x_m, y: 0.0, z: 0.0 },
                rotation: Quaternion { x, y, z, w },
            },
        }
    }

    #[test]
    fn rg_06_a_pose_is_composed_of_the_chain_of_frames_and_as_old_as_its_oldest_link() {
        let mut frames = Frames::default();
        let quarter = std::f64::consts::FRAC_PI_2;
        frames.note(&transform("map", "odom", 1.0, quarter, 7), false, at(1)).unwrap();
        frames.note(&transform("/odom", "/base_link", 2.0, quarter, 9), false, at(1)).unwrap();
        frames.note(&transform("base_link", "laser", 1.0, 0.0, 0), true, at(1)).unwrap();
        let place = frames.place("map", "base_link").unwrap();
        let expected_m = [1.0, 2.0, 0.0];
        assert!(place.position_m.iter().zip(expected_m).all(|(is, to_be)| (is - to_be).abs() < 1e-9), "{place:?}");
        assert!((place.rotation.yaw_rad().abs() - 2.0 * quarter).abs() < 1e-9);
        assert_eq!(place.stamp_ms, Some(7_000.0));
        let laser = frames.place("map", "laser").unwrap();
        assert!((laser.position_m[0] - 0.0).abs() < 1e-9, "a static link has no age: {laser:?}");
        assert_eq!(frames.place("base_link", "laser").unwrap().stamp_ms, None);
        assert_eq!(frames.place("map", "camera"), None);
    }

    #[test]
    fn rg_05_a_circle_of_frames_and_too_many_of_them_give_no_pose() {
        let mut frames = Frames::default();
        frames.note(&transform("a", "b", 1.0, 0.0, 1), false, at(1)).unwrap();
        frames.note(&transform("b", "a", 1.0, 0.0, 1), false, at(1)).unwrap();
        assert_eq!(frames.place("map", "a"), None);
        let many = (0..2_000).map(|n| frames.note(&transform("a", &format!("f{n}"), 0.0, 0.0, 1), false, at(1)));
        assert!(many.last().unwrap().is_err());
        // A stranger's stamps may be hours ahead: what still comes stays.
        let ahead = transform("a", "ahead", 0.0, 0.0, 7_200);
        assert!(frames.note(&ahead, false, at(30)).is_err());
        frames.note(&transform("a", "b", 1.0, 0.0, 1), false, at(61)).unwrap();
        frames.note(&transform("map", "base_link", 1.0, 0.0, 100), false, at(62)).unwrap();
        assert!(frames.place("a", "b").is_some(), "it still comes");
        assert!(frames.place("map", "base_link").is_some(), "what is gone makes room");
        let broken = TransformStamped {
            transform: Transform {
                translation: Vector3 { x: f64::NAN, y: 0.0, z: 0.0 },
                rotation: Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
            },
            ..transform("a", "b", 0.0, 0.0, 1)
        };
        assert!(frames.note(&broken, false, at(1)).is_err());
    }
}
