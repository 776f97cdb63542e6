use super::*;
use robot::{AgentId, Now};
use world::alarm::{AlarmList, AlarmTerms, BuiltIn, Consequence, Definition, Of, OutOfService, PersonAct};

fn alarm(source: &str, seq: u64) -> StoredAlarm {
    let terms = AlarmTerms {
        cause: "Something has happened.".into(),
        consequence: Consequence::Damage,
        response: "Do something about it.".into(),
        time_to_respond_secs: 300.0,
        latching: true,
        off_delay_secs: 1.5,
    };
    StoredAlarm {
        id: AlarmId(format!("am-{source}")),
        source: AlarmSource(source.into()),
        priority: 2,
        state: AlarmState::UnackActive,
        definition: Definition {
            code: "al-1".into(),
            message: "a = 1 (a = 1)".into(),
            limit: Some("a = 1".into()),
            terms,
            urgent: false,
            mission: None,
            robot: None,
            provider: Some("cp-1".into()),
            never_hidden: false,
        },
        raised_ms: Some(5),
        returned_ms: None,
        count: 2,
        acked_by: Some("dana".into()),
        acked_ms: Some(6),
        shelved: Some(Shelved { until_ms: 9, by: "dana".into(), reason: "the \"fitter\"".into() }),
        out_of_service: Some(OutOfService { since_ms: 7, by: "dana".into(), reason: "broken".into() }),
        seq,
    }
}

fn event(id: &str, kind: AlarmEventKind, at_ms: i64) -> StoredAlarmEvent {
    let (by, detail) = (Some("dana".into()), Some("the \"fitter\"".into()));
    StoredAlarmEvent {
        id: id.into(),
        event: AlarmEvent { alarm: AlarmId("am-a".into()), agent: None, at_ms, kind, by, detail },
    }
}

#[tokio::test]
async fn al_13_an_alarm_comes_back_as_it_was_saved_from_either_database() {
    let folder = tempfile::tempdir().unwrap();
    let of_agent = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    let of_station = StationDb::open(&folder.path().join("station.db")).await.unwrap();
    let (alarms, events) = ([alarm("a", 1)], [event("ae-1", AlarmEventKind::Shelved, 8)]);
    of_agent.save_alarm_act(&alarms, &events).await.unwrap();
    of_station.save_alarms(&alarms, &events).await.unwrap();
    for loaded in [of_agent.alarms().await.unwrap(), of_station.alarms().await.unwrap()] {
        assert_eq!(loaded.into_iter().map(Result::unwrap).collect::<Vec<_>>(), alarms);
    }
    let point = AlarmPoint { alarm: AlarmId("am-a".into()), at_ms: 8, kind: AlarmEventKind::Shelved };
    assert_eq!(of_agent.alarm_points(0..=8).await.unwrap(), [point]);
    assert_eq!(of_station.alarm_points(0..=7).await.unwrap(), []);
}

#[tokio::test]
async fn al_13_a_batch_that_was_overtaken_undoes_no_act() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    let acknowledged = StoredAlarm { state: AlarmState::AckActive, ..alarm("a", 2) };
    db.save_alarm_act(std::slice::from_ref(&acknowledged), &[event("ae-1", AlarmEventKind::Shelved, 8)]).await.unwrap();
    db.save_alarms(&[alarm("a", 1)], &[]).await.unwrap();
    assert_eq!(db.alarms().await.unwrap().remove(0).unwrap(), acknowledged);
    let renamed = StoredAlarm { id: AlarmId("am-b".into()), shelved: None, ..alarm("a", 3) };
    db.save_alarms(std::slice::from_ref(&renamed), &[]).await.unwrap();
    assert_eq!(db.alarms().await.unwrap().remove(0).unwrap(), renamed, "one source, one alarm");
}

#[tokio::test]
async fn al_13_an_act_that_was_written_and_does_not_hold_is_taken_back_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    let agent = AgentId::new("main").unwrap();
    let (now, mut list) = (Now::default(), AlarmList::default());
    let of = |item: &str| Of::agent(&agent).item(item);
    let ids: Vec<AlarmId> = ["a", "b"].map(|item| AlarmId(format!("am-{item}"))).into();
    for (item, id) in ["a", "b"].into_iter().zip(&ids) {
        list.raise(BuiltIn::JobDeadLetter, &of(item), "look".into(), id.clone(), now);
    }
    let stored = |alarms: Vec<world::alarm::Alarm>| alarms.iter().map(StoredAlarm::from).collect::<Vec<_>>();
    db.save_alarms(&stored(list.take_dirty(Some(&agent))), &[]).await.unwrap();
    let shown = list.alarms().map(|alarm| alarm.seq).max().unwrap();
    let act = PersonAct::Acknowledge { ids, seq: shown };
    let planned = list.plan(&act, "dana", now).unwrap();
    db.save_alarm_act(&stored(planned.alarms.clone()), &[]).await.unwrap();
    // While the disk worked one of them went and came again.
    list.clear(BuiltIn::JobDeadLetter, &of("a"), now);
    list.raise(BuiltIn::JobDeadLetter, &of("a"), "look".into(), AlarmId(String::new()), now);
    list.act(&act, "dana", now).unwrap_err();
    list.take_back(&planned);
    db.save_alarms(&stored(list.take_dirty(Some(&agent))), &[]).await.unwrap();
    let mut loaded: Vec<StoredAlarm> = db.alarms().await.unwrap().into_iter().map(Result::unwrap).collect();
    loaded.sort_by(|one, other| one.source.cmp(&other.source));
    assert_eq!(loaded, stored(list.alarms().cloned().collect()));
    assert!(loaded.iter().all(|alarm| alarm.state == AlarmState::UnackActive));
}

#[tokio::test]
async fn st_08_events_of_open_alarms_stay() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    let events = [event("ae-1", AlarmEventKind::Raised, 1), event("ae-2", AlarmEventKind::Returned, EVENTS_KEPT_MS)];
    db.save_alarms(&[alarm("a", 1)], &events).await.unwrap();
    assert!(!db.trim_alarm_events(EVENTS_KEPT_MS + 2).await.unwrap());
    db.save_alarms(&[StoredAlarm { state: AlarmState::Normal, ..alarm("a", 2) }], &[]).await.unwrap();
    assert!(db.trim_alarm_events(EVENTS_KEPT_MS + 2).await.unwrap());
    assert!(!db.trim_alarm_events(EVENTS_KEPT_MS + 2).await.unwrap());
    assert_eq!(db.alarm_points(0..=i64::MAX).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_alarm_that_cannot_be_read_is_named_and_the_others_still_load() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    db.save_alarms(&[alarm("a", 1), alarm("b", 2)], &[]).await.unwrap();
    let mut transaction = db.lazy("make a row of another version").await.unwrap();
    sqlx::query("UPDATE alarm SET state = 'dreaming' WHERE source = 'a'").execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    let loaded = db.alarms().await.unwrap();
    assert!(loaded[0].as_ref().unwrap_err().to_string().contains("am-a"));
    assert_eq!(loaded[1].as_ref().unwrap().id.0, "am-b");
}
