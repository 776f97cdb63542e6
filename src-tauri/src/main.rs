//! App entry.
fn main() {}
