//! Rate limits: the requests of one client, and the wrong tokens that come from one address.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Requests a second.
pub(crate) const RATE: u32 = 100;
/// Requests that may come at once after a pause: a page that loads asks for all it shows.
const BURST: f64 = 200.0;
/// Wrong tokens of one address within [`FAILURES_WITHIN`]; further ones are refused unread.
const FAILURES_MAX: usize = 10;
const FAILURES_WITHIN: Duration = Duration::from_secs(60);
/// Sessions and addresses that are counted; the one that was silent longest makes room.
const KNOWN_MAX: usize = 256;
/// People are told of a flood at most so often.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// The client that a request is counted for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asker {
    /// Somebody signed in.
    Session(String),
    /// Somebody who is not, or not yet.
    Address(IpAddr),
}

/// The decision on a request or a wrong token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Admitted,
    /// Not now; `tell` if people should hear of it.
    TooMany {
        tell: bool,
    },
}

/// The recent requests and wrong tokens. No stop comes here.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    asked: BTreeMap<Asker, Bucket>,
    failures: BTreeMap<IpAddr, VecDeque<Instant>>,
    flood_told: Option<Instant>,
    failures_told: Option<Instant>,
}

#[derive(Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    /// Counts a request.
    pub fn asked(&self, asker: &Asker) -> Verdict {
        self.lock().asked(asker, Instant::now())
    }

    /// Counts a wrong token.
    pub fn failed(&self, address: IpAddr) -> Verdict {
        self.lock().failed(address, Instant::now())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn asked(&mut self, asker: &Asker, now: Instant) -> Verdict {
        if self.asked.len() >= KNOWN_MAX && !self.asked.contains_key(asker) {
            let silent = self.asked.iter().min_by_key(|(_, bucket)| bucket.at).map(|(asker, _)| asker.clone());
            silent.map(|asker| self.asked.remove(&asker));
        }
        let bucket = self.asked.entry(asker.clone()).or_insert(Bucket { left: BURST, at: now });
        let refilled = bucket.left + now.saturating_duration_since(bucket.at).as_secs_f64() * f64::from(RATE);
        *bucket = Bucket { left: refilled.min(BURST), at: now };
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Verdict::Admitted;
        }
        Verdict::TooMany { tell: is_due(&mut self.flood_told, now) }
    }

    fn failed(&mut self, address: IpAddr, now: Instant) -> Verdict {
        if self.failures.len() >= KNOWN_MAX && !self.failures.contains_key(&address) {
            let silent = self.failures.iter().min_by_key(|(_, failures)| failures.back().copied());
            let silent = silent.map(|(address, _)| *address);
            silent.map(|address| self.failures.remove(&address));
        }
        let failures = self.failures.entry(address).or_default();
        failures.retain(|failed| now.saturating_duration_since(*failed) < FAILURES_WITHIN);
        if failures.len() < FAILURES_MAX {
            failures.push_back(now);
            return Verdict::Admitted;
        }
        Verdict::TooMany { tell: is_due(&mut self.failures_told, now) }
    }
}

fn is_due(told: &mut Option<Instant>, now: Instant) -> bool {
    let due = told.is_none_or(|at| now.saturating_duration_since(at) >= TOLD_EVERY);
    if due {
        *told = Some(now);
    }
    due
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, last])
    }

    #[test]
    fn a_hundred_requests_a_second_pass_and_people_hear_of_more_once() {
        let (mut inner, start) = (Inner::default(), Instant::now());
        let asker = Asker::Session("bootstrap".into());
        let admitted =
            (0..50_000).filter(|ms| inner.asked(&asker, start + Duration::from_millis(*ms / 5)) == Verdict::Admitted);
        assert_eq!(admitted.count(), 200 + 999, "ten seconds at 5,000 a second");
        assert_eq!(inner.asked(&Asker::Address(address(1)), start), Verdict::Admitted, "another one is another");
        let told = (0..1_000).filter(|_| inner.asked(&asker, start) == (Verdict::TooMany { tell: true }));
        assert_eq!(told.count(), 0, "it was told within the last ten seconds");
    }

    #[test]
    fn the_eleventh_wrong_token_of_a_minute_is_one_too_many() {
        let (mut inner, start) = (Inner::default(), Instant::now());
        for n in 0..10 {
            assert_eq!(inner.failed(address(1), start + Duration::from_secs(n)), Verdict::Admitted);
        }
        let later = start + Duration::from_secs(59);
        assert_eq!(inner.failed(address(1), later), Verdict::TooMany { tell: true });
        assert_eq!(inner.failed(address(1), later), Verdict::TooMany { tell: false });
        assert_eq!(inner.failed(address(2), later), Verdict::Admitted);
        assert_eq!(inner.failed(address(1), start + Duration::from_secs(60)), Verdict::Admitted);
    }

    #[test]
    fn what_is_counted_is_bounded() {
        let (mut inner, start) = (Inner::default(), Instant::now());
        for n in 0..1_000 {
            inner.asked(&Asker::Session(n.to_string()), start);
            inner.failed(IpAddr::from([127, 0, (n / 256) as u8, (n % 256) as u8]), start);
        }
        assert_eq!((inner.asked.len(), inner.failures.len()), (KNOWN_MAX, KNOWN_MAX));
    }
}
