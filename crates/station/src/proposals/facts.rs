//! The facts of a proposal: the robot's own measurements, and people around it as far as the world state tells.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{AgentId, FrameId, Instant, Manifest, Scalar, StateKind};
use safety::approval::tier::PersonSeen;
use world::{Entry, Freshness};

use crate::station::Station;
use agent_runner::AgentUnit;
use fleet::RobotHandle;
use runtime::wire::ProposalFact;

/// Labels of detectors for people.
const PERSON_WORDS: [&str; 8] = ["person", "people", "human", "pedestrian", "worker", "child", "toddler", "baby"];
/// The frame in which the coordinates of a detection are taken.
const DETECTION_FRAME: &str = "map";
/// People a card names; more are still counted.
const PEOPLE_SHOWN_MAX: usize = 8;

/// Fresh detections of people.
#[derive(Debug, Default)]
pub(super) struct People {
    seen: Vec<Detection>,
    /// Those that only other agents know of.
    unnamed: Vec<Detection>,
}

#[derive(Debug, Clone)]
struct Detection {
    entry: Arc<Entry>,
    /// Horizontally, in the frame of detections, metres.
    position_m: Option<[f64; 2]>,
}

/// The robot's measured pose and speed, each with its freshness.
pub(super) fn of_robot(unit: &RobotHandle, now: Instant) -> Vec<ProposalFact> {
    let measured = unit.measurements();
    let pose = measured.pose.last_known().map(|pose| {
        let [x, y, z] = pose.value.position_m;
        let value = format!("({x:.2}, {y:.2}, {z:.2}) m in {}", pose.value.frame);
        fact(unit, StateKind::Pose, "pose", value, now.ms_since(pose.observed))
    });
    let speed = measured.speed_mps.last_known().map(|speed| {
        fact(unit, StateKind::Velocity, "speed", format!("{:.2} m/s", speed.value), now.ms_since(speed.observed))
    });
    pose.into_iter().chain(speed).collect()
}

fn fact(unit: &RobotHandle, kind: StateKind, name: &str, value: String, age_ms: u64) -> ProposalFact {
    // A source that the manifest does not declare has no age that would be fresh.
    let max_age_ms = unit.manifest.state_source(kind).map_or(0, |source| source.max_age_ms);
    let freshness = world::freshness(age_ms, max_age_ms, false);
    ProposalFact { key: format!("{}.{name}", unit.id()), value, age_ms, freshness }
}

/// True if a value of this freshness can still be relied on.
pub(super) const fn is_fresh(freshness: Freshness) -> bool {
    match freshness {
        Freshness::Live | Freshness::Aging => true,
        Freshness::Stale | Freshness::Lost | Freshness::Never => false,
    }
}

impl People {
    /// Everybody whom the agents know of now, as `agent` may be shown it.
    pub fn around(station: &Station, agent: &AgentUnit) -> Self {
        Self::around_all(station).remove(&agent.id).unwrap_or_default()
    }

    /// The same for every agent. Another agent's detections count for the care a motion needs, and are shown nowhere.
    pub fn around_all(station: &Station) -> BTreeMap<AgentId, Self> {
        let now = station.runtime.clock.now().station;
        let agents = station.runner.agents.all();
        let seen: Vec<_> =
            agents.iter().map(|agent| (&agent.id, Self::among(&agent.world.ingest.entries(), now).seen)).collect();
        let around = |(id, own): &(&AgentId, Vec<Detection>)| {
            let others = seen.iter().filter(|(other, _)| other != id);
            let unnamed = others.flat_map(|(_, detections)| detections.clone()).collect();
            ((*id).clone(), Self { seen: own.clone(), unnamed })
        };
        seen.iter().map(around).collect()
    }

    fn among(entries: &[Arc<Entry>], now: Instant) -> Self {
        let fresh: Vec<&Arc<Entry>> = entries.iter().filter(|entry| is_fresh(entry.freshness(now))).collect();
        let numbers: BTreeMap<&str, f64> =
            fresh.iter().filter_map(|entry| Some((entry.key.as_str(), entry.value.as_f64()?))).collect();
        let detection = |entry: &&Arc<Entry>| {
            let group = entry.key.as_str().rsplit_once('.').map_or(entry.key.as_str(), |(group, _)| group);
            let coordinate = |axis: &str| numbers.get(format!("{group}.{axis}").as_str()).copied();
            let position_m = coordinate("x_m").zip(coordinate("y_m")).map(|(x, y)| [x, y]);
            Detection { entry: Arc::clone(entry), position_m }
        };
        let seen = fresh.iter().filter(|entry| tells_of_a_person(entry)).map(detection).collect();
        Self { seen, unnamed: Vec::new() }
    }

    /// The distance of the nearest person to a way through points of `frame`, metres, if it is known.
    pub fn near(&self, manifest: &Manifest, frame: &FrameId, way_m: &[[f64; 3]]) -> PersonSeen {
        let mut everybody = self.seen.iter().chain(&self.unnamed).peekable();
        if everybody.peek().is_none() {
            return PersonSeen::Nobody;
        }
        let into = FrameId::new(DETECTION_FRAME).ok().and_then(|to| manifest.static_transform(frame, &to));
        // Without a transform nobody can be judged to be far away.
        let Some(into) = into else { return PersonSeen::Somewhere };
        let way: Vec<[f64; 2]> = way_m.iter().map(|point| into.apply(*point)).map(|[x, y, _]| [x, y]).collect();
        // A person without a position may be anywhere, so one is enough to leave the distance open.
        let distances = everybody.map(|seen| Some(distance_m(seen.position_m?, &way)));
        let nearest = distances.reduce(|nearest, next| Some(if nearest? <= next? { nearest? } else { next? }));
        match nearest.flatten() {
            Some(distance_m) => PersonSeen::At(distance_m),
            None => PersonSeen::Somewhere,
        }
    }

    /// True if a card with the facts `shown` does not name everybody whom it would name now.
    pub fn has_come(&self, shown: impl Fn(&str) -> bool) -> bool {
        self.seen.iter().take(PEOPLE_SHOWN_MAX).any(|seen| !shown(seen.entry.key.as_str()))
    }

    /// The detections as facts of a card.
    pub fn facts(&self, now: Instant) -> Vec<ProposalFact> {
        let facts = self.seen.iter().map(|seen| ProposalFact {
            key: seen.entry.key.to_string(),
            value: seen.entry.value.to_string(),
            age_ms: seen.entry.age_ms(now),
            freshness: seen.entry.freshness(now),
        });
        facts.take(PEOPLE_SHOWN_MAX).collect()
    }
}

/// True if an entry says that a person is there: by its name or by its value, unless it says that there is none.
fn tells_of_a_person(entry: &Entry) -> bool {
    let is_person = |text: &str| PERSON_WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()));
    let names_one = |text: &str| text.split(['.', '_', '-']).any(is_person);
    let nobody = match &entry.value {
        Scalar::Bool(there) => !there,
        Scalar::Int(count) => *count == 0 && entry.key.as_str().ends_with("count"),
        Scalar::Float(_) => false,
        Scalar::Text(label) => return names_one(label) || names_one(entry.key.as_str()),
    };
    !nobody && names_one(entry.key.as_str())
}

/// The distance of a point to a way of straight pieces, metres; not a number if one of the numbers is none.
fn distance_m(point: [f64; 2], way: &[[f64; 2]]) -> f64 {
    let first = way.first().map(|start| to_piece_m(point, *start, *start));
    let pieces = way.windows(2).map(|piece| to_piece_m(point, piece[0], piece[1]));
    first.into_iter().chain(pieces).reduce(|least, next| if least <= next { least } else { next }).unwrap_or(f64::NAN)
}

fn to_piece_m([x, y]: [f64; 2], [ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let length_squared = dx * dx + dy * dy;
    let along = if length_squared > 0.0 { ((x - ax) * dx + (y - ay) * dy) / length_squared } else { 0.0 };
    let along = along.clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

#[cfg(test)]
mod tests;
