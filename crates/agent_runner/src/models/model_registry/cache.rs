//! Models that were opened with a provider's address and key, until one of them changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use runtime::config::ModelChoice;
use runtime::lock::lock;

/// Things that were opened, by what they were opened for.
pub(super) struct Cache<T: ?Sized> {
    held: Mutex<Held<T>>,
}

struct Held<T: ?Sized> {
    by_choice: BTreeMap<ModelChoice, Arc<T>>,
    /// The number of changes so far.
    changes: u64,
}

/// The right to keep what is opened from here on: it ends with the next change. Taken before anything is read.
#[derive(Debug)]
pub(super) struct Ticket {
    changes: u64,
}

impl<T: ?Sized> Default for Cache<T> {
    fn default() -> Self {
        Self { held: Mutex::new(Held { by_choice: BTreeMap::new(), changes: 0 }) }
    }
}

impl<T: ?Sized> Cache<T> {
    /// The model that is held for `choice`, or a ticket for one that is to be opened.
    pub fn get(&self, choice: &ModelChoice) -> Result<Arc<T>, Ticket> {
        let held = lock(&self.held);
        held.by_choice.get(choice).cloned().ok_or(Ticket { changes: held.changes })
    }

    /// Keeps what was opened, unless something changed while it was.
    pub fn keep(&self, ticket: Ticket, choice: &ModelChoice, opened: &Arc<T>) {
        let mut held = lock(&self.held);
        if held.changes == ticket.changes {
            held.by_choice.insert(choice.clone(), Arc::clone(opened));
        }
    }

    /// Something has changed: what it concerns is given up, and so is whatever is being opened.
    pub fn give_up(&self, concerns: impl Fn(&ModelChoice) -> bool) {
        let mut held = lock(&self.held);
        held.changes += 1;
        held.by_choice.retain(|choice, _| !concerns(choice));
    }
}

#[cfg(test)]
mod tests {
    use robot::ModelProviderId;

    use super::*;

    #[test]
    fn what_was_opened_with_a_key_or_an_address_of_before_is_not_kept() {
        let choice = |provider: &str| {
            let provider = ModelProviderId::new(provider).unwrap();
            ModelChoice { provider, model: "m".into() }
        };
        let (near, far) = (choice("near"), choice("far"));
        let cache = Cache::<str>::default();
        let (first, late) = (cache.get(&near).unwrap_err(), cache.get(&far).unwrap_err());
        cache.keep(first, &near, &Arc::from("near, old key"));
        assert_eq!(&*cache.get(&near).unwrap(), "near, old key");
        cache.give_up(|choice| choice.provider.as_str() == "near");
        cache.keep(late, &far, &Arc::from("far"));
        let (near_again, far_again) = (cache.get(&near).unwrap_err(), cache.get(&far).unwrap_err());
        cache.keep(far_again, &far, &Arc::from("far"));
        cache.keep(near_again, &near, &Arc::from("near, new key"));
        cache.give_up(|choice| choice.provider.as_str() == "near");
        assert!(cache.get(&near).is_err() && cache.get(&far).is_ok(), "others stay");
    }
}
