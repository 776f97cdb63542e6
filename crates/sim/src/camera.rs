//! The cameras of the site: each draws the site as it is, on a thread of their own and only while a station looks. The
//! site's thread hands over a list of solids and goes on; a camera that is still drawing misses the picture.

mod canvas;
mod detector;
mod solids;
mod time_stamp;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use anyhow::Context as _;
use bridge::{BridgeError, Link, SamplePublisher, write_compressed_image, write_detections, write_image};
use jpeg_encoder::{ColorType, Encoder};
use robot::{DetectionEncoding, PictureEncoding, RobotId};

use crate::telemetry::STEPS_PER_S;
use crate::world::SimWorld;
use canvas::{Canvas, Eye};
use detector::detect;
use solids::{Named, Solid, eye_of, named, solids};

/// Steps between two pictures: five a second.
const PICTURE_EVERY: u64 = STEPS_PER_S / 5;
/// Pixels of a picture in a row and in a column.
const SIZE_PX: [u16; 2] = [320, 240];
/// Quality of the JPEG, 1 to 100.
const QUALITY: u8 = 78;
/// Pictures that wait to be drawn: one of each camera.
const WAITING_MAX: usize = 8;

/// The cameras of all robots.
pub(crate) struct Cameras {
    seats: Vec<Seat>,
    to_draw: SyncSender<Shot>,
}

struct Seat {
    robot: RobotId,
    encoding: PictureEncoding,
    publisher: Arc<SamplePublisher>,
    detector: Option<Detector>,
}

/// The way of the detections in a camera's pictures.
#[derive(Clone)]
struct Detector {
    encoding: DetectionEncoding,
    publisher: Arc<SamplePublisher>,
}

/// A picture that is to be drawn and put.
struct Shot {
    solids: Arc<[Solid]>,
    /// Objects that the detector has a name for, if somebody asks for them.
    named: Option<(Detector, Vec<Named>)>,
    eye: Eye,
    wall_ms: i64,
    robot: RobotId,
    encoding: PictureEncoding,
    publisher: Arc<SamplePublisher>,
}

impl Cameras {
    /// Declares the cameras that the robots' manifests name. Their thread ends with them.
    pub fn open(link: &Link, world: &SimWorld) -> anyhow::Result<Self> {
        let of_robot = |(id, robot): (&RobotId, &crate::sim_robot::SimRobot)| {
            let cameras = robot.manifest.cameras.clone();
            cameras.into_iter().map(|camera| (id.clone(), camera)).collect::<Vec<_>>()
        };
        let seat = |(robot, camera): (RobotId, robot::Camera)| {
            let publisher = Arc::new(link.picture_publisher(&camera.key, camera.encoding)?);
            let detector = |source: robot::DetectionSource| {
                let publisher = Arc::new(link.detection_publisher(&source.key, source.encoding)?);
                Ok(Detector { encoding: source.encoding, publisher })
            };
            let detector = camera.detections.map(detector).transpose()?;
            Ok(Seat { robot, encoding: camera.encoding, publisher, detector })
        };
        let seats = world.robots.iter().flat_map(of_robot).map(seat).collect::<Result<_, BridgeError>>()?;
        let (to_draw, shots) = sync_channel(WAITING_MAX);
        let drawing = std::thread::Builder::new().name("cameras".to_owned()).spawn(move || draw_each(&shots));
        drawing.context("no thread for the cameras")?;
        Ok(Self { seats, to_draw })
    }

    /// Robots that have a camera.
    pub fn robots(&self) -> impl Iterator<Item = &RobotId> {
        self.seats.iter().map(|seat| &seat.robot)
    }

    /// Has every camera that somebody looks at, and that `sends`, take a picture if it is time for one.
    pub fn shoot(&self, world: &SimWorld, step: u64, wall_ms: i64, sends: impl Fn(&RobotId) -> bool) {
        if !step.is_multiple_of(PICTURE_EVERY) {
            return;
        }
        let watched = self.seats.iter().filter(|seat| sends(&seat.robot) && seat.publisher.is_listened_to());
        // What stands on the site is the same for every camera of this step.
        let mut drawn: Option<Arc<[Solid]>> = None;
        for Seat { robot, encoding, publisher, detector } in watched {
            let Some(eye) = eye_of(world, robot) else { continue };
            let solids = Arc::clone(drawn.get_or_insert_with(|| solids(world).into()));
            let detector = detector.as_ref().filter(|detector| detector.publisher.is_listened_to());
            let named = detector.map(|detector| (detector.clone(), named(world, robot)));
            let (robot, encoding, publisher) = (robot.clone(), *encoding, Arc::clone(publisher));
            match self.to_draw.try_send(Shot { solids, named, eye, wall_ms, robot, encoding, publisher }) {
                Ok(()) | Err(TrySendError::Full(_)) => {}
                Err(TrySendError::Disconnected(_)) => tracing::error!("the cameras' thread has ended"),
            }
        }
    }
}

fn draw_each(shots: &Receiver<Shot>) {
    let mut canvas = Canvas::new(SIZE_PX);
    while let Ok(shot) = shots.recv() {
        canvas.draw(&shot.eye, &shot.solids);
        if let Some((Detector { encoding, publisher }, named)) = &shot.named {
            let found = detect(&canvas, &shot.eye, named);
            if let Err(error) = publisher.put(write_detections(*encoding, &frame_of(&shot.robot), shot.wall_ms, &found))
            {
                tracing::warn!(%error, robot = %shot.robot, "detections were not put");
            }
        }
        let payload = message(&mut canvas, &shot.robot, shot.encoding, shot.wall_ms);
        let put = payload.map(|payload| shot.publisher.put(payload));
        match put {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, robot = %shot.robot, "a picture was not put"),
            Err(error) => tracing::error!(%error, robot = %shot.robot, "a picture was not encoded"),
        }
    }
}

/// The message of a camera: what was drawn, with the time, in the form that the manifest declares.
fn message(
    canvas: &mut Canvas,
    robot: &RobotId,
    encoding: PictureEncoding,
    wall_ms: i64,
) -> Result<Vec<u8>, jpeg_encoder::EncodingError> {
    time_stamp::write(canvas, wall_ms);
    let frame_id = frame_of(robot);
    Ok(match encoding {
        PictureEncoding::Jpeg => jpeg(canvas)?,
        PictureEncoding::CompressedImage => write_compressed_image(&frame_id, wall_ms, &jpeg(canvas)?),
        PictureEncoding::Image => write_image(&frame_id, wall_ms, SIZE_PX, canvas.pixels()),
    })
}

/// The frame of a robot's camera.
fn frame_of(robot: &RobotId) -> String {
    format!("{robot}_camera")
}

fn jpeg(canvas: &Canvas) -> Result<Vec<u8>, jpeg_encoder::EncodingError> {
    let mut jpeg = Vec::new();
    let [width_px, height_px] = SIZE_PX;
    Encoder::new(&mut jpeg, QUALITY).encode(canvas.pixels(), width_px, height_px, ColorType::Rgb)?;
    Ok(jpeg)
}

#[cfg(test)]
mod tests;
