//! The rows of the safety matrix that this version keeps. Each is at least one test whose name starts with the row's
//! id; a row that loses its test fails here.

mod names;

use std::collections::BTreeSet;

/// Basic forms, numbers, geometry, time and order, configuration, authority, faults, world state.
const ROWS: &str = "
    b1 b2 b3 b4 b5 b6
    n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13 n14 n15 n16
    g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11 g12 g13 g14 g15 g16 g17
    t1 t2 t3 t4 t5 t6 t7 t8 t9 t10
    c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11
    a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13
    f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24 f25 f26 f27
    w1 w2 w3 w4 w5 w6 w7 w8 w9 w10
";

#[test]
fn every_row_has_a_test_that_carries_its_id() {
    let carried: BTreeSet<String> = names::tests().iter().flat_map(|name| names::ids(name)).collect();
    let rows: Vec<&str> = ROWS.split_whitespace().collect();
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len(), "a row is listed twice");
    let missing: Vec<_> = rows.into_iter().filter(|row| !carried.contains(*row)).collect();
    assert!(missing.is_empty(), "no test carries {missing:?}");
}
