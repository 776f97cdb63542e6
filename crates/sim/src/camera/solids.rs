//! The site as boxes in `map`, and where its cameras stand.

use robot::RobotId;

use super::canvas::Eye;
use crate::arm::ArmJoints;
use crate::people::zone_m;
use crate::sim_robot::SimRobot;
use crate::walls::OUTER_M;
use crate::world::SimWorld;

/// The arm's base in `map`, metres, as its manifest says.
const ARM_BASE_M: [f64; 3] = [1.0, 0.0, 0.0];
/// Height of walls, metres.
const WALL_M: f64 = 1.2;
const WALL: [u8; 3] = [196, 192, 184];
const STEEL: [u8; 3] = [92, 98, 108];
const ARM: [u8; 3] = [226, 142, 48];
const TABLE: [u8; 3] = [148, 120, 92];
const TRAY: [u8; 3] = [84, 150, 130];
const DOOR: [u8; 3] = [140, 74, 60];
const OVEN: [u8; 3] = [70, 74, 80];
const ROVER: [[u8; 3]; 2] = [[58, 108, 178], [120, 84, 160]];
const DARK: [u8; 3] = [44, 46, 52];
const CLOTHES: [u8; 3] = [186, 62, 70];
const SKIN: [u8; 3] = [222, 184, 156];

/// A box that stands upright.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    /// Its middle, metres.
    pub middle_m: [f64; 3],
    /// Half its length, width and height, metres.
    pub half_m: [f64; 3],
    /// Turn about the z axis, radians.
    pub yaw_rad: f64,
    /// Colour.
    pub rgb: [u8; 3],
}

impl Solid {
    /// Each face with its normal and its corners in order.
    pub fn faces(&self) -> [([f64; 3], [[f64; 3]; 4]); 6] {
        let (sin, cos) = self.yaw_rad.sin_cos();
        let turned = |[x, y, z]: [f64; 3]| [x * cos - y * sin, x * sin + y * cos, z];
        let corner = |signs: [f64; 3]| {
            let offset = turned([0, 1, 2].map(|axis| signs[axis] * self.half_m[axis]));
            [0, 1, 2].map(|axis| self.middle_m[axis] + offset[axis])
        };
        let face = |axis: usize, sign: f64| {
            let with = |u: f64, v: f64| {
                let mut signs = [0.0; 3];
                (signs[axis], signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (sign, u, v);
                signs
            };
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            (turned(normal), [with(-1.0, -1.0), with(1.0, -1.0), with(1.0, 1.0), with(-1.0, 1.0)].map(corner))
        };
        [face(0, -1.0), face(0, 1.0), face(1, -1.0), face(1, 1.0), face(2, -1.0), face(2, 1.0)]
    }
}

/// A box without a turn, by its middle on the floor and its whole sizes, metres.
fn standing([x, y]: [f64; 2], [length, width, height]: [f64; 3], rgb: [u8; 3]) -> Solid {
    let (middle_m, half_m) = ([x, y, height / 2.0], [length / 2.0, width / 2.0, height / 2.0]);
    Solid { middle_m, half_m, yaw_rad: 0.0, rgb }
}

/// Everything that a camera can see now.
pub fn solids(world: &SimWorld) -> Vec<Solid> {
    let mut solids: Vec<Solid> = OUTER_M.map(wall).into();
    solids.push(standing([-6.6, 6.6], [0.8, 0.8, 1.0], OVEN));
    for (id, robot) in &world.robots {
        match id.as_str() {
            "arm-1" => solids.extend(arm(robot)),
            "gate-1" => solids.extend(door(robot)),
            "rover-1" => solids.extend(rover(robot, ROVER[0])),
            _ => solids.extend(rover(robot, ROVER[1])),
        }
    }
    for (label, zone) in world.walkers() {
        solids.extend(walker(label, zone_m(zone)));
    }
    solids
}

/// Objects that a detector has a name for in the pictures of `by`'s camera: everybody who walks, and the other rovers.
pub fn named(world: &SimWorld, by: &RobotId) -> Vec<Named> {
    let of_robot = |(id, robot): (&RobotId, &SimRobot)| {
        let is_rover = id.as_str().starts_with("rover-") && id != by;
        is_rover.then(|| Named { label: "robot", solids: rover(robot, DARK) })
    };
    let walkers = world.walkers().map(|(label, zone)| Named { label, solids: walker(label, zone_m(zone)) });
    walkers.chain(world.robots.iter().filter_map(of_robot)).collect()
}

/// Something that a detector has a name for.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// For example `person`.
    pub label: &'static str,
    /// Its parts.
    pub solids: Vec<Solid>,
}

fn wall([[x1, y1], [x2, y2]]: [[f64; 2]; 2]) -> Solid {
    let (along_x, along_y) = ((x2 - x1).abs(), (y2 - y1).abs());
    standing([(x1 + x2) / 2.0, (y1 + y2) / 2.0], [along_x.max(0.1), along_y.max(0.1), WALL_M], WALL)
}

/// The column, the boom that slides out of it, the tool with its fingers, the tray on its table.
fn arm(robot: &SimRobot) -> Vec<Solid> {
    let Some(tool_m) = robot.mover.as_ref().map(|mover| mover.position_m) else { return Vec::new() };
    let joints = ArmJoints::at(tool_m);
    let column_m = ArmJoints { boom_m: 0.0, ..joints }.position_m();
    let in_map = |[x, y, z]: [f64; 3]| [x + ARM_BASE_M[0], y + ARM_BASE_M[1], z + ARM_BASE_M[2]];
    let (turn_rad, boom_m) = (joints.turn_rad, joints.boom_m);
    let at_boom = |along_m: f64| {
        let (sin, cos) = turn_rad.sin_cos();
        in_map([column_m[0] + along_m * cos, column_m[1] + along_m * sin, tool_m[2]])
    };
    let turned = |middle_m, half_m, rgb| Solid { middle_m, half_m, yaw_rad: turn_rad, rgb };
    let [column_x, column_y, _] = in_map(column_m);
    let opening_m = robot.gripper.as_ref().map_or(0.0, |gripper| gripper.opening_m);
    let mut parts = vec![
        standing([column_x, column_y], [0.6, 0.6, 0.12], STEEL),
        standing([column_x, column_y], [0.24, 0.24, tool_m[2] + 0.3], STEEL),
        turned(at_boom(boom_m / 2.0), [boom_m / 2.0, 0.07, 0.07], ARM),
        turned(at_boom(boom_m), [0.08, 0.1, 0.1], DARK),
    ];
    let (sin, cos) = turn_rad.sin_cos();
    for side in [-1.0, 1.0] {
        let aside_m = side * (0.02 + opening_m / 2.0);
        let [x, y, z] = at_boom(boom_m + 0.14);
        parts.push(turned([x - aside_m * sin, y + aside_m * cos, z - 0.05], [0.08, 0.012, 0.03], STEEL));
    }
    if let Some(tray) = robot.tray() {
        let [x, y, z] = in_map(tray.parent_from_child.translation_m);
        parts.push(standing([x, y], [0.7, 0.6, z - 0.06], TABLE));
        parts.push(Solid { middle_m: [x, y, z - 0.02], half_m: [0.15, 0.2, 0.03], yaw_rad: 0.0, rgb: TRAY });
    }
    parts
}

/// The door at the front; an open one has slid aside.
fn door(robot: &SimRobot) -> Option<Solid> {
    let open = robot.door.as_ref()?.open;
    Some(standing([7.5, if open { 1.8 } else { 0.0 }], [0.06, 1.8, 1.1], DOOR))
}

fn rover(robot: &SimRobot, rgb: [u8; 3]) -> Vec<Solid> {
    let Some(mover) = &robot.mover else { return Vec::new() };
    let ([x, y, z], yaw_rad) = (mover.position_m, mover.yaw_rad);
    let (sin, cos) = yaw_rad.sin_cos();
    let part = |ahead_m: f64, up_m: f64, half_m, rgb| Solid {
        middle_m: [x + ahead_m * cos, y + ahead_m * sin, z + up_m],
        half_m,
        yaw_rad,
        rgb,
    };
    vec![
        part(0.0, 0.09, [0.3, 0.24, 0.09], DARK),
        part(0.0, 0.24, [0.34, 0.22, 0.07], rgb),
        part(-0.2, 0.45, [0.04, 0.04, 0.15], STEEL),
        part(0.25, 0.34, [0.05, 0.12, 0.03], TRAY),
    ]
}

/// Somebody as a body and a head; the dog is one long box.
fn walker(label: &str, at_m: [f64; 2]) -> Vec<Solid> {
    match label {
        "dog" => vec![standing(at_m, [0.7, 0.25, 0.5], TABLE)],
        "toddler" => person(at_m, 0.85),
        _ => person(at_m, 1.75),
    }
}

fn person(at_m: [f64; 2], tall_m: f64) -> Vec<Solid> {
    let body = standing(at_m, [0.3, 0.44, tall_m * 0.84], CLOTHES);
    let head = standing(at_m, [0.2, 0.2, tall_m], SKIN);
    vec![body, head]
}

/// The camera of a robot: one looks at the arm's cell, the others look ahead from a rover.
pub fn eye_of(world: &SimWorld, id: &RobotId) -> Option<Eye> {
    if id.as_str() == "arm-1" {
        return Some(Eye { position_m: [2.9, -1.9, 1.9], yaw_rad: 2.45, pitch_rad: -0.42, focal_px: 250.0 });
    }
    let mover = world.robots.get(id)?.mover.as_ref()?;
    let ([x, y, z], (sin, cos)) = (mover.position_m, mover.yaw_rad.sin_cos());
    let position_m = [x + 0.36 * cos, y + 0.36 * sin, z + 0.6];
    Some(Eye { position_m, yaw_rad: mover.yaw_rad, pitch_rad: -0.1, focal_px: 220.0 })
}
