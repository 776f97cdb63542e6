//! Robots are taken up: their manifests, links, limits and what earlier runs have left of them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;
use std::sync::Arc;

use bridge::{BridgeError, Claims, RobotLink};
use robot::Manifest;
use safety::Fence;
use safety::machine::SafetyCause;

use crate::fleet::{Fleet, FleetError};
use crate::limit_sets::first_limits;
use crate::state::robot_handle::{Parts, RobotHandle};
use crate::telemetry;
use crate::{robots::robot_lockout, supervision};
use runtime::config::ConfigError;
use runtime::disk;
use runtime::lock::write;
use runtime::wire::{Fact, ManifestFault, Tag};

/// The most robots of a station, those with a manifest that is refused among them.
const ROBOTS_MAX: usize = 128;

/// Failure to take up one robot.
#[derive(Debug, thiserror::Error)]
pub enum TakeUpError {
    /// Its manifest cannot be used here.
    #[error("{0}")]
    Unusable(ManifestFault),
    /// Storage or the link fails.
    #[error(transparent)]
    Failed(#[from] FleetError),
}

impl From<BridgeError> for TakeUpError {
    fn from(error: BridgeError) -> Self {
        if let BridgeError::RobotKey { source, .. } = &error {
            return Self::Unusable(ManifestFault::PublicKey { message: source.to_string() });
        }
        Self::Failed(error.into())
    }
}

impl Fleet {
    /// Takes up the robots of the folder of manifests. One that cannot be used is listed with its mistake.
    ///
    /// # Errors
    ///
    /// The folder, the database or the link fails.
    pub async fn load_robots(self: &Arc<Self>) -> Result<(), FleetError> {
        let folder = &self.runtime.layout.robots;
        let failed = |source| ConfigError::File { path: folder.clone(), source };
        let simulated = self.runtime.db.simulated_robots().await?;
        // Sorted, so that each start reads and leaves out the same ones.
        let mut manifests = BTreeMap::new();
        for file in std::fs::read_dir(folder).map_err(failed)? {
            let path = file.map_err(failed)?.path();
            let is_manifest = path.extension().is_some_and(|extension| extension == "toml");
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_manifest) else { continue };
            if !simulated.contains(stem) {
                manifests.insert(stem.to_owned(), path);
            }
        }
        let (found, mut taken) = (manifests.len(), 0);
        while let Some((stem, path)) = manifests.pop_first() {
            if taken == ROBOTS_MAX {
                let sentence = format!(
                    "{} holds {found} manifests and a station takes {ROBOTS_MAX}: {}, from {stem} on, were not read.",
                    folder.display(),
                    manifests.len() + 1
                );
                self.runtime.bus.event("too_many_robots", sentence);
                break;
            }
            match read_manifest(path, &stem).await {
                // The simulator brings its robots itself, so that none is shown without it.
                Ok(manifest) if manifest.public_key.as_ref().is_some_and(|key| simulated.contains(key)) => continue,
                Ok(manifest) => self.add_robot(manifest, false).await?,
                Err(error) => self.note_unusable(&stem, error),
            }
            taken += 1;
        }
        Ok(())
    }

    /// Lists a manifest that cannot be used.
    pub fn note_unusable(&self, stem: &str, fault: ManifestFault) {
        tracing::warn!(robot = stem, error = %fault, "manifest refused");
        let mut unusable = write(&self.unusable);
        if unusable.len() < ROBOTS_MAX {
            unusable.insert(stem.to_owned(), fault);
        }
    }

    /// Makes a robot known, or lists its manifest as one that cannot be used.
    ///
    /// # Errors
    ///
    /// The database or the link fails.
    pub async fn add_robot(self: &Arc<Self>, manifest: Manifest, simulated: bool) -> Result<(), FleetError> {
        let id = manifest.id.clone();
        match self.take_up(manifest, simulated).await {
            Ok(()) => Ok(()),
            Err(TakeUpError::Unusable(error)) => {
                self.note_unusable(id.as_str(), error);
                Ok(())
            }
            Err(TakeUpError::Failed(error)) => Err(error),
        }
    }

    /// Makes a robot known: its limits, its link, its samples. It starts disarmed, stopped if a stop is open,
    /// and locked if an earlier run has left it so.
    ///
    /// # Errors
    ///
    /// The robot cannot be used, and nothing of it is kept.
    pub async fn take_up(self: &Arc<Self>, manifest: Manifest, simulated: bool) -> Result<(), TakeUpError> {
        let id = manifest.id.clone();
        if self.units().len() >= ROBOTS_MAX {
            return Err(TakeUpError::Unusable(ManifestFault::TooManyRobots { most: ROBOTS_MAX }));
        }
        let left_locked = robot_lockout::left(self, &id).await?;
        // Held until the robot is known: a limit added meanwhile would not find it among those that it binds.
        let registered = self.limit_sets.registered().await;
        let limits = first_limits(self, &registered, &manifest);
        let limits =
            limits.map_err(|error| TakeUpError::Unusable(ManifestFault::Limits { message: error.to_string() }))?;
        let fence = Arc::new(Fence::new(limits.version(), 0));
        let (link, claims) = self.robot_link(&manifest, &fence)?;
        let now = self.runtime.clock.now().station;
        let parts = Parts { manifest, simulated, fence, link, claims, limits, settings: self.settings };
        let unit = Arc::new(RobotHandle::new(parts, now));
        match write(&self.units).entry(id.clone()) {
            Entry::Vacant(place) => {
                place.insert(Arc::clone(&unit));
            }
            Entry::Occupied(_) => return Err(TakeUpError::Unusable(ManifestFault::RobotExists { robot: id })),
        }
        write(&self.unusable).remove(id.as_str());
        robot_lockout::take_up(self, &unit, left_locked);
        let unclean = self.unclean.then_some(SafetyCause::UncleanRestart);
        supervision::step(self, &unit, unclean.into_iter().collect(), None);
        // `check` takes the same lock.
        drop(registered);
        self.limit_sets.check(self).await;
        if let Err(error) = telemetry::listen(self, &unit).await {
            // A robot that cannot be heard cannot be supervised, so it is not kept half known.
            write(&self.units).remove(&id);
            return Err(error.into());
        }
        self.runtime.bus.fact(Fact::Mode { mode: self.mode() }, Some(Tag::Robots));
        self.tell_safety(&[unit]);
        Ok(())
    }

    fn robot_link(
        self: &Arc<Self>,
        manifest: &Manifest,
        fence: &Arc<Fence>,
    ) -> Result<(RobotLink, Claims), BridgeError> {
        // Weak: the fleet keeps the link, and with it this callback.
        let (fleet, robot) = (Arc::downgrade(self), manifest.id.clone());
        let on_stop_put = move |stop_id| {
            if let Some(fleet) = fleet.upgrade() {
                let at = fleet.runtime.clock.now().station;
                fleet.stops.note_sent(&fleet, &robot, stop_id, at);
            }
        };
        self.runtime.link.robot(
            manifest,
            self.runtime.id.clone(),
            &self.runtime.key,
            Arc::clone(fence),
            Box::new(on_stop_put),
        )
    }
}

async fn read_manifest(path: PathBuf, stem: &str) -> Result<Manifest, ManifestFault> {
    let text = disk::blocking(move || files::read_text(&path, Manifest::BYTES_MAX)).await;
    let text = text.map_err(|error| ManifestFault::Unreadable { message: error.to_string() })?;
    Ok(Manifest::parse(&text, stem)?)
}
