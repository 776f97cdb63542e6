//! Limits on open connections, in all and of each address. Some seats are kept for stops: a client that comes when the
//! others are taken gets one, may only stop from there, and may lose it to a later client until it asks for a stop.
//!
//! All seats together stay well below the 1,024 files that a process may usually have open.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// Connections of one address.
const OF_ONE_ADDRESS_MAX: usize = 256;
/// Connections of all addresses.
const OF_ALL_MAX: usize = 384;
/// Connections beyond these, for stops alone.
const RESERVED_MAX: usize = 64;
/// Stops that are carried out at the same time on reserved seats.
const KEPT_MAX: usize = 64;

/// Every seat of a door.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seats(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    by_address: BTreeMap<IpAddr, usize>,
    all: usize,
    next: u64,
    /// Reserved seats from which nothing was asked yet, oldest first.
    waiting: VecDeque<(u64, CancellationToken)>,
    /// Reserved seats on which a stop is carried out.
    kept: usize,
}

/// One connection's seat. It is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Seats,
    address: IpAddr,
    place: Place,
    evicted: CancellationToken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Ordinary,
    Reserved(u64),
}

/// A reserved seat that nobody else gets while a stop is carried out.
#[derive(Debug)]
pub(crate) struct Kept<'a>(Option<&'a Seat>);

impl Seats {
    /// All of them free.
    pub fn new() -> Self {
        Self::default()
    }

    /// A seat for a connection from `address`; none if a stop is carried out on every one.
    pub fn take(&self, address: IpAddr) -> Option<Seat> {
        let mut taken = self.lock();
        let evicted = CancellationToken::new();
        let of_address = taken.by_address.get(&address).copied().unwrap_or(0);
        let place = if taken.all < OF_ALL_MAX && of_address < OF_ONE_ADDRESS_MAX {
            taken.all += 1;
            taken.by_address.insert(address, of_address + 1);
            Place::Ordinary
        } else {
            if taken.kept >= KEPT_MAX {
                return None;
            }
            taken.reserve(&evicted)
        };
        drop(taken);
        Some(Seat { seats: self.clone(), address, place, evicted })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// The newest gets a seat from who has waited longest: whoever wants to stop asks at once.
    fn reserve(&mut self, evicted: &CancellationToken) -> Place {
        if self.waiting.len() >= RESERVED_MAX
            && let Some((_, oldest)) = self.waiting.pop_front()
        {
            oldest.cancel();
        }
        self.next += 1;
        self.waiting.push_back((self.next, evicted.clone()));
        Place::Reserved(self.next)
    }

    fn leave_waiting(&mut self, id: u64) {
        self.waiting.retain(|(waiting, _)| *waiting != id);
    }
}

impl Seat {
    /// From where the connection comes.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// True if only a stop may be asked for here.
    pub fn is_reserved(&self) -> bool {
        self.place != Place::Ordinary
    }

    /// Tells when the connection has to go.
    pub fn evicted(&self) -> CancellationToken {
        self.evicted.clone()
    }

    /// Keeps the seat while a stop is carried out.
    pub fn keep(&self) -> Kept<'_> {
        let Place::Reserved(id) = self.place else { return Kept(None) };
        let mut taken = self.seats.lock();
        taken.leave_waiting(id);
        taken.kept += 1;
        Kept(Some(self))
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if let Some(Seat { seats, place: Place::Reserved(id), evicted, .. }) = self.0 {
            let mut taken = seats.lock();
            taken.kept -= 1;
            taken.waiting.push_front((*id, evicted.clone()));
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.lock();
        match self.place {
            Place::Ordinary => {
                taken.all -= 1;
                if let Some(count) = taken.by_address.get_mut(&self.address) {
                    *count -= 1;
                    if *count == 0 {
                        taken.by_address.remove(&self.address);
                    }
                }
            }
            Place::Reserved(id) => taken.leave_waiting(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(seats: &Seats, count: usize, last: u8) -> Vec<Seat> {
        (0..count).map(|_| seats.take(IpAddr::from([127, 0, 0, last])).unwrap()).collect()
    }

    #[test]
    fn who_comes_when_all_seats_are_taken_gets_a_reserved_one_from_who_waited_longest() {
        let seats = Seats::new();
        let silent = take(&seats, OF_ONE_ADDRESS_MAX, 1);
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
    fn an_address_does_not_take_the_seats_of_another_and_seats_are_given_back() {
        let seats = Seats::new();
        let many = take(&seats, OF_ONE_ADDRESS_MAX, 1);
        let other = take(&seats, 2, 2);
        assert!(other.iter().all(|seat| !seat.is_reserved()));
        let more = take(&seats, OF_ALL_MAX, 3);
        assert_eq!(more.iter().filter(|seat| !seat.is_reserved()).count(), OF_ALL_MAX - OF_ONE_ADDRESS_MAX - 2);
        drop((many, other, more));
        let taken = seats.lock();
        assert_eq!((taken.all, taken.by_address.len(), taken.waiting.len(), taken.kept), (0, 0, 0, 0));
    }
}
