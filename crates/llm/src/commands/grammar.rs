//! Grammar of the commands: one row a command, in the order in which help lists them.

mod drafts;
mod orders;
mod tasks;

use super::intents;
use super::stopping::stop_asked;
use super::words::Words;

pub(super) use drafts::Draft;

/// Commands of one line; a longer list is a mission.
pub(super) const COMMANDS_MAX: usize = 5;
/// Commands offered for input that is none.
const SUGGESTIONS_MAX: usize = 3;

/// One command.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Command {
    Help(Option<String>),
    Status(Option<String>),
    World(Option<String>),
    Missions(Option<String>),
    Mission {
        act: MissionAct,
        name: String,
    },
    Motion {
        robot: String,
        order: Order,
        dry: bool,
    },
    Stop(StopTarget),
    Constraints(Option<String>),
    /// A limit for a robot, or for the robots of a mission.
    AddConstraint {
        owner: String,
        limit: NewLimit,
    },
    Remember {
        subject: String,
        predicate: String,
        value: String,
    },
    Note(String),
    Belief {
        subject: String,
        predicate: Option<String>,
    },
    Recall(String),
    Forget(String),
    /// Reason for a denial: of the newest one, of one by its place among them, or of one by its id.
    Why(Option<String>),
    /// The reasons why a robot does not move.
    Idle(Option<String>),
    Schedule {
        prompt: String,
        when: When,
    },
    /// A mission that is to be written down.
    Draft(Draft),
    Alerts,
    Proposals,
    /// Something only a person can do, and how.
    Person(&'static str),
}

/// An act on a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissionAct {
    Pause,
    Resume,
    Cancel,
}

/// A limit as it was said, in the form in which it is registered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewLimit {
    pub constraint_type: &'static str,
    pub params: serde_json::Value,
}

/// Time of a scheduled command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum When {
    /// Once, at the next `hh:mm`.
    At(String),
    EverySecs(i64),
    /// Five cron fields.
    Cron(String),
}

/// Target of a stop. A stop is understood whatever follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StopTarget {
    All,
    Robot(String),
    /// Words that name no robot.
    Unclear(String),
}

/// A motion as it was said. SI units.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Order {
    To {
        x_m: f64,
        y_m: f64,
        z_m: Option<f64>,
        frame: Option<String>,
        speed_mps: Option<f64>,
    },
    By {
        direction: Direction,
        distance_m: f64,
        speed_mps: Option<f64>,
    },
    /// To the left by so much; to the right if it is negative.
    Turn {
        left_rad: f64,
    },
    Grip {
        force_n: Option<f64>,
    },
    Open {
        opening_m: Option<f64>,
    },
}

/// Direction of a relative motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
}

/// A complaint about a text that is no command.
#[derive(Debug, Clone)]
pub(super) enum Complaint {
    /// No row begins like this; the nearest rows.
    Unknown { said: String, nearest: Vec<&'static Row> },
    /// A row begins like this, but this was expected.
    Expected(String),
    /// A number that is none.
    NotFinite(String),
    /// It is clear what is meant, and that it is said in another way; the word that was not understood, if it is one.
    Hint { note: &'static str, rows: Vec<&'static Row>, odd: Option<String> },
    /// Numbers that mean two things, and which.
    TwoReadings(String),
    /// Words after the end of a command.
    Trailing(String),
    /// Too many commands in a line.
    TooMany(usize),
}

/// A row of the grammar.
#[derive(Debug)]
pub(super) struct Row {
    pub verbs: &'static [&'static str],
    pub usage: &'static str,
    pub example: &'static str,
    parse: Parser,
}

type Parser = fn(&mut Words) -> Result<Command, Complaint>;

/// Every command there is.
pub(super) const ROWS: &[Row] = &[
    Row { verbs: &["help"], usage: "help [command]", example: "help move", parse: |w| Ok(Command::Help(word(w))) },
    Row {
        verbs: &["status"],
        usage: "status [robot]",
        example: "status arm-1",
        parse: |w| Ok(Command::Status(word(w))),
    },
    Row {
        verbs: &["what do you see", "what can you see", "world"],
        usage: "what do you see | world [prefix]",
        example: "world person.",
        parse: |w| Ok(Command::World(word(w))),
    },
    Row {
        verbs: &["missions"],
        usage: "missions [state]",
        example: "missions active",
        parse: |w| Ok(Command::Missions(word(w).map(intents::mission_state))),
    },
    Row {
        verbs: &["pause"],
        usage: "pause mission",
        example: "pause patrol",
        parse: |w| tasks::mission(w, MissionAct::Pause),
    },
    Row {
        verbs: &["resume"],
        usage: "resume mission",
        example: "resume patrol",
        parse: |w| tasks::mission(w, MissionAct::Resume),
    },
    Row {
        verbs: &["cancel"],
        usage: "cancel mission",
        example: "cancel patrol",
        parse: |w| tasks::mission(w, MissionAct::Cancel),
    },
    Row {
        verbs: &["move", "drive"],
        usage: "move|drive robot to x y [z] [in frame] [at speed] | move robot forward|back|left|right|up|down distance [at speed]",
        example: "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s",
        parse: |w| orders::movement(w, false),
    },
    Row {
        verbs: &["turn"],
        usage: "turn robot left|right angle",
        example: "turn rover-1 left 90 deg",
        parse: |w| orders::turn(w, false),
    },
    Row { verbs: &["grip"], usage: "grip robot [at force]", example: "grip arm-1 at 10 N", parse: orders::grip },
    Row { verbs: &["open"], usage: "open robot [to distance]", example: "open arm-1 to 6 cm", parse: orders::open },
    Row {
        verbs: &["stop"],
        usage: "stop | stop all | stop robot",
        example: "stop rover-1",
        // A stop is known before any row is looked for; what is left are things that are called after one.
        parse: |_| Err(Complaint::Expected("a robot, or all".to_owned())),
    },
    Row {
        verbs: &["remember"],
        usage: "remember subject property = value | remember that text",
        example: "remember person location = kitchen",
        parse: tasks::remember,
    },
    Row {
        verbs: &["belief"],
        usage: "belief subject [property]",
        example: "belief person location",
        parse: |w| {
            let subject = word(w).ok_or_else(|| Complaint::Expected("a subject".to_owned()))?;
            Ok(Command::Belief { subject, predicate: word(w) })
        },
    },
    Row {
        verbs: &["recall"],
        usage: "recall text",
        example: "recall dropped cup",
        parse: |w| Ok(Command::Recall(tasks::text(w)?)),
    },
    Row {
        verbs: &["forget"],
        usage: "forget text",
        example: "forget dropped cup",
        parse: |w| Ok(Command::Forget(tasks::text(w)?)),
    },
    Row {
        verbs: &["why idle"],
        usage: "why idle robot",
        example: "why idle rover-1",
        parse: |w| Ok(Command::Idle(word(w))),
    },
    Row {
        verbs: &[
            "why was it denied",
            "why was that denied",
            "why was this denied",
            "why is it denied",
            "why was it refused",
            "why denied",
            "why not",
            "why",
        ],
        usage: "why was it denied | why number",
        example: "why 2",
        parse: |w| Ok(Command::Why(word(w))),
    },
    Row {
        verbs: &["constraints"],
        usage: "constraints [mission or robot]",
        example: "constraints arm-1",
        parse: |w| Ok(Command::Constraints(word(w))),
    },
    Row {
        verbs: &["add constraint"],
        usage: "add constraint mission workspace x a b y c d z e f | max_velocity v | forbidden_zone x y z radius d | max_force f",
        example: "add constraint patrol max_velocity 0.5 m/s",
        parse: tasks::add_constraint,
    },
    Row {
        verbs: &["schedule"],
        usage: "schedule \"command\" at hh:mm | every n min | daily hh:mm | cron \"m h d m w\"",
        example: "schedule \"status\" every 30 min",
        parse: tasks::schedule,
    },
    Row {
        verbs: &["patrol"],
        usage: "patrol [place] every day|evening|… at time [until end]",
        example: "patrol the loading dock every evening at ten until friday",
        parse: drafts::patrol,
    },
    Row {
        verbs: &["watch dog", "monitor dog", "keep an eye on dog"],
        usage: "watch the dog [until end]",
        example: "watch the dog until friday",
        parse: drafts::watch_dog,
    },
    Row {
        verbs: &["weld"],
        usage: "weld thing [after calibrating] [every day at time] [until end]",
        example: "weld the frame after calibrating",
        parse: drafts::weld,
    },
    Row {
        verbs: &["check filters"],
        usage: "check the filters [of thing] [every day at time] [until end]",
        example: "check the filters every monday at 9:00 am",
        parse: drafts::check_filters,
    },
    Row {
        verbs: &["childproof", "child-proof"],
        usage: "childproof the home [until end]",
        example: "childproof the home",
        parse: drafts::childproof,
    },
    Row { verbs: &["alerts"], usage: "alerts", example: "alerts", parse: |_| Ok(Command::Alerts) },
    Row { verbs: &["proposals"], usage: "proposals", example: "proposals", parse: |_| Ok(Command::Proposals) },
    Row { verbs: &["dryrun"], usage: "dryrun move …", example: "dryrun move arm-1 to 2 0 1", parse: orders::dry_run },
];

/// Commands that only a person can carry out, each with the place to do so.
const PERSON: &[(&str, &str)] = &[
    ("approve", "Only a person can approve: press Approve on the card in Approvals."),
    ("reject", "Only a person can reject: press Reject on the card in Approvals."),
    ("release stop", "Only a person can release a stop: press Release in the stop panel, after looking at the robots."),
    ("arm", "Only a person can arm a robot: press Arm on its tile in the Overview."),
    ("mode", "Only a person can set the agent's mode: choose it at the top of the agent dock."),
];

/// Reads a line: its commands, in order. A list that is too long is one complaint, and its stops.
pub(super) fn parse_line(line: &str) -> Vec<Result<Command, Complaint>> {
    let commands: Vec<String> = split(line);
    let count = commands.len();
    let parsed = commands.iter().map(|command| parse(command));
    if count <= COMMANDS_MAX {
        return parsed.collect();
    }
    // Stops in a line that is too long are carried out all the same.
    let stops = parsed.filter(|command| matches!(command, Ok(Command::Stop(_))));
    std::iter::once(Err(Complaint::TooMany(count))).chain(stops).collect()
}

/// Cuts a line at `;`, at its ends of line and at the word `then`.
pub(super) fn split(line: &str) -> Vec<String> {
    let blank = |c: char| c.is_whitespace() && c != '\n';
    let mut commands = Vec::new();
    let (mut command, mut rest) = (String::new(), line.trim_start_matches(blank));
    // Known from the first word on. Asked of each piece alone: asked of all before it, a long line would take very long.
    let mut is_schedule = None;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(piece_len(rest, is_schedule == Some(true)));
        if piece == ";" || piece == "\n" || piece.eq_ignore_ascii_case("then") {
            commands.push(std::mem::take(&mut command));
            is_schedule = None;
        } else {
            command.extend([if command.is_empty() { "" } else { " " }, piece]);
            is_schedule = is_schedule.or_else(|| begins_schedule(piece));
        }
        rest = behind.trim_start_matches(blank);
    }
    commands.push(command);
    commands.retain(|command| !Words::new(command).is_empty());
    commands
}

/// True if the first word of `piece` begins a schedule; none if it has no word. Only in a schedule quotes keep what is
/// between them together. Anywhere else they could hide a stop.
fn begins_schedule(piece: &str) -> Option<bool> {
    Words::new(piece).peek().map(|first| first.eq_ignore_ascii_case("schedule"))
}

fn piece_len(rest: &str, quotes_group: bool) -> usize {
    let quoted = rest.strip_prefix('"').filter(|_| quotes_group).and_then(|inside| inside.find('"'));
    match (rest.chars().next(), quoted) {
        (_, Some(end)) => end + 2,
        (Some(';' | '\n'), None) => 1,
        (_, None) => rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len()),
    }
}

fn parse(command: &str) -> Result<Command, Complaint> {
    let mut words = Words::new(command);
    // A stop is looked for before any row is tried, so that no other reading of the words hides it.
    if stop_asked(command, &[]).is_some() {
        // Without the plain word in front, the rest is no list of targets but a sentence.
        let named = words.take_phrase("stop").then(|| orders::stop_target(&mut words));
        return Ok(Command::Stop(named.unwrap_or_else(|| StopTarget::Unclear(command.to_owned()))));
    }
    // Acts of people are named before the rows, so that no likeness with a command hides who has to act.
    if let Some((_, text)) = PERSON.iter().find(|(verb, _)| words.take_phrase(verb)) {
        return Ok(Command::Person(text));
    }
    by_rows(command, words).or_else(|complaint| intents::meant(command, &complaint).unwrap_or(Err(complaint)))
}

/// A command that begins like a row of the grammar.
fn by_rows(command: &str, mut words: Words) -> Result<Command, Complaint> {
    let Some(row) = row_of(&mut words) else {
        return Err(Complaint::Unknown { said: command.to_owned(), nearest: nearest(command) });
    };
    let parsed = (row.parse)(&mut words).map_err(|complaint| match complaint {
        Complaint::Expected(what) => Complaint::Expected(format!("{what}; for example: {}", row.example)),
        Complaint::Unknown { .. }
        | Complaint::NotFinite(_)
        | Complaint::TwoReadings(_)
        | Complaint::Hint { .. }
        | Complaint::Trailing(_)
        | Complaint::TooMany(_) => complaint,
    })?;
    // Words that were not understood may change a command, so it is not carried out without them.
    match words.peek() {
        Some(rest) => Err(Complaint::Trailing(rest.to_owned())),
        None => Ok(parsed),
    }
}

fn row_of(words: &mut Words) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.verbs.iter().any(|verb| words.take_phrase(verb)))
}

/// The row that `verb` begins, for help.
pub(super) fn row_named(verb: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.verbs.iter().any(|known| known.eq_ignore_ascii_case(verb)))
}

/// The rows whose verbs are nearest to the first two words of `command`; ties in table order. A mission is written down for
/// whoever says its words, and is no slip of the pen for another command.
fn nearest(command: &str) -> Vec<&'static Row> {
    let mut words = Words::new(command);
    let first = words.take().unwrap_or_default().to_ascii_lowercase();
    let both = words.take().map_or_else(|| first.clone(), |second| format!("{first} {}", second.to_ascii_lowercase()));
    let distance = |verb: &str| strsim::damerau_levenshtein(verb, &first).min(strsim::damerau_levenshtein(verb, &both));
    let mut rows: Vec<&Row> =
        ROWS.iter().filter(|row| !row.verbs.iter().any(|verb| drafts::VERBS.contains(verb))).collect();
    rows.sort_by_key(|row| row.verbs.iter().map(|verb| distance(verb)).min());
    rows.truncate(SUGGESTIONS_MAX);
    rows
}

fn word(words: &mut Words) -> Option<String> {
    words.take().map(str::to_owned)
}
