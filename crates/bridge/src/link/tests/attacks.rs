//! Raw puts by somebody on the network, as `put` of any Zenoh client would make them.

use super::*;
use crate::MessageError;
use crate::envelope::CommandEnvelope;
use crate::fixtures::{beat, claim, goal, release, sample, stop};

const ACT: &str = "lab/arm-1/cmd/act/arm";

fn json(message: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(message).unwrap()
}

impl Rig {
    /// Puts bytes as they are, and gives what the gate says to them.
    fn attack(&self, key_expr: &str, payload: Vec<u8>, signature: Option<[u8; 64]>) -> (Subject, Status) {
        let attachment = signature.map(|bytes| bytes.to_vec());
        self.sessions.0.session.put(key_expr, payload).attachment(attachment).wait().unwrap();
        wait_for(&self.acks, |ack: Ack| Some((ack.subject, ack.status)))
    }

    /// A command that would be admitted if everything else about it were right.
    fn good(&self, seq: u64) -> CommandEnvelope {
        CommandEnvelope { beat: self.link.beat().unwrap() - 1, ..goal(seq) }
    }
}

fn unread(key_expr: &str) -> Subject {
    Subject::Unreadable { key_expr: key_expr.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn t4_att_17_only_what_a_known_station_signed_for_this_key_moves_the_robot_and_only_once() {
    let rig = rig().await;
    rig.claim();
    let payload = json(&rig.good(1));
    let own = rig.key.sign(ACT, &payload);
    let stranger = SigningKey::from_seed(&[9; 32]).sign(ACT, &payload);
    let elsewhere = rig.key.sign("lab/arm-1/cmd/act/gripper", &payload);
    let gripper = "lab/arm-1/cmd/act/gripper";
    for signature in [None, Some(stranger), Some(elsewhere)] {
        assert_eq!(rig.attack(ACT, payload.clone(), signature), (unread(ACT), Status::BadSignature));
    }
    let moved = rig.attack(gripper, payload.clone(), Some(elsewhere));
    assert_eq!(moved, (unread(gripper), Status::Refused(robot::Reason::Schema)), "the key of another actuator");
    let posing = json(&CommandEnvelope { station: station("shed"), ..rig.good(1) });
    let posed = rig.key.sign(ACT, &posing);
    assert_eq!(rig.attack(ACT, posing, Some(posed)), (unread(ACT), Status::BadSignature), "speaks for another");
    assert_eq!(rig.attack(ACT, payload.clone(), Some(own)), (command(1), Status::Received));
    assert_eq!(rig.attack(ACT, payload, Some(own)), (command(1), Status::Refused(robot::Reason::Replay)));
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_wildcards_giants_and_unsigned_words_change_nothing_but_a_stop_is_always_heard() {
    let rig = rig().await;
    rig.claim();
    let wild = "lab/*/cmd/act/arm";
    let payload = json(&rig.good(1));
    let signature = rig.key.sign(wild, &payload);
    let schema = Status::Refused(robot::Reason::Schema);
    assert_eq!(rig.attack(wild, payload, Some(signature)), (unread(wild), schema));
    let giant = vec![b' '; 600 * 1024];
    let signature = rig.key.sign(ACT, &giant);
    let too_large = Status::Refused(robot::Reason::TooLarge);
    assert_eq!(rig.attack(ACT, giant, Some(signature)), (unread(ACT), too_large));
    for (what, payload) in [
        ("claim", json(&claim("desk", 9))),
        ("release", json(&release("desk", 9, &[]))),
        ("beat", json(&beat("desk", 900))),
    ] {
        let key_expr = format!("lab/arm-1/cmd/{what}");
        assert_eq!(rig.attack(&key_expr, payload, None), (unread(&key_expr), Status::BadSignature));
    }
    let stopped = Subject::Stop { station: station("shed"), stop_id: 7 };
    assert_eq!(rig.attack("lab/arm-1/cmd/stop", json(&stop("shed", 7)), None), (stopped, Status::Received));
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_a_stop_or_a_hold_that_cannot_be_read_ends_motion_all_the_same() {
    let rig = rig().await;
    rig.claim();
    let [stop_key, hold_key] = ["stop", "hold"].map(|what| format!("lab/arm-1/cmd/{what}"));
    let newer = br#"{"robot": "arm-1", "station": "desk", "stop_id": 7, "cause": "a field of a newer version"}"#;
    let elsewhere = json(&StopMessage { robot: "rover-1".parse().unwrap(), ..stop("desk", 7) });
    assert_eq!(rig.attack(&hold_key, b"{".to_vec(), None), (unread(&hold_key), Status::Received));
    let commanded = |seq| {
        let payload = json(&rig.good(seq));
        let signature = rig.key.sign(ACT, &payload);
        rig.attack(ACT, payload, Some(signature))
    };
    assert_eq!(commanded(1), (command(1), Status::Received), "a hold latches nothing");
    for payload in [newer.to_vec(), elsewhere, Vec::new(), vec![b' '; 600 * 1024]] {
        assert_eq!(rig.attack(&stop_key, payload, None), (unread(&stop_key), Status::Received));
    }
    assert_eq!(commanded(2), (command(2), Status::Refused(robot::Reason::Latched)));
    let schema = Status::Refused(robot::Reason::Schema);
    assert_eq!(rig.attack("lab/*/cmd/stop", b"{".to_vec(), None), (unread("lab/*/cmd/stop"), schema));
}

#[tokio::test(flavor = "multi_thread")]
async fn att_16_a_robot_speaks_only_for_itself_and_only_on_its_own_keys() {
    let rig = rig().await;
    let key_expr = "lab/arm-1/out/ack";
    let ack = |robot: &str| Ack {
        robot: robot.parse().unwrap(),
        subject: command(1),
        status: Status::Done,
        claimed_by: None,
        speed_mps: Some(0.0),
        standstill: true,
    };
    let hear = |payload: &[u8], key: &SigningKey, signed_for: &str| {
        let signature = key.sign(signed_for, payload);
        rig.link.hear_ack(&SignedSample::new(sample(key_expr, "", payload), Some(&signature)))
    };
    let (own, other) = (SigningKey::from_seed(&ROBOT_SEED), SigningKey::from_seed(&[9; 32]));
    assert_eq!(hear(&json(&ack("arm-1")), &own, key_expr), Ok(ack("arm-1")));
    assert_eq!(hear(&json(&ack("arm-1")), &other, key_expr), Err(MessageError::BadSignature));
    assert_eq!(hear(&json(&ack("arm-1")), &own, "lab/arm-1/out/beat"), Err(MessageError::BadSignature));
    assert_eq!(hear(&json(&ack("rover-1")), &own, key_expr), Err(MessageError::OtherRobot));
    assert_eq!(hear(b"{}", &own, key_expr), Err(MessageError::Schema));
}
