//! The files of a gate, read and held against each other.

use std::path::{Path, PathBuf};

use bridge::signing::PublicKey;
use bridge::{BridgeError, ClockFn, Link, LinkConfig, Profile};
use robot::{Codec, GateKind, Manifest, StateKind, StationId};

use crate::code::GateCode;
use crate::error::GateError;
#[cfg(feature = "exec")]
use crate::exec::{ExecWiring, Program};
use crate::sources::{Channel, ChannelKind};
use crate::wiring::{Mode, Reach, Wiring, manifest_path};

/// The longest manifest, bytes.
const MANIFEST_BYTES_MAX: u64 = 1 << 20;

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
        let bad = |message: String| GateError::new(GateCode::BadManifest, format!("{}: {message}", path.display()));
        let text = files::read_text(&path, MANIFEST_BYTES_MAX).map_err(|error| bad(error.to_string()))?;
        let manifest = Manifest::parse(&text, wiring.robot.as_str()).map_err(|error| bad(error.to_string()))?;
        let folder = std::path::absolute(config.parent().unwrap_or(Path::new(""))).unwrap_or_default();
        let state = state.map_or_else(|| folder.join(format!("{}.state", wiring.robot)), Path::to_owned);
        Ok(Self { wiring, manifest, folder, state, manifest_text: text })
    }

    /// The station that may command, with its key: from the wiring, or from the bundle that it names.
    pub fn station(&self) -> Result<Option<(StationId, PublicKey)>, GateError> {
        let Reach::Router(bundle) = self.wiring.reach()? else { return self.wiring.station() };
        if self.wiring.station()?.is_some() {
            return Err(GateError::new(
                GateCode::BadStation,
                "the bundle names the station, so `id` and key are too much",
            ));
        }
        let path = self.folder.join(bundle).join("station.key");
        let bad = |message: String| GateError::new(GateCode::BadStation, format!("{}: {message}", path.display()));
        let text = files::read_text(&path, STATION_KEY_BYTES_MAX).map_err(|error| bad(error.to_string()))?;
        let (id, key) = text.trim().split_once('=').ok_or_else(|| bad("it is no `ID=KEY`".to_owned()))?;
        let id = StationId::new(id).map_err(|error| bad(error.to_string()))?;
        Ok(Some((id, key.parse().map_err(|error| bad(format!("{error}")))?)))
    }

    /// The session towards the station.
    pub async fn open_link(&self, clock: ClockFn) -> Result<Link, GateError> {
        let not_started = |error: BridgeError| GateError::new(GateCode::NotStarted, error.to_string());
        match self.wiring.reach()? {
            Reach::Here(endpoint) => {
                let config = LinkConfig { connect: vec![endpoint], ..LinkConfig::default() };
                Link::open(config, clock).await.map_err(not_started)
            }
            Reach::Router(bundle) => {
                let file = self.folder.join(bundle).join("zenoh.json5");
                let config = LinkConfig { file: Some(file), ..LinkConfig::default() };
                let link = Link::open(config, clock).await.map_err(not_started)?;
                match link.profile() {
                    Profile::Production => Ok(link),
                    Profile::Local => {
                        link.close().await;
                        let message = "the bundle's zenoh.json5 is none of the production profile";
                        Err(GateError::new(GateCode::BadStation, message))
                    }
                }
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
            if source.kind == StateKind::Frame {
                misfit(format!("{:?} is a moving frame, which no adapter reports", source.key));
            }
            if self.manifest.state.iter().filter(|other| other.kind == source.kind).count() > 1 {
                misfit(format!("{:?} is one of several sources of its kind; a gate has one", source.key));
            }
        }
        misfits
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
        let started = Program::start(&program, arguments, folder);
        let started = started.map_err(|error| bad(format!("{} did not start: {error}", program.display())))?;
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
        state.chain(self.wiring.forward().iter().map(extra)).collect()
    }
}
