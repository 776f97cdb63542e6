//! Control of robots: taking it, asking for it, giving it away, driving by hand; and who uses what.

use std::sync::Arc;
use std::time::Duration;

use robot::{ActuatorId, Effect, RawCommand, RawMotion, RawVelocity, RobotId, Role, Trust};
use safety::arbitration::Handover;
use safety::leases::Resource;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::fleet::Fleet;
use crate::gate;
use crate::state::submission::Submission;
use crate::{FleetCode, control::control_handover};
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, OfRobot, Operation, Terms, UI, given, row};
use runtime::session::Session;
use runtime::wire::{CommandOutcome, ControlRow, LockRow, ScreenNoted};

/// Period at which a screen says that it renders.
const SCREEN_PERIOD: Duration = Duration::from_secs(1);
/// The longest a jog lives without the next one, milliseconds; less if the actuator's manifest says so.
const JOG_TTL_MS_MAX: u32 = 500;

/// Rows about control: who has it, and jogging by hand.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    use Effect::{Actuate, Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "take_control",
            Terms(Operator, Write, UI, Trust::Text),
            "Takes control of a robot for oneself alone.",
            take_control,
        ).example(json!({"robot": "arm-1"})),
        row(
            "request_control",
            Terms(Operator, Write, UI, Trust::Text),
            "Asks the person in control for it; 10 s of silence is no.",
            request_control,
        ).example(json!({"robot": "arm-1", "message": "May I measure the table?"})),
        row(
            "answer_control_request",
            Terms(Operator, Write, UI, Trust::Text),
            "Gives control to the person who asks, or refuses.",
            answer_control_request,
        ).example(json!({"id": "request-2", "allow": true})),
        row(
            "release_control",
            Terms(Operator, Write, UI, Trust::Text),
            "Gives up control of a robot, to nobody.",
            release_control,
        ).example(json!({"robot": "arm-1"})),
        row(
            "force_control",
            Terms(Admin, Write, UI, Trust::Text),
            "Takes control of a robot from another person, with a reason.",
            force_control,
        ).example(json!({"robot": "arm-1", "reason": "Its operator has left."})),
        row(
            "jog",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Moves an actuator while it is repeated, step by step towards a velocity.",
            jog,
        ).example(json!({"robot": "arm-1", "actuator": "tool", "linear_mps": [0.05, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0]}))
        .recorded_by_gate(),
        row(
            "list_locks",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "Every actuator and whose motion uses it.",
            list_locks,
        ).in_missions(),
        row(
            "screen_alive",
            Terms(Viewer, Read, UI, Trust::Text),
            "Says once a second that a screen renders.",
            screen_alive,
        ),
    ]
}

async fn take_control(fleet: Arc<Fleet>, by: Session, input: OfRobot) -> Result<ControlRow, OpError> {
    control_handover::hand_over(&fleet, &by, &input.robot, Handover::Take(by.person()), "taken").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RequestControl {
    /// The robot.
    robot: RobotId,
    /// The message to the person in control, at most 300 characters.
    message: String,
}

async fn request_control(fleet: Arc<Fleet>, by: Session, input: RequestControl) -> Result<ControlRow, OpError> {
    control_handover::request(&fleet, &by, &input.robot, &input.message)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnswerControlRequest {
    /// `cr-<uuid>`.
    id: String,
    /// True gives them control, false refuses it.
    allow: bool,
}

async fn answer_control_request(
    fleet: Arc<Fleet>,
    by: Session,
    input: AnswerControlRequest,
) -> Result<ControlRow, OpError> {
    control_handover::answer(&fleet, &by, &input.id, input.allow).await
}

async fn release_control(fleet: Arc<Fleet>, by: Session, input: OfRobot) -> Result<ControlRow, OpError> {
    let handover = Handover::Release { session: by.id().clone() };
    control_handover::hand_over(&fleet, &by, &input.robot, handover, "released").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForceControl {
    /// The robot.
    robot: RobotId,
    /// The reason for taking control from the person who has it, 1 to 500 characters.
    reason: String,
}

async fn force_control(fleet: Arc<Fleet>, by: Session, input: ForceControl) -> Result<ControlRow, OpError> {
    let reason = given(&input.reason)?;
    control_handover::hand_over(&fleet, &by, &input.robot, Handover::Replace(by.person()), reason).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Jog {
    /// The robot.
    robot: RobotId,
    /// The actuator.
    actuator: ActuatorId,
    /// Three components in the robot's default frame, metres per second. Where the acceleration limit asks for it, what
    /// is sent nears them step by step; zero is sent at once.
    linear_mps: Vec<f64>,
    /// Three components, radians per second.
    angular_radps: Vec<f64>,
}

async fn jog(fleet: Arc<Fleet>, by: Session, input: Jog) -> Result<CommandOutcome, OpError> {
    let unit = fleet.unit(&input.robot)?;
    let is_zero = input.linear_mps.iter().chain(&input.angular_radps).all(|part| *part == 0.0);
    let rtt_ms = unit.control().beats.rtt_ms_p95();
    // With a longer round trip the robot would stop too late
    // after the key is let go. Zero is never refused for it.
    let most_ms = unit.settings.jog_round_trip_ms;
    if !is_zero && !rtt_ms.is_some_and(|rtt_ms| rtt_ms <= f64::from(most_ms)) {
        let shown = rtt_ms.map_or_else(|| "unknown".to_owned(), |rtt_ms| format!("{rtt_ms:.0} ms"));
        let message = format!("The round trip to {} is {shown}; jogging needs {most_ms} ms.", input.robot);
        return Err(OpError::new(FleetCode::LinkSlow, message));
    }
    let actuator = unit.manifest.actuators.iter().find(|actuator| actuator.id == input.actuator);
    // After this time the jog ends by itself, also if the window closes or a message is lost.
    let ttl_ms = actuator.map_or(JOG_TTL_MS_MAX, |actuator| actuator.set_point_ttl_ms.min(JOG_TTL_MS_MAX));
    let raw = RawCommand {
        id: None,
        robot: input.robot,
        actuator: input.actuator,
        frame: None,
        force_n: None,
        ttl_ms: Some(ttl_ms),
        mission_id: None,
        motion: RawMotion::Velocity(RawVelocity { linear_mps: input.linear_mps, angular_radps: input.angular_radps }),
    };
    gate::send(&fleet, Submission { by_hand: true, ..Submission::new(raw, by) }).await
}

async fn list_locks(fleet: Arc<Fleet>, _: Session, _: Nothing) -> Result<Vec<LockRow>, OpError> {
    let unknown = |_| OpError::new(FleetCode::LockPoisoned, "Nobody can tell what is in use.");
    let mut rows = Vec::new();
    for unit in fleet.units() {
        for actuator in &unit.manifest.actuators {
            let resource = Resource::actuator(unit.id(), actuator);
            let user = fleet.resources.user(&resource).map_err(unknown)?;
            let (owner, token) = user.map(|(owner, token)| (owner, token.0)).unzip();
            rows.push(LockRow { robot: unit.id().clone(), actuator: actuator.id.clone(), resource, owner, token });
        }
    }
    Ok(rows)
}

async fn screen_alive(fleet: Arc<Fleet>, by: Session, _: Nothing) -> Result<ScreenNoted, OpError> {
    fleet.presence.note_screen(by.id(), fleet.runtime.clock.now().station);
    Ok(ScreenNoted { again_in_ms: SCREEN_PERIOD.as_millis() as u64 })
}
