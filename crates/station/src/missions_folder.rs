//! The agent's mission files as they stand in the folder.

use std::collections::BTreeMap;
use std::sync::Arc;

use missions::MissionFile;
use robot::{MissionId, RobotId};
use safety::Constraint;

use tokio::io::AsyncWriteExt;

use crate::station::Station;
use crate::unit::RobotUnit;
use crate::wire::Tag;

/// Files looked at in the folder; more are ignored.
const FILES_MAX: usize = 1_000;

impl Station {
    /// Every mission file by its id; one that cannot be read, with why.
    pub(crate) fn missions(&self) -> BTreeMap<MissionId, Result<MissionFile, String>> {
        let Ok(folder) = std::fs::read_dir(&self.layout.missions) else { return BTreeMap::new() };
        let paths = folder.filter_map(Result::ok).map(|file| file.path()).take(FILES_MAX);
        let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        files
            .filter_map(|path| {
                let id = MissionId::new(path.file_stem()?.to_str()?).ok()?;
                let parsed = std::fs::read_to_string(&path)
                    .map_err(|error| error.to_string())
                    .and_then(|text| missions::parse(id.clone(), &text).map_err(|error| error.to_string()));
                Some((id, parsed))
            })
            .collect()
    }

    /// Puts the missions of the simulated site into the folder, as drafts. A file that is there stays as it is.
    pub(crate) async fn add_example_missions(&self) -> std::io::Result<()> {
        for (id, text) in missions::EXAMPLES {
            let path = self.layout.missions.join(format!("{id}.md"));
            match tokio::fs::OpenOptions::new().write(true).create_new(true).open(&path).await {
                Ok(mut file) => file.write_all(text.as_bytes()).await?,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        self.hub.changed(Tag::Missions);
        Ok(())
    }

    /// The robots that `constraint` binds.
    pub(crate) fn bound_by(&self, constraint: &Constraint) -> Vec<Arc<RobotUnit>> {
        let alone = std::slice::from_ref(constraint);
        self.units().into_iter().filter(|unit| !self.binding(alone, unit.id()).is_empty()).collect()
    }

    /// The constraints of `all` that bind `robot`: its own, and those of every mission that names it.
    pub(crate) fn binding(&self, all: &[Constraint], robot: &RobotId) -> Vec<Constraint> {
        let missions = self.missions();
        let named_by = |mission: &MissionId| match missions.get(mission) {
            Some(Ok(file)) => file.robots.contains(robot),
            // A mission that cannot be read might name it: its limits bind.
            Some(Err(_)) | None => true,
        };
        all.iter()
            .filter(|constraint| match (&constraint.robot, &constraint.mission) {
                (Some(bound), _) => bound == robot,
                (None, Some(mission)) => named_by(mission),
                (None, None) => false,
            })
            .cloned()
            .collect()
    }
}
