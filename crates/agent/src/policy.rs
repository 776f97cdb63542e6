//! Every number of the turn loop. What differs between agents is a value of this type, never a branch.

use serde::{Deserialize, Serialize};

/// The settings of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Model calls of one turn; the last of them must answer in words.
    pub calls_max: u32,
    /// From this share of the calls on the model is warned, percent.
    pub warn_at_percent: u32,
    /// Time of one turn, seconds. Waiting for a person does not count.
    pub wall_s: u32,
    /// How often the model is asked again after an empty reply.
    pub empty_nudges: u32,
    /// How long the loop waits for a person before it goes on without the answer, seconds.
    pub approval_wait_s: u32,
    /// How long a tool may take, seconds.
    pub tool_timeout_s: u32,
    /// Calls of one reply; the rest get an error result.
    pub reply_calls_max: usize,
    /// Reads that run side by side.
    pub reads_at_once: usize,
    /// The call with the same name and arguments that is blocked, counted from 1 within a turn.
    pub repeat_block: u32,
}

impl Policy {
    /// The preset for an operator's desk.
    #[must_use]
    pub const fn operator() -> Self {
        Self {
            calls_max: 12,
            warn_at_percent: 80,
            wall_s: 600,
            empty_nudges: 2,
            approval_wait_s: 30,
            tool_timeout_s: 30,
            reply_calls_max: 32,
            reads_at_once: 8,
            repeat_block: 3,
        }
    }

    /// Whether model call `step`, counted from 0, is the last of its turn.
    #[must_use]
    pub const fn is_final(&self, step: u32) -> bool {
        step + 1 >= self.calls_max
    }

    /// Whether the model is told during call `step`, counted from 0, that its calls run out.
    #[must_use]
    pub const fn warns(&self, step: u32) -> bool {
        !self.is_final(step) && step + 1 >= (self.calls_max * self.warn_at_percent).div_ceil(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l_30_warns_before_the_final_call_and_never_with_it() {
        let check = |calls_max: u32, warned: &[u32], last: u32| {
            let policy = Policy { calls_max, ..Policy::operator() };
            let warns: Vec<u32> = (0..calls_max).filter(|step| policy.warns(*step)).collect();
            assert_eq!(warns, warned, "{calls_max} calls");
            assert_eq!((0..calls_max).find(|step| policy.is_final(*step)), Some(last), "{calls_max} calls");
        };
        check(12, &[9, 10], 11);
        check(5, &[3], 4);
        check(1, &[], 0);
    }
}
