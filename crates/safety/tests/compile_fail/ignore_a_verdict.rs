#![deny(unused_must_use)]

use robot::{Command, Instant};
use safety::{Limits, RobotState, judge};

fn ignore(limits: &Limits, state: &RobotState, command: Command, now: Instant) {
    judge(limits, state, command, now);
}

fn main() {}
