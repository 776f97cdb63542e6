//! Next move for a line of commands: stops, then what has to be read, then what is sent, then the answer.
//! The plan is made anew on every call from the words and the results so far, so the same request gets the same reply.

use robot::RobotId;
use serde_json::{Value, json};

use super::answer;
use super::asks;
use super::dialog::{Dialog, Made, Utterance, robot_word};
use super::grammar::{Command, Complaint, Order, StopTarget, parse_line};
use super::motion::{self, Ready};
use super::robots::{self, Robot};
use super::stopping::{StopAsked, stop_asked};

/// The next move of the interpreter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    Call(Vec<Planned>),
    Say(String),
}

/// Confidence of a fact that an operator told the interpreter to remember, 0 to 1.
const REMEMBERED: f64 = 0.9;

/// A call to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Planned {
    pub name: &'static str,
    pub args_raw: String,
}

impl Planned {
    pub fn new(name: &'static str, args: &Value) -> Self {
        Self { name, args_raw: args.to_string() }
    }

    pub fn is_stop(&self) -> bool {
        matches!(self.name, "stop_all" | "stop_robot")
    }

    fn is(&self, made: &Made) -> bool {
        self.name == made.name && self.args_raw == made.args_raw
    }
}

/// A step that a command of the line becomes.
enum Step {
    Send(&'static str, Ready),
    Read(Planned),
    Say(String),
}

/// Decides on the next move.
pub(super) fn next(dialog: &Dialog) -> Next {
    let text = match &dialog.said {
        Utterance::Command(text) => *text,
        Utterance::Alert(event) => return Next::Say(answer::alert(event)),
        Utterance::Event(event) => return Next::Say(answer::event(event)),
        Utterance::Room => return Next::Say(answer::OF_A_ROOM.to_owned()),
        Utterance::Hook => return Next::Say(answer::OF_A_HOOK.to_owned()),
        Utterance::Nothing => return Next::Say(answer::NOTHING_SAID.to_owned()),
    };
    let line = parse_line(text);
    // The station has carried out the stop of these words before they came here (decision 0098).
    let stops = if dialog.stopped.is_some() { Vec::new() } else { stops(&line, dialog) };
    // Stops are sent before anything is read or complained about.
    if let Some(calls) = unmade(&stops, dialog) {
        return Next::Call(calls);
    }
    let stopped = match &dialog.stopped {
        Some(done) => vec![done.sentence()],
        None => stop_report(&stops, dialog),
    };
    let complaints: Vec<&Complaint> = line.iter().filter_map(|command| command.as_ref().err()).collect();
    if line.is_empty() {
        return Next::Say(answer::NOTHING_SAID.to_owned());
    }
    // A part that was not understood holds back the whole line, since the rest may depend on it.
    if !complaints.is_empty() {
        let complaints = complaints.into_iter().map(answer::complaint);
        return Next::Say(join(stopped.into_iter().chain(complaints)));
    }
    let commands: Vec<&Command> = line.iter().filter_map(|command| command.as_ref().ok()).collect();
    let reads: Vec<Planned> =
        commands.iter().flat_map(|command| reads(command, dialog)).fold(Vec::new(), |mut reads, read| {
            if !reads.contains(&read) {
                reads.push(read);
            }
            reads
        });
    if let Some(calls) = unmade(&reads, dialog) {
        return Next::Call(calls);
    }
    act(&commands, &stops, stopped, dialog)
}

/// Sends what needed the robots first, and answers when everything has its result.
fn act(commands: &[&Command], stops: &[Planned], stopped: Vec<String>, dialog: &Dialog) -> Next {
    let listed = dialog.result("list_robots");
    let robots = robots::parse(listed.and_then(|made| made.result.as_ref()));
    if let (Some(_), None) = (listed, &robots) {
        return Next::Say(join(stopped.into_iter().chain([answer::failed("list_robots", listed)])));
    }
    let robots = robots.unwrap_or_default();
    let steps: Result<Vec<Step>, Vec<String>> = steps(commands, stops, &robots, dialog);
    let steps = match steps {
        Ok(steps) => steps,
        Err(problems) => return Next::Say(join(stopped.into_iter().chain(problems))),
    };
    let sends: Vec<Planned> = steps.iter().filter_map(Step::call).collect();
    if let Some(calls) = unmade(&sends, dialog) {
        return Next::Call(calls);
    }
    // Equal calls have equal arguments, so each takes one result of its own.
    let mut taken = Vec::new();
    let answers = steps.into_iter().map(|step| match step {
        Step::Say(text) => text,
        Step::Read(read) => answer::result(read.name, find(&read, dialog, &mut taken)),
        Step::Send(name, ready) => {
            let call = Planned { name, args_raw: ready.args_raw.clone() };
            answer::motion(name, &ready, find(&call, dialog, &mut taken))
        }
    });
    Next::Say(join(stopped.into_iter().chain(answers.collect::<Vec<_>>())))
}

impl Step {
    fn call(&self) -> Option<Planned> {
        match self {
            Self::Send(name, ready) => Some(Planned { name, args_raw: ready.args_raw.clone() }),
            Self::Read(planned) => Some(planned.clone()),
            Self::Say(_) => None,
        }
    }
}

/// The stop calls of a line. A name that is no robot's becomes a stop of all: better too much than nothing.
fn stops(line: &[Result<Command, Complaint>], dialog: &Dialog) -> Vec<Planned> {
    let all = || Planned::new("stop_all", &json!({}));
    let mut planned: Vec<Planned> = Vec::new();
    let mut last_robot = None;
    for command in line.iter().flatten() {
        let Command::Stop(target) = command else {
            last_robot = robot_word(command).map(str::to_owned).or(last_robot);
            continue;
        };
        let calls = match target {
            StopTarget::All => vec![all()],
            StopTarget::Unclear(words) => stop_named(words, dialog).unwrap_or_else(|| vec![all()]),
            StopTarget::Robot(word) => vec![stop_one(word, last_robot.as_deref(), dialog).unwrap_or_else(all)],
        };
        for call in calls {
            if !planned.contains(&call) {
                planned.push(call);
            }
        }
    }
    // A stop by name that failed becomes a stop of all robots: the one that was meant must not drive on.
    let failed = planned.iter().any(|call| dialog.made.iter().any(|made| call.is(made) && made.is_error));
    if failed && !planned.contains(&all()) {
        planned.push(all());
    }
    planned
}

/// A stop waits for no list of robots: the newest one of the conversation has to do.
fn stop_one(word: &str, last_robot: Option<&str>, dialog: &Dialog) -> Option<Planned> {
    let word = if word.eq_ignore_ascii_case("it") {
        last_robot.map(str::to_owned).or_else(|| dialog.last_robot())?
    } else {
        word.to_ascii_lowercase()
    };
    let known = robots::parse(dialog.known_robots().as_ref()).unwrap_or_default();
    // A name that this conversation has not seen is passed on as it is: the station knows all robots.
    let id = robots::resolve(&known, &word).map_or(word.clone(), |robot| robot.id.clone());
    let id = RobotId::new(id).ok()?;
    Some(Planned::new("stop_robot", &json!({ "robot": id })))
}

/// The robots that a sentence names, as far as the conversation knows any.
fn stop_named(words: &str, dialog: &Dialog) -> Option<Vec<Planned>> {
    let known = robots::parse(dialog.known_robots().as_ref())?;
    let ids: Vec<&str> = known.iter().map(|robot| robot.id.as_str()).collect();
    match stop_asked(words, &ids)? {
        StopAsked::All => None,
        StopAsked::Robots(ids) => {
            Some(ids.iter().map(|id| Planned::new("stop_robot", &json!({ "robot": id }))).collect())
        }
    }
}

fn stop_report(stops: &[Planned], dialog: &Dialog) -> Vec<String> {
    let mut taken = Vec::new();
    stops.iter().map(|stop| answer::stop(stop.name, find(stop, dialog, &mut taken))).collect()
}

/// Reads that a command needs before anything can be said or sent.
fn reads(command: &Command, dialog: &Dialog) -> Vec<Planned> {
    let robots = asks::robots;
    match command {
        // Help and stops read nothing; commands that change something wait until everything is read.
        Command::Help(_)
        | Command::Stop(_)
        | Command::Person(_)
        | Command::Remember { .. }
        | Command::Note(_)
        | Command::Forget(_)
        | Command::Draft(_)
        | Command::Schedule { .. } => Vec::new(),
        Command::Status(_) => vec![Planned::new("safety_status", &json!({})), robots()],
        Command::Motion { .. } | Command::Idle(_) => vec![robots()],
        Command::Constraints(Some(name)) => asks::owners(name, dialog),
        Command::Mission { .. } => vec![asks::missions()],
        Command::AddConstraint { .. } => vec![robots(), asks::missions()],
        Command::Why(_) => vec![asks::verdicts()],
        Command::World(_)
        | Command::Missions(_)
        | Command::Constraints(None)
        | Command::Belief { .. }
        | Command::Recall(_)
        | Command::Alerts
        | Command::Proposals => listing(command).into_iter().collect(),
    }
}

/// The call behind a command that is answered with its result.
fn listing(command: &Command) -> Option<Planned> {
    Some(match command {
        Command::World(None) => Planned::new("list_world_state", &json!({ "limit": answer::ROWS_ASKED })),
        Command::World(Some(prefix)) => {
            Planned::new("list_world_state", &json!({ "prefix": prefix, "limit": answer::ROWS_ASKED }))
        }
        Command::Missions(None) => asks::missions(),
        Command::Missions(Some(state)) => Planned::new("list_missions", &json!({ "status": state })),
        Command::Constraints(None) => Planned::new("list_constraints", &json!({})),
        Command::Remember { subject, predicate, value } => Planned::new(
            "update_belief",
            &json!({ "subject": subject, "predicate": predicate, "value": value, "confidence": REMEMBERED }),
        ),
        Command::Belief { subject, predicate: None } => Planned::new("get_belief", &json!({ "subject": subject })),
        Command::Belief { subject, predicate: Some(predicate) } => {
            Planned::new("get_belief", &json!({ "subject": subject, "predicate": predicate }))
        }
        Command::Alerts => Planned::new("list_alerts", &json!({})),
        Command::Proposals => Planned::new("list_proposals", &json!({})),
        Command::Note(text) => Planned::new("remember_note", &json!({ "text": text })),
        Command::Recall(text) => Planned::new("memory_search", &json!({ "query": text })),
        Command::Forget(text) => asks::proposal("memory_forget", &json!({ "query": text, "reason": asks::REASON })),
        Command::Schedule { prompt, when } => asks::schedule(prompt, when),
        Command::Draft(draft) => asks::draft(draft),
        Command::Help(_)
        | Command::Status(_)
        | Command::Mission { .. }
        | Command::Motion { .. }
        | Command::Stop(_)
        | Command::Constraints(Some(_))
        | Command::AddConstraint { .. }
        | Command::Why(_)
        | Command::Idle(_)
        | Command::Person(_) => return None,
    })
}

/// Steps of all commands of the line; if one motion cannot be made, none is sent.
fn steps(
    commands: &[&Command],
    stops: &[Planned],
    robots: &[Robot],
    dialog: &Dialog,
) -> Result<Vec<Step>, Vec<String>> {
    let (mut steps, mut problems) = (Vec::new(), Vec::new());
    let mut last_robot = dialog.last_robot();
    let mut moved: Vec<String> = Vec::new();
    for command in commands {
        last_robot = robot_word(command).map(str::to_owned).or(last_robot);
        match command {
            Command::Stop(_) => {}
            Command::Help(verb) => steps.push(Step::Say(answer::help(verb.as_deref()))),
            Command::Person(text) => steps.push(Step::Say((*text).to_owned())),
            Command::Mission { .. }
            | Command::Constraints(Some(_))
            | Command::AddConstraint { .. }
            | Command::Why(_)
            | Command::Idle(_) => match asks::planned(command, robots, last_robot.as_deref(), dialog) {
                Ok(planned) => steps.push(Step::Read(planned)),
                Err(problem) => problems.push(problem),
            },
            Command::Status(name) => match status(name.as_deref(), last_robot.as_deref(), robots, dialog) {
                Ok(text) => steps.push(Step::Say(text)),
                Err(problem) => problems.push(problem),
            },
            Command::Motion { order, dry, .. } => {
                let name = if *dry { "check_command" } else { "send_command" };
                let prepared = last_robot.as_deref().ok_or_else(|| answer::NO_ROBOT_NAMED.to_owned());
                let prepared = prepared.and_then(|word| robots::resolve(robots, word));
                match prepared.and_then(|robot| motion::prepare(robot, order)) {
                    // A dry run moves nothing, so a stop in the same line does not take its place.
                    Ok(ready) if !dry && is_stopped(&ready.robot, stops, dialog) => {
                        steps.push(Step::Say(answer::dropped(&ready)));
                    }
                    Ok(ready) if is_relative(order) && moved.contains(&ready.robot) => {
                        problems.push(answer::moved_before(&ready));
                    }
                    Ok(ready) => {
                        moved.extend((!dry).then(|| ready.robot.clone()));
                        steps.push(Step::Send(name, ready));
                    }
                    Err(problem) => problems.push(problem),
                }
            }
            Command::World(_)
            | Command::Missions(_)
            | Command::Constraints(None)
            | Command::Remember { .. }
            | Command::Note(_)
            | Command::Belief { .. }
            | Command::Recall(_)
            | Command::Forget(_)
            | Command::Schedule { .. }
            | Command::Draft(_)
            | Command::Alerts
            | Command::Proposals => steps.extend(listing(command).map(Step::Read)),
        }
    }
    if problems.is_empty() { Ok(steps) } else { Err(problems) }
}

fn status(name: Option<&str>, last: Option<&str>, robots: &[Robot], dialog: &Dialog) -> Result<String, String> {
    let safety = dialog.result("safety_status");
    let Some(name) = name else { return Ok(answer::status(safety, &robots.iter().collect::<Vec<_>>())) };
    let name = if name.eq_ignore_ascii_case("it") { last.ok_or(answer::NO_ROBOT_NAMED)? } else { name };
    Ok(answer::status(safety, &[robots::resolve(robots, name)?]))
}

/// A relative motion starts from the measured pose, so it cannot follow one that has not ended.
fn is_relative(order: &Order) -> bool {
    match order {
        Order::By { .. } | Order::Turn { .. } => true,
        Order::To { .. } | Order::Grip { .. } | Order::Open { .. } => false,
    }
}

fn is_stopped(robot: &str, stops: &[Planned], dialog: &Dialog) -> bool {
    let one = json!({ "robot": robot }).to_string();
    let done = dialog.stopped.as_ref().is_some_and(|done| done.all || done.robots.iter().any(|id| id == robot));
    done || stops.iter().any(|stop| stop.name == "stop_all" || stop.args_raw == one)
}

/// Those of `planned` that have not been called yet; the second of two equal calls needs a second call.
fn unmade(planned: &[Planned], dialog: &Dialog) -> Option<Vec<Planned>> {
    let mut taken = Vec::new();
    let unmade: Vec<Planned> =
        planned.iter().filter(|call| find(call, dialog, &mut taken).is_none()).cloned().collect();
    (!unmade.is_empty()).then_some(unmade)
}

fn find<'a, 'd>(call: &Planned, dialog: &'d Dialog<'a>, taken: &mut Vec<usize>) -> Option<&'d Made<'a>> {
    let at = (0..dialog.made.len()).find(|at| !taken.contains(at) && call.is(&dialog.made[*at]))?;
    taken.push(at);
    dialog.made.get(at)
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join("\n")
}
