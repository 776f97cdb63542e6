//! The proof that a motion was judged, or that a stop needs no judgement.

use robot::{Command, Instant, RobotId, StationId, VerdictId};

/// Something the safety engine can approve, and what its approval is bound to. Only this crate implements it.
pub trait Approvable: sealed::Sealed {
    /// The terms that must still hold when the approval is spent.
    type Terms: std::fmt::Debug;
}

/// A command that [`judge`](crate::judge) has accepted, or a stop. Nothing else can make one, and sending spends it.
#[must_use]
#[derive(Debug)]
pub struct Approved<T: Approvable> {
    // Neither `Clone` nor serialisable: each would be a second way to make one.
    subject: T,
    terms: T::Terms,
}

/// Terms of an approved command: the state it was judged in, and its deadline.
#[derive(Debug)]
pub struct CommandTerms {
    pub(crate) set_version: u64,
    pub(crate) latch_generation: u64,
    pub(crate) valid_until: Instant,
    pub(crate) verdict_id: VerdictId,
}

/// A request that a robot stop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stop {
    /// Rises with every stop of the station.
    pub stop_id: u64,
    /// The station that asks.
    pub station: StationId,
    /// The robot that shall stop.
    pub robot: RobotId,
    /// True for a test of the stop path.
    pub drill: bool,
}

impl Approvable for Command {
    type Terms = CommandTerms;
}

impl Approvable for Stop {
    type Terms = ();
}

impl Approved<Command> {
    /// Only `judge` calls this, after everything held.
    pub(crate) fn new(command: Command, terms: CommandTerms) -> Self {
        Self { subject: command, terms }
    }

    /// The command.
    #[must_use]
    pub fn command(&self) -> &Command {
        &self.subject
    }

    /// Version of the constraint set it was judged by.
    #[must_use]
    pub fn set_version(&self) -> u64 {
        self.terms.set_version
    }

    /// The claim it was issued under.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.subject.lease.epoch
    }

    /// The latch generation it was judged in.
    #[must_use]
    pub fn latch_generation(&self) -> u64 {
        self.terms.latch_generation
    }

    /// The last moment at which it may be sent.
    #[must_use]
    pub fn valid_until(&self) -> Instant {
        self.terms.valid_until
    }

    /// The verdict that allowed it.
    #[must_use]
    pub fn verdict_id(&self) -> VerdictId {
        self.terms.verdict_id
    }

    /// Spends the approval outside a fence, for example at the robot, where the gate has its own latch.
    #[must_use]
    pub fn into_command(self) -> Command {
        self.subject
    }
}

impl Approved<Stop> {
    /// A stop is always approved.
    pub fn stop(robot: RobotId, station: StationId, stop_id: u64) -> Self {
        // A stop has no terms that could lapse on the way, so no expiry and no latch can hold it back.
        Self { subject: Stop { stop_id, station, robot, drill: false }, terms: () }
    }

    /// A test of the stop path is a stop.
    pub fn drill(robot: RobotId, station: StationId, stop_id: u64) -> Self {
        Self { subject: Stop { stop_id, station, robot, drill: true }, terms: () }
    }

    /// The stop's number.
    #[must_use]
    pub fn stop_id(&self) -> u64 {
        self.subject.stop_id
    }

    /// The station that asks.
    #[must_use]
    pub fn station(&self) -> &StationId {
        &self.subject.station
    }

    /// The robot that shall stop.
    #[must_use]
    pub fn robot(&self) -> &RobotId {
        &self.subject.robot
    }

    /// Spends the approval.
    #[must_use]
    pub fn into_stop(self) -> Stop {
        self.subject
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for robot::Command {}
    impl Sealed for super::Stop {}
}
