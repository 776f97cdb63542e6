use fleet::FleetCode;
use runtime::error::RuntimeCode;
use serde_json::json;

use super::*;

fn request(session: &str, id: usize) -> Request {
    let key = Key { operation: "run_job", id: id.to_string() };
    Request { asker: session.to_owned(), key, input_hash: String::new() }
}

async fn answered(repeats: &Repeats, request: Request, answer: i32) -> Value {
    repeats.once(request, async || Ran::Acted(Ok(json!(answer)))).await.unwrap()
}

#[tokio::test]
async fn u_407_what_one_program_asks_pushes_no_answer_of_another_out() {
    let repeats = Repeats::default();
    assert_eq!(answered(&repeats, request("desk", 0), 1).await, 1);
    for id in 0..2 * ANSWERS_MAX {
        answered(&repeats, request("program", id), 2).await;
    }
    assert_eq!(answered(&repeats, request("desk", 0), 3).await, 1, "the first answer counts");
}

#[tokio::test]
async fn u_407_an_act_under_way_keeps_its_id_whatever_is_asked_meanwhile() {
    let repeats = Repeats::default();
    let under_way = repeats.cell(request("desk", 0)).unwrap();
    for id in 1..=2 * ANSWERS_MAX {
        answered(&repeats, request("desk", id), 2).await;
    }
    for session in 0..2 * SESSIONS_MAX {
        answered(&repeats, request(&session.to_string(), 0), 2).await;
    }
    assert!(Arc::ptr_eq(&under_way, &repeats.cell(request("desk", 0)).unwrap()));
}

#[tokio::test]
async fn u_407_a_session_that_has_too_much_under_way_is_told_so() {
    let repeats = Repeats::default();
    let under_way: Vec<_> = (0..ANSWERS_MAX).map(|id| repeats.cell(request("desk", id)).unwrap()).collect();
    assert_eq!(repeats.cell(request("desk", ANSWERS_MAX)).unwrap_err().code, "too_many_requests");
    drop(under_way);
    assert!(repeats.cell(request("desk", ANSWERS_MAX)).is_ok());
}

#[tokio::test]
async fn f27_what_could_not_be_done_yet_is_tried_again_under_the_same_id() {
    let repeats = Repeats::default();
    let slow = OpError::new(RuntimeCode::AuditSlow, "later");
    let refused = repeats.once(request("desk", 0), async || Ran::of(Err(slow))).await;
    assert_eq!(refused.unwrap_err().code, "audit_slow");
    assert_eq!(answered(&repeats, request("desk", 0), 1).await, 1);
    let refused = repeats.once(request("desk", 1), async || Ran::of(Err(OpError::new(FleetCode::Latched, "no")))).await;
    assert_eq!(refused.unwrap_err().code, "latched");
    let again = repeats.once(request("desk", 1), async || Ran::Acted(Ok(json!(1)))).await;
    assert_eq!(again.unwrap_err().code, "latched", "what is refused for what it asks stays refused");
}
