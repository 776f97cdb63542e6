//! Rate limits: the requests of one session, those of a connection on which nobody has signed in, and the wrong tokens
//! that come from one place.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A rate, and what may come at once after a pause.
#[derive(Debug, Clone, Copy)]
struct Limit {
    a_second: u32,
    burst: u32,
}

/// Requests of a session: a page that loads asks for all it shows.
const OF_SESSION: Limit = Limit { a_second: 100, burst: 200 };
/// Requests of a connection on which nobody has signed in: the files of a page, and the beginning of a channel of
/// frames. Each connection has its own, so that one stranger's do not use up another's.
const OF_CONNECTION: Limit = Limit { a_second: 10, burst: 50 };
/// Wrong tokens of one place within [`FAILURES_WITHIN`]; further ones are refused unread.
const FAILURES_MAX: usize = 10;
const FAILURES_WITHIN: Duration = Duration::from_secs(60);
/// Sessions and places that are counted; the one that was silent longest makes room.
const KNOWN_MAX: usize = 256;
/// The shortest time between two notices of a flood.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// The decision on a request or a wrong token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Admitted,
    /// Not now; `tell` if people should hear of it.
    TooMany {
        tell: bool,
    },
}

impl Verdict {
    /// True if it was one too many; `tell` is called if people should hear of it.
    pub(crate) fn is_too_many(self, tell: impl FnOnce()) -> bool {
        match self {
            Self::Admitted => return false,
            Self::TooMany { tell: true } => tell(),
            Self::TooMany { tell: false } => {}
        }
        true
    }
}

/// The recent requests and wrong tokens. No stop comes here.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    asked: BTreeMap<String, Bucket>,
    failures: BTreeMap<IpAddr, VecDeque<Instant>>,
    flood_told: Option<Instant>,
    failures_told: Option<Instant>,
}

/// The remaining requests under a limit, as a token bucket.
#[derive(Debug)]
struct Bucket {
    limit: Limit,
    left: f64,
    at: Instant,
}

/// The requests of one connection for which nobody has signed in.
#[derive(Debug)]
pub(crate) struct Unsigned(Mutex<Bucket>);

impl Bucket {
    fn full(limit: Limit, now: Instant) -> Self {
        Self { limit, left: f64::from(limit.burst), at: now }
    }

    /// Takes one request off what is left.
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * f64::from(self.limit.a_second)).min(f64::from(self.limit.burst));
        self.at = now;
        let has_one = self.left >= 1.0;
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }
}

impl Unsigned {
    /// Nothing was asked yet.
    pub fn new() -> Self {
        Self(Mutex::new(Bucket::full(OF_CONNECTION, Instant::now())))
    }
}

impl Rates {
    /// Counts a request of the session `id`.
    pub fn asked(&self, id: &str) -> Verdict {
        self.lock().asked(id, Instant::now())
    }

    /// Counts a request on a connection for which nobody has signed in.
    pub fn asked_unsigned(&self, unsigned: &Unsigned) -> Verdict {
        let now = Instant::now();
        let admitted = unsigned.0.lock().unwrap_or_else(PoisonError::into_inner).take(now);
        if admitted { Verdict::Admitted } else { self.lock().too_many(now) }
    }

    /// Counts a wrong token.
    pub fn failed(&self, place: IpAddr) -> Verdict {
        self.lock().failed(place, Instant::now())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn asked(&mut self, id: &str, now: Instant) -> Verdict {
        if self.asked.len() >= KNOWN_MAX && !self.asked.contains_key(id) {
            let silent = self.asked.iter().min_by_key(|(_, bucket)| bucket.at).map(|(id, _)| id.clone());
            silent.map(|id| self.asked.remove(&id));
        }
        let bucket = self.asked.entry(id.to_owned()).or_insert_with(|| Bucket::full(OF_SESSION, now));
        if bucket.take(now) { Verdict::Admitted } else { self.too_many(now) }
    }

    fn too_many(&mut self, now: Instant) -> Verdict {
        Verdict::TooMany { tell: is_due(&mut self.flood_told, now) }
    }

    fn failed(&mut self, place: IpAddr, now: Instant) -> Verdict {
        if self.failures.len() >= KNOWN_MAX && !self.failures.contains_key(&place) {
            let silent = self.failures.iter().min_by_key(|(_, failures)| failures.back().copied());
            let silent = silent.map(|(place, _)| *place);
            silent.map(|place| self.failures.remove(&place));
        }
        let failures = self.failures.entry(place).or_default();
        // Those that are refused below are not counted: a minute after the first ten, somebody may try again.
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
        let admitted =
            (0..50_000).filter(|ms| inner.asked("boot", start + Duration::from_millis(*ms / 5)) == Verdict::Admitted);
        assert_eq!(admitted.count(), 200 + 999, "ten seconds at 5,000 a second");
        assert_eq!(inner.asked("other", start), Verdict::Admitted, "another one is another");
        let told = (0..1_000).filter(|_| inner.asked("boot", start) == (Verdict::TooMany { tell: true }));
        assert_eq!(told.count(), 0, "it was told within the last ten seconds");
    }

    #[test]
    fn att_18_what_one_connection_asks_unsigned_is_not_taken_from_another() {
        let rates = Rates::default();
        let (greedy, other) = (Unsigned::new(), Unsigned::new());
        let refused = (0..1_000).filter(|_| rates.asked_unsigned(&greedy) != Verdict::Admitted).count();
        assert!(refused > 0, "so many are refused");
        assert_eq!(rates.asked_unsigned(&other), Verdict::Admitted);
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
            inner.asked(&n.to_string(), start);
            inner.failed(IpAddr::from([127, 0, (n / 256) as u8, (n % 256) as u8]), start);
        }
        assert_eq!((inner.asked.len(), inner.failures.len()), (KNOWN_MAX, KNOWN_MAX));
    }
}
