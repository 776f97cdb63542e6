//! Limits on open connections, in all and of each place. When all seats are taken, a newcomer gets that of a connection
//! on which nobody has signed in, the one that was silent longest: who has a token is never pushed out by who has none.
//! Some seats are kept for stops: a client that comes when every other seat belongs to somebody gets one, may only stop
//! from there, and may lose it to a later client until it asks for a stop.
//!
//! All seats together stay well below the 1,024 files that a process may usually have open.

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::rates::Unsigned;

/// Connections of one place.
const OF_ONE_PLACE_MAX: usize = 256;
/// Connections of all places.
const OF_ALL_MAX: usize = 384;
/// Connections beyond these, for stops alone.
const RESERVED_MAX: usize = 64;
/// Stops that are carried out at the same time on reserved seats.
const KEPT_MAX: usize = 64;

/// Every seat of a listener.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seats(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    ordinary: BTreeMap<u64, Ordinary>,
    /// Rises with every seat and every request.
    next: u64,
    /// Reserved seats from which nothing was asked yet, oldest first.
    waiting: VecDeque<(u64, CancellationToken)>,
    /// Reserved seats on which a stop is carried out.
    kept: usize,
}

/// The holder of an ordinary seat.
#[derive(Debug)]
struct Ordinary {
    place: IpAddr,
    /// Rises with every request on it.
    asked: u64,
    is_signed: bool,
    evicted: CancellationToken,
}

/// One connection's seat. It is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Seats,
    id: u64,
    place: IpAddr,
    is_reserved: bool,
    evicted: CancellationToken,
    /// Requests left to a client here that has not signed in, and messages left on a channel of frames.
    pub(crate) unsigned: Unsigned,
}

/// A reserved seat that nobody else gets while a stop is carried out.
#[derive(Debug)]
pub(crate) struct Kept<'a>(Option<&'a Seat>);

/// The place of an address. A program of this computer has every loopback address: they are one place.
fn place_of(address: IpAddr) -> IpAddr {
    // An IPv4 address that is mapped into IPv6 is the same place.
    let address = address.to_canonical();
    if address.is_loopback() { Ipv4Addr::LOCALHOST.into() } else { address }
}

impl Seats {
    /// All of them free.
    pub fn new() -> Self {
        Self::default()
    }

    /// A seat for a connection from `address`; none if a stop is carried out on every one.
    pub fn take(&self, address: IpAddr) -> Option<Seat> {
        let mut taken = self.lock();
        let (evicted, place) = (CancellationToken::new(), place_of(address));
        taken.next += 1;
        let id = taken.next;
        let is_reserved = !taken.make_room(place);
        if !is_reserved {
            taken.ordinary.insert(id, Ordinary { place, asked: id, is_signed: false, evicted: evicted.clone() });
        } else if taken.kept < KEPT_MAX {
            taken.reserve(id, &evicted);
        } else {
            return None;
        }
        drop(taken);
        Some(Seat { seats: self.clone(), id, place, is_reserved, evicted, unsigned: Unsigned::new() })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// Makes an ordinary seat free for a client from `place`; false if there is none.
    fn make_room(&mut self, place: IpAddr) -> bool {
        let of_place = self.ordinary.values().filter(|ordinary| ordinary.place == place).count();
        if of_place >= OF_ONE_PLACE_MAX {
            // A place that has its share gets another seat from itself alone.
            return self.evict(|ordinary| ordinary.place == place);
        }
        self.ordinary.len() < OF_ALL_MAX || self.evict(|_| true)
    }

    /// Ends the connection that was silent longest among those on which nobody has signed in; false if there is none.
    fn evict(&mut self, may: impl Fn(&Ordinary) -> bool) -> bool {
        let unsigned = self.ordinary.iter().filter(|(_, ordinary)| !ordinary.is_signed && may(ordinary));
        let Some(id) = unsigned.min_by_key(|(_, ordinary)| ordinary.asked).map(|(id, _)| *id) else { return false };
        if let Some(ordinary) = self.ordinary.remove(&id) {
            ordinary.evicted.cancel();
        }
        true
    }

    /// Takes a seat for the newest from the one that has waited longest: a caller that wants to stop asks at once.
    fn reserve(&mut self, id: u64, evicted: &CancellationToken) {
        if self.waiting.len() >= RESERVED_MAX
            && let Some((_, oldest)) = self.waiting.pop_front()
        {
            oldest.cancel();
        }
        self.waiting.push_back((id, evicted.clone()));
    }

    fn leave_waiting(&mut self, id: u64) {
        self.waiting.retain(|(waiting, _)| *waiting != id);
    }
}

impl Seat {
    /// From where the connection comes; every address of this computer is one.
    pub fn place(&self) -> IpAddr {
        self.place
    }

    /// True if only a stop may be asked for here.
    pub fn is_reserved(&self) -> bool {
        self.is_reserved
    }

    /// Tells when the connection has to go.
    pub fn evicted(&self) -> CancellationToken {
        self.evicted.clone()
    }

    /// Notes that something is asked here.
    pub fn asked(&self) {
        self.note(|_| {});
    }

    /// Notes that the caller has signed in: no stranger gets this seat.
    pub fn signed(&self) {
        self.note(|ordinary| ordinary.is_signed = true);
    }

    fn note(&self, change: impl FnOnce(&mut Ordinary)) {
        let mut taken = self.seats.lock();
        taken.next += 1;
        let now = taken.next;
        if let Some(ordinary) = taken.ordinary.get_mut(&self.id) {
            ordinary.asked = now;
            change(ordinary);
        }
    }

    /// Keeps the seat while a stop is carried out.
    pub fn keep(&self) -> Kept<'_> {
        if !self.is_reserved {
            return Kept(None);
        }
        let mut taken = self.seats.lock();
        taken.leave_waiting(self.id);
        taken.kept += 1;
        Kept(Some(self))
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if let Some(seat) = self.0 {
            let mut taken = seat.seats.lock();
            taken.kept -= 1;
            // The first to give way: its stop is over.
            taken.waiting.push_front((seat.id, seat.evicted.clone()));
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.lock();
        if self.is_reserved {
            taken.leave_waiting(self.id);
        } else {
            taken.ordinary.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seats of clients with a token, from `10.0.0.<last>`.
    fn take(seats: &Seats, count: usize, last: u8) -> Vec<Seat> {
        let taken = (0..count).map(|_| seats.take(IpAddr::from([10, 0, 0, last])).unwrap());
        taken.inspect(Seat::signed).collect()
    }

    #[test]
    fn who_comes_when_all_seats_are_taken_gets_a_reserved_one_from_who_waited_longest() {
        let seats = Seats::new();
        let silent = take(&seats, OF_ONE_PLACE_MAX, 1);
        assert!(silent.iter().all(|seat| !seat.is_reserved()));
        let stopping = take(&seats, 1, 1).remove(0);
        assert!(stopping.is_reserved());
        let kept = stopping.keep();
        let waiting = take(&seats, RESERVED_MAX, 1);
        let newest = take(&seats, 1_000, 1);
        assert!(!stopping.evicted().is_cancelled(), "nobody takes the seat of a stop");
        assert!(waiting.iter().all(|seat| seat.evicted().is_cancelled()));
        assert_eq!(newest.iter().filter(|seat| !seat.evicted().is_cancelled()).count(), RESERVED_MAX);
        drop(kept);
        take(&seats, 1, 1);
        assert!(stopping.evicted().is_cancelled(), "after the stop it is one of many");
    }

    #[test]
    fn a_place_does_not_take_the_seats_of_another_and_seats_are_given_back() {
        let seats = Seats::new();
        let many = take(&seats, OF_ONE_PLACE_MAX, 1);
        let other = take(&seats, 2, 2);
        assert!(other.iter().all(|seat| !seat.is_reserved()));
        let more = take(&seats, OF_ALL_MAX, 3);
        assert_eq!(more.iter().filter(|seat| !seat.is_reserved()).count(), OF_ALL_MAX - OF_ONE_PLACE_MAX - 2);
        drop((many, other, more));
        let taken = seats.lock();
        assert_eq!((taken.ordinary.len(), taken.waiting.len(), taken.kept), (0, 0, 0));
    }

    #[test]
    fn att_18_who_has_no_token_gives_way_and_every_loopback_address_is_one_place() {
        let seats = Seats::new();
        let window = seats.take(IpAddr::from([127, 0, 0, 1])).unwrap();
        window.signed();
        let strangers: Vec<Seat> = (0..OF_ALL_MAX)
            .map(|n| seats.take(IpAddr::from([127, 0, 1, (n % 250) as u8])).unwrap())
            .inspect(|seat| assert!(!seat.is_reserved()))
            .collect();
        let open = || strangers.iter().filter(|seat| !seat.evicted().is_cancelled()).count();
        assert_eq!(open(), OF_ONE_PLACE_MAX - 1, "they share the seats of one place");
        let oldest = strangers.iter().find(|seat| !seat.evicted().is_cancelled()).unwrap();
        oldest.asked();
        let page = seats.take(IpAddr::from([127, 0, 0, 1])).unwrap();
        assert!(!page.is_reserved() && !window.evicted().is_cancelled());
        assert!(!oldest.evicted().is_cancelled(), "another one was silent longer");
        assert_eq!(open(), OF_ONE_PLACE_MAX - 2);
        drop(strangers);
        assert_eq!(seats.lock().ordinary.len(), 2, "who was pushed out gives nothing back twice");
    }
}
