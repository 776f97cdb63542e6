//! Facts about a robot of ROS 2, in the words that people read.

use crate::adapter::Facts;
use crate::adapters::ros2::Takes;
use crate::adapters::ros2::wiring::GoalKind;

/// The properties of a robot that takes these commands.
pub const fn of(takes: Takes) -> Facts {
    let Takes { velocities, goals } = takes;
    match (velocities, goals) {
        (_, None) => VELOCITIES,
        (_, Some(GoalKind::Trajectory)) => TRAJECTORIES,
        (false, Some(GoalKind::Navigate)) => GOALS,
        (true, Some(GoalKind::Navigate)) => BOTH,
    }
}

const VELOCITIES: Facts = Facts {
    adapter: "ros2",
    hold: "zeros 50 times a second until standstill is measured, then 1 s more",
    stop: "the same, with every stop service, every cancelled action and the lock of the wiring at once",
    last_to_command: "whoever publishes last on the robot's final topic; safe only as an input of a mux, or alone",
    base_timeout: "the robot's own, if it has one: the commissioning measures it",
    foreign: "other publishers on the command topic, as the robot's graph shows them",
};

const GOALS: Facts = Facts {
    adapter: "ros2",
    hold: "every goal of the action cancelled 25 times a second until standstill is measured",
    stop: "the same, with every stop service and every other cancelled action of the wiring at once",
    last_to_command: "the controller of Nav2 until it has cancelled; its recovery behaviours may move the robot before",
    base_timeout: "none for a goal: the robot goes on to it; nobody has measured that of its velocities",
    foreign: "goals that are not this gate's, as the states of the action server show them",
};

const TRAJECTORIES: Facts = Facts {
    adapter: "ros2",
    hold: "every goal of the trajectory controller cancelled 25 times a second until every joint is measured to stand",
    stop: "the same, with \"stop\" on the stop event, every stop service and every other cancelled action of the wiring at once",
    last_to_command: "the trajectory controller; cancelling only a planner's goal lets a queued trajectory play out",
    base_timeout: "none for a trajectory: the arm goes on to its end; the driver and the arm's own safety system are outside",
    foreign: "goals that are not this gate's, as the states of the trajectory controller show them; nothing that is sent past it",
};

const BOTH: Facts = Facts {
    adapter: "ros2",
    hold: "every goal of the action cancelled 25 times a second, and zeros 50 times a second, until standstill is measured; the zeros 1 s more",
    stop: "the same, with every stop service, every other cancelled action and the lock of the wiring at once",
    last_to_command: "the controller of Nav2 until it has cancelled; its recovery behaviours may move the robot before; of velocities whoever publishes last on the robot's final topic",
    base_timeout: "none for a goal: the robot goes on to it; for a velocity that of its velocity chain: the commissioning measures it",
    foreign: "goals that are not this gate's, and other publishers on the command topic, as action server and graph show them",
};
