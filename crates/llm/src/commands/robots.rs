//! The answer of `list_robots`, and names of robots as people shorten them.

use serde::Deserialize;
use serde_json::Value;

use super::names;

/// A robot as `list_robots` gives it. Fields the interpreter does not use are left out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Robot {
    pub id: String,
    pub state: String,
    #[serde(default)]
    pub default_frame: String,
    #[serde(default)]
    pub frames: Vec<String>,
    #[serde(default)]
    pub actuators: Vec<Actuator>,
    #[serde(default)]
    pub pose: Option<Pose>,
    #[serde(default)]
    pub limits: Option<Limits>,
    #[serde(default)]
    pub link: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Actuator {
    pub id: String,
    pub kind: String,
    #[serde(default)]
    pub motions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Pose {
    pub frame: String,
    pub position_m: [f64; 3],
    #[serde(default)]
    pub orientation: Option<[f64; 4]>,
    pub age_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Limits {
    #[serde(default)]
    pub speed_mps_max: Option<f64>,
}

#[derive(Deserialize)]
struct List {
    items: Vec<Robot>,
}

/// Reads the answer of `list_robots`.
pub(super) fn parse(result: Option<&Value>) -> Option<Vec<Robot>> {
    let list: List = serde_json::from_value(result?.clone()).ok()?;
    Some(list.items)
}

/// The robot `name` means: its id, or the beginning of exactly one id. Otherwise a sentence with candidates.
pub(super) fn resolve<'a>(robots: &'a [Robot], name: &str) -> Result<&'a Robot, String> {
    let ids: Vec<&str> = robots.iter().map(|robot| robot.id.as_str()).collect();
    let at = names::place("robot", &ids, name)?;
    robots.get(at).ok_or_else(|| format!("No robot is called {name:?}."))
}
