//! One Zenoh session: opening it, subscribing, publishing samples. Commands leave through [`crate::RobotLink`] only.

mod profile;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use robot::{Codec, DetectionEncoding, Now, PictureEncoding, Sample};
use zenoh::bytes::{Encoding, ZBytes};
use zenoh::internal::runtime::{Runtime, RuntimeBuilder, ZRuntime};
use zenoh::key_expr::KeyExpr;
use zenoh::pubsub::{Publisher, Subscriber};
use zenoh::qos::{CongestionControl, Priority, Reliability};
use zenoh::sample::{Locality, SampleKind, SourceInfo};
use zenoh::{Config, Session, Wait};

pub(crate) use profile::MESSAGE_BYTES_MAX;
pub use profile::{Profile, RouterLink};

use crate::BridgeError;
use crate::envelope::MESSAGE_BYTES_MAX as COMMAND_BYTES_MAX;
use crate::payload::held::HeldMessage;
use crate::signing::{SignedSample, SigningKey};

/// Reads both clocks. The bridge has none of its own, so that a test or a replay can hand it any time.
pub type ClockFn = Arc<dyn Fn() -> Now + Send + Sync>;

/// Endpoints of a session. Those of the first two fields are `tcp` on loopback; a file may be of either profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkConfig {
    /// For example `tcp/127.0.0.1:0`; replaces what the file says, if not empty.
    pub listen: Vec<String>,
    /// For example `tcp/127.0.0.1:7447`; replaces what the file says, if not empty.
    pub connect: Vec<String>,
    /// A Zenoh configuration file in JSON5.
    pub file: Option<PathBuf>,
}

/// Called with the key expression of each message that is refused because it names no single key.
pub type RefusedFn = Arc<dyn Fn(&str) + Send + Sync>;

/// An open session.
#[derive(Clone)]
pub struct Link {
    pub(crate) session: Session,
    /// Of a client alone, which outlives every loss of its router.
    runtime: Option<Runtime>,
    pub(crate) clock: ClockFn,
    on_refused: RefusedFn,
}

/// A running subscription; dropping it ends it.
#[must_use = "dropping a subscription ends it"]
pub struct Subscription {
    _subscriber: Subscriber<()>,
}

/// Puts samples on one key: what robots and sensors say. It cannot be made for a command key.
pub struct SamplePublisher {
    publisher: Publisher<'static>,
    signer: Option<Arc<SigningKey>>,
}

impl Link {
    /// Opens a session. Fails if a setting is not local, or if a listening address is taken.
    pub async fn open(config: LinkConfig, clock: ClockFn) -> Result<Self, BridgeError> {
        let (config, profile) = profile::config_of(&config)?;
        match profile {
            Profile::Local => {
                let session = zenoh::open(config).await.map_err(|source| BridgeError::Open { source })?;
                Ok(Self::over(session, None, clock))
            }
            Profile::Production => Self::open_client(config, clock).await,
        }
    }

    /// Opens the session of a station in the production profile. It is there at once, and reaches the router as soon as
    /// the router can be reached, now and after each interruption.
    pub async fn open_to_router(link: &RouterLink, clock: ClockFn) -> Result<Self, BridgeError> {
        Self::open_client(profile::station_config(link)?, clock).await
    }

    /// Opens the session on which a station waits for the gate of a sealed pairing, beside its own: nothing of that can
    /// be reached through it. It fails if the address is taken, or none of this computer.
    pub async fn open_for_pairing(address: SocketAddr, site: &str, clock: ClockFn) -> Result<Self, BridgeError> {
        let session = zenoh::open(profile::waiting(address, site)?).await;
        Ok(Self::over(session.map_err(|source| BridgeError::Open { source })?, None, clock))
    }

    /// Opens the session of a gate that looks for such a station at `endpoint`, for example `tcp/192.168.7.1:7448`. It
    /// is there at once, and reaches the station as soon as that listens.
    pub async fn open_to_pairing(endpoint: &str, site: &str, robot: &str, clock: ClockFn) -> Result<Self, BridgeError> {
        let session = zenoh::open(profile::reaching(endpoint, site, robot)?).await;
        Ok(Self::over(session.map_err(|source| BridgeError::Open { source })?, None, clock))
    }

    /// Zenoh's own `open` of a client waits for the router, or fails without it.
    async fn open_client(config: Config, clock: ClockFn) -> Result<Self, BridgeError> {
        let opened = |source| BridgeError::Open { source };
        let runtime = RuntimeBuilder::new(config).build().await.map_err(opened)?;
        let session = zenoh::session::init(runtime.clone().into()).await.map_err(opened)?;
        let mut starting = runtime.clone();
        // On Zenoh's own runtime: it waits for the router for as long as that takes, while the station goes on.
        ZRuntime::Net.spawn(async move {
            if let Err(error) = starting.start().await {
                tracing::error!(%error, "the Zenoh session ends without a router");
            }
        });
        Ok(Self::over(session, Some(runtime), clock))
    }

    fn over(session: Session, runtime: Option<Runtime>, clock: ClockFn) -> Self {
        let on_refused = Arc::new(|key_expr: &str| tracing::warn!(key_expr, "a put on a wildcard was refused"));
        Self { session, runtime, clock, on_refused }
    }

    /// The profile of the session.
    #[must_use]
    pub fn profile(&self) -> Profile {
        if self.runtime.is_some() { Profile::Production } else { Profile::Local }
    }

    /// True while a router takes part: in the production profile nothing is sent or received without one.
    #[must_use]
    pub fn has_router(&self) -> bool {
        self.session.info().routers_zid().wait().count() > 0
    }

    /// The same session, which from now on tells `on_refused` of what its subscriptions refuse. It runs on Zenoh's own
    /// thread and must not block.
    #[must_use]
    pub fn telling(self, on_refused: RefusedFn) -> Self {
        Self { on_refused, ..self }
    }

    /// The addresses it listens on, with the real port where 0 was asked for.
    #[must_use]
    pub fn endpoints(&self) -> Vec<String> {
        self.session.info().locators().wait().iter().map(ToString::to_string).collect()
    }

    /// Number of other sessions that it is connected to now.
    #[must_use]
    pub fn peer_count(&self) -> usize {
        let info = self.session.info();
        info.peers_zid().wait().count() + info.routers_zid().wait().count()
    }

    /// Ends the session and every subscription in it.
    pub async fn close(self) {
        if let Err(error) = self.session.close().await {
            tracing::warn!(%error, "the Zenoh session did not close cleanly");
        }
        if let Some(runtime) = self.runtime
            && let Err(error) = runtime.close().await
        {
            tracing::warn!(%error, "the Zenoh client did not close cleanly");
        }
    }

    /// Calls `on_sample`, on Zenoh's own thread, for every put of another session on a single key. It must not block.
    /// A put on a wildcard would reach subscribers of keys that its signature does not name, so it is refused.
    pub async fn subscribe(
        &self,
        key_expr: &str,
        on_sample: impl Fn(Sample) + Send + Sync + 'static,
    ) -> Result<Subscription, BridgeError> {
        self.subscribe_signed(key_expr, move |signed| on_sample(signed.sample)).await
    }

    /// As [`Link::subscribe`], for messages whose writer must be known.
    pub async fn subscribe_signed(
        &self,
        key_expr: &str,
        on_sample: impl Fn(SignedSample) + Send + Sync + 'static,
    ) -> Result<Subscription, BridgeError> {
        let on_refused = Arc::clone(&self.on_refused);
        let hear = move |message: SignedSample| {
            if message.is_on_wildcard() { on_refused(&message.sample.key_expr) } else { on_sample(message) }
        };
        self.subscribe_up_to(usize::MAX, key_expr, hear).await
    }

    /// The same with puts on wildcards, for a gate, which answers that it cannot read them. Of a message that is too large
    /// to be read it gets so much that it is still too large: its messages wait, and hundreds of giants would end it.
    pub(crate) async fn subscribe_to_all(
        &self,
        key_expr: &str,
        on_sample: impl Fn(SignedSample) + Send + Sync + 'static,
    ) -> Result<Subscription, BridgeError> {
        self.subscribe_up_to(COMMAND_BYTES_MAX + 1, key_expr, on_sample).await
    }

    async fn subscribe_up_to(
        &self,
        bytes_max: usize,
        key_expr: &str,
        on_sample: impl Fn(SignedSample) + Send + Sync + 'static,
    ) -> Result<Subscription, BridgeError> {
        let clock = Arc::clone(&self.clock);
        let arrived = AtomicU64::new(0);
        let subscriber = self
            .session
            .declare_subscriber(parse_key(key_expr)?)
            .callback(move |sample| {
                if sample.kind() == SampleKind::Put {
                    on_sample(received(&sample, bytes_max, clock(), arrived.fetch_add(1, Ordering::Relaxed)));
                }
            })
            // Puts of this session would otherwise come back to it as if a robot had said them.
            .allowed_origin(Locality::Remote)
            .await
            .map_err(|source| BridgeError::Declare { key_expr: key_expr.to_owned(), source })?;
        Ok(Subscription { _subscriber: subscriber })
    }

    /// Calls `on_message`, on Zenoh's own thread, for every put of another session on the key of a camera or a map.
    /// Nothing of the message is copied or read there.
    pub async fn subscribe_held(
        &self,
        key: &str,
        on_message: impl Fn(HeldMessage) + Send + Sync + 'static,
    ) -> Result<Subscription, BridgeError> {
        let clock = Arc::clone(&self.clock);
        let subscriber = self
            .session
            .declare_subscriber(parse_key(key)?)
            .callback(move |sample| {
                if sample.kind() == SampleKind::Put && !sample.key_expr().is_wild() {
                    on_message(HeldMessage::new(sample, clock()));
                }
            })
            .allowed_origin(Locality::Remote)
            .await
            .map_err(|source| BridgeError::Declare { key_expr: key.to_owned(), source })?;
        Ok(Subscription { _subscriber: subscriber })
    }

    /// A publisher of samples on `key`, encoded as `codec` says; when the network is full the sample is dropped,
    /// because the next one is newer.
    pub fn sample_publisher(&self, key: &str, codec: Codec) -> Result<SamplePublisher, BridgeError> {
        self.dropping_publisher(key, encoding(codec), Priority::Data)
    }

    /// A publisher of a camera's pictures on `key`: everything else goes before them.
    pub fn picture_publisher(&self, key: &str, encoding: PictureEncoding) -> Result<SamplePublisher, BridgeError> {
        let encoding = match encoding {
            PictureEncoding::Jpeg => Encoding::IMAGE_JPEG,
            PictureEncoding::CompressedImage | PictureEncoding::Image => Encoding::APPLICATION_CDR,
        };
        self.dropping_publisher(key, encoding, Priority::Background)
    }

    /// A publisher of detections in a camera's pictures on `key`: everything else goes before them.
    pub fn detection_publisher(&self, key: &str, encoding: DetectionEncoding) -> Result<SamplePublisher, BridgeError> {
        let encoding = match encoding {
            DetectionEncoding::Json => Encoding::APPLICATION_JSON,
            DetectionEncoding::Detection2dArray => Encoding::APPLICATION_CDR,
        };
        self.dropping_publisher(key, encoding, Priority::Background)
    }

    /// A publisher of a robot's map on `key`: everything else goes before it.
    pub fn map_publisher(&self, key: &str) -> Result<SamplePublisher, BridgeError> {
        self.dropping_publisher(key, Encoding::APPLICATION_CDR, Priority::Background)
    }

    fn dropping_publisher(
        &self,
        key: &str,
        encoding: Encoding,
        priority: Priority,
    ) -> Result<SamplePublisher, BridgeError> {
        let key_expr = parse_key(key)?;
        // A sample on a command key would reach a gate past the
        // fence; one on a wildcard is refused by every subscriber.
        if key_expr.is_wild() || key.split('/').any(|chunk| chunk == "cmd") {
            return Err(BridgeError::NotASampleKey { key_expr: key.to_owned() });
        }
        let publisher = self
            .session
            .declare_publisher(key_expr)
            .encoding(encoding)
            .congestion_control(CongestionControl::Drop)
            .priority(priority)
            .wait()
            .map_err(|source| BridgeError::Declare { key_expr: key.to_owned(), source })?;
        Ok(SamplePublisher { publisher, signer: None })
    }

    /// The same for a robot with a key: its state counts only under its signature.
    pub fn signed_sample_publisher(
        &self,
        key: &str,
        codec: Codec,
        signer: &Arc<SigningKey>,
    ) -> Result<SamplePublisher, BridgeError> {
        Ok(SamplePublisher { signer: Some(Arc::clone(signer)), ..self.sample_publisher(key, codec)? })
    }

    /// A publisher between station and gate: delivered in order, never dropped, never batched.
    pub(crate) fn control_publisher(&self, key: &str, priority: Priority) -> Result<Publisher<'static>, BridgeError> {
        self.publisher_to_gate(key, priority, CongestionControl::Block)
    }

    /// The same for what is put again soon: while the network is full it is dropped, so that one robot that takes nothing in
    /// holds up no other.
    pub(crate) fn beat_publisher(&self, key: &str) -> Result<Publisher<'static>, BridgeError> {
        self.publisher_to_gate(key, Priority::InteractiveHigh, CongestionControl::Drop)
    }

    fn publisher_to_gate(
        &self,
        key: &str,
        priority: Priority,
        when_full: CongestionControl,
    ) -> Result<Publisher<'static>, BridgeError> {
        self.session
            .declare_publisher(parse_key(key)?)
            .encoding(Encoding::APPLICATION_JSON)
            .congestion_control(when_full)
            .priority(priority)
            // Not batched: a stop must not wait until others fill a batch.
            .express(true)
            .reliability(Reliability::Reliable)
            .allowed_destination(Locality::Remote)
            .wait()
            .map_err(|source| BridgeError::Declare { key_expr: key.to_owned(), source })
    }
}

impl SamplePublisher {
    /// True if another session subscribes to its key now.
    #[must_use]
    pub fn is_listened_to(&self) -> bool {
        self.publisher.matching_status().wait().is_ok_and(|status| status.matching())
    }

    /// Puts one sample.
    pub fn put(&self, payload: Vec<u8>) -> Result<(), BridgeError> {
        let signed = |key: &Arc<SigningKey>| key.sign(self.publisher.key_expr().as_str(), &payload).to_vec();
        let signature = self.signer.as_ref().map(signed);
        put_with(&self.publisher, payload, signature)
    }
}

/// The only call of Zenoh's put. It names the session, so that two writers of one key can be told apart.
pub(crate) fn put_with(
    publisher: &Publisher<'_>,
    payload: Vec<u8>,
    attachment: Option<Vec<u8>>,
) -> Result<(), BridgeError> {
    publisher
        .put(payload)
        .attachment(attachment)
        .source_info(SourceInfo::new(publisher.id(), 0))
        .wait()
        .map_err(|source| BridgeError::Put { key_expr: publisher.key_expr().to_string(), source })
}

fn parse_key(key_expr: &str) -> Result<KeyExpr<'static>, BridgeError> {
    KeyExpr::new(key_expr.to_owned())
        .map_err(|source| BridgeError::BadKeyExpression { key_expr: key_expr.to_owned(), source })
}

fn encoding(codec: Codec) -> Encoding {
    match codec {
        Codec::Json => Encoding::APPLICATION_JSON,
        Codec::Cbor => Encoding::APPLICATION_CBOR,
        Codec::Text => Encoding::TEXT_PLAIN,
        Codec::Auto => Encoding::ZENOH_BYTES,
    }
}

fn received(sample: &zenoh::sample::Sample, bytes_max: usize, now: Now, n: u64) -> SignedSample {
    let attachment = sample.attachment().map(ZBytes::to_bytes);
    let writer = sample.source_info().map(|source| source.source_id().zid());
    let sample = Sample {
        key_expr: Arc::from(sample.key_expr().as_str()),
        encoding: Arc::from(sample.encoding().to_string()),
        payload: beginning(sample.payload(), bytes_max),
        stamp_ms: sample.timestamp().and_then(|stamp| unix_ms(stamp.get_time().to_duration())),
        received: now.station,
        received_ms: now.wall_ms,
        n,
    };
    SignedSample::new(sample, attachment.as_deref()).written_by(writer)
}

/// A payload, or as many of its bytes.
fn beginning(payload: &ZBytes, bytes_max: usize) -> Arc<[u8]> {
    if payload.len() <= bytes_max {
        return Arc::from(payload.to_bytes().as_ref());
    }
    payload.slices().flatten().copied().take(bytes_max).collect()
}

fn unix_ms(since_1970: Duration) -> Option<i64> {
    i64::try_from(since_1970.as_millis()).ok()
}

#[cfg(test)]
mod tests;
