//! Joint goals and goals in a moving frame on the very borders of the gate's limits. Their numbers are whole multiples of a
//! power of two, so that what they come to is known exactly.

use proptest::prelude::*;
use robot::RawPoseGoal;

use super::*;

/// The parts of a metre or a radian that numbers are counted in.
const PARTS: i64 = 1 << 20;
/// The limit of the shoulder, and the face of the workspace.
const SHOULDER_MAX: i64 = PARTS * 3 / 2;
const FACE: i64 = 5 * PARTS;

fn number(parts: i64) -> f64 {
    parts as f64 / PARTS as f64
}

/// On the border, a few parts beside it, or anywhere.
fn beside(border: i64) -> impl Strategy<Value = i64> {
    prop_oneof![Just(border), border - 3..border + 4, -border..2 * border]
}

/// The gate's answer to a command while its robot's sensors say this.
fn answered(envelope: CommandEnvelope, own: &OwnState) -> String {
    let mut gate = GateState::new(&jointed_manifest(), GateMemory::default()).unwrap();
    for message in [Message::Beat(beat("desk", 1)), Message::Claim(claim("desk", 1))] {
        say(&mut gate, 1_000, message);
    }
    let stops: Vec<OpenStop> = gate.memory().stops.iter().cloned().collect();
    say(&mut gate, 1_000, Message::Release(release("desk", 1, &stops)));
    say_at(&mut gate, 1_000, command(envelope), own)
}

proptest! {
    #[test]
    fn g17_the_gate_moves_no_joint_beyond_its_border_and_every_one_within(
        parts in beside(SHOULDER_MAX), below in any::<bool>(),
    ) {
        let shoulder = if below { -number(parts) } else { number(parts) };
        let motion = RawMotion::Joints(RawJoints {
            names: ["shoulder", "lift"].map(str::to_owned).into(),
            positions_rad: vec![shoulder, 0.5],
            speed_radps: Some(0.1),
        });
        let own = jointed(Instant::from_millis(1_000), 0, 0);
        let expected = if parts.abs() > SHOULDER_MAX { "1000: JointLimit" } else { "1000: move 1" };
        prop_assert_eq!(answered(CommandEnvelope { motion, ..goal(1) }, &own), expected, "{}", shoulder);
    }

    #[test]
    fn g17_no_goal_in_a_moving_frame_takes_the_robot_beyond_a_border(
        reached in beside(FACE), frame_at in -2 * PARTS..2 * PARTS, turned in any::<bool>(),
    ) {
        // Half a turn about the vertical: x of the tray leads against x of the base.
        let x = if turned { frame_at - reached } else { reached - frame_at };
        let mut own = jointed(Instant::from_millis(1_000), 0, 0);
        let rotation = if turned { [0.0, 0.0, 1.0, 0.0] } else { [0.0, 0.0, 0.0, 1.0] };
        let rotation = serde_json::from_value(serde_json::json!(rotation)).unwrap();
        own.transforms[0].value.parent_from_child = Isometry { translation_m: [number(frame_at), 0.0, 0.0], rotation };
        let motion = RawMotion::PoseGoal(RawPoseGoal {
            position_m: vec![number(x), 0.0, 0.0],
            orientation: None,
            speed_mps: Some(0.1),
            duration_s: None,
        });
        let said = answered(CommandEnvelope { frame: "tray".parse().unwrap(), motion, ..goal(1) }, &own);
        let moves = said == "1000: move 1";
        prop_assert!(!moves || reached.abs() <= FACE, "{} at {}: {said}", number(x), number(frame_at));
        prop_assert!(moves || reached.abs() > 4 * PARTS, "{} at {}: {said}", number(x), number(frame_at));
    }
}
