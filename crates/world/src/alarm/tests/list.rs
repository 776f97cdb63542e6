//! Effects of rules, time and missing data on the list.

use super::*;

#[test]
fn al_04_missing_data_moves_no_alarm() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    for (condition, secs) in [(RuleCondition::Unknown, 10), (RuleCondition::Lost, 50)] {
        rig.sees("a", condition, 0, secs);
        let alarm = rig.alarm("a");
        assert_eq!((alarm.state, alarm.source_stale), (AlarmState::UnackActive, true));
    }
    rig.tick(86_400);
    assert_eq!(rig.alarm("a").state, AlarmState::UnackActive);
    rig.falls("a", 86_401);
    let alarm = rig.alarm("a");
    assert_eq!((alarm.state, alarm.source_stale), (AlarmState::UnackReturned, false));
}

#[test]
fn al_04_an_edge_after_a_loss_is_news_also_for_who_had_acknowledged() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    rig.acknowledge("a", 1);
    rig.sees("a", RuleCondition::Unknown, 0, 10);
    rig.sees("a", RuleCondition::True, 0, 11);
    assert_eq!(rig.alarm("a").state, AlarmState::AckActive, "held, not lost");
    rig.sees("a", RuleCondition::Lost, 0, 50);
    rig.edge("a", 51);
    assert_eq!((rig.alarm("a").state, rig.alarm("a").count), (AlarmState::UnackActive, 2));
}

#[test]
fn al_03_the_off_delay_waits_for_fresh_data_and_starts_over() {
    let mut rig = Rig::with(AlarmTerms { off_delay_secs: 10.0, ..terms(Consequence::Damage, 300.0) });
    rig.edge("a", 0);
    rig.falls("a", 5);
    rig.sees("a", RuleCondition::Unknown, 0, 10);
    rig.tick(100);
    assert_eq!(rig.alarm("a").state, AlarmState::UnackActive, "nobody knows whether it stayed false");
    rig.falls("a", 100);
    rig.edge("a", 105);
    assert_eq!((rig.alarm("a").state, rig.alarm("a").count), (AlarmState::UnackActive, 2));
    rig.falls("a", 110);
    rig.tick(119);
    assert_eq!(rig.alarm("a").state, AlarmState::UnackActive);
    rig.tick(125);
    let alarm = rig.alarm("a");
    assert_eq!((alarm.state, alarm.returned_ms), (AlarmState::UnackReturned, Some(at(120).wall_ms)));
}

#[test]
fn r_08_merged_edges_are_all_counted() {
    let mut rig = Rig::new();
    rig.sees("a", RuleCondition::False, 5, 1);
    let alarm = rig.alarm("a");
    assert_eq!((alarm.state, alarm.count), (AlarmState::UnackReturned, 5));
}

#[test]
fn al_07_suppressed_by_its_rule_an_alarm_leaves_the_list_and_is_followed() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    rig.suppressed = true;
    rig.sees("a", RuleCondition::True, 0, 1);
    assert_eq!((rig.ids(AlarmPreset::Active, 1), rig.ids(AlarmPreset::Suppressed, 1)), (vec![], vec!["a".into()]));
    rig.falls("a", 2);
    rig.suppressed = false;
    rig.falls("a", 3);
    assert_eq!(rig.ids(AlarmPreset::Active, 3), ["a"]);
    assert_eq!(rig.alarm("a").state, AlarmState::UnackReturned);
}

#[test]
fn al_07_a_lost_link_hides_the_alarms_of_its_robot_and_counts_them() {
    let robot = RobotId::new("rover-1").unwrap();
    for (consequence, hidden) in [(Consequence::Damage, 1), (Consequence::Harm, 0)] {
        let mut rig = Rig::with(terms(consequence, 300.0));
        rig.robot = Some(robot.clone());
        rig.edge("a", 0);
        let of = Of::robot(&robot);
        let report = rig.list.raise(BuiltIn::RobotLinkLost, &of, "gone".into(), Rig::id("link"), at(1));
        rig.take(report);
        assert_eq!(rig.list.counts(|_| true).suppressed, hidden, "{consequence:?}");
        let rows = rig.list.rows(AlarmPreset::Active, None, |_| true, at(1));
        let link = rows.iter().find(|row| row.source == "robot_link_lost").unwrap();
        assert_eq!((rows.len(), link.hidden_under_it), (2 - hidden, hidden));
        rig.list.clear(BuiltIn::RobotLinkLost, &of, at(2));
        assert_eq!(rig.list.counts(|_| true).suppressed, 0);
    }
}

#[test]
fn al_07_a_lost_link_that_nobody_is_shown_hides_no_other_alarm() {
    let robot = RobotId::new("rover-1").unwrap();
    let mut rig = Rig::new();
    rig.robot = Some(robot.clone());
    rig.edge("a", 0);
    rig.list.raise(BuiltIn::RobotLinkLost, &Of::robot(&robot), "gone".into(), Rig::id("link"), at(1));
    assert_eq!(rig.ids(AlarmPreset::Active, 1), ["link"]);
    let reason = || "The fitter is here.".to_owned();
    let shelve = PersonAct::Shelve { id: Rig::id("link"), secs: 600, reason: reason() };
    let service = |in_service| PersonAct::SetService { id: Rig::id("link"), in_service, reason: reason() };
    for (act, shown) in [
        (shelve, "a"),
        (PersonAct::Unshelve { id: Rig::id("link") }, "link"),
        (service(false), "a"),
        (service(true), "link"),
    ] {
        rig.act(&act, 2).unwrap();
        assert_eq!(rig.ids(AlarmPreset::Active, 2), [shown], "{act:?}");
    }
}

#[test]
fn al_09_a_flood_begins_with_ten_groups_under_the_first_and_ends_below_five() {
    let mut rig = Rig::new();
    for n in 0..9 {
        rig.edge(&format!("r{n}"), n);
    }
    assert_eq!(rig.notices, [""; 0]);
    rig.edge("r9", 9);
    assert_eq!(rig.notices, ["alarm_flood_began"]);
    rig.terms = terms(Consequence::Harm, 30.0);
    rig.edge("worst", 10);
    let rows = rig.list.rows(AlarmPreset::Active, None, |_| true, at(10));
    assert_eq!((rows.len(), rows[0].group.as_ref()), (11, None), "nothing is dropped, priority 1 stands alone");
    let group = Group { first_out: Rig::id("r0"), count: 10, worst: Priority::SECOND };
    assert!(rows[1..].iter().all(|row| row.group.as_ref() == Some(&group)));
    rig.tick(605);
    assert!(rig.list.counts(|_| true).flood.is_some());
    rig.tick(607);
    assert_eq!(rig.notices, ["alarm_flood_began", "alarm_flood_ended"]);
    assert!(rig.list.rows(AlarmPreset::Active, None, |_| true, at(700)).iter().all(|row| row.group.is_none()));
}

#[test]
fn al_10_three_returns_in_a_minute_are_chattering_told_once_a_minute() {
    let mut rig = Rig::new();
    for n in 0..24 {
        rig.edge("a", n * 10);
        rig.falls("a", n * 10 + 5);
        rig.tick(n * 10 + 5);
        assert_eq!(rig.row("a", n * 10 + 5).flags.chattering, n >= 2, "{n}");
    }
    let told = rig.notices.iter().filter(|code| *code == "alarm_chattering").count();
    assert!((3..=4).contains(&told), "told {told} times in four minutes");
    assert!(!rig.row("a", 400).flags.chattering);
    assert_eq!(rig.alarm("a").count, 24);
}

#[test]
fn al_11_unacknowledged_first_then_priority_then_the_newest() {
    let mut rig = Rig::new();
    rig.edge("old", 0);
    rig.edge("new", 10);
    rig.edge("seen", 20);
    rig.acknowledge("seen", 21);
    rig.terms = terms(Consequence::Harm, 300.0);
    rig.edge("harm", 5);
    assert_eq!(rig.ids(AlarmPreset::Active, 30), ["harm", "new", "old", "seen"]);
    assert_eq!(rig.ids(AlarmPreset::Unacknowledged, 30), ["harm", "new", "old"]);
    rig.falls("seen", 31);
    assert_eq!(rig.ids(AlarmPreset::Active, 32).len(), 3);
    assert_eq!(rig.ids(AlarmPreset::All, 32).len(), 4, "what is over is still among all");
    let row = rig.row("harm", 32);
    assert_eq!((row.message.as_str(), row.limit.as_deref()), ("harm = 1 (x = 1)", Some("harm = 1")));
}

#[test]
fn al_13_after_a_restart_alarms_keep_their_state_until_fresh_data() {
    let mut rig = Rig::new();
    rig.edge("a", 0);
    rig.edge("b", 0);
    rig.acknowledge("b", 1);
    let mut next = Rig::new();
    for alarm in rig.list.take_dirty(Some(&Rig::agent())) {
        next.list.restore(StoredAlarm::from(&alarm), alarm.agent.clone(), at(100));
    }
    assert!(["a", "b"].iter().all(|name| next.alarm(name).source_stale));
    next.edge("a", 101);
    next.edge("b", 101);
    assert_eq!((next.alarm("a").state, next.alarm("a").count), (AlarmState::UnackActive, 1), "nothing new");
    assert_eq!((next.alarm("b").state, next.alarm("b").source_stale), (AlarmState::AckActive, false));
    assert!(next.alarm("a").seq > 0 && next.events.is_empty());
}

#[test]
fn r_11_the_alarm_of_a_paused_rule_stays_and_one_of_a_removed_rule_goes_once_seen() {
    let mut rig = Rig::new();
    let (agent, id) = (Rig::agent(), AlertId("al-a".into()));
    rig.edge("a", 0);
    rig.list.pause(&agent, &id, at(1));
    let row = rig.row("a", 1);
    assert_eq!((row.state, row.flags.rule_paused), (AlarmState::UnackActive, true));
    rig.list.retire(&agent, &id, at(2));
    assert!(rig.row("a", 2).flags.rule_gone);
    rig.acknowledge("a", 3);
    assert_eq!(rig.alarm("a").state, AlarmState::Normal);
}

#[test]
fn e2_12_a_forgotten_text_is_in_no_word_of_an_alarm_and_its_rule_still_finds_it() {
    let mut rig = Rig::new();
    rig.edge("secret", 0);
    rig.edge("other", 0);
    rig.list.take_dirty(Some(&Rig::agent()));
    let id = rig.list.alarms().find(|alarm| alarm.source.0.contains("secret")).map(|alarm| alarm.id.clone()).unwrap();
    rig.list.forget(&AgentId::new("neighbour").unwrap(), |text| Some(text.replace("secret", "x")));
    assert!(rig.list.take_dirty(Some(&Rig::agent())).is_empty(), "another agent's alarms are its own");
    rig.list.forget(&Rig::agent(), |text| text.contains("secret").then(|| text.replace("secret", "gone")));
    let changed = rig.list.take_dirty(Some(&Rig::agent()));
    assert_eq!(changed.iter().map(|alarm| &alarm.id).collect::<Vec<_>>(), [&id]);
    let alarm = rig.list.alarm(&id).unwrap();
    let mut words = alarm.clone();
    assert!(words.texts().all(|text| !text.contains("secret")), "{alarm:#?}");
    rig.falls("gone", 5);
    assert_eq!(rig.list.alarm(&id).unwrap().state, AlarmState::UnackReturned);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever rules and people do: the list says what the table says, and only fresh data ends an alarm.
    #[test]
    fn al_03_al_04_no_alarm_is_over_without_fresh_data(steps in prop::collection::vec(0_u8..6, 1..60)) {
        let mut rig = Rig::new();
        let mut seen_false = true;
        for (step, secs) in steps.into_iter().zip(1..) {
            match step {
                0 | 1 => {
                    rig.edge("a", secs);
                    seen_false = false;
                }
                2 => {
                    rig.falls("a", secs);
                    seen_false = true;
                }
                3 => rig.sees("a", RuleCondition::Unknown, 0, secs),
                4 => rig.sees("a", RuleCondition::Lost, 0, secs),
                _ if rig.list.alarm(&Rig::id("a")).is_some() => rig.acknowledge("a", secs),
                _ => {}
            }
            let state = rig.list.alarm(&Rig::id("a")).map_or(AlarmState::Normal, |alarm| alarm.state);
            let is_active = matches!(state, AlarmState::UnackActive | AlarmState::AckActive);
            prop_assert_eq!(is_active, !seen_false);
        }
    }
}
