//! The agent's mission files as they stand in the folder.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use missions::MissionFile;
use robot::{MissionId, RobotId};
use safety::Constraint;

use tokio::io::AsyncWriteExt;

use crate::agents::AgentUnit;
use crate::error::OpError;
use crate::limit_sets::Owner;
use crate::station::Station;
use crate::unit::RobotUnit;

/// Files looked at in the folder; more are ignored.
pub(crate) const FILES_MAX: usize = 1_000;
/// The longest mission file, bytes: more is no text that a person wrote.
const FILE_BYTES_MAX: u64 = 256 * 1024;

impl AgentUnit {
    /// Every mission file by its id; one that cannot be read, with why.
    pub(crate) fn missions(&self) -> BTreeMap<MissionId, Result<MissionFile, String>> {
        let Ok(folder) = std::fs::read_dir(&self.folders.missions) else { return BTreeMap::new() };
        let paths = folder.filter_map(Result::ok).map(|file| file.path()).take(FILES_MAX);
        let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        files
            .filter_map(|path| {
                let id = MissionId::new(path.file_stem()?.to_str()?).ok()?;
                let parsed = read(&path)
                    .map_err(|error| error.to_string())
                    .and_then(|text| missions::parse(id.clone(), &text).map_err(|error| error.to_string()));
                Some((id, parsed))
            })
            .collect()
    }

    /// The text of a mission file, as it stands now.
    pub(crate) fn mission_source(&self, id: &MissionId) -> Result<String, OpError> {
        let path = self.folders.missions.join(format!("{id}.md"));
        read(&path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                return OpError::not_found("mission_not_found", "mission", id);
            }
            OpError::conflict("mission_unreadable", format!("{id} cannot be read: {error}."))
        })
    }

    /// That somebody knows this mission: it has a file, or was activated or ended.
    pub(crate) fn check_known_mission(&self, id: &MissionId) -> Result<(), OpError> {
        if self.lives.status(id).is_some() { Ok(()) } else { self.check_mission(id) }
    }

    /// That there is a file of this mission.
    pub(crate) fn check_mission(&self, mission: &MissionId) -> Result<(), OpError> {
        if self.missions().contains_key(mission) {
            return Ok(());
        }
        Err(OpError::not_found("mission_not_found", "mission", mission))
    }

    /// Puts the missions of the simulated site into the folder, as drafts. A file that is there stays as it is.
    pub(crate) async fn add_example_missions(&self) -> std::io::Result<()> {
        for (id, text) in missions::EXAMPLES {
            let path = self.folders.missions.join(format!("{id}.md"));
            match tokio::fs::OpenOptions::new().write(true).create_new(true).open(&path).await {
                Ok(mut file) => file.write_all(text.as_bytes()).await?,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A mission file's text, read once and whole. What lies elsewhere is none, even if a link leads there.
fn read(path: &Path) -> std::io::Result<String> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file of this folder"));
    }
    let mut text = String::new();
    File::open(path)?.take(FILE_BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(std::io::Error::other(format!("it has more than {FILE_BYTES_MAX} bytes")));
    }
    Ok(text)
}

impl Station {
    /// The mission files of every agent by their id. Two agents may use the same.
    pub(crate) fn missions(&self) -> BTreeMap<MissionId, Vec<Result<MissionFile, String>>> {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, file) in self.agents.all().iter().flat_map(|agent| agent.missions()) {
            all.entry(id).or_default().push(file);
        }
        all
    }

    /// Checks that an agent has a mission `id` that can be read.
    pub(crate) fn check_mission(&self, id: &MissionId) -> Result<(), OpError> {
        match self.missions().remove(id).and_then(|mut files| files.pop()) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(OpError::conflict("mission_unreadable", error)),
            None => Err(OpError::not_found("mission_not_found", "mission", id)),
        }
    }

    /// The robots that `constraint` binds.
    pub(crate) fn bound_by(&self, constraint: &Constraint) -> Vec<Arc<RobotUnit>> {
        let binds = self.binds();
        self.units().into_iter().filter(|unit| binds(constraint, unit.id())).collect()
    }

    /// The constraints of `all` that bind `robot`: its own, and those of every mission that names it.
    pub(crate) fn binding(&self, all: &[Constraint], robot: &RobotId) -> Vec<Constraint> {
        let binds = self.binds();
        all.iter().filter(|constraint| binds(constraint, robot)).cloned().collect()
    }

    /// Whether constraints of `owner` bind `robot`.
    pub(crate) fn owns(&self, owner: &Owner, robot: &RobotId) -> bool {
        match owner {
            Owner::Robot(bound) => bound == robot,
            Owner::Mission(mission) => names(self.missions().get(mission), robot),
        }
    }

    /// Tells whether a constraint binds a robot. The mission files are read once, and only if a mission matters.
    fn binds(&self) -> impl Fn(&Constraint, &RobotId) -> bool {
        let missions = LazyCell::new(|| self.missions());
        move |constraint, robot| match (&constraint.robot, &constraint.mission) {
            (Some(bound), _) => bound == robot,
            (None, Some(mission)) => names(missions.get(mission), robot),
            (None, None) => false,
        }
    }
}

/// Whether a mission of this id names `robot`. One that cannot be read might: its limits bind.
fn names(missions: Option<&Vec<Result<MissionFile, String>>>, robot: &RobotId) -> bool {
    missions.is_none_or(|missions| {
        missions.iter().any(|mission| mission.as_ref().map_or(true, |file| file.robots.contains(robot)))
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn f21_a_link_a_folder_a_giant_and_bytes_that_are_no_text_are_no_mission() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("outside.txt"), "secret").unwrap();
        std::os::unix::fs::symlink(at("outside.txt"), at("link.md")).unwrap();
        std::fs::create_dir(at("folder.md")).unwrap();
        std::fs::write(at("giant.md"), "x".repeat(300_000)).unwrap();
        std::fs::write(at("cut.md"), [b'a', 0xe2, 0x82]).unwrap();
        for name in ["link.md", "folder.md", "giant.md", "cut.md", "gone.md"] {
            assert!(read(&at(name)).is_err(), "{name}");
        }
        std::fs::write(at("good.md"), "text").unwrap();
        assert_eq!(read(&at("good.md")).unwrap(), "text");
    }
}
