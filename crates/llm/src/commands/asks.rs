//! Requests to the station beside motions: missions by name, limits, schedules, and reasons for denials.

use serde_json::{Value, json};

use super::answer;
use super::dialog::Dialog;
use super::grammar::{Command, Draft, MissionAct, NewLimit, When};
use super::names;
use super::plan::Planned;
use super::robots::{self, Robot};

/// Reason given in a proposal of something that only an administrator may do.
pub(super) const REASON: &str = "An operator asked for it at the desk.";

/// Digits of a place among denials; a longer number is the beginning of an id.
const PLACE_DIGITS_MAX: usize = 3;

/// All robots, to find one by its name.
pub(super) fn robots() -> Planned {
    Planned::new("list_robots", &json!({}))
}

/// All missions, to find one by its name.
pub(super) fn missions() -> Planned {
    Planned::new("list_missions", &json!({}))
}

/// The newest verdicts, to find one by its place.
pub(super) fn verdicts() -> Planned {
    Planned::new("list_verdicts", &json!({}))
}

/// The lists in which the owner of limits is found: the robots, and the missions if none of those is meant.
pub(super) fn owners(name: &str, dialog: &Dialog) -> Vec<Planned> {
    let listed = dialog.result("list_robots").and_then(|made| robots::parse(made.result.as_ref()));
    let may_be_robot = listed.is_none_or(|listed| is_it(name) || robots::resolve(&listed, name).is_ok());
    if may_be_robot { vec![robots()] } else { vec![robots(), missions()] }
}

/// A proposal, shown as a card, of an operation that only a person may carry out.
pub(super) fn proposal(operation: &str, input: &Value) -> Planned {
    Planned::new("create_proposal", &json!({ "operation": operation, "input": input, "reason": REASON }))
}

pub(super) fn schedule(prompt: &str, when: &When) -> Planned {
    let input = match when {
        When::At(at) => json!({ "prompt": prompt, "at": at }),
        When::EverySecs(every_secs) => json!({ "prompt": prompt, "every_secs": every_secs }),
        When::Cron(fields) => json!({ "prompt": prompt, "cron_schedule": fields }),
    };
    Planned::new("schedule_task", &input)
}

/// A draft of a mission, with what was said of it and nothing else.
pub(super) fn draft(Draft { template, title, place, cron, until }: &Draft) -> Planned {
    let said = [("title", title), ("place", place), ("cron", cron), ("until", until)];
    let mut input = json!({ "template": template });
    for (field, value) in said {
        if let Some(value) = value {
            input[field] = json!(value);
        }
    }
    Planned::new("draft_mission", &input)
}

/// The call behind a command whose name is looked up first. `last_robot` is the one named last, in this line or before
/// it. The error is a sentence for the operator.
pub(super) fn planned(
    command: &Command,
    robots: &[Robot],
    last_robot: Option<&str>,
    dialog: &Dialog,
) -> Result<Planned, String> {
    match command {
        Command::Mission { act, name } => mission(*act, name, dialog),
        Command::AddConstraint { owner, limit } => add_constraint(owner, limit, robots, dialog),
        Command::Why(which) => why(which.as_deref(), dialog),
        Command::Idle(_) => idle(last_robot, robots),
        Command::Constraints(Some(name)) => constraints(name, robots, last_robot, dialog),
        Command::Help(_)
        | Command::Status(_)
        | Command::World(_)
        | Command::Missions(_)
        | Command::Motion { .. }
        | Command::Stop(_)
        | Command::Constraints(None)
        | Command::Remember { .. }
        | Command::Note(_)
        | Command::Belief { .. }
        | Command::Recall(_)
        | Command::Forget(_)
        | Command::Schedule { .. }
        | Command::Draft(_)
        | Command::Alerts
        | Command::Proposals
        | Command::Person(_) => Err("There is nothing to look up.".to_owned()),
    }
}

fn mission(act: MissionAct, name: &str, dialog: &Dialog) -> Result<Planned, String> {
    let input = json!({ "mission_id": mission_named(name, dialog)? });
    Ok(match act {
        MissionAct::Pause => Planned::new("pause_mission", &input),
        MissionAct::Resume => Planned::new("resume_mission", &input),
        // Only an administrator may end a mission for good, so a line of commands can only propose it.
        MissionAct::Cancel => proposal("cancel_mission", &input),
    })
}

fn mission_named<'a>(name: &str, dialog: &'a Dialog) -> Result<&'a str, String> {
    let asked = missions();
    let ids = names::ids(dialog.answer(asked.name, &asked.args_raw));
    let at = names::place("mission", &ids, name)?;
    ids.get(at).copied().ok_or_else(|| format!("No mission is called {name:?}."))
}

/// The robot that was named last, in this command or before it, or the only one.
fn idle(last_robot: Option<&str>, robots: &[Robot]) -> Result<Planned, String> {
    let robot = match (last_robot, robots) {
        (Some(name), _) => robots::resolve(robots, name)?,
        (None, [only]) => only,
        (None, _) => {
            let ids: Vec<&str> = robots.iter().map(|robot| robot.id.as_str()).collect();
            return Err(format!("Say which robot: why idle {}.", ids.join(", ")));
        }
    };
    Ok(Planned::new("why_idle", &json!({ "robot": robot.id })))
}

/// The limits of a robot or a mission that exists: a list for another name would be empty, as if there were no limits.
fn constraints(name: &str, robots: &[Robot], last_robot: Option<&str>, dialog: &Dialog) -> Result<Planned, String> {
    let of_robot = |robot: &Robot| Planned::new("list_constraints", &json!({ "robot": robot.id }));
    if is_it(name) {
        return robots::resolve(robots, last_robot.ok_or(answer::NO_ROBOT_NAMED)?).map(of_robot);
    }
    match (robots::resolve(robots, name), mission_named(name, dialog)) {
        (Ok(robot), _) => Ok(of_robot(robot)),
        (Err(_), Ok(mission)) => Ok(Planned::new("list_constraints", &json!({ "mission_id": mission }))),
        (Err(no_robot), Err(no_mission)) => Err(format!("{no_robot} {no_mission}")),
    }
}

/// True for the word that stands for the robot named last.
const fn is_it(name: &str) -> bool {
    name.eq_ignore_ascii_case("it")
}

/// A name of a robot and of a mission is the mission's: that binds the robot as well.
fn add_constraint(owner: &str, limit: &NewLimit, robots: &[Robot], dialog: &Dialog) -> Result<Planned, String> {
    let NewLimit { constraint_type, params } = limit;
    let params_json = params.to_string();
    let input = match (mission_named(owner, dialog), robots::resolve(robots, owner)) {
        (Ok(mission), _) => {
            json!({ "mission_id": mission, "constraint_type": constraint_type, "params_json": params_json })
        }
        (Err(_), Ok(robot)) => {
            json!({ "robot": robot.id, "constraint_type": constraint_type, "params_json": params_json })
        }
        // Both complaints, because the name may have been meant as either.
        (Err(no_mission), Err(no_robot)) => return Err(format!("{no_mission} {no_robot}")),
    };
    Ok(proposal("register_constraint", &input))
}

/// The newest denial, the n-th of them counted from the newest, or any verdict by the beginning of its id.
fn why(which: Option<&str>, dialog: &Dialog) -> Result<Planned, String> {
    let asked = verdicts();
    let verdicts = dialog.answer(asked.name, &asked.args_raw);
    let place = which.map_or(Some(1), place);
    let id = match (place, which) {
        (Some(place), _) => denial(place, verdicts)?,
        (None, which) => {
            let begin = which.unwrap_or_default().to_ascii_lowercase();
            let begun: Vec<&str> = names::ids(verdicts).into_iter().filter(|id| id.starts_with(&begin)).collect();
            // With two verdicts that begin alike, a guess could explain the wrong one.
            let [id] = begun.as_slice() else {
                return Err(format!("{} verdicts begin with {begin:?}; `why 1` is the newest denial.", begun.len()));
            };
            *id
        }
    };
    Ok(Planned::new("explain_verdict", &json!({ "id": id })))
}

/// A place among denials is short and does not begin with a nought, as ids do.
fn place(which: &str) -> Option<usize> {
    which.parse().ok().filter(|_| which.len() <= PLACE_DIGITS_MAX && !which.starts_with('0'))
}

fn denial(place: usize, verdicts: Option<&Value>) -> Result<&str, String> {
    let rows = verdicts.and_then(|list| list.get("items")).and_then(Value::as_array).into_iter().flatten();
    let denied = rows.filter(|row| row.get("overall").is_some_and(|overall| overall != "allow"));
    let denials: Vec<&str> = denied.filter_map(|row| row.get("id")?.as_str()).collect();
    let found = place.checked_sub(1).and_then(|at| denials.get(at)).copied();
    found.ok_or_else(|| match denials.len() {
        0 => "Nothing was denied.".to_owned(),
        count => format!("There are {count} denials; 1 is the newest."),
    })
}
