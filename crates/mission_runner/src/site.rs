//! The site of now as missions meet it. Built for one look, and never held: robots, limits and other missions change.

use std::collections::BTreeMap;
use std::sync::Arc;

use missions::{
    Catalog, CatalogMission, CatalogMissions, CatalogOperation, CatalogRobot, Compilation, MissionEnd, Parsed, compile,
};
use robot::{MissionId, Now, RobotId};
use sha2::{Digest, Sha256};
use world::Provider;
use world::cron::Zone;

use crate::lives::Life;
use crate::mission_files::folder::Draft;
use crate::runner::{AgentMissions, MissionRunner};
use crate::view::graph::standing;

/// Everything at one moment that the texts of an agent's missions are held against.
pub(crate) struct SiteNow<'a> {
    agent: &'a AgentMissions,
    robots: BTreeMap<RobotId, CatalogRobot>,
    operations: Arc<BTreeMap<String, CatalogOperation>>,
    /// The contexts of the agent, each with the mission that it belongs to.
    providers: Vec<(Option<MissionId>, Provider)>,
    time_zone: Zone,
    drafts: &'a BTreeMap<MissionId, Draft>,
    lives: BTreeMap<MissionId, Arc<Life>>,
}

/// The same in the form in which texts are compiled.
pub(crate) struct Site {
    catalog: Catalog,
    providers: Vec<(Option<MissionId>, Provider)>,
}

impl<'a> SiteNow<'a> {
    /// The site of now with these files.
    pub fn of(runner: &MissionRunner, agent: &'a AgentMissions, drafts: &'a BTreeMap<MissionId, Draft>) -> Self {
        Self {
            agent,
            robots: runner.host.fleet.robots(),
            operations: runner.host.agents.operations(),
            providers: runner.host.sensing.providers(&agent.id),
            time_zone: runner.runtime.zone.clone(),
            drafts,
            lives: agent.lives.all(),
        }
    }

    /// Names the site: another one may give a text another meaning. The operations are the same as long as the station
    /// runs. Each text stands for itself by its hash.
    pub fn version(&self) -> [u8; 32] {
        let mut named = Sha256::new();
        named.update(format!("{:?} {:?} {:?}", self.robots, self.time_zone, self.providers));
        let hashes = self.agent.files.hashes();
        for id in self.drafts.keys() {
            named.update(format!(" {id} "));
            // By its hash and not by its content: a whole folder is too long to be hashed at each look.
            named.update(hashes.get(id).copied().unwrap_or_default());
        }
        for (id, life) in &self.lives {
            let hash = life.version.as_ref().map(|version| &version.activation.hash);
            let is_final = life.is_cancelled_for_good();
            named.update(format!(" {id} {:?} {is_final} {hash:?}", MissionEnd::of(standing(Some(life)))));
        }
        named.finalize().into()
    }

    /// Everything that texts refer to, looked up once.
    pub fn into_site(self) -> Site {
        let Self { agent: _, robots, operations, providers, time_zone, drafts, lives } = self;
        let (missions, no_providers) = (CatalogMissions::default(), Vec::new());
        let mut catalog = Catalog { robots, operations, missions, providers: no_providers, time_zone };
        let mut missions = BTreeMap::new();
        for (id, draft) in drafts {
            let end = MissionEnd::of(standing(lives.get(id).map(AsRef::as_ref)));
            let unread = |_: &_| CatalogMission::unread(end);
            let row = draft.as_ref().map_or_else(unread, |file| catalog.mission(&file.parsed, end));
            missions.insert(id.clone(), row);
        }
        for (id, life) in &lives {
            // What was activated counts before what the file says now.
            let end = MissionEnd::of(standing(Some(life)));
            let row = match &life.version {
                Some(version) => catalog.mission(&version.file.parsed, end),
                None => CatalogMission::unread(end),
            };
            missions.insert(id.clone(), CatalogMission { is_cancelled_for_good: life.is_cancelled_for_good(), ..row });
        }
        catalog.missions = missions.into();
        Site { catalog, providers }
    }
}

impl Site {
    /// The site of now. It reads the folder of missions: not for a thread that others wait for.
    pub fn of(runner: &MissionRunner, agent: &AgentMissions) -> Self {
        SiteNow::of(runner, agent, &agent.drafts()).into_site()
    }

    /// The meaning and the problems of the text of `id` at this site. A time before `wall_ms` is over.
    pub fn compile(&mut self, id: &MissionId, parsed: &Parsed, wall_ms: i64) -> Compilation {
        // Its own contexts are declared by the text itself; counted twice they would clash with themselves.
        let others = self.providers.iter().filter(|(mission, _)| mission.as_ref() != Some(id));
        self.catalog.providers = others.map(|(_, provider)| provider.clone()).collect();
        let now = Now { station: robot::Instant::default(), wall_ms };
        compile(parsed, id, &self.catalog, now).for_station(parsed)
    }
}
