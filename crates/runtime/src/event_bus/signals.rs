//! The newest value of each signal. Setting one, and finding those
//! that a window lacks, costs the same however many there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::wire::Signal;

/// Signals that are kept; the one that changed least recently makes room.
const SIGNALS_MAX: usize = 5_000;

/// Signals by the order in which they last changed.
#[derive(Debug, Default)]
pub(super) struct Signals {
    by_version: BTreeMap<u64, Arc<Signal>>,
    /// The version of each signal, by its id.
    versions: BTreeMap<String, u64>,
    /// Of the newest change.
    version: u64,
}

impl Signals {
    /// Sets the newest value of a signal.
    pub fn set(&mut self, signal: Signal) {
        self.put(Arc::new(signal));
        if self.versions.len() > SIGNALS_MAX
            && let Some((_, oldest)) = self.by_version.pop_first()
        {
            self.versions.remove(&oldest.id);
        }
    }

    fn put(&mut self, signal: Arc<Signal>) {
        self.version += 1;
        let before = match self.versions.get_mut(&signal.id) {
            Some(version) => Some(std::mem::replace(version, self.version)),
            None => self.versions.insert(signal.id.clone(), self.version),
        };
        if let Some(before) = before {
            self.by_version.remove(&before);
        }
        self.by_version.insert(self.version, signal);
    }

    /// Forgets a signal that no longer exists.
    pub fn forget(&mut self, id: &str) {
        if let Some(version) = self.versions.remove(id) {
            self.by_version.remove(&version);
        }
    }

    /// Marks the signals below `prefix` as coming from a lost, or found, source.
    pub fn set_source_lost(&mut self, prefix: &str, lost: bool) {
        // Ids are in order, so all that begin with the prefix stand together.
        let below = self.versions.range(prefix.to_owned()..).take_while(|(id, _)| id.starts_with(prefix));
        let below = below.filter_map(|(_, version)| self.by_version.get(version));
        let turned: Vec<Arc<Signal>> = below.filter(|signal| signal.source_lost != lost).cloned().collect();
        for signal in turned {
            self.put(Arc::new(Signal { source_lost: lost, ..Signal::clone(&signal) }));
        }
    }

    /// At most `most` signals that changed after `version`, the
    /// earliest first, and the version that is reached with them.
    pub fn after(&self, version: u64, most: usize) -> (Vec<Arc<Signal>>, u64) {
        let newer = self.by_version.range(version + 1..).take(most);
        let mut reached = version;
        let newer = newer.map(|(version, signal)| {
            reached = *version;
            Arc::clone(signal)
        });
        (newer.collect(), reached)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::wire::{AgeBasis, SignalValue, ValueOrigin};

    fn signal(id: &str) -> Signal {
        Signal {
            id: id.to_owned(),
            source: String::new(),
            value: SignalValue::Number(0.0),
            unit: None,
            confidence: None,
            observed_mono_ms: 0,
            max_age_ms: 1_000,
            age_basis: AgeBasis::Received,
            origin: ValueOrigin::Measured,
            source_lost: false,
            simulated: false,
        }
    }

    fn ids(signals: &Signals, version: u64) -> Vec<String> {
        signals.after(version, usize::MAX).0.iter().map(|signal| signal.id.clone()).collect()
    }

    #[test]
    fn u_402_a_window_is_given_what_it_lacks_in_the_order_of_the_changes() {
        let mut signals = Signals::default();
        ["a/1", "b/1", "a/2", "b/1"].into_iter().for_each(|id| signals.set(signal(id)));
        assert_eq!(ids(&signals, 0), ["a/1", "a/2", "b/1"]);
        let (first, reached) = signals.after(0, 2);
        assert_eq!((first.len(), ids(&signals, reached)), (2, vec!["b/1".to_owned()]));
        signals.set_source_lost("a/", true);
        assert_eq!(ids(&signals, 4), ["a/1", "a/2"]);
        signals.set_source_lost("a/", true);
        assert!(ids(&signals, 6).is_empty(), "a window is told once");
        signals.forget("a/1");
        assert_eq!(ids(&signals, 0), ["b/1", "a/2"]);
    }

    #[test]
    fn perf_23_a_signal_that_makes_another_go_costs_hardly_more_than_one_that_does_not() {
        let clock = Clock::start();
        let names: Vec<String> = (0..4 * SIGNALS_MAX).map(|n| format!("main/{n}")).collect();
        let time = |names: &[String]| {
            let (mut signals, begun) = (Signals::default(), clock.now().station);
            (0..8 * SIGNALS_MAX).for_each(|n| signals.set(signal(&names[n % names.len()])));
            assert_eq!(ids(&signals, 0).len(), SIGNALS_MAX);
            clock.now().station.since(begun)
        };
        let (fitting, beyond) = (time(&names[..SIGNALS_MAX]), time(&names));
        assert!(beyond < fitting * 20, "{beyond:?} beside {fitting:?}");
    }
}
