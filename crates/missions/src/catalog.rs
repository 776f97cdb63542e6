//! The site as far as missions meet it. Plain data, which the station makes of what is in force now.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use robot::{Actuator, Audience, Effect, Manifest, MissionId, RobotId, Role};
use safety::Constraint;
use safety::leases::Resource;
use world::Provider;
use world::cron::Zone;

use crate::format::front::{Front, Goal, Hold, OnFailure, Trigger};
use crate::format::parsed::Parsed;
use crate::graph::{Evaluation, GraphNode, Standing, evaluate};
use crate::problem::{Located, Span};

/// Everything outside a file that its meaning depends on.
#[derive(Debug, Clone)]
pub struct Catalog {
    /// The robots of the site.
    pub robots: BTreeMap<RobotId, CatalogRobot>,
    /// The operations of the station, by name. They are the same as long as it runs.
    pub operations: Arc<BTreeMap<String, CatalogOperation>>,
    /// The missions of the same agent.
    pub missions: CatalogMissions,
    /// The providers that run for the agent, those of the mission itself left out.
    pub providers: Vec<Provider>,
    /// The zone of missions that name none.
    pub time_zone: Zone,
}

/// A robot and what binds it whatever missions say.
#[derive(Debug, Clone)]
pub struct CatalogRobot {
    /// Its actuators, frames and own limits.
    pub manifest: Manifest,
    /// The limits registered for it, those of missions left out.
    pub constraints: Vec<Constraint>,
}

/// An operation of the station.
#[derive(Debug, Clone)]
pub struct CatalogOperation {
    /// The least role that may call it.
    pub role: Role,
    /// Its effect on the world.
    pub effect: Effect,
    /// The audiences that it is offered to.
    pub audience: Vec<Audience>,
    /// True if its row lets a mission call it: it is not about missions, jobs, proposals or control, and deletes nothing.
    pub in_missions: bool,
    /// True if its input is a motion of a robot, which it carries out.
    pub moves_robot: bool,
    /// JSON schema of its input.
    pub input_schema: serde_json::Value,
}

/// The missions of an agent as a text meets them. They stay as they are, so that what is worked out of all of them is
/// worked out once and not for each text.
#[derive(Debug, Clone, Default)]
pub struct CatalogMissions {
    rows: BTreeMap<MissionId, CatalogMission>,
    /// The graph of all of them. Each counts as held: a circle is one whatever its missions stand like.
    evaluation: Evaluation,
}

impl From<BTreeMap<MissionId, CatalogMission>> for CatalogMissions {
    fn from(rows: BTreeMap<MissionId, CatalogMission>) -> Self {
        let evaluation = evaluate(&rows.iter().map(|(id, mission)| (id.clone(), mission.node())).collect());
        Self { rows, evaluation }
    }
}

impl Deref for CatalogMissions {
    type Target = BTreeMap<MissionId, CatalogMission>;

    fn deref(&self) -> &Self::Target {
        &self.rows
    }
}

impl CatalogMissions {
    pub(crate) const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }
}

/// The way in which a mission has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MissionEnd {
    /// It is done.
    Completed,
    /// It failed or was cancelled.
    Undone,
}

impl MissionEnd {
    /// The end of a mission that stands like this; none as long as it may run.
    #[must_use]
    pub const fn of(standing: Standing) -> Option<Self> {
        match standing {
            Standing::Draft | Standing::Held | Standing::Begun | Standing::Running | Standing::Paused => None,
            Standing::Completed => Some(Self::Completed),
            Standing::Failed | Standing::Cancelled => Some(Self::Undone),
        }
    }
}

/// Another mission of the agent, or an earlier version of the same.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogMission {
    /// Its end, if it has come to one. Nothing else of where it stands gives a text another meaning.
    pub end: Option<MissionEnd>,
    /// True if a person cancelled it, which is final for its id.
    pub is_cancelled_for_good: bool,
    /// True if it never completes by itself.
    pub goes_on: bool,
    /// True if the failure of another mission may start it.
    pub has_spawn_trigger: bool,
    /// The mission that it starts when it fails.
    pub spawns: Option<MissionId>,
    /// The missions that it waits for.
    pub depends_on: Vec<Placed<MissionId>>,
    /// The mission that it is a part of.
    pub parent: Option<Placed<MissionId>>,
    /// Paths of the parts of robots that it locks.
    pub resources: Vec<Placed<String>>,
}

/// A value with the line and the column of its file, both from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Line.
    pub line: usize,
    /// Column in Unicode scalar values.
    pub column: usize,
}

impl CatalogMission {
    /// A mission of which nothing is known but its end, such as one whose file cannot be read.
    #[must_use]
    pub const fn unread(end: Option<MissionEnd>) -> Self {
        Self {
            end,
            is_cancelled_for_good: false,
            goes_on: false,
            has_spawn_trigger: false,
            spawns: None,
            depends_on: Vec::new(),
            parent: None,
            resources: Vec::new(),
        }
    }
}

impl Catalog {
    /// The row of a mission with the text `parsed`, which has come to this end. It is taken to have no parts, and not to
    /// be cancelled for good.
    #[must_use]
    pub fn mission(&self, parsed: &Parsed, end: Option<MissionEnd>) -> CatalogMission {
        let placed = |span: Span| {
            let at = parsed.source.position(span.from);
            (at.line, at.column)
        };
        let front = &parsed.front;
        let edge = |named: &Located<MissionId>| {
            let (line, column) = placed(named.span);
            Placed { value: named.value.clone(), line, column }
        };
        let resources = self.locks(parsed).into_iter().map(|(path, (_, span))| {
            let (line, column) = placed(span);
            Placed { value: path, line, column }
        });
        CatalogMission {
            end,
            is_cancelled_for_good: false,
            goes_on: front.goes_on(0),
            has_spawn_trigger: front.triggers.iter().any(|trigger| matches!(trigger.value, Trigger::Spawn)),
            spawns: match &front.on_failure {
                OnFailure::Spawn(other) => Some(other.clone()),
                OnFailure::Stop | OnFailure::Alert | OnFailure::Retry { .. } => None,
            },
            depends_on: front.depends_on.iter().map(edge).collect(),
            parent: front.parent.as_ref().map(edge),
            resources: resources.collect(),
        }
    }

    /// The parts of robots that a mission locks, with the place in its file: those that it names, else the actuators of
    /// its steps.
    pub(crate) fn locks(&self, parsed: &Parsed) -> BTreeMap<String, (Hold, Span)> {
        let mut locks = BTreeMap::new();
        if let Some(parts) = &parsed.front.resources {
            for part in parts {
                let path = format!("{}/{}", part.value.robot, part.value.part.join("/"));
                locks.entry(path).or_insert((part.value.hold, part.span));
            }
            return locks;
        }
        for goal in &parsed.front.goals {
            let Goal::Step { operation, input, .. } = &goal.value else { continue };
            if !self.moves_robot(operation) {
                continue;
            }
            let text = |key: &str| input.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
            let robot = RobotId::new(text("robot")).ok().and_then(|robot| self.robots.get(&robot));
            if let Some(robot) = robot
                && let Some(actuator) = robot.actuator(text("actuator"))
            {
                locks.entry(robot.path_of(actuator)).or_insert((Hold::Run, goal.span));
            }
        }
        locks
    }

    /// The parts of robots that a mission locks, each with how long.
    #[must_use]
    pub fn locked_parts(&self, parsed: &Parsed) -> BTreeMap<String, Hold> {
        self.locks(parsed).into_iter().map(|(path, (hold, _))| (path, hold)).collect()
    }

    /// The goals of a file, each with whether it moves a robot.
    #[must_use]
    pub fn moving_goals(&self, front: &Front) -> Vec<bool> {
        let moves =
            |goal: &Located<Goal>| matches!(&goal.value, Goal::Step { operation, .. } if self.moves_robot(operation));
        front.goals.iter().map(moves).collect()
    }

    /// True if the operation moves a robot.
    fn moves_robot(&self, operation: &str) -> bool {
        self.operations.get(operation).is_some_and(|row| row.moves_robot)
    }

    /// The operations among the goals and jobs of a file that move a robot.
    pub(crate) fn motions<'f>(&self, front: &'f Front) -> impl Iterator<Item = &'f str> {
        let goals = front.goals.iter().filter_map(|goal| match &goal.value {
            Goal::Step { operation, .. } => Some(operation.as_str()),
            Goal::Text { .. } | Goal::WaitFor { .. } | Goal::WaitSecs(_) => None,
        });
        let jobs = front.schedule.iter().filter_map(|job| job.value.operation.as_deref());
        goals.chain(jobs).filter(|operation| self.moves_robot(operation))
    }

    /// The graph of all missions, with `own` in the place of the one called `id`.
    pub(crate) fn graph(&self, id: &MissionId, own: GraphNode) -> BTreeMap<MissionId, GraphNode> {
        let others = self.missions.iter().filter(|(other, _)| *other != id);
        let others = others.map(|(other, mission)| (other.clone(), mission.node()));
        others.chain([(id.clone(), own)]).collect()
    }
}

impl CatalogRobot {
    /// The actuator of that name.
    pub(crate) fn actuator(&self, name: &str) -> Option<&Actuator> {
        self.manifest.actuators.iter().find(|actuator| actuator.id.as_str() == name)
    }

    /// The path of an actuator in the tree of parts.
    pub(crate) fn path_of(&self, actuator: &Actuator) -> String {
        Resource::actuator(&self.manifest.id, actuator).to_string()
    }

    /// The paths of all its parts, from the outermost inwards, the robot itself left out.
    pub(crate) fn parts(&self) -> Vec<String> {
        let mut parts = Vec::new();
        for actuator in &self.manifest.actuators {
            let path = self.path_of(actuator);
            let inner = path.match_indices('/').skip(1).map(|(end, _)| path.get(..end).unwrap_or_default().to_owned());
            parts.extend(inner.chain([path.clone()]));
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}

impl CatalogMission {
    fn node(&self) -> GraphNode {
        GraphNode {
            standing: Standing::Held,
            depends_on: self.depends_on.iter().map(|placed| placed.value.clone()).collect(),
            parent: self.parent.as_ref().map(|placed| placed.value.clone()),
            goes_on: self.goes_on,
        }
    }

    /// The place at which it names another mission as a dependency or parent.
    pub(crate) fn place_of(&self, other: &MissionId) -> Option<&Placed<MissionId>> {
        self.depends_on.iter().chain(&self.parent).find(|placed| placed.value == *other)
    }

    /// True if a text with this head waits for the same missions.
    pub(crate) fn waits_as(&self, front: &Front) -> bool {
        let (dependencies, named) = (self.depends_on.iter(), front.depends_on.iter());
        let has_parent =
            self.parent.as_ref().map(|placed| &placed.value) == front.parent.as_ref().map(|one| &one.value);
        has_parent && dependencies.map(|placed| &placed.value).eq(named.map(|one| &one.value))
    }

    /// True if it may still move something.
    pub(crate) const fn may_run(&self) -> bool {
        self.end.is_none()
    }
}
