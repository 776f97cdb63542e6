//! Keys that are subscribed to while somebody looks at what comes on them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridge::Subscription;
use robot::Instant;

use runtime::lock::lock;

/// A key that nobody has asked for is not subscribed to for longer than this.
const UNWATCHED_MAX: Duration = Duration::from_secs(5);
/// Keys that are subscribed to at once: more than a screen has panes. Each holds two messages.
const WATCHED_MAX: usize = 32;

/// The keys that somebody looks at, each as it was `Declared`, and what has come on it.
pub(crate) struct Watched<Id, Declared, View> {
    open: Mutex<BTreeMap<Id, Open<Declared, View>>>,
    /// Held while a subscription is made, so that two cannot make the same.
    making: tokio::sync::Mutex<()>,
}

struct Open<Declared, View> {
    declared: Declared,
    view: Arc<View>,
    asked: Instant,
    _subscription: Subscription,
}

impl<Id, Declared, View> Default for Watched<Id, Declared, View> {
    fn default() -> Self {
        Self { open: Mutex::default(), making: tokio::sync::Mutex::default() }
    }
}

impl<Id: Ord + Clone, Declared: PartialEq + Clone, View> Watched<Id, Declared, View> {
    /// The messages of a key, if it is subscribed to.
    pub fn view(&self, id: &Id) -> Option<Arc<View>> {
        lock(&self.open).get(id).map(|open| Arc::clone(&open.view))
    }

    /// The messages of a key, from now on if not before. `subscribe` hands them to the view.
    pub async fn watch<Error>(
        &self,
        id: &Id,
        declared: &Declared,
        now: impl Fn() -> Instant,
        view: impl FnOnce() -> View,
        subscribe: impl AsyncFnOnce(Arc<View>) -> Result<Subscription, Error>,
    ) -> Result<Arc<View>, Error> {
        if let Some(view) = self.asked(id, declared, now()) {
            return Ok(view);
        }
        let _making = self.making.lock().await;
        // Another caller may have subscribed to it while this one waited for the lock.
        if let Some(view) = self.asked(id, declared, now()) {
            return Ok(view);
        }
        let view = Arc::new(view());
        let subscription = subscribe(Arc::clone(&view)).await?;
        let open =
            Open { declared: declared.clone(), view: Arc::clone(&view), asked: now(), _subscription: subscription };
        self.put(id.clone(), open);
        Ok(view)
    }

    /// Ends the subscriptions that nobody looks at any more.
    pub fn close_unwatched(&self, now: Instant) {
        let mut open = lock(&self.open);
        let (kept, closed) = std::mem::take(&mut *open)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(_, open)| now.since(open.asked) < UNWATCHED_MAX);
        *open = kept;
        drop(open);
        // Ending a subscription waits for the network, and callers that ask for other keys must not.
        drop(closed);
    }

    fn asked(&self, id: &Id, declared: &Declared, now: Instant) -> Option<Arc<View>> {
        let mut open = lock(&self.open);
        let open = open.get_mut(id).filter(|open| &open.declared == declared)?;
        open.asked = now;
        Some(Arc::clone(&open.view))
    }

    /// Takes up a key; the one that was asked for longest ago makes room.
    fn put(&self, id: Id, new: Open<Declared, View>) {
        let mut open = lock(&self.open);
        let full = open.len() >= WATCHED_MAX && !open.contains_key(&id);
        let oldest = open.iter().min_by_key(|(_, open)| open.asked).map(|(id, _)| id.clone());
        let closed = oldest.filter(|_| full).and_then(|oldest| open.remove(&oldest));
        let replaced = open.insert(id, new);
        drop(open);
        // After the lock is released: ending a subscription waits for the network.
        drop((closed, replaced));
    }
}
