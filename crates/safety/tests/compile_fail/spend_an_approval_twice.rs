use robot::{Command, Instant};
use safety::{Approved, Fence};

fn twice(fence: &Fence, approved: Approved<Command>, now: Instant) {
    let _ = fence.pass(approved, now, |_| ());
    let _ = fence.pass(approved, now, |_| ());
}

fn main() {}
