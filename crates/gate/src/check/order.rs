//! The part of the check that is about what stands between a gate's velocities and the robot: `twist_mux` and the collision
//! monitor of Nav2, by their parameters.

use robot::{CollisionMonitor, MonitorPlace};

use super::Report;
use crate::adapters::ros2::{Graph, Mux, Parameters, Ros2Wiring, Way, monitors_of, place, told};
use crate::code::GateCode;
use crate::error::GateError;
use crate::host;

/// Checks the order of the mux that the wiring names, and whether a collision monitor stands behind the gate.
pub fn check(graph: &Graph, wiring: &Ros2Wiring, report: &mut Report) {
    let Some(command) = wiring.command_topic() else { return };
    let mux = wiring.cmd_vel.as_ref().and_then(|cmd_vel| cmd_vel.mux.as_ref()).map(|mux| wiring.absolute(mux));
    let monitors = monitors_of(graph);
    let asked: Vec<&str> = mux.iter().chain(&monitors).map(String::as_str).collect();
    if asked.is_empty() {
        return;
    }
    let told = match told("check", wiring, &asked, &host::clock(), || false) {
        Ok(told) => told,
        Err(error) => return report.wrong(&GateError::new(GateCode::NotStarted, error.to_string())),
    };
    if let Some(mux) = &mux {
        check_mux(mux, told.get(mux), wiring, report);
    }
    let way = Way { topic: &command, mux: mux.as_deref(), graph };
    for monitor in &monitors {
        note_monitor(&place(monitor, told.get(monitor), way), &command, report);
    }
}

/// Holds the parameters of the mux against the order that a stop needs.
pub(super) fn check_mux(node: &str, told: Option<&Parameters>, wiring: &Ros2Wiring, report: &mut Report) {
    let wrong = |message: String| GateError::new(GateCode::BadRos2, message);
    let Some(mux) = told.and_then(|told| Mux::of(node, told)) else {
        let message = format!("{node} tells no parameters of a twist_mux, so that nobody knows whose velocities win");
        return report.wrong(&wrong(message));
    };
    let (Some(command), Some(cmd_vel)) = (wiring.command_topic(), &wiring.cmd_vel) else { return };
    let lock = cmd_vel.lock.as_ref().map(|lock| wiring.absolute(lock));
    let problems = mux.problems(&command, lock.as_deref());
    if problems.is_empty() {
        report.good(format!("{node}: {command} wins over every other input"));
    }
    for problem in problems {
        report.wrong(&wrong(format!("{node}: {problem}")));
    }
    if lock.is_none() {
        report.note(format!(
            "{node}: the wiring names no `lock`, so that other inputs drive the robot again after a stop"
        ));
    }
}

/// Says if velocities of the gate pass a collision monitor.
pub(super) fn note_monitor(monitor: &CollisionMonitor, topic: &str, report: &mut Report) {
    let CollisionMonitor { node, input, place } = monitor;
    let input = input.as_deref().unwrap_or_default();
    match place {
        MonitorPlace::OnTheWay => report.good(format!("behind the collision monitor {node}, which takes {input}")),
        MonitorPlace::Elsewhere => report.note(format!(
            "not behind the collision monitor {node}: its cmd_vel_in_topic is {input}, and {topic} does not lead there"
        )),
        MonitorPlace::Unknown => {
            report.note(format!("not known to be behind the collision monitor {node}: it tells no cmd_vel_in_topic"))
        }
    }
}
