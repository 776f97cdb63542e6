//! Pictures of cameras. A camera is subscribed to while somebody looks; its newest message is kept as it came, takes
//! the place of the one before, and is read when it is asked for. Nothing is done on Zenoh's receive thread but
//! keeping it. The messages of a detector that looks through the camera are kept in the same way.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bridge::{Detection, HeldMessage, Jpeg};
use robot::{Camera, CameraId, DetectionFault, DetectionSource, Instant, PictureEncoding, PictureFault, RobotId};

use crate::newest::Newest;
use crate::watched::Watched;
use crate::{Sensing, SensingCode};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{CameraDetections, CameraFrame, DetectedObject};

/// Rates are those of so many milliseconds.
const RATE_WINDOW_MS: u64 = 2_000;
/// Arrivals that a rate is taken from: the fastest camera over the window.
const ARRIVALS_MAX: usize = 256;

pub(crate) type Id = (RobotId, CameraId);

/// The cameras that somebody looks at.
pub(crate) type Cameras = Watched<Id, Camera, View>;

/// The detectors whose cameras somebody looks at.
pub(crate) type Detectors = Watched<Id, DetectionSource, Newest<Detected, DetectionFault>>;

/// Objects in a picture, and the arrival of their message.
#[derive(Debug, Clone)]
pub(crate) struct Detected {
    received: Instant,
    objects: Arc<[DetectedObject]>,
}

impl Detected {
    fn of(message: &HeldMessage, declared: &DetectionSource) -> Result<Self, DetectionFault> {
        let object = |Detection { label, confidence, min_px, max_px }: Detection| DetectedObject {
            label,
            confidence,
            min_px,
            max_px,
        };
        let objects = message.detections(declared.encoding)?.into_iter().map(object).collect();
        Ok(Self { received: message.received().station, objects })
    }
}

/// The messages of one camera.
pub(crate) struct View {
    encoding: PictureEncoding,
    newest: Newest<Picture, PictureFault>,
    /// Arrivals of messages, oldest first.
    arrivals: Mutex<VecDeque<Instant>>,
}

/// A picture that can be shown.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Station clock at its arrival.
    pub received: Instant,
    /// Its file.
    pub jpeg: Jpeg,
}

impl View {
    fn new(encoding: PictureEncoding) -> Self {
        Self { encoding, newest: Newest::default(), arrivals: Mutex::default() }
    }

    /// On Zenoh's receive thread.
    fn take(&self, message: HeldMessage) {
        let mut arrivals = lock(&self.arrivals);
        if arrivals.len() == ARRIVALS_MAX {
            arrivals.pop_front();
        }
        arrivals.push_back(message.received().station);
        drop(arrivals);
        // Not decoded here: the receive thread serves every other subscription as well.
        self.newest.take(message);
    }

    /// The newest picture and the fault of a newer message.
    fn newest(&self) -> (Option<Picture>, Option<PictureFault>) {
        self.newest.look(|message| {
            let jpeg = message.picture(self.encoding)?;
            Ok(Picture { received: message.received().station, jpeg })
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    fn rate_hz(&self, now: Instant) -> f64 {
        let arrivals = lock(&self.arrivals);
        let counted = arrivals.iter().rev().take_while(|arrived| now.ms_since(**arrived) < RATE_WINDOW_MS).count();
        counted as f64 * 1_000.0 / RATE_WINDOW_MS as f64
    }
}

impl Sensing {
    /// The facts about a camera, which is watched from now on, and its newest picture. `after_ms` is the arrival of the
    /// picture that the caller has.
    pub(crate) async fn camera_frame(
        &self,
        robot: RobotId,
        camera: CameraId,
        after_ms: Option<u64>,
    ) -> Result<CameraFrame, OpError> {
        let Some(declared) = self.sources.camera(&robot, &camera) else {
            return Err(OpError::not_found(SensingCode::CameraNotFound, "camera", format!("{robot}/{camera}")));
        };
        let view = self.watch(&robot, &declared).await?;
        let detections = self.detections(&robot, &declared).await;
        let (picture, fault) = view.newest();
        let observed_mono_ms = picture.as_ref().map(|picture| picture.received.mono_ms());
        Ok(CameraFrame {
            robot,
            camera,
            observed_mono_ms,
            newer: observed_mono_ms.is_some_and(|observed| after_ms.is_none_or(|after| after < observed)),
            width_px: picture.as_ref().map(|picture| picture.jpeg.width_px),
            height_px: picture.as_ref().map(|picture| picture.jpeg.height_px),
            rate_hz: view.rate_hz(self.runtime.clock.now().station),
            fault,
            detections,
        })
    }

    /// The objects in a camera's pictures; `None` if nobody looks for any, or if their key cannot be subscribed to.
    async fn detections(&self, robot: &RobotId, camera: &Camera) -> Option<CameraDetections> {
        let declared = camera.detections.as_ref()?;
        let now = || self.runtime.clock.now().station;
        let id = (robot.clone(), camera.id.clone());
        let link = &self.runtime.link;
        let subscribe = async |newest: Arc<Newest<Detected, DetectionFault>>| {
            link.subscribe_held(&declared.key, move |message| newest.take(message)).await
        };
        // A picture without its objects is better than none, so that a failure here is only logged.
        let watched = self.detectors.watch(&id, declared, now, Newest::default, subscribe).await;
        let view = watched
            .inspect_err(
                |error| tracing::warn!(%error, %robot, camera = %camera.id, "detections are not subscribed to"),
            )
            .ok()?;
        let (detected, fault) = view.look(|message| Detected::of(message, declared));
        Some(CameraDetections {
            observed_mono_ms: detected.as_ref().map(|detected| detected.received.mono_ms()),
            fault,
            objects: detected.map_or_else(Vec::new, |detected| detected.objects.to_vec()),
        })
    }

    /// The picture that `frame` tells of, or a newer one.
    #[must_use]
    pub fn picture_of(&self, frame: &CameraFrame) -> Option<Picture> {
        let id = (frame.robot.clone(), frame.camera.clone());
        let (picture, _) = self.cameras.view(&id)?.newest();
        picture
    }

    async fn watch(&self, robot: &RobotId, declared: &Camera) -> Result<Arc<View>, OpError> {
        let now = || self.runtime.clock.now().station;
        let id = (robot.clone(), declared.id.clone());
        let link = &self.runtime.link;
        let subscribe =
            async |view: Arc<View>| link.subscribe_held(&declared.key, move |message| view.take(message)).await;
        let watched = self.cameras.watch(&id, declared, now, || View::new(declared.encoding), subscribe).await;
        watched.map_err(|error| {
            tracing::warn!(%error, %robot, camera = %declared.id, "a camera is not subscribed to");
            OpError::new(SensingCode::CameraUnreachable, "The camera's key cannot be subscribed to; see the log.")
        })
    }
}
