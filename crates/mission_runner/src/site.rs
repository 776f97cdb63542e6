//! The site of now as missions meet it. Built for one look, and never held: robots, limits and other missions change.

use std::collections::BTreeMap;

use missions::{Catalog, CatalogMission, Compilation, Parsed, compile};
use robot::{MissionId, Now};
use sha2::{Digest, Sha256};
use world::Provider;

use crate::graph::standing;
use crate::runner::{AgentMissions, MissionRunner};

/// Everything that the texts of an agent's missions are held against.
pub(crate) struct Site {
    catalog: Catalog,
    /// The contexts of the agent, each with the mission that it belongs to.
    providers: Vec<(Option<MissionId>, Provider)>,
}

impl Site {
    /// The site of now. It reads the folder of missions: not for a thread that others wait for.
    pub fn of(runner: &MissionRunner, agent: &AgentMissions) -> Self {
        let mut catalog = Catalog {
            robots: runner.host.fleet.robots(),
            operations: runner.host.agents.operations(),
            missions: BTreeMap::new(),
            providers: Vec::new(),
            time_zone: runner.runtime.zone.clone(),
        };
        let lives = agent.lives.all();
        let mut missions = BTreeMap::new();
        for (id, draft) in agent.drafts() {
            let standing = standing(lives.get(&id));
            let row = draft.map_or(CatalogMission::unread(standing), |file| catalog.mission(&file.parsed, standing));
            missions.insert(id, row);
        }
        for (id, life) in &lives {
            // What was activated counts before what the file says now.
            let row = match &life.version {
                Some(version) => catalog.mission(&version.file.parsed, standing(Some(life))),
                None => CatalogMission::unread(standing(Some(life))),
            };
            missions.insert(id.clone(), CatalogMission { is_cancelled_for_good: life.is_cancelled_for_good(), ..row });
        }
        catalog.missions = missions;
        Self { catalog, providers: runner.host.sensing.providers(&agent.id) }
    }

    /// The meaning and the problems of the text of `id` at this site. A time before `wall_ms` is over.
    pub fn compile(&mut self, id: &MissionId, parsed: &Parsed, wall_ms: i64) -> Compilation {
        let others = self.providers.iter().filter(|(mission, _)| mission.as_ref() != Some(id));
        self.catalog.providers = others.map(|(_, provider)| provider.clone()).collect();
        let now = Now { station: robot::Instant::default(), wall_ms };
        compile(parsed, id, &self.catalog, now).for_station(parsed)
    }

    /// Names the site: another one may give a text another meaning. The operations are the same as long as the station
    /// runs.
    pub fn version(&self) -> [u8; 32] {
        let Catalog { robots, missions, time_zone, operations: _, providers: _ } = &self.catalog;
        Sha256::digest(format!("{robots:?} {missions:?} {time_zone:?} {:?}", self.providers)).into()
    }
}
