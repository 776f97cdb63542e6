//! The files of a gate, read and held against each other.

#[cfg(feature = "exec")]
use std::io;
#[cfg(feature = "vda5050")]
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use bridge::signing::PublicKey;
use bridge::{BridgeError, ClockFn, Link, LinkConfig, Profile};
use robot::{Codec, GateKind, Manifest, StateKind, StationId};
#[cfg(feature = "ros2")]
use robot::{DetectionEncoding, PathSource, Supervision};

use crate::adapter::Means;
#[cfg(feature = "exec")]
use crate::adapters::exec::{ExecWiring, Program};
#[cfg(feature = "ros2")]
use crate::adapters::ros2::{GOAL, PoseSource, Robot, Ros2Wiring, message_of, moved};
#[cfg(feature = "vda5050")]
use crate::adapters::vda5050::Vda5050Wiring;
use crate::code::GateCode;
use crate::commission::Plan;
#[cfg(feature = "exec")]
use crate::commission::hash_of_files;
use crate::error::GateError;
#[cfg(any(feature = "ros2", feature = "vda5050"))]
use crate::sources::{COMMANDER, UNREADABLE};
use crate::sources::{Channel, ChannelKind};
use crate::state::{paired_bundle, paired_station, read_station};
#[cfg(feature = "vda5050")]
use crate::wiring::tcp_address;
use crate::wiring::{Mode, Reach, Wiring, manifest_path};

/// The longest file with the station's id and key, bytes.
const STATION_KEY_BYTES_MAX: u64 = 1 << 10;

/// A wiring and the manifest that belongs to it.
#[derive(Debug)]
pub struct Setup {
    /// The wiring.
    pub wiring: Wiring,
    /// The manifest.
    pub manifest: Manifest,
    /// Folder of the wiring, where relative paths begin.
    pub folder: PathBuf,
    /// The gate's own folder.
    pub state: PathBuf,
    /// The manifest's text.
    pub manifest_text: String,
}

impl Setup {
    /// Reads both files. `state` is the gate's own folder, if it is not the usual one beside the wiring.
    pub fn read(config: &Path, state: Option<&Path>) -> Result<Self, GateError> {
        let wiring = Wiring::read(config)?;
        let path = manifest_path(config, &wiring.robot);
        let text = read_manifest(&path)?;
        let manifest = Manifest::parse(&text, wiring.robot.as_str());
        let manifest = manifest.map_err(|error| bad_manifest(&path, &error.to_string()))?;
        let state = Self::state_folder(config, &wiring, state);
        Ok(Self { wiring, manifest, folder: folder_of(config), state, manifest_text: text })
    }

    /// The gate's own folder: `state`, or the usual one beside the wiring at `config`.
    #[must_use]
    pub fn state_folder(config: &Path, wiring: &Wiring, state: Option<&Path>) -> PathBuf {
        state.map_or_else(|| folder_of(config).join(format!("{}.state", wiring.robot)), Path::to_owned)
    }

    /// The station that may command, with its key: from the wiring, from the bundle that it names, or from a pairing.
    pub fn station(&self) -> Result<Option<(StationId, PublicKey)>, GateError> {
        let Some(bundle) = self.bundle()? else {
            return match self.wiring.station()? {
                Some(named) => Ok(Some(named)),
                None => paired_station(&self.state),
            };
        };
        if self.wiring.station()?.is_some() {
            return Err(GateError::new(
                GateCode::BadStation,
                "the bundle names the station, so `id` and key are too much",
            ));
        }
        let path = bundle.join("station.key");
        let bad = |message: String| GateError::new(GateCode::BadStation, format!("{}: {message}", path.display()));
        let text = files::read_text(&path, STATION_KEY_BYTES_MAX).map_err(|error| bad(error.to_string()))?;
        read_station(&path, &text).map(Some)
    }

    /// Folder of the bundle with the way to the site's router; none if the station is on this computer.
    fn bundle(&self) -> Result<Option<PathBuf>, GateError> {
        match self.wiring.reach()? {
            Reach::Here(_) => Ok(None),
            Reach::Router(bundle) => Ok(Some(self.folder.join(bundle))),
            Reach::Paired => match paired_bundle(&self.state) {
                bundle if bundle.exists() => Ok(Some(bundle)),
                bundle => Err(GateError::new(GateCode::NotPaired, format!("{} is not there", bundle.display()))),
            },
        }
    }

    /// The session towards the station.
    pub async fn open_link(&self, clock: ClockFn) -> Result<Link, GateError> {
        let not_started = |error: BridgeError| GateError::new(GateCode::NotStarted, error.to_string());
        if let Reach::Here(endpoint) = self.wiring.reach()? {
            let config = LinkConfig { connect: vec![endpoint], ..LinkConfig::default() };
            return Link::open(config, clock).await.map_err(not_started);
        }
        let file = self.bundle()?.map(|bundle| bundle.join("zenoh.json5"));
        let link = Link::open(LinkConfig { file, ..LinkConfig::default() }, clock).await.map_err(not_started)?;
        match link.profile() {
            Profile::Production => Ok(link),
            // Without the production profile neither side shows a certificate: nothing is said on such a session.
            Profile::Local => {
                link.close().await;
                let message = "the bundle's zenoh.json5 is none of the production profile";
                Err(GateError::new(GateCode::BadStation, message))
            }
        }
    }

    /// Everything that keeps manifest and wiring from fitting each other.
    pub fn misfits(&self) -> Vec<GateError> {
        let mut misfits = Vec::new();
        let mut misfit = |message: String| misfits.push(GateError::new(GateCode::ManifestUnfit, message));
        let (wanted, word) = match self.wiring.mode {
            Mode::Command => (GateKind::Reference, "reference"),
            Mode::Shadow => (GateKind::None, "none"),
        };
        // The station goes by the same word: of a reference gate it expects signed answers.
        if self.manifest.gate != wanted {
            misfit(format!("the manifest's `gate` must be {word:?} for this wiring's `mode`"));
        }
        let prefix = format!("{}/{}/out/state/", self.manifest.site, self.manifest.id);
        for source in &self.manifest.state {
            if !source.key.starts_with(&prefix) {
                misfit(format!("state key {:?} does not begin with {prefix:?}", source.key));
            }
            if source.codec != Codec::Json {
                misfit(format!("the codec of {:?} must be \"json\": the gate writes no other", source.key));
            }
            // Stations would wait for it, and a declared source that is silent denies all motion (decision 0090).
            if source.kind == StateKind::Frame {
                misfit(format!("{:?} is a moving frame, which no adapter reports", source.key));
            }
            if self.manifest.state.iter().filter(|other| other.kind == source.kind).count() > 1 {
                misfit(format!("{:?} is one of several sources of its kind; a gate has one", source.key));
            }
        }
        misfits.extend(self.unseen_joint());
        #[cfg(feature = "ros2")]
        misfits.extend(self.ros2_misfits());
        #[cfg(feature = "vda5050")]
        misfits.extend(self.wiring.vda5050.iter().flat_map(Vda5050Wiring::misfits));
        #[cfg(feature = "vda5050")]
        misfits.extend(self.wiring.vda5050.iter().filter_map(|_| self.base_misfit("`[vda5050]`")));
        #[cfg(feature = "vda5050")]
        misfits.extend(self.clash());
        misfits
    }

    /// The refusal of a standstill that is as fast as commissioning moves a joint.
    fn unseen_joint(&self) -> Option<GateError> {
        let means = self.means().ok().filter(|_| self.wiring.mode == Mode::Command)?;
        let plan = Plan::new(&self.manifest, means.takes_joints, means.stops);
        let joint = plan.unseen(&self.manifest.stop)?;
        let message = format!(
            "commissioning moves the joint {} no faster than the manifest's standstill: lower `standstill_radps`, or \
             `standstill_mps` of a joint that slides",
            joint.name
        );
        Some(GateError::new(GateCode::ManifestUnfit, message))
    }

    /// The refusal of a broker that is where the station listens: the robot's side and the station's have nothing in common.
    #[cfg(feature = "vda5050")]
    fn clash(&self) -> Option<GateError> {
        let Reach::Here(endpoint) = self.wiring.reach().ok()? else { return None };
        let station = tcp_address(&endpoint)?;
        let broker = self.wiring.vda5050.as_ref()?.broker().ok()?;
        // The host of a URL keeps the brackets of an IPv6 address, which `IpAddr` does not read.
        let address = broker.host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_here = address.map_or(broker.host == "localhost", |address| address.is_loopback());
        let message = || format!("the broker is at {endpoint}, where the station listens");
        (is_here && broker.port == station.port()).then(|| GateError::new(GateCode::EndpointClash, message()))
    }

    /// Everything that keeps the table `[ros2]` from being used, and from fitting the manifest.
    #[cfg(feature = "ros2")]
    fn ros2_misfits(&self) -> Vec<GateError> {
        let Some(wiring) = &self.wiring.ros2 else { return Vec::new() };
        let mut misfits = wiring.misfits(self.wiring.mode == Mode::Command);
        let frame = self.manifest.default_frame.as_str();
        if let PoseSource::Tf(transform) = &wiring.pose
            && transform.parent != frame
        {
            let parent = &transform.parent;
            let message = format!("`pose` is in {parent:?}, and the manifest's default_frame is {frame:?}");
            misfits.push(GateError::new(GateCode::ManifestUnfit, message));
        }
        misfits.extend(self.picture_misfits(wiring));
        if wiring.cmd_vel.is_some() {
            misfits.extend(self.base_misfit("`cmd_vel`"));
        }
        if wiring.navigate.is_some() && self.wiring.mode == Mode::Command {
            misfits.extend(self.navigate_misfits());
        }
        if wiring.trajectory.is_some() && self.wiring.mode == Mode::Command {
            misfits.extend(self.trajectory_misfits());
        }
        misfits
    }

    /// Cameras, detections and maps that only one of wiring and manifest knows.
    #[cfg(feature = "ros2")]
    fn picture_misfits(&self, wiring: &Ros2Wiring) -> Vec<GateError> {
        let misfit = |message: String| GateError::new(GateCode::ManifestUnfit, message);
        let mut misfits = Vec::new();
        for id in wiring.cameras.keys() {
            match self.manifest.cameras.iter().find(|camera| &camera.id == id) {
                None => {
                    misfits.push(misfit(format!("the manifest has no camera {id}, which the wiring's `cameras` names")))
                }
                Some(camera) if message_of(camera.encoding).is_none() => misfits.push(misfit(format!(
                    "the `encoding` of the camera {id} must be \"compressed_image\" or \"image\": ROS 2 sends no other"
                ))),
                Some(_) => {}
            }
        }
        for id in wiring.detections.keys() {
            let camera = self.manifest.cameras.iter().find(|camera| &camera.id == id);
            let encoding = camera.and_then(|camera| camera.detections.as_ref()).map(|source| source.encoding);
            if encoding != Some(DetectionEncoding::Detection2dArray) {
                misfits.push(misfit(format!(
                    "the wiring names detections of the camera {id}, so the manifest's camera needs detections = \
                     {{ key = …, encoding = \"detection2d_array\" }}"
                )));
            }
        }
        if wiring.map.is_some() && self.manifest.map.is_none() {
            let key = format!("{}/{}/out/map", self.manifest.site, self.manifest.id);
            misfits.push(misfit(format!("the wiring names a map, so the manifest needs map = {{ key = {key:?} }}")));
        }
        misfits
    }

    /// The refusal of a manifest without exactly one base, which is what messages of `part` move.
    #[cfg(any(feature = "ros2", feature = "vda5050"))]
    fn base_misfit(&self, part: &str) -> Option<GateError> {
        let is_moved = self.wiring.mode == Mode::Command && self.manifest.base().is_none();
        let message = || format!("{part} needs exactly one actuator of kind \"base\": its messages name none");
        is_moved.then(|| GateError::new(GateCode::ManifestUnfit, message()))
    }

    /// Everything in the manifest that keeps the robot from being driven to goals by a planner of its own.
    #[cfg(feature = "ros2")]
    fn navigate_misfits(&self) -> Vec<GateError> {
        let misfit = |message: &str| GateError::new(GateCode::ManifestUnfit, message);
        let is_own = self.manifest.base().is_some_and(|base| base.path == PathSource::Own);
        let mut misfits = Vec::new();
        if !is_own {
            misfits.push(misfit("`navigate` needs exactly one actuator of kind \"base\", with `path = \"own\"`: the robot plans its way itself"));
        }
        if self.manifest.supervision != Supervision::Required {
            misfits.push(misfit(
                "`navigate` needs `supervision = \"required\"`: the robot goes on to its goal if its gate dies",
            ));
        }
        misfits
    }

    /// Everything in the manifest that keeps the robot's joints from being moved by a trajectory controller.
    #[cfg(feature = "ros2")]
    fn trajectory_misfits(&self) -> Vec<GateError> {
        let misfit = |message: String| GateError::new(GateCode::ManifestUnfit, message);
        let mut misfits = Vec::new();
        match moved(&self.manifest) {
            None => misfits.push(misfit(
                "`trajectory` needs exactly one actuator with `joints` of kind \"tool\" or \"joints\"".to_owned(),
            )),
            Some(actuator) => {
                if actuator.path != PathSource::Own {
                    misfits.push(misfit(format!(
                        "`trajectory` needs `path = \"own\"` of {}: its controller interpolates the way",
                        actuator.id
                    )));
                }
                let endless = actuator.joints.iter().filter(|joint| joint.acceleration.is_none());
                misfits.extend(endless.map(|joint| {
                    misfit(format!(
                        "joint {} has no acceleration: no time of a trajectory would be long enough",
                        joint.name
                    ))
                }));
            }
        }
        if self.manifest.supervision != Supervision::Required {
            misfits.push(misfit(
                "`trajectory` needs `supervision = \"required\"`: the arm goes on to its end if its gate dies"
                    .to_owned(),
            ));
        }
        misfits
    }

    /// The properties of the robot that its goals depend on.
    #[cfg(feature = "ros2")]
    pub(crate) fn ros2_robot(&self) -> Robot {
        Robot::of(&self.manifest)
    }

    /// The table `[ros2]`.
    #[cfg(feature = "ros2")]
    pub(crate) fn ros2_wiring(&self) -> Result<&Ros2Wiring, GateError> {
        let missing = || GateError::new(GateCode::BadRos2, "there is no table [ros2]");
        self.wiring.ros2.as_ref().ok_or_else(missing)
    }

    /// Properties of the robot behind the adapter that commissioning needs to know.
    pub(crate) fn means(&self) -> Result<Means, GateError> {
        let kind = self.wiring.adapter()?;
        #[cfg(feature = "exec")]
        if let Some(exec) = &self.wiring.exec {
            return Ok(exec.means());
        }
        #[cfg(feature = "ros2")]
        if let Some(ros2) = &self.wiring.ros2 {
            return Ok(ros2.means());
        }
        #[cfg(feature = "vda5050")]
        if self.wiring.vda5050.is_some() {
            return Ok(Vda5050Wiring::means());
        }
        Err(kind.not_built())
    }

    /// The table `[vda5050]`.
    #[cfg(feature = "vda5050")]
    pub(crate) fn vda5050_wiring(&self) -> Result<&Vda5050Wiring, GateError> {
        let missing = || GateError::new(GateCode::BadVda5050, "there is no table [vda5050]");
        self.wiring.vda5050.as_ref().ok_or_else(missing)
    }

    /// The files of the program that speaks for the robot; none without one.
    pub fn program_files(&self) -> Vec<PathBuf> {
        #[cfg(feature = "exec")]
        if let Some(exec) = &self.wiring.exec {
            return exec.program_files(&self.folder);
        }
        Vec::new()
    }

    /// Starts the program of an `[exec]` table.
    #[cfg(feature = "exec")]
    pub(crate) fn exec_program(&self) -> Result<(Program, ExecWiring), GateError> {
        let bad = |message: String| GateError::new(GateCode::BadCommand, message);
        let wiring = self.wiring.exec.clone().ok_or_else(|| bad("there is no table [exec]".to_owned()))?;
        let (program, arguments) = wiring.argv(&self.folder).ok_or_else(|| bad("`command` is empty".to_owned()))?;
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let not_started = |error: io::Error| bad(format!("{} did not start: {error}", program.display()));
        let files = self.program_files();
        // Taken before the start, so that a file which is replaced afterwards counts as changed.
        let commissioned = hash_of_files(&files).map_err(not_started)?;
        let mut started = Program::start(&program, arguments, folder).map_err(not_started)?;
        let (program, arguments, folder) = (program.clone(), arguments.to_vec(), folder.to_owned());
        started.again = Some(Box::new(move || {
            // The commissioning is about the program that was started first: no other may speak for the robot.
            if hash_of_files(&files)? != commissioned {
                return Err(io::Error::other("it has changed since the gate was started: start the gate again"));
            }
            Program::start(&program, &arguments, &folder)
        }));
        Ok((started, wiring))
    }

    /// The keys on which the gate publishes.
    pub fn channels(&self) -> Vec<(Channel, String)> {
        let state =
            self.manifest.state.iter().filter_map(|source| {
                ChannelKind::of(source.kind).map(|kind| (Channel::State(kind), source.key.clone()))
            });
        let extra = |name: &String| {
            (Channel::Extra(name.clone()), format!("{}/{}/out/extra/{name}", self.manifest.site, self.manifest.id))
        };
        let channels = state.chain(self.wiring.forward().iter().map(extra));
        #[cfg(feature = "ros2")]
        let channels = {
            let of_adapter = self.wiring.ros2.iter().flat_map(|ros2| {
                let goal = ros2.goal_kind().map(|_| GOAL);
                [UNREADABLE, COMMANDER].into_iter().chain(goal).map(str::to_owned)
            });
            channels.chain(of_adapter.map(|name| extra(&name)))
        };
        #[cfg(feature = "vda5050")]
        let channels = {
            let of_adapter =
                crate::adapters::vda5050::EXTRAS.into_iter().chain([UNREADABLE, COMMANDER]).map(str::to_owned);
            let of_adapter: Vec<String> = of_adapter.filter(|_| self.wiring.vda5050.is_some()).collect();
            channels.chain(of_adapter.into_iter().map(|name| extra(&name)))
        };
        channels.collect()
    }
}

/// The text of the manifest at `path`.
pub(crate) fn read_manifest(path: &Path) -> Result<String, GateError> {
    files::read_text(path, Manifest::BYTES_MAX).map_err(|error| bad_manifest(path, &error.to_string()))
}

fn bad_manifest(path: &Path, message: &str) -> GateError {
    GateError::new(GateCode::BadManifest, format!("{}: {message}", path.display()))
}

fn folder_of(config: &Path) -> PathBuf {
    std::path::absolute(config.parent().unwrap_or(Path::new(""))).unwrap_or_default()
}
