//! Leases of parts of robots as guards: whoever holds one may move the part, and dropping it lets the next one in.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::Duration;

use robot::{Instant, RobotId};
use safety::leases::{
    Asked, FencingToken, LeaseRefused, LeaseTable, LeaseTimes, Owner, Renewal, Resource, ResourceSet,
};

use runtime::clock::Clock;
use runtime::event_bus::EventBus;
use runtime::wire::{Fact, Tag};

/// Time between two looks of a waiting caller for leases that ran out.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Everything that is leased.
pub struct Resources {
    shared: Arc<Shared>,
}

/// A lease. It is over when the last guard of it is dropped, when it was not renewed in time, or when control of the
/// robot changes hands.
#[derive(Debug, Clone)]
pub struct ResourceGuard(Arc<Held>);

/// Refusal of a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unleased {
    /// Another uses it, or nothing became free in time.
    Refused(LeaseRefused),
    /// A holder of the table's lock panicked: nobody knows what is leased, so nothing is free.
    LockPoisoned,
}

struct Shared {
    state: Mutex<State>,
    freed: Condvar,
    clock: Clock,
    bus: Arc<EventBus>,
}

#[derive(Default)]
struct State {
    table: LeaseTable,
    guards: BTreeMap<FencingToken, Weak<Held>>,
    /// Owners of parts as last sent to windows.
    told: BTreeMap<Resource, Owner>,
}

struct Held {
    token: FencingToken,
    shared: Arc<Shared>,
}

impl Resources {
    /// Nothing is leased.
    pub fn new(times: LeaseTimes, clock: Clock, bus: Arc<EventBus>) -> Self {
        let state = State { table: LeaseTable::new(times), ..State::default() };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), freed: Condvar::new(), clock, bus }) }
    }

    /// Leases all of `set` to `owner`, or nothing; waits at most `wait` for others to let go. An owner that has it
    /// already gets a guard of the same lease.
    pub fn acquire(&self, owner: &Owner, set: &ResourceSet, wait: Duration) -> Result<ResourceGuard, Unleased> {
        let mut state = self.shared.lock()?;
        let deadline = self.shared.now().plus(wait);
        let mut asked = state.table.ask(owner.clone(), set.clone(), deadline, self.shared.now());
        loop {
            match asked {
                Asked::Leased(token) => {
                    if let Some(guard) = self.guard(&mut state, token) {
                        return Ok(guard);
                    }
                    asked = state.table.ask(owner.clone(), set.clone(), deadline, self.shared.now());
                }
                Asked::Waits(ticket) => {
                    // A lease that runs out signals nothing, so those who wait look again.
                    let left = deadline.since(self.shared.now()).min(LOOK_AGAIN);
                    let waited = self.shared.freed.wait_timeout(state, left);
                    (state, _) = waited.map_err(|_| Unleased::LockPoisoned)?;
                    asked = state.table.ask_again(ticket, self.shared.now());
                }
                Asked::Refused(refused) => return Err(Unleased::Refused(refused)),
            }
        }
    }

    /// A guard of `token`. The last guard of a lease may be on its way out on another thread: then its token is
    /// spent, and there is none.
    fn guard(&self, state: &mut State, token: FencingToken) -> Option<ResourceGuard> {
        let held = match state.guards.get(&token) {
            Some(held) => held.upgrade(),
            None => {
                let held = Arc::new(Held { token, shared: Arc::clone(&self.shared) });
                state.guards.insert(token, Arc::downgrade(&held));
                Some(held)
            }
        };
        if held.is_none() {
            state.table.release(token);
        }
        self.shared.tell(state);
        held.map(ResourceGuard)
    }

    /// The owner that keeps `owner` from using `part`; nothing is leased.
    pub fn taken(&self, owner: &Owner, part: &Resource) -> Result<Option<Owner>, Unleased> {
        let state = self.shared.lock()?;
        Ok(state.table.taken(owner, part, self.shared.now()).cloned())
    }

    /// The user of `part`, or of what it is part of, and the token of the lease.
    pub fn user(&self, part: &Resource) -> Result<Option<(Owner, FencingToken)>, Unleased> {
        let state = self.shared.lock()?;
        Ok(state.table.user(part, self.shared.now()).map(|(owner, token)| (owner.clone(), token)))
    }

    /// Ends every lease on `robot` whose owner is not in `kept`, and says whether there was one.
    pub fn revoke(&self, robot: &RobotId, kept: impl Fn(&Owner) -> bool) -> Result<bool, Unleased> {
        let mut state = self.shared.lock()?;
        let ended = state.table.revoke(robot, kept);
        self.shared.tell(&mut state);
        Ok(ended)
    }

    /// Ends every lease.
    pub fn void(&self) -> Result<(), Unleased> {
        let mut state = self.shared.lock()?;
        state.table.void();
        self.shared.tell(&mut state);
        Ok(())
    }
}

impl ResourceGuard {
    /// Renews the lease; called by its owner as long as it is at work. If the table cannot be read, the lease
    /// counts as expired.
    pub fn renew(&self) -> Renewal {
        let Held { token, shared } = &*self.0;
        shared.lock().map_or(Renewal::Expired, |mut state| state.table.renew(*token, shared.now()))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // A poisoned table frees nothing any more, and a second panic would help nobody.
        let Ok(mut state) = self.shared.lock() else { return };
        state.guards.remove(&self.token);
        state.table.release(self.token);
        self.shared.tell(&mut state);
    }
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Held").field(&self.token).finish()
    }
}

impl Shared {
    fn lock(&self) -> Result<MutexGuard<'_, State>, Unleased> {
        self.state.lock().map_err(|_| Unleased::LockPoisoned)
    }

    fn now(&self) -> Instant {
        self.clock.now().station
    }

    /// Sends windows the changes since the last call, and wakes the waiting callers.
    fn tell(&self, state: &mut State) {
        let now: BTreeMap<Resource, Owner> = state
            .table
            .leased(self.now())
            .into_iter()
            .map(|(part, (owner, _))| (part.clone(), owner.clone()))
            .collect();
        if now == state.told {
            return;
        }
        for resource in state.told.keys().filter(|part| !now.contains_key(*part)) {
            let fact = Fact::Lock { resource: resource.clone(), owner: None };
            self.bus.fact(fact, Some(Tag::Locks));
        }
        for (resource, owner) in now.iter().filter(|(part, owner)| state.told.get(*part) != Some(*owner)) {
            let fact = Fact::Lock { resource: resource.clone(), owner: Some(owner.clone()) };
            self.bus.fact(fact, Some(Tag::Locks));
        }
        state.told = now;
        // All of them, because the waiting callers want different parts.
        self.freed.notify_all();
    }
}

#[cfg(test)]
mod tests;
