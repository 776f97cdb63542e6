use proptest::prelude::*;
use serde_json::json;

use super::*;

fn entry(n: u64) -> AuditEntry {
    AuditEntry {
        actor: "dana".into(),
        role: Some(Role::Operator),
        origin: AuditOrigin::Person,
        operation: "arm_robot".into(),
        input_hash: Some(input_hash(&json!({ "robot": "arm-1", "n": n }))),
        inputs: None,
        outcome: "ok".into(),
        verdict_id: None,
        set_version: Some(n),
        epoch: None,
        detail: format!("robot=arm-1 n={n}"),
    }
}

fn chain(length: u64) -> Vec<String> {
    let station = StationId::new("desk-1").unwrap();
    let mut head = Head::default();
    let records = (1..=length).map(|n| {
        let now = Now { station: robot::Instant::from_millis(n), wall_ms: 1_700_000_000_000 };
        let record = AuditRecord::after(&head, &station, now, entry(n));
        head = record.head();
        record.line()
    });
    records.collect()
}

fn verify(lines: &[String]) -> Result<u64, Broken> {
    let mut check = ChainCheck::default();
    lines.iter().try_for_each(|line| check.line(line))?;
    Ok(check.last_seq())
}

#[track_caller]
fn check(lines: &[String], seq: u64, expected: &str) {
    let broken = verify(lines).unwrap_err();
    assert_eq!(broken.seq, seq, "{broken}");
    assert!(broken.to_string().contains(expected), "{broken}");
}

/// A record with all of `fields` set and its own hash made anew, as somebody would who knows how.
fn forged(line: &str, fields: Value) -> String {
    let mut record = serde_json::to_value(serde_json::from_str::<AuditRecord>(line).unwrap()).unwrap();
    for (name, value) in fields.as_object().unwrap() {
        record[name] = value.clone();
    }
    let mut record: AuditRecord = serde_json::from_value(record).unwrap();
    record.hash = record.content_hash();
    record.line()
}

#[test]
fn an_untouched_chain_holds_to_its_end() {
    assert_eq!(verify(&chain(9)), Ok(9));
    assert_eq!(verify(&[]), Ok(0));
}

#[test]
fn each_kind_of_break_is_named_at_the_first_record_that_is_not_there() {
    let whole = chain(5);
    let mut lines = whole.clone();
    lines[2] = lines[2].replace("dana", "dora");
    check(&lines, 3, "content is not what was written");
    lines[2] = forged(&whole[2], json!({ "actor": "dora" }));
    check(&lines, 4, "does not follow");
    lines[2] = whole[2].replacen('{', "{\"note\":1,", 1);
    check(&lines, 3, "cannot be read");
    check(&whole[1..], 1, "record 2 stands in its place");
    check(&["{}".to_owned()], 1, "cannot be read");
}

#[test]
fn a_chain_that_lost_its_end_does_not_reach_the_last_record() {
    let mut check = ChainCheck::default();
    chain(5)[..3].iter().try_for_each(|line| check.line(line)).unwrap();
    assert_eq!(check.reaches(3), Ok(()));
    assert_eq!(check.reaches(5), Err(Broken { seq: 4, fault: Fault::Missing }));
}

#[test]
fn a_chain_goes_on_after_a_row_that_cannot_be_read_and_the_break_stays() {
    let mut lines = chain(2);
    lines[1] = "edited".into();
    let station = StationId::new("desk-1").unwrap();
    let next = AuditRecord::after(&Head::of_row(2, &lines[1]), &station, Now::default(), entry(3));
    assert_eq!(next.seq, 3);
    lines.push(next.line());
    check(&lines, 2, "cannot be read");
}

#[test]
fn free_text_is_cut() {
    let long = AuditEntry { detail: "ä".repeat(500), operation: "x".repeat(500), ..entry(1) };
    let record = AuditRecord::after(&Head::default(), &StationId::new("desk-1").unwrap(), Now::default(), long);
    assert_eq!((record.detail.chars().count(), record.operation.len()), (200, 80));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_changed_character_is_found_at_its_record(
        length in 1_u64..8, at in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), put in "[ -~]",
    ) {
        let mut lines = chain(length);
        let at = at.index(lines.len());
        let place = place.index(lines[at].len());
        let before = lines[at].clone();
        lines[at].replace_range(place..=place, &put);
        let same = serde_json::from_str::<AuditRecord>(&lines[at]).ok() == serde_json::from_str(&before).ok();
        let found = verify(&lines).map_err(|broken| broken.seq);
        prop_assert_eq!(found, if same { Ok(length) } else { Err(at as u64 + 1) });
    }

    #[test]
    fn a_removed_record_is_found_at_its_place(length in 2_u64..12, at in any::<prop::sample::Index>()) {
        let mut lines = chain(length);
        let at = at.index(lines.len() - 1);
        lines.remove(at);
        prop_assert_eq!(verify(&lines).unwrap_err().seq, at as u64 + 1);
    }

    #[test]
    fn swapped_records_are_found_at_the_first_of_them(
        length in 2_u64..12, a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>(),
    ) {
        let mut lines = chain(length);
        let (a, b) = (a.index(lines.len()), b.index(lines.len()));
        prop_assume!(a != b);
        lines.swap(a, b);
        prop_assert_eq!(verify(&lines).unwrap_err().seq, a.min(b) as u64 + 1);
    }

    #[test]
    fn an_inserted_record_is_found_even_if_it_follows_what_is_before_it(
        length in 1_u64..12, at in any::<prop::sample::Index>(), copy in any::<bool>(),
    ) {
        let mut lines = chain(length);
        let at = at.index(lines.len());
        let inserted = if copy { lines[at].clone() } else { forged(&lines[at], json!({ "outcome": "forged" })) };
        lines.insert(at, inserted);
        // The forged one has the right number and the right hash before it: what cannot stand is the true one after it.
        prop_assert_eq!(verify(&lines).unwrap_err().seq, at as u64 + 2);
    }
}

/// The anchor of the record in `line`, as a line of an export.
fn anchor_of(line: &str) -> String {
    let record: AuditRecord = serde_json::from_str(line).unwrap();
    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let anchor = Anchor::sign(&key, record.station, record.seq, record.hash);
    serde_json::to_string(&AnchorLine { anchor }).unwrap()
}

#[test]
fn an_anchor_stands_behind_its_record_and_tells_of_a_chain_that_was_written_anew() {
    let mut lines = chain(4);
    lines.insert(3, anchor_of(&lines[2]));
    assert_eq!(verify(&lines), Ok(4));
    let mut rewritten = lines.clone();
    rewritten.splice(2..3, [forged(&lines[2], json!({ "actor": "eve" }))]);
    check(&rewritten, 3, "anchor");
    check(&lines[3..4], 1, "missing");
    let mut cut = lines.clone();
    cut.remove(2);
    check(&cut, 3, "missing");
}
