//! Subscriptions to what robots and sensors say: one for each key expression, whoever reads it, with its last samples.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use bridge::signing::SignedSample;
use bridge::{BridgeError, PAYLOAD_BYTES_MAX, Scanner, Subscription};
use memory::forget::Needles;
use robot::{AgentId, Instant, Sample};
use world::{FieldOrder, ProviderId};

use super::News;
use crate::AgentWorld;
use crate::Sensing;
use runtime::lock::lock;
use runtime::stamps::Stamps;

/// Samples that are kept raw for each key expression.
const SAMPLES_KEPT: usize = 60;
/// The largest sample that is kept; 60 of them are below 1 MiB.
const KEPT_BYTES_MAX: usize = 16 * 1024;
/// Bytes of newest samples that are larger than that, of all topics on one key expression together.
const LARGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Bytes that are kept of a sample that is too large to be read, or for which there is no room: enough for a screen.
const BEGINNING_BYTES: usize = 256;
/// The most topics that are told apart on one key expression; further ones are read and not listed.
const TOPICS_MAX: usize = 1_000;
/// Time for which a key expression stays subscribed to after a caller has listened to it.
const LISTENED_ON: Duration = Duration::from_mins(10);
/// The most key expressions that stay subscribed to in this way; the one listened to longest ago gives way.
const LISTENED_MAX: usize = 16;
/// Rates are those of so many milliseconds.
const RATE_WINDOW_MS: u64 = 1_000;

/// Providers of one agent that read a sample in the same way: it is scanned once for all of them.
#[derive(Debug)]
pub struct Group {
    /// Locked by receive threads only.
    pub scanner: Mutex<Scanner>,
    pub providers: Vec<ProviderId>,
    /// The order of the fields that the scanner gives.
    pub order: FieldOrder,
}

/// An agent that reads a feed.
#[derive(Clone)]
struct Reader {
    id: AgentId,
    agent: Weak<AgentWorld>,
    groups: Arc<[Group]>,
}

/// The samples that arrive on one key expression. The subscription ends with the last holder.
pub struct Feed {
    inner: Arc<Inner>,
    _subscription: Subscription,
}

/// The part of a feed that the receive thread works with: no subscription, so that it can never end one from inside.
struct Inner {
    sensing: Weak<Sensing>,
    readers: ArcSwap<Vec<Reader>>,
    /// Of what was taken.
    stamps: Stamps,
    /// Places of a ring; taking and putting wait for nobody.
    kept: Vec<ArcSwapOption<Sample>>,
    /// Locked by the receive thread and, once a second, by the clockwork.
    topics: Mutex<Topics>,
}

/// The topics of a key expression.
#[derive(Default)]
struct Topics {
    by_key: BTreeMap<Arc<str>, Topic>,
    /// Bytes of those newest samples that are large.
    large_bytes: usize,
}

/// Counts, rates and the newest sample of one topic.
#[derive(Debug, Clone)]
pub(crate) struct Topic {
    pub key_expr: Arc<str>,
    pub samples: u64,
    pub bytes: u64,
    pub rate_hz: f64,
    pub bytes_per_s: f64,
    /// Samples that were larger than what is read.
    pub too_large: u64,
    /// Size of the newest sample.
    pub newest_bytes: u64,
    /// Of one that is too large to be kept, only the beginning.
    pub newest: Arc<Sample>,
    window: (Instant, u64, u64),
}

/// A feed that is held because somebody listened to it a moment ago.
struct Listened {
    _feed: Arc<Feed>,
    until: Instant,
}

/// Every feed that somebody holds, by key expression.
#[derive(Default)]
pub struct Feeds {
    feeds: Mutex<BTreeMap<String, Weak<Feed>>>,
    listened: Mutex<BTreeMap<String, Listened>>,
    /// Held while one is made, so that two cannot make the same.
    making: tokio::sync::Mutex<()>,
    topics: ArcSwap<Vec<Topic>>,
}

impl Feeds {
    /// The feed of `key_expr`; samples are kept from the moment this answers.
    pub async fn open(&self, sensing: &Arc<Sensing>, key_expr: &str) -> Result<Arc<Feed>, BridgeError> {
        let _making = self.making.lock().await;
        if let Some(feed) = self.get(key_expr) {
            return Ok(feed);
        }
        let inner = Arc::new(Inner {
            sensing: Arc::downgrade(sensing),
            readers: ArcSwap::default(),
            stamps: Stamps::default(),
            kept: (0..SAMPLES_KEPT).map(|_| ArcSwapOption::empty()).collect(),
            topics: Mutex::default(),
        });
        let taking = Arc::clone(&inner);
        let subscription =
            sensing.runtime.link.subscribe_signed(key_expr, move |message| taking.take(&message)).await?;
        let feed = Arc::new(Feed { inner, _subscription: subscription });
        // Registered after the subscription succeeded, so that every feed that is found here receives samples.
        lock(&self.feeds).insert(key_expr.to_owned(), Arc::downgrade(&feed));
        Ok(feed)
    }

    /// Holds the feed of `key_expr` for ten minutes from `now`, so that what it brings stays listed.
    pub(crate) fn listen_on(&self, key_expr: &str, feed: Arc<Feed>, now: Instant) {
        let mut listened = lock(&self.listened);
        listened.insert(key_expr.to_owned(), Listened { _feed: feed, until: now.plus(LISTENED_ON) });
        if listened.len() > LISTENED_MAX
            && let Some(first) = listened.iter().min_by_key(|(_, listened)| listened.until).map(|(key, _)| key.clone())
        {
            listened.remove(&first);
        }
    }

    /// The feed of `key_expr`, if somebody holds it.
    pub fn get(&self, key_expr: &str) -> Option<Arc<Feed>> {
        lock(&self.feeds).get(key_expr).and_then(Weak::upgrade)
    }

    /// Every topic that was heard, as it was at most a second ago.
    pub(crate) fn topics(&self) -> Arc<Vec<Topic>> {
        self.topics.load_full()
    }

    /// Drops raw samples that hold a forgotten text, whoever reads them.
    pub fn forget(&self, needles: &Needles) {
        let held: Vec<Arc<Feed>> = lock(&self.feeds).values().filter_map(Weak::upgrade).collect();
        held.iter().for_each(|feed| feed.inner.forget(needles));
        let topics = self.topics.load().iter().filter(|topic| !needles.is_in(&topic.newest.payload)).cloned().collect();
        self.topics.store(Arc::new(topics));
    }

    /// Brings the list of topics up to date and forgets feeds that nobody holds.
    pub fn refresh(&self, now: Instant) {
        lock(&self.listened).retain(|_, listened| now < listened.until);
        let held: Vec<Arc<Feed>> = {
            let mut feeds = lock(&self.feeds);
            feeds.retain(|_, feed| feed.strong_count() > 0);
            feeds.values().filter_map(Weak::upgrade).collect()
        };
        let mut topics: BTreeMap<Arc<str>, Topic> = BTreeMap::new();
        for topic in held.iter().flat_map(|feed| feed.inner.measured(now)) {
            // Two feeds may bring the same topic; they bring the same samples.
            topics.entry(Arc::clone(&topic.key_expr)).or_insert(topic);
        }
        self.topics.store(Arc::new(topics.into_values().collect()));
    }
}

impl Feed {
    /// Sets what `agent` wants from every sample; nothing ends its reading.
    pub(crate) fn read_by(&self, agent: &Arc<AgentWorld>, groups: Vec<Group>) {
        let reader = Reader { id: agent.id.clone(), agent: Arc::downgrade(agent), groups: groups.into() };
        self.inner.readers.rcu(|readers| {
            let others = readers.iter().filter(|other| other.id != reader.id).cloned();
            let mine = (!reader.groups.is_empty()).then(|| reader.clone());
            others.chain(mine).collect::<Vec<_>>()
        });
    }

    /// The topics that it brought.
    pub(crate) fn heard(&self) -> BTreeSet<Arc<str>> {
        lock(&self.inner.topics).by_key.keys().cloned().collect()
    }

    /// The kept samples, oldest first.
    pub fn kept(&self) -> Vec<Arc<Sample>> {
        let mut kept: Vec<Arc<Sample>> = self.inner.kept.iter().filter_map(ArcSwapOption::load_full).collect();
        kept.sort_by_key(|sample| sample.n);
        kept
    }
}

impl Inner {
    /// On Zenoh's receive thread.
    fn take(&self, message: &SignedSample) {
        // Without a holder the station is ending.
        let Some(sensing) = self.sensing.upgrade() else { return };
        let Some(news) = sensing.news(message, &self.stamps) else { return };
        // Kept even without a reader: trials and the list of topics are served from these samples.
        self.keep(news);
        let readers = self.readers.load();
        if readers.is_empty() {
            return;
        }
        for reader in readers.iter() {
            if let Some(agent) = reader.agent.upgrade() {
                agent.ingest.take(&sensing, &agent, || self.groups_of(&reader.id), news);
            }
        }
    }

    /// The agent's groups as they are now; none if it does not read any more.
    fn groups_of(&self, agent: &AgentId) -> Arc<[Group]> {
        let readers = self.readers.load();
        let reader = readers.iter().find(|reader| reader.id == *agent);
        reader.map_or_else(|| Arc::from([]), |reader| Arc::clone(&reader.groups))
    }

    fn keep(&self, news: News<'_>) {
        let sample = news.sample();
        let bytes = sample.payload.len();
        // The number of the sample names its place, so that keeping it takes no lock.
        if bytes <= KEPT_BYTES_MAX
            && let Some(place) = usize::try_from(sample.n).ok().and_then(|n| self.kept.get(n % SAMPLES_KEPT))
        {
            place.store(Some(Arc::new(sample.clone())));
        }
        // A publisher can make up names without end.
        lock(&self.topics).note(sample);
    }

    fn forget(&self, needles: &Needles) {
        for place in &self.kept {
            if place.load().as_ref().is_some_and(|sample| needles.is_in(&sample.payload)) {
                place.store(None);
            }
        }
        lock(&self.topics).forget(needles);
    }

    fn measured(&self, now: Instant) -> Vec<Topic> {
        let mut topics = lock(&self.topics);
        topics.by_key.values_mut().for_each(|topic| topic.measure(now));
        topics.by_key.values().cloned().collect()
    }
}

impl Topics {
    fn note(&mut self, sample: &Sample) {
        let (bytes, is_room) = (large(sample), self.by_key.len() < TOPICS_MAX);
        let known = self.by_key.get_mut(&sample.key_expr);
        let others = self.large_bytes.saturating_sub(known.as_ref().map_or(0, |topic| large(&topic.newest)));
        let is_kept = !is_too_large(sample) && others + bytes <= LARGE_BYTES_MAX;
        match known {
            Some(topic) => topic.note(sample, is_kept),
            None if is_room => {
                self.by_key.insert(Arc::clone(&sample.key_expr), Topic::first(sample, is_kept));
            }
            None => return,
        }
        self.large_bytes = if is_kept { others + bytes } else { others };
    }

    fn forget(&mut self, needles: &Needles) {
        self.by_key.retain(|_, topic| !needles.is_in(&topic.newest.payload));
        self.large_bytes = self.by_key.values().map(|topic| large(&topic.newest)).sum();
    }
}

impl Topic {
    fn first(sample: &Sample, is_kept: bool) -> Self {
        Self {
            key_expr: Arc::clone(&sample.key_expr),
            samples: 1,
            bytes: sample.payload.len() as u64,
            rate_hz: 0.0,
            bytes_per_s: 0.0,
            too_large: u64::from(is_too_large(sample)),
            newest_bytes: sample.payload.len() as u64,
            newest: Arc::new(if is_kept { sample.clone() } else { beginning(sample) }),
            window: (sample.received, 0, 0),
        }
    }

    fn note(&mut self, sample: &Sample, is_kept: bool) {
        self.samples += 1;
        self.bytes += sample.payload.len() as u64;
        self.newest_bytes = sample.payload.len() as u64;
        self.too_large += u64::from(is_too_large(sample));
        if !is_kept {
            self.newest = Arc::new(beginning(sample));
            return;
        }
        match Arc::get_mut(&mut self.newest) {
            // No reader holds it at the moment, so that its memory can be used again.
            Some(newest) => newest.clone_from(sample),
            None => self.newest = Arc::new(sample.clone()),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "rates for people")]
    fn measure(&mut self, now: Instant) {
        let (began, samples, bytes) = self.window;
        let ms = now.ms_since(began);
        if ms < RATE_WINDOW_MS {
            return;
        }
        let per_second = |count: u64| count as f64 * 1_000.0 / ms as f64;
        self.rate_hz = per_second(self.samples - samples);
        self.bytes_per_s = per_second(self.bytes - bytes);
        self.window = (now, self.samples, self.bytes);
    }
}

fn is_too_large(sample: &Sample) -> bool {
    sample.payload.len() > PAYLOAD_BYTES_MAX
}

/// Bytes of a sample that is large; of others there may be as many as there are topics.
fn large(sample: &Sample) -> usize {
    Some(sample.payload.len()).filter(|bytes| *bytes > KEPT_BYTES_MAX).unwrap_or(0)
}

/// The part of a sample that is kept for screens: a thousand topics must not hold gigabytes.
fn beginning(sample: &Sample) -> Sample {
    let bytes = sample.payload.len().min(BEGINNING_BYTES);
    Sample { payload: Arc::from(&sample.payload[..bytes]), ..sample.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(key_expr: &str, bytes: usize) -> Sample {
        Sample {
            key_expr: key_expr.into(),
            encoding: "application/json".into(),
            payload: vec![b'1'; bytes].into(),
            stamp_ms: None,
            received: Instant::default(),
            received_ms: 0,
            n: 0,
        }
    }

    fn held(topics: &Topics) -> usize {
        topics.by_key.values().map(|topic| topic.newest.payload.len()).sum()
    }

    #[test]
    fn the_newest_samples_of_many_topics_take_no_more_room_than_there_is() {
        let mut topics = Topics::default();
        for n in 0..TOPICS_MAX {
            topics.note(&sample(&format!("lab/{n}"), PAYLOAD_BYTES_MAX));
        }
        assert!(held(&topics) <= LARGE_BYTES_MAX + TOPICS_MAX * BEGINNING_BYTES, "{}", held(&topics));
        let last = &topics.by_key["lab/999"];
        assert_eq!((last.newest_bytes, last.too_large), (PAYLOAD_BYTES_MAX as u64, 0));
        (0..4).for_each(|n| topics.note(&sample(&format!("lab/{n}"), 1)));
        topics.note(&sample("lab/999", PAYLOAD_BYTES_MAX));
        assert_eq!(topics.by_key["lab/999"].newest.payload.len(), PAYLOAD_BYTES_MAX, "there is room again");
        assert_eq!(topics.large_bytes, PAYLOAD_BYTES_MAX);
    }
}
