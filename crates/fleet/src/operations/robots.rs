//! The robots of a station.

use std::sync::Arc;

use robot::{Effect, Role, StopBehaviour, Trust};
use safety::arbitration::Holder;
use safety::machine::State;

use crate::fleet::Fleet;
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Operation, Terms, row};
use runtime::session::Session;
use runtime::wire::{LinkState, RobotRow};

/// Rows about robots as they are.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    let terms = Terms(Role::Viewer, Effect::Read, ALL, Trust::Trusted);
    vec![
        row("list_robots", terms, "Robots with actuators, pose, limits and link.", list_robots)
            .in_missions()
            .in_rooms()
            .core(),
    ]
}

async fn list_robots(fleet: Arc<Fleet>, by: Session, _: Nothing) -> Result<Vec<RobotRow>, OpError> {
    let now = fleet.runtime.clock.now().station;
    let mut rows: Vec<RobotRow> = fleet.units().iter().map(|unit| unit.row(now)).collect();
    if by.is_agent() {
        // The place of the hardware stop is for people; its text is free text of whoever wrote the manifest.
        rows.iter_mut().for_each(|row| {
            row.hardware_estop.clear();
            row.cameras.clear();
        });
    }
    rows.extend(fleet.unusable().into_iter().map(|(id, error)| unusable_row(id, error)));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(rows)
}

fn unusable_row(id: String, error: String) -> RobotRow {
    RobotRow {
        id,
        site: String::new(),
        simulated: false,
        state: State::Disarmed,
        control: Holder::Nobody,
        default_frame: String::new(),
        frames: Vec::new(),
        transforms: Vec::new(),
        actuators: Vec::new(),
        cameras: Vec::new(),
        pose: None,
        limits: None,
        body_radius_m: 0.0,
        link: LinkState::Never,
        rtt_ms: None,
        hardware_estop: String::new(),
        stop_behaviour: StopBehaviour::Hold.into(),
        errors: vec![error],
    }
}
