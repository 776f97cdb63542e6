//! The meaning of a file at this site: everything that it names is looked up, every limit held against those in
//! force, and every step against all of them. Compiling starts nothing.

mod edges;
mod limits;
mod resources;
mod steps;
mod world_keys;

pub(crate) use limits::is_about_places;
use robot::{ActuatorId, Command, MissionId, Now, RobotId};
use world::cron::Zone;

use crate::catalog::{Catalog, CatalogRobot};
use crate::compiled::Compiled;
use crate::file::not_acted_on;
use crate::format::front::{EnvelopeRequest, Expiry, Trigger, WrittenTime, names};
use crate::format::parsed::Parsed;
use crate::format::yaml::{Node, Value};
use crate::problem::{Fault, Faults, Problem, ProblemCode, Problems, Severity, Span};

/// The most names that a sentence lists.
const LISTED_MAX: usize = 12;

/// A file with its meaning, or with what stands in the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Compilation {
    /// The meaning; none if a problem is an error.
    pub compiled: Option<Compiled>,
    /// Everything that is wrong, that of the file alone included.
    pub problems: Problems,
}

/// Compiles the file of mission `id`. Of `now` the wall clock counts: a time before it is a problem, so a version
/// that was activated is compiled as of its activation.
#[must_use]
pub fn compile(parsed: &Parsed, id: &MissionId, catalog: &Catalog, now: Now) -> Compilation {
    let zone = parsed.front.time_zone.as_ref().map_or(&catalog.time_zone, |zone| &zone.value);
    let mut compiler = Compiler { parsed, id, catalog, zone, now_ms: now.wall_ms, faults: Faults::default() };
    compiler.check_id();
    compiler.check_robots();
    compiler.check_times();
    let mut motions = compiler.check_jobs();
    compiler.check_resources();
    motions.extend(compiler.check_goals());
    let asked = Asked { motions, standing: compiler.check_envelopes() };
    compiler.check_limits(&asked);
    compiler.check_world_keys();
    compiler.check_edges();
    let further = compiler.faults.told(&parsed.source);
    let problems = parsed.problems.clone().and(further);
    // With an error some values are defaults, and a meaning made of them would be one that nobody wrote.
    let compiled = (!problems.has_error).then(|| Compiled::new(parsed, id, catalog));
    Compilation { compiled, problems }
}

impl Compilation {
    /// The same with an error for each key that the station does not act on. The meaning stays, to be read.
    #[must_use]
    pub fn for_station(self, parsed: &Parsed) -> Self {
        Self { problems: self.problems.and(not_acted_on(parsed)), ..self }
    }

    /// The warnings among the problems that are told.
    pub fn warnings(&self) -> impl Iterator<Item = &Problem> {
        self.problems.listed.iter().filter(|problem| problem.severity == Severity::Warning)
    }
}

/// One compilation: the inputs, and the problems found so far.
struct Compiler<'c> {
    parsed: &'c Parsed,
    id: &'c MissionId,
    catalog: &'c Catalog,
    /// The zone of the file's times.
    zone: &'c Zone,
    now_ms: i64,
    faults: Faults,
}

/// Everything of a file that limits are held against.
struct Asked<'c> {
    /// The motions of its steps and jobs.
    motions: Vec<Placed<'c, Command>>,
    /// The standing approvals that it asks for.
    standing: Vec<Placed<'c, &'c EnvelopeRequest>>,
}

/// A part of the file's meaning and its place.
struct Placed<'c, T> {
    place: Place<'c>,
    value: T,
}

/// A value in the file.
#[derive(Debug, Clone)]
struct Place<'c> {
    /// The path of its key.
    path: String,
    span: Span,
    node: Option<&'c Node>,
}

impl<'c> Place<'c> {
    /// A part of the value, such as `input.robot`; the value itself as the place if it has no such part.
    fn at(&self, inner: &str) -> Self {
        let node = self.node.and_then(|node| node.descend(inner));
        let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        Self { path: format!("{}{dot}{inner}", self.path), span: node.map_or(self.span, |node| node.span), node }
    }
}

impl<'c> Compiler<'c> {
    /// The value of a key of the front matter.
    fn key(&self, key: &str) -> Place<'c> {
        let root = self.parsed.root.as_ref();
        let node = root.and_then(|root| root.entries().iter().find(|entry| entry.key == key)).map(|entry| &entry.value);
        Place { path: key.to_owned(), span: node.map_or_else(Span::default, |node| node.span), node }
    }

    /// The entry with that span in the list of a key. Entries that are wrong are left out of what was read, so that
    /// their count is no place.
    fn entry(&self, key: &str, span: Span) -> Place<'c> {
        let list = self.key(key);
        let items: &[Node] = match list.node.map(|node| &node.value) {
            Some(Value::List { items, .. }) => items,
            Some(Value::Scalar { .. } | Value::Map { .. } | Value::Refused) | None => &[],
        };
        match items.iter().enumerate().find(|(_, item)| item.span == span) {
            Some((at, node)) => Place { path: format!("{key}[{at}]"), span, node: Some(node) },
            None => Place { span, ..list },
        }
    }

    fn add(&mut self, fault: Fault, place: &Place<'_>) {
        self.faults.add(fault.about(&place.path));
    }

    fn error(&mut self, code: ProblemCode, place: &Place<'_>, message: String, help: impl Into<String>) {
        self.add(Fault::new(code, place.span, message, help), place);
    }

    fn warn(&mut self, code: ProblemCode, place: &Place<'_>, message: String, help: impl Into<String>) {
        self.add(Fault::new(code, place.span, message, help).into_warning(), place);
    }

    fn check_id(&mut self) {
        if self.catalog.missions.get(self.id).is_some_and(|own| own.is_cancelled_for_good) {
            let message = format!("A person cancelled the mission `{}`, which is final.", self.id);
            let fault = Fault::new(ProblemCode::IdCancelled, Span::default(), message, "Save it under another id.");
            self.faults.add(fault);
        }
    }

    /// Robots that the site does not have.
    fn check_robots(&mut self) {
        let catalog = self.catalog;
        for robot in &self.parsed.front.robots {
            if !catalog.robots.contains_key(&robot.value) {
                let message = format!("There is no robot `{}` at this site.", robot.value);
                let help = meant(robot.value.as_str(), catalog.robots.keys().map(RobotId::as_str));
                let place = self.entry("robots", robot.span);
                self.error(ProblemCode::UnknownRobot, &place, message, help);
            }
        }
    }

    /// True if the mission names the robot; else it is told at `place`.
    fn names_robot(&mut self, robot: &RobotId, place: &Place<'_>) -> bool {
        let own = &self.parsed.front.robots;
        if own.iter().any(|named| named.value == *robot) {
            return true;
        }
        let message = format!("`{robot}` is no robot of this mission.");
        let help = if self.catalog.robots.contains_key(robot) {
            format!("Add `{robot}` to `robots`.")
        } else {
            meant(robot.as_str(), own.iter().map(|named| named.value.as_str()))
        };
        self.error(ProblemCode::UnknownRobot, place, message, help);
        false
    }

    /// An actuator that the robot does not have.
    fn tell_unknown_actuator(&mut self, robot: &CatalogRobot, actuator: &ActuatorId, place: &Place<'_>) {
        let message = format!("`{}` has no actuator `{actuator}`.", robot.manifest.id);
        let help = meant(actuator.as_str(), robot.manifest.actuators.iter().map(|known| known.id.as_str()));
        self.error(ProblemCode::UnknownActuator, place, message, help);
    }

    /// Times that are over, or that no clock of the zone shows.
    fn check_times(&mut self) {
        let front = &self.parsed.front;
        for trigger in &front.triggers {
            if let Trigger::At(time) = &trigger.value {
                let place = self.entry("triggers", trigger.span).at("at");
                self.check_time(time, &place);
            }
        }
        if let Some(expires) = &front.expires
            && let Expiry::At(time) = &expires.value
        {
            let place = self.key("expires");
            self.check_time(time, &place);
        }
    }

    fn check_time(&mut self, time: &WrittenTime, place: &Place<'_>) {
        match time.ms_in(self.zone) {
            None => {
                let message = format!("No clock of {} shows this time.", self.zone);
                self.error(ProblemCode::BadTime, place, message, "Write a time in RFC 3339.");
            }
            // A time that is over would start or end the mission at the moment of its activation.
            Some(at_ms) if at_ms <= self.now_ms => {
                let message = format!("This time is over: {}.", self.zone.rfc3339(at_ms));
                self.error(ProblemCode::TimeInPast, place, message, "Write a time that is still to come.");
            }
            Some(_) => {}
        }
    }
}

/// A sentence with the name that was probably meant, else with those that there are.
fn meant<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(nearest) = names::nearest(name, &known) {
        return format!("Did you mean `{nearest}`?");
    }
    match known.len() {
        0 => "There is none.".into(),
        1..=LISTED_MAX => format!("Use {}.", names::one_of(&known)),
        more => {
            let first = names::one_of(known.get(..LISTED_MAX).unwrap_or_default());
            format!("Use one of {more}, for example {first}.")
        }
    }
}
