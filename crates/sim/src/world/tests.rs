use robot::Command;

use super::*;
use crate::telemetry::{Moment, channels};

/// Everything the site publishes in `steps` steps, with a goal for one rover on the way.
fn trace(seed: u64, steps: u64) -> Vec<(String, Vec<u8>)> {
    let mut world = SimWorld::new(seed).unwrap();
    let mut trace = Vec::new();
    for step in 1..=steps {
        if step == 10 {
            let rover = world.robots.get_mut(&"rover-1".parse::<RobotId>().unwrap()).unwrap();
            rover.begin(&serde_json::from_str::<Command>(GOAL).unwrap()).unwrap();
        }
        world.step(0.02);
        for channel in channels(&world) {
            if step.is_multiple_of(channel.every_steps) {
                let moment = Moment { step, wall_ms: 1_700_000_000_000, nan: false };
                let payloads = channel.payloads(&mut world, moment);
                trace.extend(payloads.into_iter().map(|payload| (channel.key.clone(), payload)));
            }
        }
    }
    trace
}

const GOAL: &str = r#"{"robot": "rover-1", "actuator": "base", "id": "00000000-0000-0000-0000-000000000001",
    "source": "agent", "lease": {"station": "desk", "epoch": 1, "seq": 1}, "issued_at": 0, "ttl_ms": 2000, "frame": "map",
    "motion": {"pose_goal": {"position_m": [6.0, 6.0, 0.0], "orientation": null, "speed_mps": 1.0, "duration_s": null}}}"#;

#[test]
fn the_same_seed_gives_the_same_site() {
    let minutes = 50 * 180;
    assert_eq!(trace(7, minutes), trace(7, minutes));
    assert_ne!(trace(7, minutes), trace(8, minutes));
}

#[test]
fn the_person_is_first_seen_in_the_hallway_for_a_minute() {
    for seed in 0..20 {
        let mut world = SimWorld::new(seed).unwrap();
        for _ in 0..60 {
            let seen = world.detections();
            let person = seen.iter().find(|detection| detection.label == "person").unwrap();
            assert_eq!((person.zone, person.confidence), ("hallway", 0.92), "seed {seed}");
            world.step(1.0);
        }
    }
}

#[test]
fn everybody_moves_between_neighbouring_zones() {
    let place = |zone: &str| crate::people::ZONES.iter().position(|known| *known == zone).unwrap();
    let mut world = SimWorld::new(3).unwrap();
    let mut before: Vec<_> = world.detections().iter().map(|seen| place(seen.zone)).collect();
    let mut moves = 0;
    for _ in 0..600 {
        world.step(1.0);
        let now: Vec<_> = world.detections().iter().map(|seen| place(seen.zone)).collect();
        for (from, to) in before.iter().zip(&now) {
            assert!(from.abs_diff(*to) <= 1);
            moves += from.abs_diff(*to);
        }
        before = now;
    }
    assert!(moves > 15, "{moves} moves in ten minutes");
}

#[test]
fn every_start_is_inside_its_limits_and_fresh_enough_to_arm() {
    let world = SimWorld::new(1).unwrap();
    assert_eq!(world.robots.len(), MANIFESTS.len());
    for (id, robot) in &world.robots {
        let Some(mover) = &robot.mover else { continue };
        let workspace = robot.manifest.limits.workspace.unwrap();
        let inside = robot.manifest.body.inflation_m();
        for (position_m, [low, high]) in mover.position_m.iter().zip([workspace.x, workspace.y, workspace.z]) {
            assert!(low + inside <= *position_m && *position_m <= high - inside, "{id}");
        }
    }
}
