//! Acts of people on alarms, and the figures of it all.

use super::*;

fn code(refused: Result<(), ActRefused>) -> &'static str {
    refused.map_or_else(|refused| refused.code().as_str(), |()| "ok")
}

#[test]
fn al_05_one_cannot_acknowledge_what_was_not_on_the_screen() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    rig.edge("b", 1);
    let seen = rig.alarm("b").seq;
    rig.falls("b", 2);
    let ids = vec![Rig::id("a"), Rig::id("b")];
    let act = PersonAct::Acknowledge { ids: ids.clone(), seq: seen };
    assert_eq!(rig.act(&act, 3), Err(ActRefused::Changed { ids: vec![Rig::id("b")] }));
    assert_eq!(rig.alarm("a").state, AlarmState::UnackActive, "all or nothing");
    let seq = rig.alarm("b").seq;
    rig.act(&PersonAct::Acknowledge { ids, seq }, 4).unwrap();
    assert_eq!((rig.alarm("a").state, rig.alarm("b").state), (AlarmState::AckActive, AlarmState::Normal));
    assert_eq!(rig.row("a", 5).acknowledged_by.as_deref(), Some("dana"));
    for (ids, expected) in [
        (vec![], "out_of_range"),
        (vec![Rig::id("a"); 101], "out_of_range"),
        (vec![Rig::id("nobody")], "alarm_not_found"),
    ] {
        assert_eq!(code(rig.act(&PersonAct::Acknowledge { ids, seq: u64::MAX }, 6)), expected);
    }
}

fn shelve(name: &str, secs: u32) -> PersonAct {
    PersonAct::Shelve { id: Rig::id(name), secs, reason: "The fitter is here.".into() }
}

#[test]
fn al_06_a_shelf_ends_by_itself_and_what_is_still_there_is_unacknowledged() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    rig.acknowledge("a", 1);
    rig.act(&shelve("a", 600), 2).unwrap();
    assert_eq!((rig.ids(AlarmPreset::Active, 3), rig.ids(AlarmPreset::Shelved, 3)), (vec![], vec!["a".into()]));
    rig.tick(601);
    assert_eq!(rig.list.counts(|_| true).shelved, 1);
    rig.tick(602);
    assert_eq!((rig.alarm("a").state, rig.alarm("a").shelved.is_some()), (AlarmState::UnackActive, false));
    rig.act(&shelve("a", 600), 700).unwrap();
    rig.falls("a", 701);
    rig.act(&PersonAct::Unshelve { id: Rig::id("a") }, 702).unwrap();
    assert_eq!(rig.alarm("a").state, AlarmState::UnackReturned, "its condition was followed meanwhile");
}

#[test]
fn al_06_how_long_and_what_may_be_shelved() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    for (secs, expected) in [(0, "out_of_range"), (28_800, "ok"), (28_801, "out_of_range")] {
        assert_eq!(code(rig.act(&shelve("a", secs), 1)), expected, "{secs}");
    }
    rig.terms = terms(Consequence::Harm, 300.0);
    rig.edge("p1", 1);
    assert_eq!(code(rig.act(&shelve("p1", 1_800), 2)), "ok");
    assert_eq!(code(rig.act(&shelve("p1", 1_801), 2)), "out_of_range");
    let reason = String::new();
    assert_eq!(code(rig.act(&PersonAct::Shelve { id: Rig::id("a"), secs: 60, reason }, 2)), "out_of_range");
    for (alarm, name) in [(BuiltIn::StopNotConfirmed, "stop"), (BuiltIn::AuditChainBroken, "audit")] {
        rig.list.raise(alarm, &Of::station(), "look".into(), Rig::id(name), at(3));
        assert_eq!(code(rig.act(&shelve(name, 60), 4)), "not_shelvable");
    }
}

#[test]
fn al_03_a_latching_alarm_waits_for_a_reset_which_an_open_one_refuses() {
    let mut rig = Rig::with(AlarmTerms { latching: true, ..terms(Consequence::Damage, 300.0) });
    let reset = PersonAct::Reset { id: Rig::id("a") };
    rig.edge("a", 0);
    assert_eq!(code(rig.act(&reset, 1)), "still_active");
    rig.acknowledge("a", 2);
    assert_eq!(code(rig.act(&reset, 3)), "still_active");
    rig.falls("a", 4);
    assert_eq!((rig.alarm("a").state, rig.ids(AlarmPreset::Active, 5)), (AlarmState::Latched, vec!["a".to_owned()]));
    rig.act(&reset, 6).unwrap();
    assert_eq!(rig.alarm("a").state, AlarmState::Normal);
}

#[test]
fn al_08_out_of_service_has_its_own_list_and_is_said_every_day() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    let service = |in_service| PersonAct::SetService { id: Rig::id("a"), in_service, reason: "sensor broken".into() };
    rig.act(&service(false), 1).unwrap();
    assert_eq!(rig.ids(AlarmPreset::OutOfService, 2), ["a"]);
    assert!(rig.ids(AlarmPreset::Active, 2).is_empty());
    for hours in 1..=49 {
        rig.tick(hours * 3_600);
    }
    assert_eq!(rig.notices, ["alarm_out_of_service"; 2]);
    rig.act(&service(true), 50 * 3_600).unwrap();
    assert_eq!(rig.ids(AlarmPreset::Active, 50 * 3_600), ["a"]);
}

#[test]
fn al_13_an_act_is_planned_before_it_holds() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    let act = PersonAct::Acknowledge { ids: vec![Rig::id("a")], seq: u64::MAX };
    let planned = rig.list.plan(&act, "dana", at(1)).unwrap();
    assert_eq!(planned.events[0].kind, AlarmEventKind::Acknowledged);
    assert_eq!((planned.alarms[0].state, rig.alarm("a").state), (AlarmState::AckActive, AlarmState::UnackActive));
}

#[test]
fn al_11_figures_count_new_alarms_floods_and_noise() {
    let mut rig = Rig::new();
    for n in 0..12 {
        rig.edge(&format!("r{n:02}"), 600 + n);
    }
    for n in 0..6 {
        rig.edge("noisy", 3_000 + n * 10);
        rig.falls("noisy", 3_005 + n * 10);
    }
    let stored: Vec<_> = rig.list.alarms().map(StoredAlarm::from).collect();
    let point = |event: &AlarmEvent| AlarmPoint { alarm: event.alarm.clone(), at_ms: event.at_ms, kind: event.kind };
    let points: Vec<_> = rig.events.iter().map(point).collect();
    let figures = super::figures(&stored, &points, at(0).wall_ms..=at(86_400).wall_ms);
    assert_eq!((figures.alarms, figures.per_10_min_max), (13, 12));
    assert!((figures.per_10_min - 13.0 / 144.0).abs() < 1e-9);
    // From the tenth alarm at 609 s until the fifth newest, at 607 s, is ten minutes old.
    assert!((figures.flood_share - 598.0 / 86_400.0).abs() < 1e-9, "{}", figures.flood_share);
    assert_eq!((figures.worst[0].id.clone(), figures.worst[0].count), (Rig::id("noisy"), 6));
    assert_eq!((figures.worst.len(), figures.chattering.len()), (10, 1));
    assert_eq!(figures.by_priority[1].count, 13);
    assert_eq!(figures.standing.len(), 0, "none stands for more than a day");
    let later = super::figures(&stored, &points, at(0).wall_ms..=at(90_000).wall_ms);
    assert_eq!(later.standing.len(), 12);
}

#[test]
fn al_06_a_shelf_of_a_clock_that_was_a_year_ahead_ends_after_a_shift() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    rig.act(&shelve("a", 600), 1).unwrap();
    let mut stored = StoredAlarm::from(rig.alarm("a"));
    let year_ms = 365 * 24 * 3_600 * 1_000;
    stored.shelved.as_mut().unwrap().until_ms += year_ms;
    let mut rig = Rig::new();
    rig.list.restore(stored, Some(Rig::agent()), at(100));
    assert_eq!(rig.alarm("a").shelved.as_ref().unwrap().until_ms, at(100 + 28_800).wall_ms);
    rig.tick(100 + 28_799);
    assert_eq!(rig.list.counts(|_| true).shelved, 1);
    rig.tick(100 + 28_800);
    assert_eq!(rig.ids(AlarmPreset::Active, 100 + 28_800), ["a"]);
}

#[test]
fn clocks_that_were_off_in_the_last_run_are_found_anew_in_this_one() {
    let mut rig = Rig::new();
    let of = |item: &str| Of::agent(&Rig::agent()).item(item);
    rig.list.raise(BuiltIn::ClockSkew, &of("cp-1"), "off".into(), Rig::id("old"), at(0));
    let stored = StoredAlarm::from(rig.alarm("old"));
    let mut rig = Rig::new();
    rig.list.restore(stored, Some(Rig::agent()), at(10));
    rig.list.raise(BuiltIn::ClockSkew, &of("cp-2"), "off".into(), Rig::id("new"), at(10));
    let report = rig.list.end_moments(at(11));
    rig.take(report);
    assert_eq!((rig.alarm("old").state, rig.alarm("new").state), (AlarmState::UnackReturned, AlarmState::UnackActive));
}
