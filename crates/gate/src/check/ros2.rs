//! The part of the check that is about a robot of ROS 2.

use std::time::Duration;

use super::{Report, order, watch};
use crate::adapters::ros2::{
    GoalKind, Graph, Ros2Watcher, Ros2Wiring, SPEED_LIMIT, TwistType, cancel_service, dds_requests, dds_topic,
    goal_service,
};
use crate::code::GateCode;
use crate::error::GateError;
use crate::host;
use crate::setup::Setup;

/// Time for which the robot is watched: participants are found within seconds.
const WATCH: Duration = Duration::from_secs(6);

/// Checks the table `[ros2]`, and unless `offline` what the robot's graph and topics show.
pub fn check(setup: &Setup, offline: bool, report: &mut Report) {
    let Some(wiring) = &setup.wiring.ros2 else { return };
    let interface =
        wiring.interface.map_or_else(|| "every interface".to_owned(), |address| format!("interface {address}"));
    report.good(format!("domain {} of ROS 2 over {interface}", wiring.domain));
    report.note("a robot's topics are neither signed nor encrypted: whoever is in its domain can command it");
    if wiring.navigate.is_some() {
        report.note(
            "the robot plans the way to a goal itself: nobody here knows it, and the robot goes on if its gate dies",
        );
        if wiring.cmd_vel.is_none() {
            report.note(
                "commissioning has the hardware stop alone: no step can move a robot that takes goals only; name `cmd_vel` too",
            );
        }
    }
    if wiring.trajectory.is_some() {
        report.note("the controller interpolates the way of the joints: it is judged as a ball around the tool, and the arm goes on to its end if its gate dies");
        report.note(
            "commissioning moves each joint alone at 0.1 rad/s: how far the arm stops from a higher speed is what its manifest says",
        );
    }
    if offline && wiring.cmd_vel.as_ref().is_some_and(|cmd_vel| cmd_vel.mux.is_some()) {
        report.note(
            "order of the mux: this gate's input must have the highest priority, not below the lock's; input timeouts of \
             at most 1 s, and a lock timeout above 0; offline nobody has looked at its parameters",
        );
    }
    if !offline {
        watch::look(setup, report, |setup, report| check_robot(setup, wiring, report));
    }
}

fn check_robot(setup: &Setup, wiring: &Ros2Wiring, report: &mut Report) {
    let frame = setup.manifest.default_frame.clone();
    match Ros2Watcher::watch(wiring, frame, &host::clock()) {
        Ok(mut watcher) => {
            watch::watch(setup, &mut watcher, WATCH, GateCode::BadRos2, report);
            check_graph(&watcher.graph(), wiring, report);
            order::check(&watcher.graph(), wiring, report);
        }
        Err(error) => report.wrong(&GateError::new(GateCode::NotStarted, error.to_string())),
    }
}

/// Holds the wiring against what is there.
pub(super) fn check_graph(graph: &Graph, wiring: &Ros2Wiring, report: &mut Report) {
    let wrong = |message: String| GateError::new(GateCode::BadRos2, message);
    if let Some(topic) = wiring.command_topic() {
        let types: Vec<Option<TwistType>> = graph.listeners(&dds_topic(&topic)).into_iter().collect();
        match types.as_slice() {
            [Some(twist)] => report.good(format!("{topic}: somebody listens for {}", twist.name())),
            [] => report.wrong(&wrong(format!("nobody listens to {topic}"))),
            // Each listener hears only its own type, and nothing shows which of them drives the robot.
            _ => report.wrong(&wrong(format!("{topic} has listeners of several types, or of one that is no velocity"))),
        }
        match graph.foreign(&dds_topic(&topic)) {
            None => report.good(format!("{topic}: nobody else publishes")),
            Some(name) => {
                report.wrong(&wrong(format!("{name} publishes on {topic} too: motion is refused while it does")))
            }
        }
    }
    if let Some(action) = wiring.goal_action() {
        check_goals(graph, wiring, &action, report);
    }
    let services = wiring.stop_service.iter().map(|service| wiring.absolute(service));
    let cancels = wiring.other_actions().into_iter().map(|action| cancel_service(&action));
    for service in services.chain(cancels) {
        let requests = dds_requests(&service);
        if graph.is_served(&requests) {
            report.good(format!("{service}: somebody serves it"));
        } else if graph.is_served_otherwise(&requests) {
            report.wrong(&wrong(of_cyclone(&service)));
        } else {
            report.wrong(&wrong(format!("nobody serves {service}")));
        }
    }
    for topic in &wiring.forward {
        match graph.published(&dds_topic(&wiring.absolute(topic))) {
            Some(dds_type) => report.good(format!("{topic}: it is published, as {dds_type}")),
            None => report.note(format!("nobody publishes {topic}, which is to be forwarded")),
        }
    }
}

fn of_cyclone(name: &str) -> String {
    format!(
        "{name} is served over Cyclone DDS, whose services this program does not speak: start the robot's nodes with \
         RMW_IMPLEMENTATION=rmw_fastrtps_cpp"
    )
}

/// Holds the action that drives the robot to goals against what is there.
fn check_goals(graph: &Graph, wiring: &Ros2Wiring, action: &str, report: &mut Report) {
    if graph.is_served(&dds_requests(&goal_service(action))) && graph.is_served(&dds_requests(&cancel_service(action)))
    {
        report.good(format!("{action}: an action server takes goals and cancels them"));
    } else if graph.is_served_otherwise(&dds_requests(&goal_service(action))) {
        report.wrong(&GateError::new(GateCode::BadRos2, of_cyclone(action)));
    } else {
        report.wrong(&GateError::new(GateCode::BadRos2, format!("no action server {action}")));
    }
    if wiring.goal_kind() != Some(GoalKind::Navigate) {
        return check_arm(graph, wiring, report);
    }
    let limit = wiring.absolute(SPEED_LIMIT);
    let topic = dds_topic(&limit);
    if graph.limits_speed(&topic) {
        report.good(format!("{limit}: somebody listens for the speed of a goal"));
    } else if let Some(name) = graph.foreign(&topic) {
        report.note(format!("{name} publishes on {limit} too: goals below the manifest's speed_mps_max are refused"));
    } else {
        report.note(format!("nobody listens to {limit}: goals below the manifest's speed_mps_max are refused"));
    }
}

/// Holds what only an arm has against what is there.
fn check_arm(graph: &Graph, wiring: &Ros2Wiring, report: &mut Report) {
    if let Some(event) = wiring.stop_event.as_ref().map(|topic| wiring.absolute(topic)) {
        if graph.is_served(&dds_topic(&event)) {
            report.good(format!("{event}: somebody listens for \"stop\""));
        } else {
            report.wrong(&GateError::new(GateCode::BadRos2, format!("nobody listens to {event}")));
        }
    }
    if let Some(ready) = wiring.ready.as_ref().map(|ready| wiring.absolute(&ready.topic)) {
        if graph.published(&dds_topic(&ready)).is_some() {
            report.good(format!("{ready}: somebody tells if the robot takes goals"));
        } else {
            report
                .wrong(&GateError::new(GateCode::BadRos2, format!("nobody publishes {ready}: every goal is refused")));
        }
    }
}
