//! Leases on parts of robots: one owner at a time, all parts of a set or none, in the order of asking.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use robot::{Actuator, AgentId, Instant, MissionId, RobotId, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Owners that may wait at once; more is a crowd that would never be served in time.
const WAITING_MAX: usize = 16;

/// A part of a robot as a path from the robot down: `arm-1`, `arm-1/body`, `arm-1/body/arm`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[schemars(extend("x-vouched" = true))]
pub struct Resource(String);

/// Parts that are leased together.
pub type ResourceSet = BTreeSet<Resource>;

/// The owner of a lease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "LeaseOwner")]
#[schemars(extend("x-vouched" = true))]
pub enum Owner {
    /// A person at one screen or program.
    Person {
        /// Their session.
        session: SessionId,
        /// Their name.
        name: String,
    },
    /// An agent.
    Agent {
        /// Id of the agent.
        id: AgentId,
    },
    /// A mission.
    Mission {
        /// The agent whose mission it is: another one may have a mission of the same name.
        agent: AgentId,
        /// Id of the mission.
        id: MissionId,
    },
}

/// Proves a lease. It only rises, so that a later one tells an earlier one to be over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FencingToken(pub u64);

/// A place in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// The answer to a request for a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// It is leased, or was leased to the same owner already.
    Leased(FencingToken),
    /// Another has a part of it; [`LeaseTable::ask_again`] tells whether its turn has come.
    Waits(Ticket),
    /// Not in time.
    Refused(LeaseRefused),
}

/// The reason that nothing was leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeaseRefused {
    /// Another has a part of it, or asked before.
    Taken(Owner),
    /// Too many wait.
    QueueFull,
    /// Its place in the queue is gone: its time was over, or control of the robot changed hands.
    Withdrawn,
}

/// Times of leases that a site may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseTimes {
    /// A lease that is not renewed ends after this: a few renewals may be lost, a hung owner may not.
    pub ttl: Duration,
    /// The longest anybody may wait: longer, and the plan behind it is out of date.
    pub wait_max: Duration,
}

impl Default for LeaseTimes {
    fn default() -> Self {
        Self { ttl: Duration::from_secs(2), wait_max: Duration::from_secs(5) }
    }
}

/// The result of renewing a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// It goes on.
    Kept,
    /// Its owner was silent for too long.
    Expired,
    /// It was ended, or is another's by now.
    Ended,
}

/// Every lease and everybody who waits for one.
#[derive(Debug, Clone, Default)]
pub struct LeaseTable {
    times: LeaseTimes,
    leases: BTreeMap<FencingToken, Lease>,
    waiting: VecDeque<Waiting>,
    last_token: u64,
    last_ticket: u64,
}

#[derive(Debug, Clone)]
struct Lease {
    owner: Owner,
    set: ResourceSet,
    until: Instant,
}

#[derive(Debug, Clone)]
struct Waiting {
    ticket: Ticket,
    owner: Owner,
    set: ResourceSet,
    until: Instant,
}

impl Resource {
    /// A whole robot.
    #[must_use]
    pub fn robot(robot: &RobotId) -> Self {
        Self(robot.to_string())
    }

    /// One actuator, below the part of the robot that its manifest names.
    #[must_use]
    pub fn actuator(robot: &RobotId, actuator: &Actuator) -> Self {
        let parent = actuator.parent.as_ref().map_or_else(String::new, |parent| format!("{parent}/"));
        Self(format!("{robot}/{parent}{}", actuator.id))
    }

    /// The part with this path, as a mission file names it.
    #[must_use]
    pub fn part(path: &str) -> Self {
        Self(path.to_owned())
    }

    /// True if it is `other` or a part of it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        // The slash matters: `arm-10` begins with `arm-1` and is no part of it.
        self.0.strip_prefix(&other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// True if the two cannot be used apart: a part excludes what it is part of, and the reverse.
    fn excludes(&self, other: &Self) -> bool {
        self.is_within(other) || other.is_within(self)
    }
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Person { name, .. } => f.write_str(name),
            Self::Agent { id } => write!(f, "agent {id}"),
            Self::Mission { id, .. } => write!(f, "mission {id}"),
        }
    }
}

impl LeaseTable {
    /// Nothing is leased.
    #[must_use]
    pub fn new(times: LeaseTimes) -> Self {
        Self { times, ..Self::default() }
    }

    /// Leases all of `set` to `owner`, or puts it in the queue until `deadline`. An owner that has all of it already
    /// keeps its token; one that has a part of it waits like everybody, so nobody holds one part while it waits for
    /// another.
    pub fn ask(&mut self, owner: Owner, set: ResourceSet, deadline: Instant, now: Instant) -> Asked {
        self.expire(now);
        if let Some(token) = self.held_by(&owner, &set) {
            self.renew(token, now);
            return Asked::Leased(token);
        }
        let Some(blocker) = self.blocker(&set, None).cloned() else {
            return Asked::Leased(self.lease(owner, set, now));
        };
        if deadline <= now {
            return Asked::Refused(LeaseRefused::Taken(blocker));
        }
        // Checked last, so that whoever can be served at once is served however many wait for other parts.
        if self.waiting.len() >= WAITING_MAX {
            return Asked::Refused(LeaseRefused::QueueFull);
        }
        self.last_ticket += 1;
        // Bounded here as well: an owner may ask for any deadline, and a long one holds up those behind it.
        let (ticket, until) = (Ticket(self.last_ticket), deadline.min(now.plus(self.times.wait_max)));
        self.waiting.push_back(Waiting { ticket, owner, set, until });
        Asked::Waits(ticket)
    }

    /// Asks again for `ticket`: leased once its turn has come, refused once its time is over.
    pub fn ask_again(&mut self, ticket: Ticket, now: Instant) -> Asked {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.ticket == ticket) else {
            return Asked::Refused(LeaseRefused::Withdrawn);
        };
        // Only leases: forgetting its own ticket here would turn a timeout into a withdrawal.
        self.leases.retain(|_, lease| now < lease.until);
        let waiting = self.waiting[place].clone();
        let blocker = self.blocker(&waiting.set, Some(ticket)).cloned();
        let Some(blocker) = blocker else {
            self.waiting.remove(place);
            return Asked::Leased(self.lease(waiting.owner, waiting.set, now));
        };
        if now < waiting.until {
            return Asked::Waits(ticket);
        }
        self.waiting.remove(place);
        Asked::Refused(LeaseRefused::Taken(blocker))
    }

    /// Keeps a lease for another [`LeaseTimes::ttl`], unless it is over.
    pub fn renew(&mut self, token: FencingToken, now: Instant) -> Renewal {
        let until = now.plus(self.times.ttl);
        match self.leases.get_mut(&token) {
            // One that has run out is not revived: another may have been told that the part is free.
            Some(lease) if now < lease.until => {
                lease.until = until;
                Renewal::Kept
            }
            Some(_) => Renewal::Expired,
            None => Renewal::Ended,
        }
    }

    /// Ends a lease; false if it is over already.
    pub fn release(&mut self, token: FencingToken) -> bool {
        self.leases.remove(&token).is_some()
    }

    /// Ends every lease on a part of `robot` whose owner is not in `kept`, and says whether there was one.
    pub fn revoke(&mut self, robot: &RobotId, kept: impl Fn(&Owner) -> bool) -> bool {
        let robot = Resource::robot(robot);
        let of_robot = |set: &ResourceSet| set.iter().any(|part| part.is_within(&robot));
        let before = self.leases.len();
        self.leases.retain(|_, lease| kept(&lease.owner) || !of_robot(&lease.set));
        // Those who wait too, or one of them would get the robot just after control was taken away.
        self.waiting.retain(|waiting| kept(&waiting.owner) || !of_robot(&waiting.set));
        self.leases.len() < before
    }

    /// Ends every lease.
    pub fn void(&mut self) {
        self.leases.clear();
        self.waiting.clear();
    }

    /// Forgets leases that were not renewed, and those who have given up waiting.
    pub fn expire(&mut self, now: Instant) {
        self.leases.retain(|_, lease| now < lease.until);
        self.waiting.retain(|waiting| now < waiting.until);
    }

    /// The other owner whose lease keeps `owner` from using `part`.
    #[must_use]
    pub fn taken(&self, owner: &Owner, part: &Resource, now: Instant) -> Option<&Owner> {
        self.users(part, now).map(|(user, _)| user).find(|user| *user != owner)
    }

    /// The owner that uses `part`, what it is part of, or a part of it, with the token of its lease.
    #[must_use]
    pub fn user(&self, part: &Resource, now: Instant) -> Option<(&Owner, FencingToken)> {
        self.users(part, now).next()
    }

    fn users(&self, part: &Resource, now: Instant) -> impl Iterator<Item = (&Owner, FencingToken)> {
        let live = self.leases.iter().filter(move |(_, lease)| now < lease.until);
        let using = live.filter(|(_, lease)| lease.set.iter().any(|held| held.excludes(part)));
        using.map(|(token, lease)| (&lease.owner, *token))
    }

    /// Every leased part with its owner and token, by part.
    #[must_use]
    pub fn leased(&self, now: Instant) -> BTreeMap<&Resource, (&Owner, FencingToken)> {
        let live = self.leases.iter().filter(|(_, lease)| now < lease.until);
        live.flat_map(|(token, lease)| lease.set.iter().map(move |part| (part, (&lease.owner, *token)))).collect()
    }

    fn held_by(&self, owner: &Owner, set: &ResourceSet) -> Option<FencingToken> {
        let covers = |lease: &Lease| set.iter().all(|part| lease.set.iter().any(|held| part.is_within(held)));
        self.leases.iter().find(|(_, lease)| lease.owner == *owner && covers(lease)).map(|(token, _)| *token)
    }

    /// The owner that has a part of `set`, or asked for one before `ticket`.
    fn blocker(&self, set: &ResourceSet, ticket: Option<Ticket>) -> Option<&Owner> {
        let overlaps = |other: &ResourceSet| set.iter().any(|part| other.iter().any(|held| part.excludes(held)));
        // A newcomer is behind everybody who waits, or a stream of small requests would starve a large one.
        let ahead = |waiting: &&Waiting| ticket.is_none_or(|ticket| waiting.ticket < ticket);
        let leased = self.leases.values().find(|lease| overlaps(&lease.set)).map(|lease| &lease.owner);
        leased.or_else(|| {
            self.waiting.iter().filter(ahead).find(|waiting| overlaps(&waiting.set)).map(|waiting| &waiting.owner)
        })
    }

    fn lease(&mut self, owner: Owner, set: ResourceSet, now: Instant) -> FencingToken {
        self.last_token += 1;
        let token = FencingToken(self.last_token);
        self.leases.insert(token, Lease { owner, set, until: now.plus(self.times.ttl) });
        token
    }
}

#[cfg(test)]
mod tests;
