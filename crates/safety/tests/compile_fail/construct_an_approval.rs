use robot::Command;
use safety::Approved;

fn forge(command: Command, other: Approved<Command>) -> Approved<Command> {
    Approved { subject: command, ..other }
}

fn main() {}
