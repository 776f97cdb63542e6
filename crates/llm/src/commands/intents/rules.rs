//! The words of people, and what they mean here.

/// The outcome of a rule.
#[derive(Debug, Clone, Copy)]
pub(super) enum Means {
    /// The command answers, which changes nothing.
    Ask(Ask),
    /// Another way of saying it, with the verbs of the rows that do.
    Hint(&'static str, &'static [&'static str]),
    /// Only a person can, and how.
    Person(&'static str),
}

/// A command that only reads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ask {
    Status,
    World,
    Missions,
    Alerts,
    Proposals,
    Constraints,
    Denial,
    Idle,
    Help,
}

/// Words of which each group holds one that the line has, and none of `without`.
pub(super) struct Rule {
    pub with: &'static [&'static [&'static str]],
    pub without: &'static [&'static str],
    pub means: Means,
}

const fn rule(with: &'static [&'static [&'static str]], without: &'static [&'static str], means: Means) -> Rule {
    Rule { with, without, means }
}

pub(super) const SWITCH: &str = "no command here switches things on or off; a robot that can does it by an approved proposal of \
    the agent or by hand. A robot is turned so:";
const GRIPPER: &str = "a gripper closes and opens so:";
const MOTION: &str = "say which robot goes where, with numbers:";
const SLOW: &str = "say how fast with a number, at the end of a motion, or limit all of them:";
const PLAN: &str = "say the command, in quotes, and when:";
const MISSION: &str = "a mission is started in Missions by a person; one that waits goes on, and one that runs \
    pauses, so:";
const LIMIT: &str = "a limit is proposed so, and a person approves it; only a person loosens one:";
const MEMORY: &str = "what is remembered is asked for by its words:";
const PAST: &str = "what has happened stands in Records; what was said and seen is found so:";
const KEEP: &str = "say it so that it can be kept:";
const WAIT: &str = "what a robot has begun goes on; it is stopped, and missions are held up, so:";
const HOME: &str = "there is no place called home here; say where that is:";
const ARM: &str = "Only a person can arm or disarm a robot: press Arm or Disarm on its tile in the Overview.";
const RELEASE: &str = "Only a person can release a stop: press Release in the stop panel, after looking at the robots.";
pub(super) const APPROVE: &str = "Only a person can approve or reject: press the button on the card in Approvals.";
const SETTINGS: &str = "That is set by a person: models, keys and agents in Settings, limits in Safety.";
pub(super) const NO_MODEL: &str = "This is the command interpreter, not a language model: it knows commands and makes no \
    conversation. `help` lists what it knows; `status` is a good beginning.";

const MISSIONS: &[&str] = &["mission", "missions", "patrol", "patrols", "tour", "task", "tasks", "job"];
const QUESTIONS: &[&str] =
    &["what", "which", "show", "list", "any", "are", "is", "how many", "status", "current", "tell me"];
const GRIPS: &[&str] = &[
    "gripper", "grip", "grab", "grasp", "pick", "hold", "clamp", "squeeze", "ungrip", "drop", "fingers", "hand",
    "claw", "jaws",
];
const MOVES: &[&str] = &[
    "go",
    "move",
    "drive",
    "bring",
    "come",
    "walk",
    "navigate",
    "travel",
    "send",
    "lift",
    "raise",
    "lower",
    "reach",
    "approach",
    "reverse",
    "advance",
    "step",
    "forward",
    "forwards",
    "backward",
    "backwards",
    "fetch",
    "carry",
    "put",
    "place",
    "push",
    "pull",
    "deliver",
    "follow",
    "take",
    "back",
    "up",
    "down",
    "closer",
    "away",
];
const TURNS: &[&str] = &["turn", "rotate", "spin", "face", "swivel", "heading"];

/// In the order in which they are tried.
pub(super) const RULES: &[Rule] = &[
    rule(
        &[
            &["why", "reason", "how come", "what went wrong", "explain"],
            &[
                "denied",
                "refused",
                "rejected",
                "denial",
                "reject",
                "blocked",
                "forbidden",
                "not allowed",
                "deny",
                "wrong",
                "refuse",
                "fail",
                "failed",
                "verdict",
            ],
        ],
        &[],
        Means::Ask(Ask::Denial),
    ),
    rule(&[&["denied", "refused", "denial", "denials", "rejected"]], &["approve"], Means::Ask(Ask::Denial)),
    rule(
        &[
            &["why", "what keeps", "what blocks", "what is wrong", "what stops", "reason", "how come"],
            &[
                "idle",
                "move",
                "moving",
                "moves",
                "standing",
                "stands",
                "stuck",
                "waiting",
                "wait",
                "stopped",
                "blocked",
                "work",
                "working",
                "react",
                "respond",
                "responding",
                "drive",
                "driving",
                "go",
                "start",
                "stand",
                "happens",
                "anything",
                "wrong",
            ],
        ],
        &[],
        Means::Ask(Ask::Idle),
    ),
    rule(
        &[&["release", "unlatch", "reset", "clear"], &["stop", "e-stop", "estop", "stops", "latch", "emergency"]],
        &[],
        Means::Person(RELEASE),
    ),
    rule(
        &[&["release"], &["part", "object", "parcel", "box", "cup", "item", "piece", "it"]],
        &[],
        Means::Hint(GRIPPER, &["open"]),
    ),
    rule(&[&["release"]], GRIPS, Means::Person(RELEASE)),
    rule(
        &[&["arm it", "disarm", "rearm", "enable motors", "unlock", "motors on", "motors off"]],
        &[],
        Means::Person(ARM),
    ),
    rule(
        &[&["approve", "confirm", "accept", "reject", "i agree", "allow it", "permission"]],
        &["what", "which", "have to", "why"],
        Means::Person(APPROVE),
    ),
    rule(
        &[&["turn", "switch", "power", "shut"], &["on", "off", "down"]],
        &["rover", "left", "right"],
        Means::Hint(SWITCH, &["turn"]),
    ),
    rule(
        &[&["lights", "light", "lamp", "oven", "music", "kettle"]],
        &["where", "is", "what"],
        Means::Hint(SWITCH, &["turn"]),
    ),
    rule(
        &[&[
            "every",
            "daily",
            "tomorrow",
            "tonight",
            "later",
            "remind",
            "each day",
            "o clock",
            "weekly",
            "at noon",
            "at midnight",
            "in an hour",
            "schedule",
            "nightly",
            "weekdays",
        ]],
        &["everything", "stand"],
        Means::Hint(PLAN, &["schedule"]),
    ),
    rule(
        &[
            &["what", "which", "list", "show", "any", "are there", "get", "tell me", "display", "see", "how many"],
            &["alert", "alerts", "alarm", "alarms", "warning", "warnings"],
        ],
        &[],
        Means::Ask(Ask::Alerts),
    ),
    rule(&[&["alerts", "alarms", "warnings", "alarm", "alert"]], &[], Means::Ask(Ask::Alerts)),
    rule(
        &[&[
            "proposal",
            "proposals",
            "approval",
            "approvals",
            "pending",
            "decide",
            "decision",
            "decisions",
            "waiting",
            "to approve",
        ]],
        &["moving"],
        Means::Ask(Ask::Proposals),
    ),
    rule(
        &[
            &[
                "set", "change", "add", "raise", "lower", "increase", "decrease", "make", "loosen", "tighten", "limit",
                "restrict", "new", "remove", "delete",
            ],
            &[
                "limit",
                "limits",
                "constraint",
                "constraints",
                "speed",
                "zone",
                "workspace",
                "force",
                "restriction",
                "fence",
            ],
        ],
        &["what", "which", "show", "list", "is there", "are there"],
        Means::Hint(LIMIT, &["add constraint"]),
    ),
    rule(
        &[&[
            "constraint",
            "constraints",
            "limit",
            "limits",
            "restriction",
            "restrictions",
            "zone",
            "zones",
            "workspace",
            "maximum",
            "max",
            "how fast can",
            "how fast may",
            "fences",
            "rules",
            "allowed",
        ]],
        &[],
        Means::Ask(Ask::Constraints),
    ),
    rule(
        &[
            &[
                "start", "begin", "run", "launch", "activate", "continue", "resume", "restart", "pause", "suspend",
                "cancel", "hold", "end", "finish", "kick off", "go on",
            ],
            MISSIONS,
        ],
        &["what", "which", "is", "are"],
        Means::Hint(MISSION, &["resume", "pause", "cancel", "missions"]),
    ),
    rule(&[QUESTIONS, MISSIONS], &[], Means::Ask(Ask::Missions)),
    rule(&[&["missions"]], &[], Means::Ask(Ask::Missions)),
    rule(
        &[&[
            "slowly",
            "slow",
            "slower",
            "slow down",
            "fast",
            "faster",
            "speed",
            "speed up",
            "quick",
            "quickly",
            "gently",
            "carefully",
            "hurry",
        ]],
        &["where", "what", "status", "how"],
        Means::Hint(SLOW, &["move", "add constraint"]),
    ),
    rule(
        &[&["home", "dock", "charge", "charger", "base station", "park", "parking"]],
        &["where", "is", "battery"],
        Means::Hint(HOME, &["drive"]),
    ),
    rule(&[GRIPS], &["where", "status", "is"], Means::Hint(GRIPPER, &["grip", "open"])),
    rule(&[&["open", "close", "shut"]], &["missions", "is"], Means::Hint(GRIPPER, &["open", "grip"])),
    rule(
        &[&["remember", "note", "memorise", "memorize", "write down", "learn", "keep in mind", "save"]],
        &["do you", "what"],
        Means::Hint(KEEP, &["remember"]),
    ),
    rule(
        &[&["remember", "know about", "recall", "memory", "told you", "did i say", "did we", "what do you know"]],
        &[],
        Means::Hint(MEMORY, &["recall", "belief"]),
    ),
    rule(
        &[&[
            "happened",
            "yesterday",
            "last night",
            "history",
            "log",
            "logs",
            "earlier",
            "ago",
            "last week",
            "audit",
            "overnight",
            "past",
        ]],
        &[],
        Means::Hint(PAST, &["recall", "alerts"]),
    ),
    rule(
        &[&[
            "can you do",
            "help",
            "commands",
            "how do i",
            "how do you",
            "how can i",
            "how does",
            "how to",
            "instructions",
            "manual",
            "options",
            "usage",
            "examples",
            "what can i",
        ]],
        &[],
        Means::Ask(Ask::Help),
    ),
    rule(
        &[&["who are you", "what are you", "your name", "thank you", "joke", "weather", "well done"]],
        &["robot", "robots", "moving"],
        Means::Person(NO_MODEL),
    ),
    rule(
        &[&[
            "model",
            "api key",
            "key",
            "password",
            "settings",
            "configure",
            "configuration",
            "user",
            "language",
            "theme",
            "update",
            "install",
        ]],
        &[],
        Means::Person(SETTINGS),
    ),
    rule(
        &[&[
            "see",
            "sees",
            "camera",
            "cameras",
            "sensor",
            "sensors",
            "temperature",
            "door",
            "person",
            "people",
            "anyone",
            "anybody",
            "somebody",
            "detect",
            "detected",
            "notice",
            "battery",
            "batteries",
            "going on",
            "happening",
            "world",
            "environment",
            "surroundings",
            "smoke",
            "room",
            "cup",
            "light",
            "oven",
            "keys",
            "reading",
            "readings",
        ]],
        &["bring", "take", "fetch", "put", "face", "carry", "drive", "move", "turn", "deliver"],
        Means::Ask(Ask::World),
    ),
    rule(
        &[&[
            "where",
            "position",
            "positions",
            "pose",
            "poses",
            "location",
            "locations",
            "coordinates",
            "state",
            "states",
            "status",
            "robots",
            "robot",
            "fleet",
            "online",
            "offline",
            "connected",
            "ready",
            "armed",
            "healthy",
            "doing",
            "moving",
            "busy",
            "idle",
            "up to",
            "overview",
            "report",
            "ok with",
            "everything",
            "stand",
            "safe",
            "link",
            "alive",
            "still",
            "working",
            "broken",
            "stuck",
            "how is",
            "how are",
            "how s",
        ]],
        &["to the", "forward"],
        Means::Ask(Ask::Status),
    ),
    rule(&[TURNS], &[], Means::Hint(MOTION, &["turn"])),
    rule(
        &[&[
            "wait",
            "pause",
            "suspend",
            "continue",
            "carry on",
            "keep going",
            "go on",
            "undo",
            "again",
            "never mind",
            "cancel",
        ]],
        &[],
        Means::Hint(WAIT, &["stop", "pause", "resume"]),
    ),
    rule(&[MOVES], &[], Means::Hint(MOTION, &["move", "turn"])),
];
