//! The station's end of one robot's wire. Everything a station says to a robot leaves through here.

use std::collections::BTreeMap;
use std::hash::RandomState;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use robot::{ActuatorId, Manifest, RobotId, StationId};
use safety::Fence;
use zenoh::pubsub::Publisher;
use zenoh::qos::Priority;

use crate::link::Link;
use crate::stop_sender::{StopPublishers, StopPutFn, StopSender};
use crate::{BridgeError, RobotKeys};

/// Publishers to one robot. Puts may wait for up to five seconds while the network is full, so each robot's link is
/// used from a thread of its own; [`RobotLink::stop`] alone never waits.
pub struct RobotLink {
    pub(crate) robot: RobotId,
    pub(crate) station: StationId,
    pub(crate) fence: Arc<Fence>,
    pub(crate) commands: BTreeMap<ActuatorId, Publisher<'static>>,
    pub(crate) claims: Publisher<'static>,
    pub(crate) releases: Publisher<'static>,
    pub(crate) beats: Publisher<'static>,
    pub(crate) stops: StopSender,
    /// The newest beat that was put; 0 before the first.
    pub(crate) beat_put: AtomicU64,
    /// The newest beat that was answered; 0 before the first.
    pub(crate) beat_answered: AtomicU64,
    /// Makes each beat's nonce, unknown to everybody else.
    pub(crate) nonces: RandomState,
}

impl Link {
    /// Declares the publishers to the robot of `manifest` and starts its stop thread.
    pub fn robot(
        &self,
        manifest: &Manifest,
        station: StationId,
        fence: Arc<Fence>,
        on_stop_put: StopPutFn,
    ) -> Result<RobotLink, BridgeError> {
        let keys = RobotKeys::new(manifest);
        let mut commands = BTreeMap::new();
        for actuator in &manifest.actuators {
            let publisher = self.control_publisher(&actuator.key, Priority::InteractiveHigh)?;
            commands.insert(actuator.id.clone(), publisher);
        }
        let stopping = StopPublishers {
            stop: self.control_publisher(&keys.stop(), Priority::RealTime)?,
            hold: self.control_publisher(&keys.hold(), Priority::RealTime)?,
        };
        Ok(RobotLink {
            robot: manifest.id.clone(),
            station,
            fence,
            commands,
            claims: self.control_publisher(&keys.claim(), Priority::InteractiveHigh)?,
            releases: self.control_publisher(&keys.release(), Priority::InteractiveHigh)?,
            beats: self.control_publisher(&keys.beat(), Priority::InteractiveHigh)?,
            stops: StopSender::start(manifest.id.clone(), stopping, on_stop_put)?,
            beat_put: AtomicU64::new(0),
            beat_answered: AtomicU64::new(0),
            nonces: RandomState::new(),
        })
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

    /// The fence every command to it passes.
    #[must_use]
    pub fn fence(&self) -> &Arc<Fence> {
        &self.fence
    }
}
