use super::super::tests::episode;
use super::*;

/// 2026-02-20, 23:30 UTC: already the next day an hour to the east.
const LATE_MS: i64 = 1_771_630_200_000;

fn an_hour_ahead() -> TimeZone {
    TimeZone::fixed(jiff::tz::offset(1))
}

fn contents(folder: &Path) -> Vec<(String, Vec<String>)> {
    let named = files(folder).unwrap().into_iter().map(|(name, _)| {
        let lines = read_lines(&folder.join(&name), 0, 1 << 20).unwrap().lines;
        let contents = lines.iter().map(|line| Episode::parse(line).map_or("?".into(), |one| one.content)).collect();
        (name, contents)
    });
    named.collect()
}

#[test]
fn e2_01_a_record_goes_to_the_file_of_its_day_at_the_station() {
    let folder = tempfile::tempdir().unwrap();
    let mut logs = DailyLogs::new(folder.path().to_owned(), an_hour_ahead());
    let appended = logs.append(&[
        episode(1, LATE_MS - 3_600_000, "before midnight"),
        episode(2, LATE_MS, "after midnight"),
        episode(3, LATE_MS + 1, "later"),
    ]);
    let names = ["daily_logs_2026-02-20.jsonl", "daily_logs_2026-02-21.jsonl"];
    assert_eq!(appended.unwrap().files, names);
    let expected = [(names[0], vec!["before midnight"]), (names[1], vec!["after midnight", "later"])];
    assert_eq!(
        contents(folder.path()),
        expected.map(|(name, lines)| (name.to_owned(), lines.iter().map(ToString::to_string).collect()))
    );
}

#[test]
fn e2_03_a_torn_last_line_does_not_swallow_the_next_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut logs = DailyLogs::new(folder.path().to_owned(), TimeZone::UTC);
    let path = folder.path().join(logs.name_at(LATE_MS));
    std::fs::write(&path, format!("{}\n{{\"v\":1,\"id\":\"ep-0", episode(1, LATE_MS, "whole").line())).unwrap();
    logs.append(&[episode(2, LATE_MS, "next")]).unwrap();
    logs.sync().unwrap();
    assert_eq!(contents(folder.path())[0].1, ["whole", "?", "next"]);
}

#[test]
fn e2_04_records_stand_in_the_order_they_were_appended_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut logs = DailyLogs::new(folder.path().to_owned(), TimeZone::UTC);
    for number in 0..20 {
        logs.append(&[episode(number, LATE_MS - i64::from(number), &number.to_string())]).unwrap();
    }
    let expected: Vec<String> = (0..20).map(|number: u32| number.to_string()).collect();
    assert_eq!(contents(folder.path())[0].1, expected);
}

#[test]
fn a_line_that_is_still_being_written_is_read_once_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("daily_logs_2026-02-20.jsonl");
    std::fs::write(&path, "one\ntwo\nthr").unwrap();
    let read = read_lines(&path, 0, 1 << 20).unwrap();
    assert_eq!(read, Lines { lines: vec!["one".into(), "two".into()], end: 8 });
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    assert_eq!(read_lines(&path, read.end, 1 << 20).unwrap(), Lines { lines: vec!["three".into()], end: 14 });
    assert_eq!(read_lines(&path, 0, 5).unwrap(), Lines { lines: vec!["one".into()], end: 4 });
}
