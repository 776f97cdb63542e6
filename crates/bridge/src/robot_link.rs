//! The station's end of one robot's wire. Everything a station says to a robot leaves through here.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use robot::{Manifest, RobotId, StationId};
use safety::Fence;
use zenoh::qos::Priority;

use crate::claim::Claims;
use crate::link::Link;
use crate::send::{CommandSender, Outlet};
use crate::signing::{PublicKey, SignedPublisher, SigningKey};
use crate::stop_sender::{StopPublishers, StopPutFn, StopSender};
use crate::{BridgeError, RobotKeys};

/// Names the random number that holds are counted from; every number of a hold is exact in any JSON library.
const HOLDS: &str = "holds";

/// Publishers to one robot. Commands, stops and holds leave on threads of their own, and callers never
/// wait for them, nor for beats, which are dropped while the network is full. The other puts may wait for up to five seconds while the network is full.
pub struct RobotLink {
    pub(crate) robot: RobotId,
    pub(crate) station: StationId,
    /// Signs the station's messages.
    pub(crate) key: Arc<SigningKey>,
    /// Verifies the robot's messages; absent if its manifest has no key.
    pub(crate) robot_key: Option<PublicKey>,
    pub(crate) fence: Arc<Fence>,
    pub(crate) commands: CommandSender,
    pub(crate) beats: SignedPublisher,
    pub(crate) commissions: SignedPublisher,
    /// Number of the newest message about commissioning.
    pub(crate) commission_put: AtomicU64,
    pub(crate) stops: StopSender,
    /// Number of the newest hold. The first is one that nobody can have recorded of an earlier run.
    pub(crate) hold_put: AtomicU64,
    /// The newest epoch that was claimed; 0 before the first.
    pub(crate) epoch_claimed: Arc<AtomicU64>,
    /// The newest beat that was put; 0 before the first.
    pub(crate) beat_put: AtomicU64,
    /// The newest beat that was answered; 0 before the first.
    pub(crate) beat_answered: Arc<AtomicU64>,
    /// Makes each beat's nonce, unknown to everybody else.
    pub(crate) nonces: RandomState,
}

impl Link {
    /// Declares the publishers to the robot of `manifest` and starts its stop thread. Messages of `station` are signed
    /// with `key`; the robot's are verified with the key in its manifest. Claims stand apart from the rest: they follow
    /// one another, and nothing else waits for them.
    pub fn robot(
        &self,
        manifest: &Manifest,
        station: StationId,
        key: &Arc<SigningKey>,
        fence: Arc<Fence>,
        on_stop_put: StopPutFn,
    ) -> Result<(RobotLink, Claims), BridgeError> {
        let robot_key = manifest.public_key.as_deref().map(str::parse).transpose();
        let robot_key = robot_key.map_err(|source| BridgeError::RobotKey { robot: manifest.id.clone(), source })?;
        let keys = RobotKeys::new(manifest);
        let signed = |key_expr: &str| {
            self.control_publisher(key_expr, Priority::InteractiveHigh)
                .map(|publisher| SignedPublisher::new(publisher, key))
        };
        let of_actuators = manifest.actuators.iter();
        let publishers = of_actuators.map(|actuator| Ok((actuator.id.clone(), signed(&actuator.key)?)));
        let (beat_answered, nonces) = (Arc::<AtomicU64>::default(), RandomState::new());
        let outlet = Outlet {
            robot: manifest.id.clone(),
            fence: Arc::clone(&fence),
            publishers: publishers.collect::<Result<_, BridgeError>>()?,
            beat_answered: Arc::clone(&beat_answered),
            clock: Arc::clone(&self.clock),
        };
        let stopping = StopPublishers {
            // Ahead of everything else in this session, commands included.
            stop: self.control_publisher(&keys.stop(), Priority::RealTime)?,
            hold: self.control_publisher(&keys.hold(), Priority::RealTime)?,
        };
        let epoch_claimed = Arc::<AtomicU64>::default();
        let claims = Claims {
            robot: manifest.id.clone(),
            station: station.clone(),
            claims: signed(&keys.claim())?,
            releases: signed(&keys.release())?,
            epoch_claimed: Arc::clone(&epoch_claimed),
        };
        let link = RobotLink {
            robot: manifest.id.clone(),
            station,
            key: Arc::clone(key),
            robot_key,
            fence,
            commands: CommandSender::start(outlet)?,
            beats: SignedPublisher::new(self.beat_publisher(&keys.beat())?, key),
            commissions: signed(&keys.commission())?,
            commission_put: AtomicU64::new(0),
            stops: StopSender::start(manifest.id.clone(), stopping, on_stop_put)?,
            // Of 48 bits, which stay exact where numbers of JSON are read as doubles.
            hold_put: AtomicU64::new(nonces.hash_one(HOLDS) >> 16),
            epoch_claimed,
            beat_put: AtomicU64::new(0),
            beat_answered,
            nonces,
        };
        Ok((link, claims))
    }
}

impl RobotLink {
    /// The robot at the other end.
    #[must_use]
    pub fn robot(&self) -> &RobotId {
        &self.robot
    }

    /// The station at this end.
    #[must_use]
    pub fn station(&self) -> &StationId {
        &self.station
    }

    /// True while somebody listens to the beats for this robot: its gate is connected.
    #[must_use]
    pub fn is_listened_to(&self) -> bool {
        self.beats.is_listened_to()
    }

    /// The fence every command to it passes.
    #[must_use]
    pub fn fence(&self) -> &Arc<Fence> {
        &self.fence
    }
}
