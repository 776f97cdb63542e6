//! What can be said: one row a command, in the order in which help lists them.

use super::words::{FORCE, LENGTH, SPEED, Words};

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
    Motion {
        robot: String,
        order: Order,
        dry: bool,
    },
    Stop(StopTarget),
    Constraints(Option<String>),
    Remember {
        subject: String,
        predicate: String,
        value: String,
    },
    Belief {
        subject: String,
        predicate: Option<String>,
    },
    Alerts,
    Proposals,
    /// Something only a person can do, and how.
    Person(&'static str),
}

/// What a stop names. A stop is understood whatever stands behind it.
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
    To { x_m: f64, y_m: f64, z_m: Option<f64>, frame: Option<String>, speed_mps: Option<f64> },
    By { direction: Direction, distance_m: f64, speed_mps: Option<f64> },
    Grip { force_n: Option<f64> },
    Open { opening_m: Option<f64> },
}

/// Where a relative motion goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
}

/// Why a text is no command.
#[derive(Debug, Clone)]
pub(super) enum Complaint {
    /// No row begins like this; the nearest rows.
    Unknown { said: String, nearest: Vec<&'static Row> },
    /// A row begins like this, but this was expected.
    Expected(String),
    /// A number that is none.
    NotFinite(String),
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
        parse: |w| Ok(Command::Missions(word(w))),
    },
    Row {
        verbs: &["move", "drive"],
        usage: "move|drive robot to x y [z] [in frame] [at speed] | move robot forward|back|left|right|up|down distance [at speed]",
        example: "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s",
        parse: |w| movement(w, false),
    },
    Row { verbs: &["grip"], usage: "grip robot [at force]", example: "grip arm-1 at 10 N", parse: grip },
    Row { verbs: &["open"], usage: "open robot [to distance]", example: "open arm-1 to 6 cm", parse: open },
    Row {
        verbs: &["stop"],
        usage: "stop | stop all | stop robot",
        example: "stop rover-1",
        parse: |w| Ok(Command::Stop(stop_target(w))),
    },
    Row {
        verbs: &["remember"],
        usage: "remember subject property = value",
        example: "remember person location = kitchen",
        parse: remember,
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
        verbs: &["constraints"],
        usage: "constraints [mission or robot]",
        example: "constraints arm-1",
        parse: |w| Ok(Command::Constraints(word(w))),
    },
    Row { verbs: &["alerts"], usage: "alerts", example: "alerts", parse: |_| Ok(Command::Alerts) },
    Row { verbs: &["proposals"], usage: "proposals", example: "proposals", parse: |_| Ok(Command::Proposals) },
    Row { verbs: &["dryrun"], usage: "dryrun move …", example: "dryrun move arm-1 to 2 0 1", parse: dry_run },
];

/// What only a person can do, and where.
const PERSON: &[(&str, &str)] = &[
    ("approve", "Only a person can approve: press Approve on the card in Approvals."),
    ("reject", "Only a person can reject: press Reject on the card in Approvals."),
    ("release stop", "Only a person can release a stop: press Release in the stop panel, after looking at the robots."),
    ("release", "Only a person can release a stop: press Release in the stop panel, after looking at the robots."),
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
    let stops = parsed.filter(|command| matches!(command, Ok(Command::Stop(_))));
    std::iter::once(Err(Complaint::TooMany(count))).chain(stops).collect()
}

/// Cuts a line at `;`, at its ends of line and at the word `then`.
fn split(line: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for part in line.split([';', '\n']) {
        let mut command = Vec::new();
        for word in part.split_whitespace() {
            if word.eq_ignore_ascii_case("then") {
                commands.push(command.join(" "));
                command.clear();
            } else {
                command.push(word);
            }
        }
        commands.push(command.join(" "));
    }
    commands.retain(|command| !Words::new(command).is_empty());
    commands
}

fn parse(command: &str) -> Result<Command, Complaint> {
    let mut words = Words::new(command);
    if let Some((_, text)) = PERSON.iter().find(|(verb, _)| words.take_phrase(verb)) {
        return Ok(Command::Person(text));
    }
    let Some(row) = row_of(&mut words) else {
        return Err(Complaint::Unknown { said: command.to_owned(), nearest: nearest(command) });
    };
    let parsed = (row.parse)(&mut words).map_err(|complaint| match complaint {
        Complaint::Expected(what) => Complaint::Expected(format!("{what}; for example: {}", row.example)),
        Complaint::Unknown { .. } | Complaint::NotFinite(_) | Complaint::Trailing(_) | Complaint::TooMany(_) => {
            complaint
        }
    })?;
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

/// The rows whose verbs are nearest to the first two words of `command`; ties in table order.
fn nearest(command: &str) -> Vec<&'static Row> {
    let mut words = Words::new(command);
    let first = words.take().unwrap_or_default().to_ascii_lowercase();
    let both = words.take().map_or_else(|| first.clone(), |second| format!("{first} {}", second.to_ascii_lowercase()));
    let distance = |verb: &str| strsim::damerau_levenshtein(verb, &first).min(strsim::damerau_levenshtein(verb, &both));
    let mut rows: Vec<&Row> = ROWS.iter().collect();
    rows.sort_by_key(|row| row.verbs.iter().map(|verb| distance(verb)).min());
    rows.truncate(SUGGESTIONS_MAX);
    rows
}

fn word(words: &mut Words) -> Option<String> {
    words.take().map(str::to_owned)
}

fn robot(words: &mut Words) -> Result<String, Complaint> {
    word(words).ok_or_else(|| Complaint::Expected("a robot".to_owned()))
}

fn dry_run(words: &mut Words) -> Result<Command, Complaint> {
    if words.take_phrase("move") || words.take_phrase("drive") {
        return movement(words, true);
    }
    Err(Complaint::Expected("move".to_owned()))
}

fn movement(words: &mut Words, dry: bool) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let order = if words.take_phrase("to") { place(words)? } else { step(words)? };
    Ok(Command::Motion { robot, order, dry })
}

fn place(words: &mut Words) -> Result<Order, Complaint> {
    let x = words.quantity("x", LENGTH)?;
    let y = words.quantity("y", LENGTH)?;
    let z = words.has_number().then(|| words.quantity("z", LENGTH)).transpose()?;
    // `to 50 20 100 cm`: a unit behind the last number counts for those without one.
    let unit = z.unwrap_or(y).unit();
    let (mut frame, mut speed_mps) = (None, None);
    loop {
        if frame.is_none() && words.take_phrase("in") {
            frame = Some(word(words).ok_or_else(|| Complaint::Expected("a frame".to_owned()))?);
        } else if speed_mps.is_none() && words.take_phrase("at") {
            speed_mps = Some(words.quantity("a speed", SPEED)?.si(None));
        } else {
            return Ok(Order::To { x_m: x.si(unit), y_m: y.si(unit), z_m: z.map(|z| z.si(unit)), frame, speed_mps });
        }
    }
}

fn step(words: &mut Words) -> Result<Order, Complaint> {
    const DIRECTIONS: [(&str, Direction); 8] = [
        ("forward", Direction::Forward),
        ("forwards", Direction::Forward),
        ("back", Direction::Back),
        ("backwards", Direction::Back),
        ("left", Direction::Left),
        ("right", Direction::Right),
        ("up", Direction::Up),
        ("down", Direction::Down),
    ];
    let Some((_, direction)) = DIRECTIONS.into_iter().find(|(name, _)| words.take_phrase(name)) else {
        return Err(Complaint::Expected("to, forward, back, left, right, up or down".to_owned()));
    };
    let distance_m = words.quantity("a distance", LENGTH)?.si(None);
    let speed_mps = words.take_phrase("at").then(|| words.quantity("a speed", SPEED)).transpose()?;
    Ok(Order::By { direction, distance_m, speed_mps: speed_mps.map(|speed| speed.si(None)) })
}

fn grip(words: &mut Words) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let force = words.take_phrase("at").then(|| words.quantity("a force", FORCE)).transpose()?;
    Ok(Command::Motion { robot, order: Order::Grip { force_n: force.map(|force| force.si(None)) }, dry: false })
}

fn open(words: &mut Words) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let opening = words.take_phrase("to").then(|| words.quantity("a distance", LENGTH)).transpose()?;
    Ok(Command::Motion { robot, order: Order::Open { opening_m: opening.map(|opening| opening.si(None)) }, dry: false })
}

fn remember(words: &mut Words) -> Result<Command, Complaint> {
    let expected = || Complaint::Expected("a subject, a property, = and a value".to_owned());
    let (named, value) = words.assignment().ok_or_else(expected)?;
    let [subject, predicate] = named.as_slice() else { return Err(expected()) };
    Ok(Command::Remember {
        subject: (*subject).to_owned(),
        predicate: (*predicate).to_owned(),
        value: value.to_owned(),
    })
}

fn stop_target(words: &mut Words) -> StopTarget {
    let mut named = Vec::new();
    while let Some(word) = words.take() {
        named.push(word);
    }
    match named.as_slice() {
        [] => StopTarget::All,
        [word] if word.eq_ignore_ascii_case("all") => StopTarget::All,
        [word] => StopTarget::Robot((*word).to_owned()),
        several => StopTarget::Unclear(several.join(" ")),
    }
}
