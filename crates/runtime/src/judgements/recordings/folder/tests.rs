use super::*;

/// Files of `bytes` each, begun an hour apart, the newest one now.
fn files_of(series: Series, count: i64, bytes: u64, folder: &Path, now_ms: i64) {
    for hour in 0..count {
        let path = folder.join(format!("{}{:014}.jsonl", series.prefix(), now_ms - hour * FILE_MS_MAX));
        ::files::append(&path).unwrap().set_len(bytes).unwrap();
    }
}

fn kept(folder: &Path, series: Series) -> usize {
    found(folder).unwrap().iter().filter(|found| found.series == series).count()
}

#[test]
fn what_was_allowed_a_day_ago_goes_and_what_was_denied_stays() {
    let (folder, now_ms) = (tempfile::tempdir().unwrap(), 100 * FILE_MS_MAX);
    files_of(Series::Allowed, 40, 10, folder.path(), now_ms);
    files_of(Series::Denied, 40, 10, folder.path(), now_ms);
    drop_old(folder.path(), now_ms).unwrap();
    assert_eq!([kept(folder.path(), Series::Allowed), kept(folder.path(), Series::Denied)], [26, 40]);
}

#[test]
fn a_robot_has_64_mebibytes_at_most_and_denials_go_last() {
    let (folder, now_ms) = (tempfile::tempdir().unwrap(), 100 * FILE_MS_MAX);
    files_of(Series::Allowed, 10, FILE_BYTES_MAX, folder.path(), now_ms);
    files_of(Series::Denied, 10, FILE_BYTES_MAX, folder.path(), now_ms);
    drop_old(folder.path(), now_ms).unwrap();
    assert_eq!([kept(folder.path(), Series::Allowed), kept(folder.path(), Series::Denied)], [4, 10]);
    files_of(Series::Denied, 20, FILE_BYTES_MAX, folder.path(), now_ms);
    drop_old(folder.path(), now_ms).unwrap();
    assert_eq!([kept(folder.path(), Series::Allowed), kept(folder.path(), Series::Denied)], [0, 14]);
}

#[test]
fn a_file_that_is_full_is_followed_by_another_and_old_sets_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut written = Folder::new(folder.path().join("arm-1"));
    let line = vec![b'x'; FILE_BYTES_MAX as usize / 2];
    for second in 0..4 {
        written.append(Series::Allowed, second * 1_000, &line).unwrap();
    }
    assert_eq!(kept(&folder.path().join("arm-1"), Series::Allowed), 4);
    for version in 1..=40 {
        written.keep_set(version, || Ok(b"{}".to_vec())).unwrap();
    }
    let files = files(&folder.path().join("arm-1")).unwrap();
    assert_eq!(files.iter().filter(|path| name(path).starts_with("set-")).count(), SETS_MAX);
    assert!(read(&folder.path().join("arm-1"), 0).is_empty(), "a line that is no recording is none");
}
