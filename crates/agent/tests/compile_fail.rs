//! What must not compile: an agent with a way to a robot that goes round the station.

#[test]
fn the_agent_cannot_reach_the_bridge() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
