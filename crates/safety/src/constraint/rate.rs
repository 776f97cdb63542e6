//! Rate limit of one actuator's commands. A token bucket, kept as the moment at which it is full again.

use std::fmt;
use std::time::Duration;

use robot::{ActuatorId, Instant};

use crate::{ConstraintKind, Limits};

/// Commands of one actuator per time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommandRate {
    /// Commands per second in the long run.
    pub hz: f64,
    /// Commands that may come at once after a rest.
    pub burst: u32,
}

/// Use of an actuator's rate by its commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RateMeter {
    /// When everything used so far has been earned again.
    repaid: Instant,
}

impl Default for CommandRate {
    /// Twice what holding a jog button sends.
    fn default() -> Self {
        Self { hz: 50.0, burst: 10 }
    }
}

impl fmt::Display for CommandRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} per second and {} at once", self.hz, self.burst)
    }
}

impl Limits {
    /// The rate of `actuator`. A stream that keeps it keeps every constraint, because it is the least of each number.
    #[must_use]
    pub fn command_rate(&self, actuator: &ActuatorId) -> CommandRate {
        let mut rate = self.numbers.rate;
        for (bound, registered) in self.constraints().iter().filter_map(|constraint| of_kind(&constraint.kind)) {
            if bound == actuator {
                rate.hz = rate.hz.min(registered.hz);
                rate.burst = rate.burst.min(registered.burst);
            }
        }
        rate
    }
}

/// The rate a kind names, and of which actuator.
pub(crate) fn of_kind(kind: &ConstraintKind) -> Option<(&ActuatorId, CommandRate)> {
    let ConstraintKind::CommandRate { actuator, hz, burst } = kind else { return None };
    Some((actuator, CommandRate { hz: *hz, burst: *burst }))
}

impl RateMeter {
    /// True if one more command at `now` is within `rate`, and then counts it. A refused one costs nothing.
    pub fn admit(&mut self, rate: CommandRate, now: Instant) -> bool {
        // The reciprocal of 0 is no duration; a rate that is no number admits nothing.
        if !(0.0 < rate.hz && rate.hz.is_finite()) {
            return false;
        }
        let period = Duration::try_from_secs_f64(1.0 / rate.hz).unwrap_or(Duration::MAX);
        // At least now: a long rest earns no more than one burst.
        let repaid = self.repaid.max(now).plus(period);
        let within = repaid.since(now) <= period.saturating_mul(rate.burst);
        if within {
            self.repaid = repaid;
        }
        within
    }
}

#[cfg(test)]
mod tests;
