//! Code that must not compile: every other way to an approved command, and losing a verdict.

#[test]
fn approvals_cannot_be_made_copied_or_spent_twice() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
