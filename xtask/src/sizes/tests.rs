use super::*;

fn check(size: usize, ratchet: &str, expected: &[&str]) {
    let sizes = BTreeMap::from([("crates/a/src/lib.rs".to_owned(), size)]);
    assert_eq!(problems(&sizes, &parse_ratchet(ratchet).unwrap()), expected);
}

#[test]
fn a_file_has_a_limit() {
    check(500, "", &[]);
    check(501, "", &["crates/a/src/lib.rs: 501 lines, limit 500: split it"]);
}

#[test]
fn a_listed_file_may_only_shrink() {
    let ratchet = "# why\ncrates/a/src/lib.rs 600\n";
    check(600, ratchet, &[]);
    check(601, ratchet, &["crates/a/src/lib.rs: grew to 601 lines; it may only shrink from 600"]);
    check(
        550,
        ratchet,
        &["crates/a/src/lib.rs: shrank to 550 lines: write that into xtask/ratchet.txt instead of 600"],
    );
    check(400, ratchet, &["crates/a/src/lib.rs: 400 lines are within 500: strike it from xtask/ratchet.txt"]);
}

#[test]
fn the_list_names_existing_files_only() {
    check(1, "crates/b/src/lib.rs 700", &["crates/b/src/lib.rs does not exist: strike it from xtask/ratchet.txt"]);
}

#[test]
fn generated_files_have_no_limit() {
    assert_eq!(limit_of("ui/src/generated/bindings/Frame.ts"), None);
    assert_eq!(limit_of("ui/src/app/App.tsx"), Some(300));
}
