use super::*;
use crate::test_support::{Rig, now, plain, sample};
use crate::{AgeBasis, Freshness};
use robot::HeaderMeta;
use serde_json::json;

/// A source whose clock is `behind_ms` behind ours has sent one sample a second up to `seconds`.
fn steady(seconds: u64, behind_ms: i64) -> Rig {
    let mut config = plain("x");
    config["max_age_secs"] = json!(30);
    let mut rig = Rig::with(&[("cp-1", config)]);
    for second in 1..=seconds {
        stamped(&mut rig, second * 1_000, second * 1_000, behind_ms, second);
    }
    rig
}

/// One sample that arrives at `ms` and was taken at `taken_ms`, by the clock of a source `behind_ms` behind ours.
fn stamped(rig: &mut Rig, ms: u64, taken_ms: u64, behind_ms: i64, value: u64) -> crate::test_support::Seen {
    let stamp = (now(taken_ms).wall_ms - behind_ms) * 1_000_000;
    rig.send_stamped("cp-1", "lab/x/x", ms, Some(stamp), &json!({"v": value}))
}

#[test]
fn cw_17_a_source_seven_minutes_behind_is_live_by_its_arrival_and_its_clock_is_told() {
    let mut rig = steady(10, 420_000);
    let notices = stamped(&mut rig, 11_000, 11_000, 420_000, 11).notices;
    let entry = rig.entry("x");
    assert_eq!((entry.age_basis, entry.age_ms(now(12_000).station)), (AgeBasis::Received, 1_000));
    assert_eq!((entry.flags.untrusted_ts, rig.freshness("x", 12_000)), (false, Freshness::Live));
    assert_eq!(notices, []);
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    let told: Vec<_> =
        (1..=30).flat_map(|second| stamped(&mut rig, second * 1_000, second * 1_000, 420_000, 1).notices).collect();
    let worst = Some(crate::SkewedClock { source: "lab/x/x".into(), behind_ms: 420_000 });
    assert_eq!(told, [Notice::SourceClocks { provider: ProviderId("cp-1".into()), skewed: 1, worst }]);
}

#[test]
fn cw_17_a_backlog_is_late_and_what_is_older_than_the_claim_is_history_only() {
    let mut rig = steady(60, 420_000);
    let back_ms = 60_000 + 600_000;
    let points = stamped(&mut rig, back_ms, 50_000, 420_000, 50).points;
    assert_eq!(rig.rejects("cp-1"), [(RejectReason::OutOfOrder, 1)]);
    let at_its_time: Vec<_> = points.iter().map(|point| (point.value.clone(), point.observed_ms)).collect();
    assert!(at_its_time.contains(&(Scalar::Int(50), now(50_000).wall_ms)), "{at_its_time:?}");
    for second in 61..=600 {
        stamped(&mut rig, back_ms + second, second * 1_000, 420_000, second);
        assert!(rig.freshness("x", back_ms + second) >= Freshness::Stale, "the row of second {second}");
        assert!(rig.entry("x").flags.late);
    }
    assert_eq!(rig.shown(), "x = 600");
    stamped(&mut rig, back_ms + 1_000, back_ms + 900, 420_000, 999);
    assert_eq!(rig.freshness("x", back_ms + 1_000), Freshness::Live);
}

#[test]
fn cw_17_one_stamp_ten_minutes_ahead_counts_from_its_arrival_and_spoils_nothing() {
    let mut rig = steady(20, 0);
    stamped(&mut rig, 21_000, 621_000, 0, 21);
    let entry = rig.entry("x");
    assert_eq!((entry.flags.untrusted_ts, entry.age_basis), (true, AgeBasis::Received));
    assert_eq!(entry.age_ms(now(21_000).station), 0);
    stamped(&mut rig, 22_000, 21_950, 0, 22);
    assert_eq!(rig.rejects("cp-1"), [(RejectReason::OutOfOrder, 1)], "in order it stands where its stamp says");
}

#[test]
fn ws_08_a_field_of_the_row_is_its_time_before_the_header_and_the_transport() {
    let mut config = plain("x");
    config["timestamp_field"] = json!("taken");
    let mut rig = Rig::with(&[("cp-1", config)]);
    for second in 1..=20_u64 {
        let taken_s = (now(second * 1_000).wall_ms - 250) as f64 / 1_000.0;
        rig.send_stamped("cp-1", "lab/x/x", second * 1_000, Some(1), &json!({"v": second, "taken": taken_s}));
    }
    let entry = rig.entry("x");
    assert_eq!((entry.age_basis, entry.source_ms), (AgeBasis::Source, Some(now(20_000).wall_ms - 250)));
    rig.send_stamped("cp-1", "lab/x/x", 21_000, Some(1), &json!({"v": 21}));
    assert_eq!((rig.entry("x").age_basis, rig.entry("x").source_ms), (AgeBasis::Received, None));
}

#[test]
fn ws_10_samples_missing_by_the_sources_counter_are_counted() {
    let mut rig = Rig::with(&[("cp-1", plain("x"))]);
    for (ms, seq) in [(0, 5), (1, 6), (2, 9), (3, 1)] {
        let mut scanned = crate::test_support::scanned(
            rig.world.provider(&ProviderId("cp-1".into())).unwrap().plan(),
            &json!({"v": 1}),
        );
        scanned.header = HeaderMeta { monotonic_seq: Some(seq), ..HeaderMeta::default() };
        rig.apply(&ProviderId("cp-1".into()), "lab/x/x", ms, &Ok(scanned));
    }
    assert_eq!(rig.world.provider_stats(&ProviderId("cp-1".into())).unwrap().missing, 2);
}

#[test]
fn ws_12_a_default_counts_only_where_the_row_says_nothing() {
    let mut config = plain("x");
    config["confidence_default"] = json!(0.7);
    for (document, expected) in [
        (json!({"v": 1}), Some(Some(0.7))),
        (json!({"v": 1, "confidence": 0.2}), Some(Some(0.2))),
        (json!({"v": 1, "confidence": "0.9"}), None),
    ] {
        let mut rig = Rig::with(&[("cp-1", config.clone())]);
        rig.send("cp-1", "lab/x/x", 0, &document);
        assert_eq!(rig.world.entry("x").map(|entry| entry.confidence), expected, "{document}");
    }
}

#[test]
fn ws_02_a_wall_clock_that_is_set_decides_nothing() {
    let mut rig = steady(20, 0);
    let id = ProviderId("cp-1".into());
    let mut scanned = crate::test_support::scanned(rig.world.provider(&id).unwrap().plan(), &json!({"v": 1}));
    scanned.header = HeaderMeta { ts_ns: Some(now(21_000).wall_ms), ..HeaderMeta::default() };
    let hour_ms = 3_600_000;
    let at = Now { wall_ms: now(21_000).wall_ms + hour_ms, ..now(21_000) };
    let sample = Sample { received_ms: at.wall_ms, ..sample("lab/x/x", 21_000) };
    rig.world.apply(&id, &sample, Ok(&scanned), at);
    let entry = rig.entry("x");
    assert_eq!((entry.age_basis, entry.flags.late, entry.flags.untrusted_ts), (AgeBasis::Source, false, false));
}

#[test]
fn pf_01_a_known_key_with_an_unchanged_text_allocates_nothing() {
    let mut rig = Rig::with(&[("cp-1", crate::test_support::detections())]);
    rig.alert("al-1", json!({"predicate": "person.location = 'stairs'"}), 0);
    let id = ProviderId("cp-1".into());
    let document = json!({"label": "person", "confidence": 0.92, "zone": "hallway"});
    let scanned = crate::test_support::scanned(rig.world.provider(&id).unwrap().plan(), &document);
    let mut samples: Vec<Sample> = (0..60).map(|n| sample(crate::test_support::CAMERA, n * 100)).collect();
    let source = std::sync::Arc::clone(&samples[0].key_expr);
    samples.iter_mut().for_each(|sample| sample.key_expr = std::sync::Arc::clone(&source));
    let mut apply = |sample: &Sample| {
        let at = Now { station: sample.received, wall_ms: sample.received_ms };
        rig.world.apply(&id, sample, Ok(&scanned), at)
    };
    samples.iter().take(20).for_each(|sample| drop(apply(sample)));
    let counted = allocation_counter::measure(|| samples.iter().skip(20).for_each(|sample| drop(apply(sample))));
    // Once a second the counts of rates get a new place.
    assert!(counted.count_total <= 1, "{counted:?}");
}
