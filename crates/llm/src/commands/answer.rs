//! The words of the interpreter: templates over results. Numbers carry units, values carry their age.

use serde_json::Value;

use super::dialog::Made;
use super::grammar::{COMMANDS_MAX, Complaint, ROWS, row_named};
use super::motion::Ready;
use super::robots::Robot;

/// World rows, missions, proposals … shown at once; the rest is counted.
const ROWS_SHOWN_MAX: usize = 20;
/// World rows asked for: more than are shown, so that the rest can be counted.
pub(super) const ROWS_ASKED: usize = 100;
/// A longer text of a sensor is cut.
const VALUE_CHARS_MAX: usize = 120;

/// Words of a room are commands to nobody.
pub(super) const OF_A_ROOM: &str = "No language model is configured here, and what is said in a room is no command. \
    Nothing was done; ask at a desk of this station.";
pub(super) const OF_A_HOOK: &str = "No language model is configured here, and words that a hook has changed are no \
    command. Nothing was done.";
pub(super) const NOTHING_SAID: &str = "Type a command, for example: status. `help` lists them all.";
pub(super) const NO_ROBOT_NAMED: &str = "No robot has been named yet.";

/// A number to a tenth of a millimetre, in shortest form.
pub(super) fn number(value: f64) -> String {
    // Rounding may leave -0.0, which would be printed with its sign; adding 0.0 takes that away.
    format!("{:?}", (value * 1e4).round() / 1e4 + 0.0)
}

/// `(x, y, z)`.
pub(super) fn point(at: [f64; 3]) -> String {
    format!("({})", at.map(number).join(", "))
}

/// Everything, or one command with its example.
pub(super) fn help(verb: Option<&str>) -> String {
    match verb.map(|verb| (verb, row_named(verb))) {
        Some((_, Some(row))) => format!("{}\nFor example: {}", row.usage, row.example),
        Some((verb, None)) => format!("There is no command {verb:?}.\n{}", help(None)),
        None => {
            let usages: Vec<&str> = ROWS.iter().map(|row| row.usage).collect();
            format!("Commands, several joined by `;` or `then`:\n{}", usages.join("\n"))
        }
    }
}

pub(super) fn complaint(complaint: &Complaint) -> String {
    match complaint {
        Complaint::Unknown { said, nearest } => {
            let nearest: Vec<String> =
                nearest.iter().map(|row| format!("- {} (for example: {})", row.usage, row.example)).collect();
            format!("I do not know the command {said:?}. Did you mean:\n{}", nearest.join("\n"))
        }
        Complaint::Expected(what) => format!("Nothing was sent: expected {what}"),
        Complaint::NotFinite(text) => format!("Nothing was sent: {text:?} is no finite number."),
        Complaint::Hint { note, rows, odd } => {
            let odd = odd.as_ref().map(|word| format!("I do not understand {word:?}; ")).unwrap_or_default();
            let rows: Vec<String> =
                rows.iter().map(|row| format!("- {} (for example: {})", row.usage, row.example)).collect();
            [&[format!("Nothing was sent: {odd}{note}")], rows.as_slice()].concat().join("\n")
        }
        Complaint::TwoReadings(readings) => format!("Nothing was sent: {readings}."),
        Complaint::Trailing(word) => format!("Nothing was sent: I do not understand {word:?} at the end."),
        Complaint::TooMany(count) => {
            format!("Nothing was sent: a line holds at most {COMMANDS_MAX} commands, this one has {count}.")
        }
    }
}

/// An event that no desk has sent: it is named, and nothing is done.
pub(super) fn event(event: &Value) -> String {
    let field = |name: &str| event.get(name).and_then(Value::as_str);
    let trigger = field("trigger").unwrap_or("event");
    let about = ["proposal", "job", "task"].iter().find_map(|name| field(name));
    let state = field("state").map_or_else(String::new, |state| format!(": {state}"));
    let about = about.map_or_else(String::new, |about| format!(" {about}{state}"));
    format!("{trigger}{about}. No language model is configured, so nothing follows from it.")
}

/// An alert, when nobody is there to reason about it.
pub(super) fn alert(event: &Value) -> String {
    let predicate = event.get("predicate").and_then(Value::as_str).unwrap_or("unknown rule");
    let values: Vec<&str> =
        event.get("values").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    format!("Alert: {predicate}\n{}\nNothing was done: no language model is configured.", values.join("\n"))
}

pub(super) fn stop(name: &str, made: Option<&Made>) -> String {
    let target = made.and_then(|made| text_of(&parse(made.args_raw), "robot"));
    let failed = made.is_none_or(|made| made.is_error);
    match (name, target, failed) {
        ("stop_robot", Some(robot), false) => format!("Stop sent to {robot}. Only a person can release it."),
        ("stop_robot", robot, _) => {
            let robot = robot.unwrap_or_else(|| "that robot".to_owned());
            format!("{robot} could not be stopped by name ({}), so all robots were told to stop.", why(made))
        }
        // Before the success: a stop that failed must never read like one that was sent.
        (_, _, true) => format!("STOP ALL FAILED ({}). Press the hardware stop.", why(made)),
        (_, _, false) => {
            let robots = made.and_then(|made| made.result.as_ref()).and_then(|result| result.get("robots"));
            let robots: Vec<&str> =
                robots.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
            format!("STOP ALL sent to {} robots: {}. Only a person can release it.", robots.len(), robots.join(", "))
        }
    }
}

/// A motion that a stop in the same line takes the place of.
pub(super) fn dropped(ready: &Ready) -> String {
    format!("Not sent because of the stop in the same line: {}: {}.", ready.robot, ready.said)
}

/// A relative motion behind another motion of its robot.
pub(super) fn moved_before(ready: &Ready) -> String {
    format!("Nothing was sent: a relative motion of {} must be its first in the line.", ready.robot)
}

pub(super) fn failed(name: &str, made: Option<&Made>) -> String {
    format!("{name} failed: {}", why(made))
}

/// Outcome of a motion, in words for the operator.
pub(super) fn motion(name: &str, ready: &Ready, made: Option<&Made>) -> String {
    let Ready { robot, said, .. } = ready;
    let Some(Made { result: Some(result), is_error: false, .. }) = made else {
        return format!("{robot}: not sent: {said}. {}", why(made));
    };
    if is_denied(result) {
        return denial(name, ready, result);
    }
    if name == "check_command" {
        return format!("{robot} would be allowed: {said}. Nothing was sent.");
    }
    let state = text_of(result, "state").unwrap_or_else(|| "unknown".to_owned());
    match state.as_str() {
        "received" | "running" | "done" => format!("{robot} accepted: {said}."),
        "pending" => {
            let proposal = result.pointer("/proposal/id").and_then(Value::as_str).unwrap_or("in Approvals");
            format!("{robot} waits for your decision: {said}. Proposal {proposal}.{}", nobody_sees(result))
        }
        state => format!("{robot}: {said}. State of the command: {}.", state.replace('_', " ")),
    }
}

fn is_denied(result: &Value) -> bool {
    let overall = result.pointer("/verdict/overall").or_else(|| result.get("overall"));
    text_of(result, "state").as_deref() == Some("denied") || overall.is_some_and(|overall| overall != "allow")
}

/// Every limit, by how much, and the nearest allowed command, ready to send.
fn denial(name: &str, ready: &Ready, result: &Value) -> String {
    let verdict = result.get("verdict").unwrap_or(result);
    let items = verdict.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // An item without a verdict counts as broken: silence allows nothing.
    let violated: Vec<&Value> = items.iter().filter(|item| item.get("verdict").is_none_or(|v| v != "allow")).collect();
    let head = if name == "check_command" { "would be denied" } else { "denied" };
    let mut lines = vec![format!("{} {head}: {}.", ready.robot, ready.said)];
    lines.extend(text_of(result, "sentence"));
    lines.extend(violated.iter().filter_map(|item| limit(item)));
    lines.extend(nearest(ready, verdict, &violated).map(|command| format!("Nearest allowed: {command}")));
    lines.join("\n")
}

fn limit(item: &Value) -> Option<String> {
    let kind = text_of(item, "kind")?.replace('_', " ");
    let unit = match item.get("unit")?.as_str()? {
        "mps" => "m/s",
        "radps" => "rad/s",
        "n" => "N",
        unit => unit,
    };
    let [limit, predicted, margin] =
        ["limit", "predicted", "margin"].map(|name| item.get(name).and_then(Value::as_f64));
    let (limit, predicted, over) = (limit?, predicted?, -margin?);
    let share = item.pointer("/reason/args/inflation_m").and_then(Value::as_f64).filter(|share| *share > 0.0);
    let share =
        share.map_or_else(String::new, |share| format!(" with {} {unit} for body, error and margin", number(share)));
    let at = item.get("point_m").and_then(triple).map(|at| format!(", at {}", point(at))).unwrap_or_default();
    let [limit, predicted, over] = [limit, predicted, over].map(number);
    Some(format!("- {kind}: limit {limit} {unit}, asked {predicted} {unit}{share}, over by {over} {unit}{at}"))
}

/// The goal moved to the nearest allowed point and the speed brought down to what is allowed, if either is known.
fn nearest(ready: &Ready, verdict: &Value, violated: &[&Value]) -> Option<String> {
    let args = parse(&ready.args_raw);
    // A command cannot name a place and a heading at once.
    let goal = args.pointer("/motion/pose_goal").filter(|goal| goal.get("orientation").is_none())?;
    let asked_m = triple(goal.get("position_m")?)?;
    let nearest_m = violated.iter().find_map(|item| triple(item.get("nearest_allowed_m")?));
    let speed_mps = goal.get("speed_mps")?.as_f64()?;
    let slower_mps = violated.iter().filter(|item| item.get("kind").is_some_and(|kind| kind == "max_velocity"));
    let slower_mps = slower_mps.filter_map(|item| item.get("limit")?.as_f64());
    let allowed_mps = verdict.get("speed_allowed_mps").and_then(Value::as_f64);
    let slower_mps = slower_mps.chain(allowed_mps).fold(speed_mps, f64::min);
    // Written so that a speed that is no number gives no suggestion.
    if nearest_m.is_none() && !(slower_mps < speed_mps) {
        return None;
    }
    let [x, y, z] = nearest_m.map_or(asked_m, |nearest_m| beyond(asked_m, nearest_m)).map(number);
    let frame = text_of(&args, "frame")?;
    // Rounded down: a speed rounded up would be denied once more.
    let speed = number((slower_mps * 1e3).floor() / 1e3);
    Some(format!("move {} to {x} {y} {z} in {frame} at {speed} m/s", ready.robot))
}

/// `nearest_m` to a millimetre, rounded away from `asked_m`: rounding must not lead back over the limit.
fn beyond(asked_m: [f64; 3], nearest_m: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let millimetres = nearest_m[axis] * 1e3;
        if nearest_m[axis] < asked_m[axis] {
            millimetres.floor() / 1e3
        } else if nearest_m[axis] > asked_m[axis] {
            millimetres.ceil() / 1e3
        } else {
            nearest_m[axis]
        }
    })
}

fn triple(value: &Value) -> Option<[f64; 3]> {
    let parts: Vec<f64> = value.as_array()?.iter().filter_map(Value::as_f64).collect();
    parts.try_into().ok()
}

/// The safety status, then the robots, one line each.
pub(super) fn status(safety: Option<&Made>, robots: &[&Robot]) -> String {
    let facts = safety.and_then(|made| made.result.as_ref()).and_then(Value::as_object);
    let facts = facts.into_iter().flatten().filter_map(|(name, value)| match value {
        Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(format!("{name}: {value}")),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    });
    facts.chain(robots.iter().map(|robot| robot_line(robot))).collect::<Vec<_>>().join("\n")
}

fn robot_line(robot: &Robot) -> String {
    let link = robot.link.as_ref().map(|link| format!(", link {link}")).unwrap_or_default();
    let pose = robot.pose.as_ref().map_or_else(
        || ", pose unknown".to_owned(),
        |pose| {
            let (at, age) = (point(pose.position_m), robot::span_in_words(pose.age_ms));
            format!(", at {at} m in {}, {age} old", pose.frame)
        },
    );
    format!("{}: {}{link}{pose}", robot.id, robot.state)
}

/// Outcome of a call, in words for the operator.
pub(super) fn result(name: &str, made: Option<&Made>) -> String {
    let found = made.filter(|made| !made.is_error).and_then(|made| made.result.as_ref());
    match (name, found) {
        (
            "update_belief" | "remember_note" | "schedule_task" | "create_proposal" | "pause_mission"
            | "resume_mission",
            Some(result),
        ) => done(result),
        ("draft_mission", Some(result)) => drafted(result),
        ("explain_verdict", Some(result)) => explained(result),
        ("why_idle", Some(result)) => idle(result),
        ("get_belief", Some(result)) => match result.get("items").and_then(Value::as_array) {
            Some(items) => items.iter().map(belief_line).collect::<Vec<_>>().join("\n"),
            None => belief_line(result),
        },
        (name, Some(result)) if result.get("items").is_some() => list(name, made),
        (_, Some(_) | None) => why(made),
    }
}

/// A draft that was made: its title, and how far it is from running. Its meaning stands beside the words.
fn drafted(result: &Value) -> String {
    let Some(title) = text_of(result, "title") else { return done(result) };
    let problems = result.get("problems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let problem = |problem: &Value| {
        let line = problem.get("line").and_then(Value::as_i64).unwrap_or(1);
        Some(format!("- line {line}: {}", text_of(problem, "message")?))
    };
    let head = format!("Draft: {title}. Nothing runs before a person activates it in Missions.");
    let notes = result.get("notes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let notes = notes.iter().filter_map(Value::as_str).map(|note| format!("- {note}"));
    std::iter::once(head).chain(notes).chain(problems.iter().filter_map(problem)).collect::<Vec<_>>().join("\n")
}

/// Says so where the question stands on no screen.
fn nobody_sees(result: &Value) -> &'static str {
    match text_of(result, "reason").as_deref() {
        Some("nobody_sees") => " No screen shows it.",
        Some(_) | None => "",
    }
}

/// The change that was made, or the proposal that waits for a decision.
fn done(result: &Value) -> String {
    if text_of(result, "state").as_deref() == Some("pending") {
        let proposal = result.pointer("/proposal/id").and_then(Value::as_str).unwrap_or("in Approvals");
        return format!("It waits for your decision. Proposal {proposal}.{}", nobody_sees(result));
    }
    let texts = |field: &str| -> Vec<&str> {
        result.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let mut said =
        text_of(result, "message").map_or("Done.".to_owned(), |message| format!("{}.", message.trim_end_matches('.')));
    if let Some(next) = texts("next_runs").first() {
        said += &format!(" It runs next at {next}.");
    }
    let moving = texts("still_moving");
    if !moving.is_empty() {
        said += &format!(" Still moving: {}.", moving.join(", "));
    }
    said
}

/// The things that keep a robot from moving, each with what clears it and who may.
fn idle(result: &Value) -> String {
    let robot = text_of(result, "robot").unwrap_or_default();
    let blockers = result.get("blockers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if blockers.is_empty() {
        return format!("Nothing keeps {robot} from moving; a motion that its limits allow would pass.");
    }
    let line = |blocker: &Value| {
        let [sentence, cleared_by, who] =
            ["sentence", "cleared_by", "who"].map(|field| text_of(blocker, field).unwrap_or_default());
        format!("- {} Cleared by {who}: {}", ended(&sentence), ended(&cleared_by))
    };
    let lines: Vec<String> = blockers.iter().map(line).collect();
    format!("{robot} does not move:\n{}", lines.join("\n"))
}

/// With one full stop.
fn ended(sentence: &str) -> String {
    format!("{}.", sentence.trim_end_matches('.'))
}

/// A readable verdict, with every limit that it broke.
fn explained(result: &Value) -> String {
    let items = result.pointer("/verdict/items").and_then(Value::as_array).into_iter().flatten();
    let broken = items.filter(|item| item.get("verdict").is_none_or(|verdict| verdict != "allow"));
    text_of(result, "sentence").into_iter().chain(broken.filter_map(limit)).collect::<Vec<_>>().join("\n")
}

/// `person location = "kitchen" (0.9, held, last confirmed by person)`.
fn belief_line(row: &Value) -> String {
    let text = |field| text_of(row, field).unwrap_or_default();
    let confidence = row.get("confidence").and_then(Value::as_f64).map_or("confidence unknown".to_owned(), number);
    let value = Value::String(text("value"));
    let (subject, predicate, state, by) = (text("subject"), text("predicate"), text("state"), text("confirmed_by"));
    format!("{subject} {predicate} = {value} ({confidence}, {state}, last confirmed by {by})")
}

/// The rows of a list, or that there are none.
fn list(name: &str, made: Option<&Made>) -> String {
    let result = made.filter(|made| !made.is_error).and_then(|made| made.result.as_ref());
    let Some(items) = result.and_then(|result| result.get("items")).and_then(Value::as_array) else {
        return failed(name, made);
    };
    let (nothing, line): (&str, fn(&Value) -> String) = match name {
        "list_world_state" => ("Nothing is known yet.", world_line),
        "list_missions" => ("There are no missions.", |row| row_line(row, &["id", "title", "status", "error"])),
        "list_constraints" => ("There are no limits.", constraint_line),
        "memory_search" => ("Nothing like that is remembered.", memory_line),
        "list_alerts" => ("There are no alert rules.", |row| row_line(row, &["id", "predicate", "state"])),
        _ => ("Nothing is waiting for a decision.", |row| row_line(row, &["id", "state", "tier", "sentence"])),
    };
    if items.is_empty() {
        return nothing.to_owned();
    }
    let unlisted = result.and_then(|result| result.get("more")).and_then(Value::as_u64).unwrap_or(0);
    let shown = items.len().min(ROWS_SHOWN_MAX);
    let more = (items.len() - shown) as u64 + unlisted;
    let lines = items.iter().take(shown).map(line);
    // A full page says nothing of what is behind it.
    let at_least = if items.len() >= ROWS_ASKED { "at least " } else { "" };
    lines.chain((more > 0).then(|| format!("and {at_least}{more} more"))).collect::<Vec<_>>().join("\n")
}

/// `2026-02-20T13:03:22.180Z operator(dana): "the cup fell"`. The words are quoted: they may be a sensor's.
fn memory_line(row: &Value) -> String {
    let [at, origin, content] = ["at", "origin", "content"].map(|field| text_of(row, field).unwrap_or_default());
    format!("{at} {origin}: {}", quoted(&content))
}

/// Untrusted text, cut and in quotes.
fn quoted(text: &str) -> Value {
    if text.chars().count() <= VALUE_CHARS_MAX {
        return Value::String(text.to_owned());
    }
    Value::String(text.chars().take(VALUE_CHARS_MAX).chain(['…']).collect())
}

/// `person.location = "hallway" (0.92, 3 s old)`.
fn world_line(row: &Value) -> String {
    let key = text_of(row, "key").unwrap_or_default();
    let value = match row.get("value") {
        // The text may be a stranger's, so it stands in quotes and is cut.
        Some(Value::String(text)) => quoted(text).to_string(),
        Some(value) => value.to_string(),
        None => "unknown".to_owned(),
    };
    let unit = text_of(row, "unit").map(|unit| format!(" {unit}")).unwrap_or_default();
    let confidence = row.get("confidence").and_then(Value::as_f64).map_or("confidence unknown".to_owned(), number);
    let age_s =
        row.get("age_ms").and_then(Value::as_u64).map_or("age unknown".to_owned(), |ms| format!("{} s old", ms / 1000));
    // A fresh value needs no word for it, and an old one must not pass for fresh.
    let stale = text_of(row, "freshness").filter(|word| word == "stale" || word == "lost");
    let stale = stale.map(|word| format!(", {word}")).unwrap_or_default();
    format!("{key} = {value}{unit} ({confidence}, {age_s}{stale})")
}

fn constraint_line(row: &Value) -> String {
    let limit = row.get("constraint").map(Value::to_string).unwrap_or_default();
    format!("{} {limit}", row_line(row, &["id", "scope", "frame", "unit"]))
}

fn row_line(row: &Value, fields: &[&str]) -> String {
    fields.iter().filter_map(|field| text_of(row, field)).collect::<Vec<_>>().join(", ")
}

fn why(made: Option<&Made>) -> String {
    let result = made.and_then(|made| made.result.as_ref());
    let message = result.and_then(|result| text_of(result, "message"));
    message.unwrap_or_else(|| "the station gave no reason".to_owned())
}

fn text_of(value: &Value, field: &str) -> Option<String> {
    value.get(field)?.as_str().map(str::to_owned)
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}
