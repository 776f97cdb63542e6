//! Bounds that became tighter or looser.

use robot::Role;
use safety::{ChangeDirection, ConstraintKind};

use super::{Change, ChangeKind, ChangeParts};
use crate::compile::is_about_places;
use crate::compiled::{CompiledLimit, words};
use crate::format::front::{Approval, Expiry};
use crate::phrase::{MissionPart, Phrase};

/// Compares two sets of limits. An old limit that some new one contains is tightened; one that none contains is
/// loosened or removed, which an Admin has to want.
pub(super) fn limits(old: &[CompiledLimit], new: &[CompiledLimit], found: &mut Vec<Change>) {
    let (mut gone, mut come): (Vec<&CompiledLimit>, Vec<&CompiledLimit>) = (old.iter().collect(), Vec::new());
    for limit in new {
        match gone.iter().position(|old| *old == limit) {
            Some(at) => _ = gone.remove(at),
            None => come.push(limit),
        }
    }
    let mut tell = |kind, role_needed, old: Option<&CompiledLimit>, new: Option<&CompiledLimit>, sentence| {
        let Some(bound) = new.or(old).map(words::bound) else { return };
        let (part, before, after) = (MissionPart::Limit { bound }, old.map(words::demand), new.map(words::demand));
        let said = Some(ChangeParts { part, before, after });
        found.push(Change { key: "constraints".into(), kind, sentence, said, role_needed });
    };
    let mut used = vec![false; come.len()];
    let mut lost = Vec::new();
    for limit in gone {
        let Some(at) = stricter(limit, &come, &used) else {
            lost.push(limit);
            continue;
        };
        let (Some(by), Some(used)) = (come.get(at).copied(), used.get_mut(at)) else { continue };
        *used = true;
        if same_demand(limit, by) {
            let (robot, demand) = (words::bound(by), words::demand(by));
            let sentence = format!("Changes the reason of a limit on {robot}: {demand}.");
            tell(ChangeKind::Changed, Role::Operator, None, Some(by), sentence);
        } else {
            let sentence = format!("Tightens {}.", from_to(limit, by));
            tell(ChangeKind::Tightened, Role::Operator, Some(limit), Some(by), sentence);
        }
    }
    for limit in lost {
        let other = come.iter().zip(&used).position(|(new, used)| !used && is_alike(limit, new));
        match other.and_then(|at| Some((*come.get(at)?, used.get_mut(at)?))) {
            Some((by, used)) => {
                *used = true;
                let sentence = format!("Loosens {}.", from_to(limit, by));
                tell(ChangeKind::Loosened, Role::Admin, Some(limit), Some(by), sentence);
            }
            // Also where another limit of the file is as strict: what is not clear counts as a loosening.
            None => tell(ChangeKind::Removed, Role::Admin, Some(limit), None, format!("Removes {}.", one(limit))),
        }
    }
    for (limit, _) in come.iter().copied().zip(&used).filter(|(_, used)| !**used) {
        tell(ChangeKind::Added, Role::Operator, None, Some(limit), format!("Adds {}.", one(limit)));
    }
}

fn one(limit: &CompiledLimit) -> String {
    format!("a limit on {}: {}", words::bound(limit), words::demand(limit))
}

fn from_to(old: &CompiledLimit, new: &CompiledLimit) -> String {
    let (before, after) = (words::bound(old), words::bound(new));
    let now = if before == after { String::new() } else { format!(" on {after}") };
    format!("a limit on {before}: {} → {}{now}", words::demand(old), words::demand(new))
}

/// The place of a new limit that demands at least as much as `old`, the first that takes no other's place before one
/// that does.
fn stricter(old: &CompiledLimit, new: &[&CompiledLimit], used: &[bool]) -> Option<usize> {
    let found = |is_used: bool| {
        let mut places = new.iter().zip(used).enumerate().filter(move |(_, (_, used))| **used == is_used);
        places.find(|(_, (new, _))| is_stricter(old, new)).map(|(at, _)| at)
    };
    // Two old limits may both be covered by one new one, which then tightens both.
    found(false).or_else(|| found(true))
}

/// True if `new` binds everything that `old` binds and allows no more.
fn is_stricter(old: &CompiledLimit, new: &CompiledLimit) -> bool {
    // A limit on one actuator is no substitute for one on all of them.
    let is_in_scope = new.actuator.is_none() || new.actuator == old.actuator;
    let is_comparable = old.frame == new.frame || !is_about_places(&old.kind);
    old.robot == new.robot
        && is_in_scope
        && is_comparable
        && old.kind.direction_to(&new.kind) == ChangeDirection::Tightening
}

fn same_demand(one: &CompiledLimit, other: &CompiledLimit) -> bool {
    let demand = |limit: &CompiledLimit| CompiledLimit { reason: None, ..limit.clone() };
    demand(one) == demand(other)
}

/// True if the one was probably made of the other.
fn is_alike(old: &CompiledLimit, new: &CompiledLimit) -> bool {
    let is_of_same = match (&old.kind, &new.kind) {
        (ConstraintKind::JointLimits(old), ConstraintKind::JointLimits(new)) => old.joint == new.joint,
        (old, new) => old.type_name() == new.type_name(),
    };
    old.robot == new.robot && old.actuator == new.actuator && is_of_same
}

pub(super) fn approval(old: Option<Approval>, new: Approval, found: &mut Vec<Change>) {
    let said = |approval| match approval {
        Approval::Ask => Phrase::Asks,
        Approval::Activation => Phrase::Lets,
    };
    let kind = match (old, new) {
        (Some(Approval::Activation), Approval::Ask) => ChangeKind::Tightened,
        (Some(Approval::Ask), Approval::Activation) => ChangeKind::Loosened,
        (None, Approval::Ask | Approval::Activation) => ChangeKind::Added,
        (Some(Approval::Activation), Approval::Activation) | (Some(Approval::Ask), Approval::Ask) => return,
    };
    let (before, after) = (old.map(said), said(new));
    let sentence = after.to_string();
    let said = Some(ChangeParts { part: MissionPart::Approval, before, after: Some(after) });
    found.push(Change { key: "approval".into(), kind, sentence, said, role_needed: Role::Operator });
}

/// The end of a life; the outer `None` is no old meaning.
#[expect(clippy::option_option, reason = "no old meaning, and one without an end, are different things")]
pub(super) fn expiry(old: Option<Option<&Expiry>>, new: Option<&Expiry>, found: &mut Vec<Change>) {
    let (kind, sentence) = match (old.flatten(), new) {
        (None, None) => return,
        (Some(old), Some(new)) if old == new => return,
        (None, Some(new)) if old.is_none() => (ChangeKind::Added, format!("Ends {}.", words::expiry(new))),
        (None, Some(new)) => (ChangeKind::Tightened, format!("Ends {}, where it had no end.", words::expiry(new))),
        (Some(old), None) => (ChangeKind::Loosened, format!("Has no end, where it ended {}.", words::expiry(old))),
        (Some(old), Some(new)) => {
            let kind = match (old, new) {
                (Expiry::After(old), Expiry::After(new)) if new < old => ChangeKind::Tightened,
                (Expiry::After(_), Expiry::After(_)) => ChangeKind::Loosened,
                // A span counts from an activation that is still to come, so it has no order with a time.
                (Expiry::After(_) | Expiry::At(_), Expiry::At(_)) | (Expiry::At(_), Expiry::After(_)) => {
                    ChangeKind::Changed
                }
            };
            (kind, format!("Ends {}, where it ended {}.", words::expiry(new), words::expiry(old)))
        }
    };
    let (before, after) = (old.flatten().map(words::expiry), new.map(words::expiry));
    let said = Some(ChangeParts { part: MissionPart::End, before, after });
    found.push(Change { key: "expires".into(), kind, sentence, said, role_needed: Role::Operator });
}

/// The money that models may cost; the outer `None` is no old meaning.
#[expect(clippy::option_option, reason = "no old meaning, and one without a budget, are different things")]
pub(super) fn budget(old: Option<Option<f64>>, new: Option<f64>, found: &mut Vec<Change>) {
    let (kind, sentence) = match (old.flatten(), new) {
        (None, None) => return,
        (Some(old), Some(new)) if old == new => return,
        (None, Some(new)) if old.is_none() => (ChangeKind::Added, format!("May spend {new} USD on models.")),
        (None, Some(new)) => (ChangeKind::Tightened, format!("May spend {new} USD on models, where it had no budget.")),
        (Some(old), None) => (ChangeKind::Loosened, format!("Has no budget of its own, where it had {old} USD.")),
        (Some(old), Some(new)) => {
            let kind = if new < old { ChangeKind::Tightened } else { ChangeKind::Loosened };
            (kind, format!("May spend {new} USD on models, where it was {old} USD."))
        }
    };
    let money = |usd| Phrase::Money { usd };
    let (before, after) = (old.flatten().map(money), new.map(money));
    let said = Some(ChangeParts { part: MissionPart::Budget, before, after });
    found.push(Change { key: "budget_usd".into(), kind, sentence, said, role_needed: Role::Operator });
}
