//! Messages of VDA 5050 1.1, 2 and 3, as far as they are read, and the head of those that are written. Version 3 has renamed
//! some fields; both names are read.

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::adapters::bounds::{BYTES_MAX, is_bounded};

/// Other texts of a vehicle are cut to this many characters.
const TEXT_CHARS_MAX: usize = 128;

/// Topic `connection`, which the broker retains.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// Version of the protocol.
    pub version: String,
    /// `ONLINE`, `OFFLINE`, `CONNECTIONBROKEN` and others.
    pub connection_state: String,
}

/// Topic `state`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    timestamp: String,
    /// Version of the protocol.
    pub version: String,
    /// The current order, or the last one; empty if there was none.
    pub order_id: String,
    /// Number of the update of the order that it has taken last; whatever a vehicle writes there.
    #[serde(default)]
    order_update_id: Value,
    /// Sequence of the node that was reached last.
    pub last_node_sequence_id: u64,
    /// Nodes that are still to be reached.
    pub node_states: Vec<Step>,
    /// Edges that are still to be driven.
    pub edge_states: Vec<Step>,
    /// It drives or turns.
    pub driving: bool,
    /// It is paused; left out by vehicles that cannot be.
    pub paused: Option<bool>,
    /// `AUTOMATIC`, `SEMIAUTOMATIC`, and those in which somebody at the vehicle has control.
    pub operating_mode: String,
    /// Actions of orders, and those of instant actions before version 3.
    pub action_states: Vec<ActionState>,
    /// Instant actions from version 3 on.
    #[serde(default)]
    pub instant_action_states: Vec<ActionState>,
    #[serde(alias = "mobileRobotPosition")]
    agv_position: Option<Position>,
    velocity: Option<Speed>,
    #[serde(alias = "powerSupply")]
    battery_state: Value,
    /// Everything that is wrong.
    pub errors: Vec<VehicleError>,
    /// Its own stops.
    pub safety_state: Safety,
}

/// Topic `visualization`: the pose more often than with every state.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Visualization {
    timestamp: String,
    #[serde(alias = "mobileRobotPosition")]
    agv_position: Option<Position>,
    velocity: Option<Speed>,
}

/// A node or an edge of the current order.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Step {}

/// State of one action.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionState {
    /// Its id.
    pub action_id: String,
    /// `WAITING`, `RUNNING`, `FINISHED`, `FAILED` and others.
    pub action_status: String,
}

/// Place on a map.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// Metres.
    pub x: f64,
    /// Metres.
    pub y: f64,
    /// Radians.
    pub theta: f64,
    /// The map.
    pub map_id: String,
    /// The vehicle knows where it is.
    #[serde(alias = "localized")]
    pub position_initialized: bool,
}

/// Velocity in the vehicle's own frame.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Speed {
    /// Metres per second ahead.
    pub vx: Option<f64>,
    /// Metres per second to the left.
    pub vy: Option<f64>,
    /// Radians per second.
    pub omega: Option<f64>,
}

/// Something that is wrong with a vehicle, or with a message that it was sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VehicleError {
    /// Its type.
    pub error_type: String,
    /// `WARNING`, `FATAL` and others.
    pub error_level: String,
    /// Words about it.
    #[serde(default)]
    pub error_description: String,
    /// The fields or parts that it is about.
    #[serde(default)]
    pub error_references: Vec<Reference>,
}

/// Part of a message that an error is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reference {
    /// Name of a field.
    pub reference_key: String,
    /// Its value.
    pub reference_value: String,
}

/// The vehicle's own stops.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Safety {
    #[serde(alias = "activeEmergencyStop")]
    e_stop: String,
    field_violation: bool,
}

/// A place, and what moves there, of one message.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The vehicle's time of it, Unix milliseconds.
    pub stamp_ms: f64,
    /// Its place, if it was told.
    pub position: Option<Position>,
    /// Its velocity, if it was told.
    pub velocity: Option<Speed>,
}

/// Reads a message.
///
/// # Errors
/// The reason that it is none.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    if bytes.len() > BYTES_MAX {
        return Err(format!("{} bytes", bytes.len()));
    }
    if !is_bounded(bytes) {
        return Err("it has too many elements, or is nested too deeply".to_owned());
    }
    serde_json::from_slice(bytes).map_err(|error| cut(&error.to_string()))
}

/// A text of the vehicle, of a length that can be shown.
pub fn cut(text: &str) -> String {
    text.chars().take(TEXT_CHARS_MAX).collect()
}

fn measured(timestamp: &str, position: Option<&Position>, velocity: Option<Speed>) -> Result<Measured, String> {
    let stamp: Timestamp = timestamp.parse().map_err(|_| format!("its timestamp is {:?}", cut(timestamp)))?;
    let is_finite = |position: &Position| [position.x, position.y, position.theta].iter().all(|part| part.is_finite());
    let moves =
        |velocity: Speed| [velocity.vx, velocity.vy, velocity.omega].iter().flatten().all(|part| part.is_finite());
    if !position.is_none_or(is_finite) || !velocity.is_none_or(moves) {
        return Err("a number is not finite".to_owned());
    }
    Ok(Measured { stamp_ms: stamp.as_microsecond() as f64 / 1e3, position: position.cloned(), velocity })
}

impl State {
    /// Place and velocity.
    pub fn measured(&self) -> Result<Measured, String> {
        measured(&self.timestamp, self.agv_position.as_ref(), self.velocity)
    }

    /// True if it has this update of this order, or a later one; a vehicle that tells no update has every one.
    pub fn has_taken(&self, order: &str, update: u64) -> bool {
        self.order_id == order && self.order_update_id.as_u64().is_none_or(|taken| taken >= update)
    }

    /// True while nodes or edges are left, or it drives.
    pub fn is_active(&self) -> bool {
        !self.node_states.is_empty() || !self.edge_states.is_empty() || self.driving
    }

    /// True while somebody at the vehicle has control, or it has stopped itself. A word that is not known counts.
    pub fn is_local(&self) -> bool {
        let is_driven_by_orders = ["AUTOMATIC", "SEMIAUTOMATIC"].contains(&self.operating_mode.as_str());
        !is_driven_by_orders || !self.safety_state.e_stop.eq_ignore_ascii_case("NONE")
    }

    /// The status of an action, if the vehicle knows it.
    pub fn action(&self, id: &str) -> Option<&str> {
        let mut states = self.instant_action_states.iter().chain(&self.action_states);
        states.find(|state| state.action_id == id).map(|state| state.action_status.as_str())
    }

    /// True while it is paused; of a vehicle that does not say so, until it has carried out this action, which ends
    /// the pause.
    pub fn is_paused_until(&self, resumes: &str) -> bool {
        let is_over = |status: &str| ["FINISHED", "FAILED"].iter().any(|over| status.eq_ignore_ascii_case(over));
        self.paused.unwrap_or_else(|| !self.action(resumes).is_some_and(is_over))
    }

    /// Values for stations, each under its name.
    pub fn extras(&self) -> [(&'static str, Value); 3] {
        let errors: Vec<Value> = self.errors.iter().take(16).map(VehicleError::shown).collect();
        let Safety { e_stop, field_violation } = &self.safety_state;
        [
            ("battery", self.battery_state.clone()),
            ("errors", json!(errors)),
            (
                "safety",
                json!({ "e_stop": cut(e_stop), "field_violation": field_violation, "mode": cut(&self.operating_mode) }),
            ),
        ]
    }
}

impl Visualization {
    /// Place and velocity.
    pub fn measured(&self) -> Result<Measured, String> {
        measured(&self.timestamp, self.agv_position.as_ref(), self.velocity)
    }
}

impl VehicleError {
    /// True if it says that an instant action could not be read or carried out.
    pub fn is_about_instant_actions(&self) -> bool {
        let is_it =
            |text: &str| text.eq_ignore_ascii_case("instantActions") || text.eq_ignore_ascii_case("instantAction");
        let is_refusal = self.error_type.to_ascii_lowercase().contains("validation");
        let names = self.error_references.iter().any(|part| is_it(&part.reference_value) || is_it(&part.reference_key));
        is_refusal && (names || self.error_description.contains("instantAction"))
    }

    /// True if it names this order.
    pub fn is_about(&self, order: &str) -> bool {
        self.error_references.iter().any(|part| part.reference_value == order)
    }

    /// True if the vehicle cannot go on.
    pub fn is_fatal(&self) -> bool {
        ["FATAL", "CRITICAL"].contains(&self.error_level.as_str())
    }

    fn shown(&self) -> Value {
        let [kind, level, description] =
            [&self.error_type, &self.error_level, &self.error_description].map(|text| cut(text));
        json!({ "type": kind, "level": level, "description": description })
    }
}

/// A message with its head: the number of this message of its topic, the time by this computer's clock, and the vehicle.
pub fn with_head(mut body: Value, version: &str, vehicle: (&str, &str), number: u64, wall_ms: i64) -> String {
    let stamp = Timestamp::from_millisecond(wall_ms).unwrap_or_default();
    if let Some(fields) = body.as_object_mut() {
        fields.insert("headerId".to_owned(), json!(number));
        fields.insert("timestamp".to_owned(), json!(format!("{stamp:.3}")));
        fields.insert("version".to_owned(), json!(version));
        fields.insert("manufacturer".to_owned(), json!(vehicle.0));
        fields.insert("serialNumber".to_owned(), json!(vehicle.1));
    }
    body.to_string()
}

/// Instant actions. Vehicles disagree about the name of the list, so that both names are written.
pub fn instant_actions(actions: &[(&str, &str)]) -> Value {
    let one = |(kind, id): &(&str, &str)| json!({ "actionType": kind, "actionId": id, "blockingType": "HARD", "actionParameters": [] });
    let actions: Vec<Value> = actions.iter().map(one).collect();
    json!({ "actions": actions, "instantActions": actions })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = r#"{"headerId":1,"timestamp":"2026-01-01T00:00:00.50Z","version":"2.0.0","manufacturer":"ACME",
        "serialNumber":"agv-1","orderId":"","orderUpdateId":0,"lastNodeId":"","lastNodeSequenceId":0,"driving":false,
        "nodeStates":[],"edgeStates":[],"actionStates":[],"operatingMode":"AUTOMATIC","errors":[],
        "agvPosition":{"x":1.0,"y":2.0,"theta":0.5,"mapId":"hall","positionInitialized":true},"velocity":{"vx":0.1},
        "batteryState":{"batteryCharge":80.0,"charging":false},"safetyState":{"eStop":"NONE","fieldViolation":false}}"#;

    fn state(changes: &[(&str, &str)]) -> State {
        let text = changes.iter().fold(STATE.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        read(text.as_bytes()).unwrap()
    }

    #[test]
    fn rg_51_states_of_version_3_are_read_by_their_new_names() {
        let renamed = [
            ("agvPosition", "mobileRobotPosition"),
            ("positionInitialized", "localized"),
            ("batteryState", "powerSupply"),
            ("eStop", "activeEmergencyStop"),
        ];
        assert_eq!(state(&renamed), state(&[]));
        let measured = state(&[]).measured().unwrap();
        assert_eq!((measured.stamp_ms, measured.position.unwrap().map_id.as_str()), (1_767_225_600_500.0, "hall"));
    }

    #[test]
    fn rg_51_a_mode_of_people_and_a_pressed_stop_are_local_control_and_so_is_an_unknown_word() {
        assert!(!state(&[]).is_local() && !state(&[("\"NONE\"", "\"none\"")]).is_local());
        for (from, to) in
            [("AUTOMATIC", "MANUAL"), ("AUTOMATIC", "TEACH_IN"), ("\"NONE\"", "\"MANUAL\""), ("\"NONE\"", "\"?\"")]
        {
            assert!(state(&[(from, to)]).is_local(), "{to}");
        }
    }

    #[test]
    fn rg_05_rg_51_a_message_that_is_cut_too_deep_or_without_a_field_is_refused() {
        let deep = format!("{{\"version\":\"2\",\"connectionState\":{}{}}}", "[".repeat(17), "]".repeat(17));
        for text in ["", "{", "[]", &STATE[..STATE.len() - 1], &deep, r#"{"version":"2.0.0"}"#] {
            assert!(read::<State>(text.as_bytes()).is_err(), "{text}");
            assert!(read::<Connection>(text.as_bytes()).is_err(), "{text}");
        }
        assert!(state(&[("2026-01-01T00:00:00.50Z", "yesterday")]).measured().is_err());
    }

    #[test]
    fn rg_51_an_instant_action_is_written_under_both_names() {
        let text = with_head(instant_actions(&[("startPause", "a-1")]), "2.0.0", ("ACME", "agv-1"), 3, 1_000);
        let written: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(written["actions"], written["instantActions"]);
        assert_eq!(written["actions"][0]["actionType"], "startPause");
        assert_eq!((&written["headerId"], &written["timestamp"]), (&json!(3), &json!("1970-01-01T00:00:01.000Z")));
    }
}
