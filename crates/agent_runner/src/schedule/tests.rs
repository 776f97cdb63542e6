use serde_json::json;
use world::cron::Zone;

use crate::surroundings::Wanted;
use crate::test_support::{Rig, tainted};
use runtime::session::Cause;

#[tokio::test(flavor = "multi_thread")]
async fn p_22_a_tainted_turn_asks_before_it_schedules() {
    let rig = Rig::start().await;
    let task = json!({ "operation": "list_world_state", "input": {}, "every_secs": 60 });
    rig.by_agent(tainted(), "schedule_task", task.clone()).await.unwrap_err();
    assert_eq!(rig.by_person("list_jobs", json!({})).await.unwrap(), json!([]));
    assert_eq!(rig.asked(), [Wanted { operation: "schedule_task".into(), input: task }]);
}

#[tokio::test(flavor = "multi_thread")]
async fn j_12_a_turn_that_a_job_started_makes_three_jobs_at_most() {
    let rig = Rig::start().await;
    let cause = || Cause { turn: Some("turn-1".into()), run: Some("run-1".into()), ..Cause::default() };
    let task = json!({ "operation": "list_world_state", "input": {}, "every_secs": 60 });
    for _ in 0..3 {
        rig.by_agent(cause(), "schedule_task", task.clone()).await.unwrap();
    }
    let refused = rig.by_agent(cause(), "schedule_task", task.clone()).await.unwrap_err();
    assert_eq!((refused.code.as_str(), &refused.details["limit"]), ("limit_reached", &json!(3)));
    rig.by_agent(Cause::default(), "schedule_task", task).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn j_01_a_prompt_of_no_desk_is_missed_while_no_language_model_is_configured() {
    let rig = Rig::start().await;
    let at = Zone::utc().rfc3339(rig.runner.runtime.clock.now().wall_ms - 10_000);
    let task = json!({ "prompt": "Look around.", "at": at });
    let id = rig.by_agent(Cause::default(), "schedule_task", task).await.unwrap()["id"].clone();
    rig.agent.jobs.look(&rig.runner, &rig.agent).await;
    let job = rig.by_person("get_job", json!({ "id": id })).await.unwrap();
    assert_eq!((&job["state"], &job["last_error"]), (&json!("failed"), &json!("missed: no_model")));
    assert_eq!((&job["runs"][0]["outcome"], &job["runs"][0]["error"]), (&json!("missed"), &json!("no_model")));
    assert_eq!(rig.by_person("run_job", json!({ "id": id })).await.unwrap_err().code, "no_model");
}

#[tokio::test(flavor = "multi_thread")]
async fn j_09_what_was_due_before_does_not_begin_all_at_once() {
    let rig = Rig::start().await;
    let past = Zone::utc().rfc3339(rig.runner.runtime.clock.now().wall_ms - 60_000);
    for _ in 0..3 {
        let task = json!({ "operation": "list_world_state", "input": {}, "at": past });
        rig.by_person("schedule_task", task).await.unwrap();
    }
    rig.agent.jobs.look(&rig.runner, &rig.agent).await;
    rig.agent.jobs.look(&rig.runner, &rig.agent).await;
    let begun = rig.by_person("list_jobs", json!({})).await.unwrap();
    let waiting = begun.as_array().unwrap().iter().filter(|job| job["state"] == "pending").count();
    assert_eq!(waiting, 2, "{begun:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_no_person_starts_keeps_to_the_bounds_and_starts_no_other() {
    let rig = Rig::start().await;
    // Turns wait: the first run is under way until the end.
    let _no_turn = rig.agent.turns.end_turns().await;
    let mut ids = Vec::new();
    for name in ["a", "b"] {
        let task = json!({ "prompt": "status", "name": name, "every_secs": 3_600 });
        ids.push(rig.by_person("schedule_task", task).await.unwrap()["id"].clone());
    }
    let (first, second) = (json!({ "id": ids[0] }), json!({ "id": ids[1] }));
    let in_run = Cause { turn: Some("turn-1".into()), run: Some("run-1".into()), ..Cause::default() };
    assert_eq!(rig.by_agent(in_run, "run_job", first.clone()).await.unwrap_err().code, "forbidden");
    rig.by_agent(Cause::default(), "run_job", first).await.unwrap();
    // A turn that starts by itself counts once a task of its run has queued it.
    while rig.agent.turns.reserve(rig.runner.runtime.clock.now().station).is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(rig.by_agent(Cause::default(), "run_job", second.clone()).await.unwrap_err().code, "busy");
    rig.by_person("run_job", second).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_has_read_untrusted_text_asks_before_it_starts_a_job() {
    let rig = Rig::start().await;
    for name in ["run_job", "retry_job", "resume_job"] {
        assert_eq!(rig.runner.operations.row(name).unwrap().tool.careful, agent::Careful::Asks, "{name}");
    }
}
