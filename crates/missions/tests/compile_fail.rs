//! What must not compile: a mission with a way to a robot that goes round the station.

#[test]
fn missions_cannot_reach_the_bridge() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
