use robot::Command;
use safety::Approved;

fn copy(approved: &Approved<Command>) -> Approved<Command> {
    approved.clone()
}

fn main() {}
