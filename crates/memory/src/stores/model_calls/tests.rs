use std::collections::BTreeMap;

use super::*;

async fn db(folder: &std::path::Path) -> AgentDb {
    AgentDb::open(&folder.join("memory.db")).await.unwrap()
}

fn begun(id: &str, began_ms: i64, (turn, mission): (Option<&str>, Option<&str>)) -> BegunCall {
    BegunCall {
        id: id.into(),
        began_ms,
        session: "desk".into(),
        turn: turn.map(Into::into),
        mission: mission.map(str::to_owned),
        purpose: "main".into(),
        provider: "cloud".into(),
        model: "m-1".into(),
        view: "{}".into(),
    }
}

fn ended(ended_ms: i64, out: i64, cost_microusd: Option<i64>) -> EndedCall {
    let tokens = CallTokens { in_fresh: 10, out, ..CallTokens::default() };
    EndedCall { ended_ms, outcome: "ok".into(), tokens, cost_microusd, ..EndedCall::default() }
}

#[tokio::test]
async fn k_01_k_03_every_call_is_a_row_and_meters_add_up_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    for (id, began_ms, place, cost) in [
        ("mc-1", 1, (Some("turn-1"), None), Some(300)),
        ("mc-2", 2, (Some("turn-1"), Some("patrol")), None),
        ("mc-3", 3, (Some("turn-2"), Some("patrol")), Some(50)),
        ("mc-4", 4, (None, None), Some(0)),
    ] {
        db.begin_model_call(&begun(id, began_ms, place), &[]).await.unwrap();
        db.end_model_call(id, &ended(began_ms + 10, 5, cost)).await.unwrap();
    }
    for (counted, microusd, unknown) in [
        (Counted::Turn(&"turn-1".into()), 300, 1),
        (Counted::Turn(&"turn-9".into()), 0, 0),
        (Counted::Mission("patrol"), 50, 1),
        (Counted::Session(&"desk".into()), 350, 1),
        (Counted::Session(&"room".into()), 0, 0),
        (Counted::Since(0), 350, 1),
        (Counted::Since(3), 50, 0),
    ] {
        assert_eq!(db.spent(counted).await.unwrap(), Spent { microusd, unknown }, "{counted:?}");
    }
    let ids = |calls: Vec<StoredCall>| calls.into_iter().map(|call| call.begun.id).collect::<Vec<_>>();
    assert_eq!(ids(db.model_calls(2, 2).await.unwrap()), ["mc-4", "mc-3"]);
    assert_eq!(ids(db.model_calls_of(&"turn-1".into()).await.unwrap()), ["mc-1", "mc-2"]);
    assert_eq!(db.model_calls_of(&"turn-2".into()).await.unwrap()[0].ended, Some(ended(13, 5, Some(50))));
}

#[tokio::test]
async fn k_01_a_call_that_a_dead_process_left_is_interrupted_and_costs_nobody_knows_what() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    db.begin_model_call(&begun("mc-1", 1, (None, None)), &[]).await.unwrap();
    assert_eq!(db.model_calls(0, 9).await.unwrap()[0].ended, None);
    assert_eq!(db.spent(Counted::Since(0)).await.unwrap(), Spent::default(), "it is under way");
    assert_eq!(db.end_interrupted_calls(7).await.unwrap(), 1);
    assert_eq!(db.end_interrupted_calls(8).await.unwrap(), 0);
    let ended = db.model_calls(0, 9).await.unwrap().remove(0).ended.unwrap();
    assert_eq!((ended.outcome.as_str(), ended.ended_ms, ended.cost_microusd), ("interrupted", 7, None));
    assert_eq!(db.spent(Counted::Since(0)).await.unwrap(), Spent { microusd: 0, unknown: 1 });
}

#[tokio::test]
async fn v_03_a_text_is_kept_once_however_often_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    let part = |hash: &str| ViewPart { hash: hash.into(), body: format!("text of {hash}") };
    db.begin_model_call(&begun("mc-1", 1, (None, None)), &[part("a"), part("b")]).await.unwrap();
    db.begin_model_call(&begun("mc-2", 2, (None, None)), &[part("a"), part("c")]).await.unwrap();
    let found = db.view_parts(&["a", "c", "x"]).await.unwrap();
    let expected = [("a", "text of a"), ("c", "text of c")].map(|(hash, body)| (hash.to_owned(), body.to_owned()));
    assert_eq!(found, BTreeMap::from(expected));
}

#[tokio::test]
async fn k_04_what_people_add_to_a_budget_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    for (meter, about, microusd) in [("day", "2026-03-08", 5), ("day", "2026-03-08", 7), ("turn", "turn-1", 9)] {
        let (meter, about) = (meter.to_owned(), about.to_owned());
        let grant = BudgetGrant { meter, about, microusd, granted_ms: 1, granted_by: "dana".into() };
        db.add_budget_grant(&grant).await.unwrap();
    }
    for (meter, about, granted) in [("day", "2026-03-08", 12), ("day", "2026-03-09", 0), ("turn", "turn-1", 9)] {
        assert_eq!(db.granted(meter, about).await.unwrap(), granted, "{meter} {about}");
    }
}
