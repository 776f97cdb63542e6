//! Calls of a reply that run side by side. Whatever the policy says, motion runs alone and in the model's order.

use std::collections::VecDeque;

use robot::Effect;

use super::admit::actuates;
use crate::Concurrency;

/// A call that waits to run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Queued {
    /// Its place in the reply.
    pub index: usize,
    pub effect: Effect,
    pub is_stop: bool,
}

/// Cuts `queued` into waves: stops first, each alone, then the rest in order.
pub(super) fn waves(queued: &[Queued], concurrency: Concurrency, reads_at_once: usize) -> VecDeque<Vec<usize>> {
    // First and alone, so that no other call of the reply can delay a stop.
    let stops = queued.iter().filter(|call| call.is_stop).map(|call| vec![call.index]);
    let mut waves: VecDeque<Vec<usize>> = stops.collect();
    let mut open: Option<Vec<usize>> = None;
    for call in queued.iter().filter(|call| !call.is_stop) {
        let joins = match concurrency {
            // A motion starts from where the one before it ended, so motions keep their order even here.
            Concurrency::Parallel => !actuates(call.effect),
            Concurrency::Sequential => false,
            Concurrency::ByEffect => call.effect == Effect::Read,
        };
        let room = match concurrency {
            Concurrency::ByEffect => reads_at_once,
            Concurrency::Parallel | Concurrency::Sequential => usize::MAX,
        };
        if !joins {
            waves.extend(open.take());
            waves.push_back(vec![call.index]);
            continue;
        }
        if open.as_ref().is_some_and(|wave| wave.len() >= room) {
            waves.extend(open.take());
        }
        open.get_or_insert_default().push(call.index);
    }
    waves.extend(open);
    waves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls by the first letter of their effect, `s` for a stop, and their waves as places.
    fn check(calls: &str, concurrency: Concurrency, expected: &str) {
        let queued: Vec<Queued> = calls
            .chars()
            .enumerate()
            .map(|(index, letter)| {
                let effect = match letter {
                    'r' => Effect::Read,
                    'w' => Effect::Write,
                    'i' => Effect::Irreversible,
                    _ => Effect::Actuate,
                };
                Queued { index, effect, is_stop: letter == 's' }
            })
            .collect();
        let printed: Vec<String> = waves(&queued, concurrency, 3)
            .into_iter()
            .map(|wave| wave.iter().map(|index| &calls[*index..=*index]).collect())
            .collect();
        assert_eq!(printed.join(" "), expected, "{calls} {concurrency:?}");
    }

    #[test]
    fn p_10_b_10_h_18_calls_run_side_by_side_as_the_policy_says() {
        check("rrwraa", Concurrency::ByEffect, "rr w r a a");
        check("rrrrr", Concurrency::ByEffect, "rrr rr");
        check("rrrrrw", Concurrency::Parallel, "rrrrrw");
        check("rrw", Concurrency::Sequential, "r r w");
        check("", Concurrency::Parallel, "");
    }

    #[test]
    fn p_10_i_12_motion_runs_alone_and_in_order_in_every_design() {
        for concurrency in [Concurrency::ByEffect, Concurrency::Parallel, Concurrency::Sequential] {
            check("rair", concurrency, "r a i r");
        }
    }

    #[test]
    fn p_12_stops_run_first() {
        for concurrency in [Concurrency::ByEffect, Concurrency::Parallel] {
            check("rasrs", concurrency, "s s r a r");
        }
    }
}
