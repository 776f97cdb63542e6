//! The robot's cameras, the detections in their pictures and its map, handed on as they come. They have a participant
//! and a thread of their own, so that no picture delays a measurement or a stop, and are read only while a station
//! looks.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridge::{BridgeError, ClockFn, GRID_BYTES_MAX, Link, SamplePublisher};
use robot::{Instant, Manifest, PictureEncoding};
use ros2_client::dds::rustdds::DomainParticipant;

use super::domain::{Domain, DomainError, SizedReader, dds_topic, dds_type, read_newest};
use super::listening::take;
use super::wiring::Ros2Wiring;

/// Period of looks at the topics.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Period of looks at who listens.
const LISTENERS_EVERY: Duration = Duration::from_millis(250);
/// A map that its robot sends once reaches whoever came later, or missed it, after this time.
const MAP_AGAIN_EVERY: Duration = Duration::from_secs(20);
/// Messages of one topic that are read at one look.
const MESSAGES_PER_LOOK: usize = 64;
/// Reasons of one topic that are told: one of them may have a number that changes.
const REASONS_MAX: usize = 16;
/// The largest message: a picture of two megapixels in colour, or a map.
const BYTES_MAX: usize = GRID_BYTES_MAX;

/// The thread that hands on; it ends with this.
pub struct Relay(Arc<AtomicBool>);

impl Drop for Relay {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The reason that nothing is handed on.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// Towards the robot.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// Towards the stations.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
}

impl Relay {
    /// Hands on the cameras, detections and the map that wiring and manifest name both; none if they name nothing.
    pub fn start(
        wiring: &Ros2Wiring,
        manifest: &Manifest,
        link: &Link,
        clock: &ClockFn,
    ) -> Result<Option<Self>, RelayError> {
        let topics = topics(wiring, manifest, link)?;
        if topics.is_empty() {
            return Ok(None);
        }
        let domain = Domain::join_as("gate_pictures", wiring)?;
        let ended = Arc::<AtomicBool>::default();
        let (clock, end) = (ClockFn::clone(clock), Arc::clone(&ended));
        let run = move || hand_on(&domain, topics, &clock, &end);
        let started = std::thread::Builder::new().name("ros2-pictures".to_owned()).spawn(run);
        started.map_err(|error| DomainError::new("a thread", error))?;
        Ok(Some(Self(ended)))
    }
}

/// A topic, and where its messages go.
struct Topic {
    name: String,
    message: &'static str,
    kind: Kind,
    publisher: SamplePublisher,
    reader: Option<SizedReader<BYTES_MAX>>,
    put: Option<Instant>,
    /// The newest map.
    newest: Option<Vec<u8>>,
    refused: BTreeSet<String>,
}

/// The kinds of topics that are handed on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Pictures of a camera, or the detections in them; no more often than this.
    Camera(Duration),
    /// A map.
    Map,
}

fn topics(wiring: &Ros2Wiring, manifest: &Manifest, link: &Link) -> Result<Vec<Topic>, BridgeError> {
    let mut topics = Vec::new();
    let mut add = |name: &str, message, kind, publisher| {
        let (reader, put, newest, refused) = Default::default();
        topics.push(Topic { name: wiring.absolute(name), message, kind, publisher, reader, put, newest, refused });
    };
    for camera in &manifest.cameras {
        // Less than the time between two pictures, so that one which comes a little early is not dropped.
        let kind = Kind::Camera(Duration::from_secs_f64(0.8 / camera.rate_hz));
        if let (Some(name), Some(message)) = (wiring.cameras.get(&camera.id), message_of(camera.encoding)) {
            add(name, message, kind, link.picture_publisher(&camera.key, camera.encoding)?);
        }
        if let (Some(name), Some(source)) = (wiring.detections.get(&camera.id), &camera.detections) {
            let publisher = link.detection_publisher(&source.key, source.encoding)?;
            add(name, "vision_msgs/msg/Detection2DArray", kind, publisher);
        }
    }
    if let (Some(name), Some(map)) = (&wiring.map, &manifest.map) {
        add(name, "nav_msgs/msg/OccupancyGrid", Kind::Map, link.map_publisher(&map.key)?);
    }
    Ok(topics)
}

/// The message of ROS 2 that has pictures of this form.
pub const fn message_of(encoding: PictureEncoding) -> Option<&'static str> {
    match encoding {
        PictureEncoding::Jpeg => None,
        PictureEncoding::CompressedImage => Some("sensor_msgs/msg/CompressedImage"),
        PictureEncoding::Image => Some("sensor_msgs/msg/Image"),
    }
}

fn hand_on(domain: &Domain, mut topics: Vec<Topic>, clock: &ClockFn, ended: &AtomicBool) {
    let mut looked: Option<Instant> = None;
    while !ended.load(Ordering::Acquire) {
        let now = clock().station;
        if looked.is_none_or(|looked| now.since(looked) >= LISTENERS_EVERY) {
            looked = Some(now);
            topics.iter_mut().for_each(|topic| topic.follow_listeners(&domain.participant));
        }
        topics.iter_mut().for_each(|topic| topic.hand_on(now));
        std::thread::sleep(LOOK_EVERY);
    }
}

/// A reader of a topic that is handed on.
pub(super) fn open(
    participant: &DomainParticipant,
    name: &str,
    message: &str,
    kind: Kind,
) -> Result<SizedReader<BYTES_MAX>, DomainError> {
    // A map is often sent once, and kept for whoever joins later.
    let is_durable = matches!(kind, Kind::Map);
    let reader = read_newest(participant, &dds_topic(name), &dds_type(message), is_durable)?;
    if !is_durable {
        // RustDDS keeps messages longer than their readers: a picture of the last time is none of now.
        std::iter::from_fn(|| take(&reader)).take(MESSAGES_PER_LOOK).for_each(drop);
    }
    Ok(reader)
}

impl Topic {
    /// Reads the topic if somebody listens, and else not.
    fn follow_listeners(&mut self, participant: &DomainParticipant) {
        if !self.publisher.is_listened_to() {
            // Without a reader the robot does not send pictures that nobody looks at.
            (self.reader, self.put, self.newest) = (None, None, None);
        } else if self.reader.is_none() {
            match open(participant, &self.name, self.message, self.kind) {
                Ok(reader) => self.reader = Some(reader),
                Err(error) => self.refuse(error.to_string()),
            }
        }
    }

    fn hand_on(&mut self, now: Instant) {
        let mut newest = None;
        // Only the newest goes on: a slow network would show older and older pictures otherwise.
        for _ in 0..MESSAGES_PER_LOOK {
            let Some(message) = self.reader.as_ref().and_then(take) else { break };
            match message {
                Ok(message) => newest = Some(message),
                Err(reason) => self.refuse(reason),
            }
        }
        let since = |least: Duration| self.put.is_none_or(|put| now.since(put) >= least);
        let due = match self.kind {
            Kind::Camera(least) => newest.filter(|_| since(least)),
            Kind::Map => {
                let is_due = newest.is_some() || since(MAP_AGAIN_EVERY);
                self.newest = newest.or_else(|| self.newest.take());
                // A map has megabytes, and this comes a hundred times a second.
                is_due.then(|| self.newest.clone()).flatten()
            }
        };
        let Some(message) = due else { return };
        self.put = Some(now);
        if let Err(error) = self.publisher.put(message) {
            self.refuse(error.to_string());
        }
    }

    /// Says each reason once.
    fn refuse(&mut self, reason: String) {
        if self.refused.len() < REASONS_MAX && self.refused.insert(reason.clone()) {
            tracing::warn!(topic = self.name, reason, "a picture, its detections or a map is not handed on");
        }
    }
}
