//! Pictures of cameras. A camera is subscribed to while somebody looks; its newest message is kept as it came, takes the
//! place of the one before, and is read when it is asked for. Nothing is done on Zenoh's receive thread but keeping it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use bridge::{Jpeg, PictureMessage, Subscription};
use robot::{Camera, CameraId, Instant, PictureEncoding, PictureFault, RobotId};

use crate::{Sensing, SensingCode};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::CameraFrame;

/// A camera that nobody has asked for is not subscribed to for longer than this.
const UNWATCHED_MAX: Duration = Duration::from_secs(5);
/// Cameras that are subscribed to at once: more than a screen has panes. Each holds two messages.
const WATCHED_MAX: usize = 32;
/// Rates are those of so many milliseconds.
const RATE_WINDOW_MS: u64 = 2_000;
/// Arrivals that a rate is taken from: the fastest camera over the window.
const ARRIVALS_MAX: usize = 256;

type Id = (RobotId, CameraId);

/// The cameras that somebody looks at.
#[derive(Default)]
pub struct Cameras {
    watched: Mutex<BTreeMap<Id, Watched>>,
    /// Held while a subscription is made, so that two cannot make the same.
    making: tokio::sync::Mutex<()>,
}

struct Watched {
    declared: Camera,
    view: Arc<View>,
    asked: Instant,
    _subscription: Subscription,
}

/// The messages of one camera.
struct View {
    encoding: PictureEncoding,
    newest: ArcSwapOption<PictureMessage>,
    /// Arrivals of messages, oldest first.
    arrivals: Mutex<VecDeque<Instant>>,
    read: Mutex<Read>,
}

/// Outcome of reading the messages that somebody has asked for.
#[derive(Default)]
struct Read {
    /// Arrival of the newest message that was read.
    until: Option<Instant>,
    /// The newest that could be shown.
    picture: Option<Picture>,
    /// The fault of the newest, if it could not.
    fault: Option<PictureFault>,
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
        Self { encoding, newest: ArcSwapOption::empty(), arrivals: Mutex::default(), read: Mutex::default() }
    }

    /// On Zenoh's receive thread.
    fn take(&self, message: PictureMessage) {
        let mut arrivals = lock(&self.arrivals);
        if arrivals.len() == ARRIVALS_MAX {
            arrivals.pop_front();
        }
        arrivals.push_back(message.received().station);
        drop(arrivals);
        self.newest.store(Some(Arc::new(message)));
    }

    /// The newest picture and the fault of a newer message. Each message is read once, whoever asks.
    fn newest(&self) -> (Option<Picture>, Option<PictureFault>) {
        let mut read = lock(&self.read);
        if let Some(message) = self.newest.load_full() {
            let received = message.received().station;
            if read.until.is_none_or(|until| until < received) {
                read.until = Some(received);
                match message.read(self.encoding) {
                    Ok(jpeg) => (read.picture, read.fault) = (Some(Picture { received, jpeg }), None),
                    Err(fault) => read.fault = Some(fault),
                }
            }
        }
        (read.picture.clone(), read.fault)
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    fn rate_hz(&self, now: Instant) -> f64 {
        let arrivals = lock(&self.arrivals);
        let counted = arrivals.iter().rev().take_while(|arrived| now.ms_since(**arrived) < RATE_WINDOW_MS).count();
        counted as f64 * 1_000.0 / RATE_WINDOW_MS as f64
    }
}

impl Cameras {
    /// Ends the subscriptions to cameras that nobody looks at any more.
    pub(crate) fn close_unwatched(&self, now: Instant) {
        let mut watched = lock(&self.watched);
        let (kept, closed) = std::mem::take(&mut *watched)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(_, camera)| now.since(camera.asked) < UNWATCHED_MAX);
        *watched = kept;
        drop(watched);
        // Ending a subscription waits for the network; whoever asks for another camera need not.
        drop(closed);
    }

    fn view(&self, id: &Id, declared: &Camera, now: Instant) -> Option<Arc<View>> {
        let mut watched = lock(&self.watched);
        let camera = watched.get_mut(id).filter(|camera| &camera.declared == declared)?;
        camera.asked = now;
        Some(Arc::clone(&camera.view))
    }

    /// Takes up a camera; the one that was asked for longest ago makes room.
    fn put(&self, id: Id, camera: Watched) {
        let mut watched = lock(&self.watched);
        let full = watched.len() >= WATCHED_MAX && !watched.contains_key(&id);
        let oldest = watched.iter().min_by_key(|(_, camera)| camera.asked).map(|(id, _)| id.clone());
        let closed = oldest.filter(|_| full).and_then(|oldest| watched.remove(&oldest));
        let replaced = watched.insert(id, camera);
        drop(watched);
        drop((closed, replaced));
    }
}

impl Sensing {
    /// The facts about a camera, which is watched from now on, and its newest picture. `after_ms` is the arrival of the
    /// picture that the caller has.
    pub(crate) async fn camera_frame(
        self: &Arc<Self>,
        robot: RobotId,
        camera: CameraId,
        after_ms: Option<u64>,
    ) -> Result<CameraFrame, OpError> {
        let Some(declared) = self.sources.camera(&robot, &camera) else {
            return Err(OpError::not_found(SensingCode::CameraNotFound, "camera", format!("{robot}/{camera}")));
        };
        let view = self.watch(&robot, &declared).await?;
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
        })
    }

    /// The picture that `frame` tells of, or a newer one.
    #[must_use]
    pub fn picture_of(&self, frame: &CameraFrame) -> Option<Picture> {
        let id = (frame.robot.clone(), frame.camera.clone());
        let view = lock(&self.cameras.watched).get(&id).map(|camera| Arc::clone(&camera.view))?;
        let (picture, _) = view.newest();
        picture
    }

    async fn watch(self: &Arc<Self>, robot: &RobotId, declared: &Camera) -> Result<Arc<View>, OpError> {
        let id = (robot.clone(), declared.id.clone());
        let now = || self.runtime.clock.now().station;
        if let Some(view) = self.cameras.view(&id, declared, now()) {
            return Ok(view);
        }
        let _making = self.cameras.making.lock().await;
        if let Some(view) = self.cameras.view(&id, declared, now()) {
            return Ok(view);
        }
        let view = Arc::new(View::new(declared.encoding));
        let taking = Arc::clone(&view);
        let subscribed = self.runtime.link.subscribe_pictures(&declared.key, move |message| taking.take(message)).await;
        let subscription = subscribed.map_err(|error| {
            tracing::warn!(%error, %robot, camera = %declared.id, "a camera is not subscribed to");
            OpError::new(SensingCode::CameraUnreachable, "The camera's key cannot be subscribed to; see the log.")
        })?;
        let watched =
            Watched { declared: declared.clone(), view: Arc::clone(&view), asked: now(), _subscription: subscription };
        self.cameras.put(id, watched);
        Ok(view)
    }
}
