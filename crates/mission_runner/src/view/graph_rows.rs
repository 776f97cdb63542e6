//! The missions of an agent as a graph: everything that a window draws of them, so that it works nothing out by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use missions::lifecycle::{Act, Cause, Phase, Resumer, Status, Step, step};
use missions::run::Run;
use missions::{Catalog, MissionFile};
use robot::{MissionId, Role};

use crate::lives::Life;
use crate::mission_files::counts::Counting;
use crate::mission_files::folder::Faults;
use crate::mission_files::layout::Layout;
use crate::runner::{AgentMissions, MissionRunner};
use crate::view::graph::Family;
use crate::view::graph_edges::Site;
use crate::view::reasons::sentence_for;
use crate::view::rows;
use runtime::disk;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{
    MissionActionName as Name, MissionGoalNow, MissionGraph, MissionNode, MissionProblem, MissionRow, MissionWait,
};

/// Every act, in the order in which a person looks for it.
const ACTS: [Name; 7] =
    [Name::Activate, Name::Pause, Name::Resume, Name::Complete, Name::Cancel, Name::Edit, Name::Remove];

/// The missions after `after`, at most `limit` of them, with the edges that lead to them.
pub(crate) async fn graph(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    after: Option<&MissionId>,
    limit: usize,
) -> Result<MissionGraph, OpError> {
    let all = rows::rows(runner, agent).await;
    let folder = agent.folder.clone();
    let looked = disk::blocking(move || Ok(Layout::read(&folder))).await;
    let (layout, layout_problem) = match looked.unwrap_or_else(|error| Err(error.to_string())) {
        Ok(layout) => (layout, None),
        Err(problem) => (Layout::default(), Some(problem)),
    };
    let family = Family::of(agent);
    let view = View {
        by,
        role: by.role(runner.runtime.clock.now().station),
        files: agent.files.known(),
        hashes: agent.files.hashes(),
        lives: agent.lives.all(),
        counted: Arc::clone(&lock(&agent.counted)),
        layout,
        faults: agent.files.faults(),
        family: &family,
        site: runner.robots_and_operations(),
    };
    let known: BTreeSet<MissionId> = all.iter().map(|row| row.id.clone()).collect();
    let site = Site { files: &view.files, lives: &view.lives, known: &known, evaluation: family.evaluation() };
    let mut edges = site.edges();
    let mut page: Vec<MissionRow> = all.into_iter().filter(|row| after.is_none_or(|after| row.id > *after)).collect();
    let has_more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| has_more).map(|row| row.id.clone());
    let shown: BTreeSet<MissionId> = page.iter().map(|row| row.id.clone()).collect();
    // Each edge is on the page of its second mission; one that leads nowhere is on that of its first.
    edges.retain(|edge| shown.contains(&edge.to) || (shown.contains(&edge.from) && !known.contains(&edge.to)));
    let mut waits = view.waits();
    let nodes = page.into_iter().map(|row| view.node(row, &mut waits)).collect();
    let (cycles, layout_hash) = (family.evaluation().cycles.clone(), view.layout.hash);
    Ok(MissionGraph { nodes, edges, cycles, layout_hash, layout_problem, next })
}

/// Everything that nodes are made of.
struct View<'v> {
    by: &'v Session,
    role: Role,
    files: BTreeMap<MissionId, Arc<MissionFile>>,
    hashes: BTreeMap<MissionId, [u8; 32]>,
    lives: BTreeMap<MissionId, Arc<Life>>,
    family: &'v Family,
    counted: Arc<Counting>,
    faults: Faults,
    layout: Layout,
    /// The robots and operations that decide what a mission locks.
    site: Catalog,
}

impl View<'_> {
    /// The waits of each mission, with their sentences.
    fn waits(&self) -> BTreeMap<MissionId, Vec<MissionWait>> {
        let mut waits: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let evaluation = self.family.evaluation();
        for wait in &evaluation.waits {
            waits
                .entry(wait.mission.clone())
                .or_default()
                .push(MissionWait { mission: wait.waits_for.clone(), sentence: sentence_for(wait, evaluation) });
        }
        waits
    }

    fn node(&self, row: MissionRow, waits: &mut BTreeMap<MissionId, Vec<MissionWait>>) -> MissionNode {
        let id = row.id.clone();
        let life = self.lives.get(&id).map(AsRef::as_ref);
        let version = life.and_then(|life| life.version.as_ref());
        let file = version.map(|version| &version.file).or_else(|| self.files.get(&id).map(AsRef::as_ref));
        let front = file.map(|file| &file.parsed.front);
        let run = life.and_then(|life| life.run.as_ref());
        MissionNode {
            hash: self.hashes.get(&id).map(hex::encode),
            activated_hash: version.map(|version| version.activation.hash.clone()),
            robots: file.map(|file| file.robots.clone()).unwrap_or_default(),
            resources: file.map(|file| self.site.locked_parts(&file.parsed).into_keys().collect()).unwrap_or_default(),
            limits: front.map_or(0, |front| front.constraints.len()),
            goals: front.map_or(0, |front| front.goals.len()),
            goals_done: run.map_or(0, Run::done),
            goal: life.zip(file).and_then(|(life, file)| now(life, file)),
            waits: waits.remove(&id).unwrap_or_default(),
            problems: self.problems(&row),
            at: self.layout.nodes.get(&id).copied(),
            may: ACTS.into_iter().filter(|name| self.may(*name, &row, life)).collect(),
            row,
        }
    }

    fn problems(&self, row: &MissionRow) -> Vec<MissionProblem> {
        let of_text = self.counted.of(&row.id).map(|counts| counts.listed.clone()).unwrap_or_default();
        rows::file_problems(&self.faults, row).into_iter().chain(of_text).collect()
    }

    fn may(&self, name: Name, row: &MissionRow, life: Option<&Life>) -> bool {
        let needs = if name == Name::Cancel { Role::Admin } else { Role::Operator };
        let by_person = !matches!(name, Name::Pause | Name::Resume);
        self.role >= needs && !(by_person && self.by.is_agent()) && self.is_possible(name, row, life)
    }

    /// True if somebody can do this where the mission stands.
    fn is_possible(&self, name: Name, row: &MissionRow, life: Option<&Life>) -> bool {
        let has_file = self.hashes.contains_key(&row.id);
        if !has_file && life.is_none() {
            return false;
        }
        let actor = || Cause::Person(self.by.actor().to_owned());
        let act = match name {
            Name::Edit => return has_file,
            Name::Remove => {
                let is_under_way = matches!(life.map(|life| life.state.status), Some(Status::Active | Status::Paused));
                return has_file && !is_under_way;
            }
            Name::Activate if !has_file || row.errors > 0 => return false,
            Name::Activate => {
                let active = life.and_then(|life| life.version.as_ref()).map(|version| version.activation.hash.clone());
                Act::Activate { same_text: active == self.hashes.get(&row.id).map(hex::encode) }
            }
            Name::Pause => Act::Pause(actor()),
            // Offered in spite of an open stop: the refusal then names the stop that has to be released.
            Name::Resume => Act::Resume { by: Resumer::Person { stop_open: false }, is_expired: false },
            Name::Complete => {
                let parts = self.family.parts(&row.id);
                Act::Complete { parts_open: parts.completed < parts.count }
            }
            Name::Cancel => Act::Cancel,
        };
        matches!(step(life.map(|life| &life.state), &act), Ok(Step::To(_)))
    }
}

/// The goal that a mission in a run works on.
fn now(life: &Life, file: &MissionFile) -> Option<MissionGoalNow> {
    let run =
        life.run.as_ref().filter(|_| life.state.status == Status::Active && life.state.phase == Phase::Running)?;
    let number = run.current()?;
    let (text, phrase) = (file.goal_words(number), file.goal_phrase(number));
    Some(MissionGoalNow { number: number + 1, text, phrase, since_ms: run.goal()?.since_ms })
}
