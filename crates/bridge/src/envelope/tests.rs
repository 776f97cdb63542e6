use expect_test::{Expect, expect};
use serde::Serialize;

use super::*;
use crate::fixtures::{beat, claim, goal, open_stop, release, robot, station, stop};

fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(message: &T, expected: Expect) {
    let json = encode(message).unwrap();
    expected.assert_eq(&String::from_utf8(json.clone()).unwrap());
    assert_eq!(&parse::<T>(&json).unwrap(), message);
}

#[test]
fn messages_have_these_forms() {
    check(&claim("desk", 7), expect![[r#"{"robot":"arm-1","station":"desk","epoch":7,"ttl_ms":2000}"#]]);
    check(
        &release("desk", 8, &[open_stop("desk", 41)]),
        expect![[r#"{"robot":"arm-1","station":"desk","epoch":8,"stops":[{"by":{"station":"desk"},"stop_id":41}]}"#]],
    );
    let own = OpenStop { by: StoppedBy::Deadman, stop_id: 3 };
    check(&own, expect![[r#"{"by":"deadman","stop_id":3}"#]]);
    check(&stop("desk", 41), expect![[r#"{"robot":"arm-1","station":"desk","stop_id":41}"#]]);
    check(&beat("desk", 3), expect![[r#"{"robot":"arm-1","station":"desk","n":3,"nonce":1003,"epoch":1}"#]]);
    check(
        &goal(1),
        expect![[
            r#"{"robot":"arm-1","actuator":"arm","id":"00000000-0000-0000-0000-000000000001","station":"desk","epoch":1,"seq":1,"generation":0,"ttl_ms":2000,"beat":1,"frame":"base_link","motion":{"pose_goal":{"position_m":[0.5,0.2,1.0],"speed_mps":0.2}}}"#
        ]],
    );
    let subject = Subject::Stop { station: station("desk"), stop_id: 41 };
    check(
        &Ack {
            robot: robot(),
            subject,
            status: Status::Received,
            claimed_by: Some(station("desk")),
            speed_mps: Some(0.25),
            standstill: false,
        },
        expect![[
            r#"{"robot":"arm-1","subject":{"stop":{"station":"desk","stop_id":41}},"status":"received","claimed_by":"desk","speed_mps":0.25,"standstill":false}"#
        ]],
    );
    check(&Status::Refused(Reason::Replay), expect![[r#"{"refused":"replay"}"#]]);
    check(&Status::BadSignature, expect![[r#""bad_signature""#]]);
    check(&Status::Failed(Failure::Stopped), expect![[r#"{"failed":"stopped"}"#]]);
    check(&Status::Failed(Failure::ByRobot), expect![[r#"{"failed":"by_robot"}"#]]);
    check(&StoppedBy::Fault(GateFault::NotTaken), expect![[r#"{"fault":"not_taken"}"#]]);
}

fn refused(json: &str) -> Reason {
    parse::<CommandEnvelope>(json.as_bytes()).unwrap_err().reason()
}

#[test]
fn n10_n11_n12_refuses_what_is_not_exactly_the_form() {
    let good = String::from_utf8(encode(&goal(1)).unwrap()).unwrap();
    for (from, to) in [
        ("\"epoch\":1", "\"epoch\":\"1\""),
        ("\"epoch\":1", "\"epoch\":1,\"epoch\":2"),
        ("\"epoch\":1", "\"epoch\":1,\"override\":true"),
        ("\"speed_mps\":0.2", "\"speed_mps\":0.2,\"override\":true"),
        ("0.5,0.2,1.0", "0.5,0.2,NaN"),
        ("0.5,0.2,1.0", "0.5,0.2,1e999"),
        ("0.5,0.2,1.0", "0.5,0.2,\"1.0\""),
    ] {
        assert!(good.contains(from), "the fixture lost {from:?}");
        assert_eq!(refused(&good.replace(from, to)), Reason::Schema, "{to}");
    }
}

#[test]
fn n13_refuses_what_is_too_large_or_too_deep() {
    assert_eq!(refused(&" ".repeat(MESSAGE_BYTES_MAX + 1)), Reason::TooLarge);
    assert_eq!(refused(&"[".repeat(10_000)), Reason::Schema);
}
