//! Every table of both databases, and what each of its columns is to forgetting. A column that is not here fails a test:
//! whoever adds one decides what becomes of the words in it.

use world::alarm::{Definition, OutOfService};
use world::predicate::Predicate;
use world::{AlertRule, Key, Provider, ProviderConfig, ProviderId};

use super::Readers;
use super::stays::Noun;
use crate::belief::{Dispute, Evidence, Kind, KindName, KindParams};
use crate::jobs::JobAction;

/// The content of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Words of people, sensors or models, plain or in JSON: a mark takes their place.
    Words,
    /// The subject of the row: without it the row means nothing, and goes.
    Name,
    /// A name that other rows and files refer to, or the name of who did something: it stays, and the answer says so.
    Kept,
    /// The program's own: numbers, hashes, random ids, words of a fixed list.
    Form,
    /// Made from another column, and made anew with it.
    Made,
}

/// A table, and how people get rid of what forgetting leaves in it.
#[derive(Debug)]
pub(super) struct Table {
    pub name: &'static str,
    /// The counted word for its rows.
    pub noun: Noun,
    /// The way to forget the rest.
    pub how: &'static str,
    pub columns: &'static [(&'static str, Holds)],
}

impl Table {
    /// Its name in the answer, where the rows that went are counted.
    pub fn place(&self) -> &'static str {
        match self.name {
            "episodic" => "index",
            "belief" => "beliefs",
            name => name,
        }
    }

    /// The columns in which something may stand.
    pub fn read(&self) -> impl Iterator<Item = &(&'static str, Holds)> {
        self.columns.iter().filter(|(_, holds)| match holds {
            Holds::Words | Holds::Name | Holds::Kept => true,
            Holds::Form | Holds::Made => false,
        })
    }

    /// The SQL condition for a row that nothing reads the words of any more: those need not stay readable.
    pub fn is_spent(&self) -> &'static str {
        match self.name {
            "alert" => "removed_ms IS NOT NULL",
            _ => "0",
        }
    }

    /// True if the column can be read with `text` in it: a row that nobody can read any more is worse than a word.
    pub fn is_readable(&self, column: &str, text: &str, readers: &Readers) -> bool {
        match (self.name, column) {
            ("provider", "config") => serde_json::from_str::<ProviderConfig>(text)
                .is_ok_and(|config| Provider::compile(ProviderId("cp-0".into()), config).is_ok()),
            ("alert", "config") => serde_json::from_str::<AlertRule>(text)
                .is_ok_and(|rule| Predicate::<Key>::parse(&rule.predicate).is_ok()),
            ("alert", "predicate") => Predicate::<Key>::parse(text).is_ok(),
            ("alarm", "definition") => is::<Definition>(text),
            ("alarm", "out_of_service") => is::<OutOfService>(text),
            ("proposal" | "approval", "body") => (readers.proposal)(text),
            ("belief", "kind_params") => serde_json::from_str::<KindParams>(text)
                .is_ok_and(|params| KINDS.iter().any(|kind| Kind::new(*kind, Some(&params)).is_ok())),
            ("belief", "challenged") => is::<Dispute>(text),
            ("belief_history", "evidence") => is::<Evidence>(text),
            ("job", "action") => is::<JobAction>(text),
            ("mission_version", "source") => (readers.mission)(text),
            // Plain words, and JSON whose readers take whatever stands in it.
            (_, _) => true,
        }
    }
}

const KINDS: [KindName; 5] = [KindName::Boolean, KindName::Number, KindName::Set, KindName::Enum, KindName::Text];

fn is<T: serde::de::DeserializeOwned>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_ok()
}

const STAYS_ON_RECORD: &str = "Who did it, what it refers to and words of the program's own stay on record.";
const NEVER_EDITED: &str = "The audit is only ever appended to; nothing takes it out.";
const RENAME: &str = "Other data refers to it by this name. Rename it, or remove what has the name.";

use Holds::{Form, Kept, Made, Name, Words};

/// The tables of an agent's `memory.db`.
pub(super) const AGENT: &[Table] = &[
    Table {
        name: "provider",
        noun: Noun("context", "contexts"),
        how: "Change or remove the context.",
        columns: &[("id", Form), ("config", Words), ("created_by", Kept), ("mission_id", Kept), ("state", Form)],
    },
    Table {
        name: "alert",
        noun: Noun("alert", "alerts"),
        how: "Unregister the alert, or register it in other words.",
        columns: &[
            ("id", Form),
            ("config", Words),
            ("created_by", Kept),
            ("mission_id", Kept),
            ("predicate", Words),
            ("state", Form),
            ("wakes", Form),
        ],
    },
    Table {
        name: "alert_fire",
        noun: Noun("fire of an alert", "fires of alerts"),
        how: STAYS_ON_RECORD,
        columns: &[("id", Form), ("alert_id", Form), ("facts", Words), ("episode", Form), ("turn", Form)],
    },
    Table { name: "alarm", noun: Noun("alarm", "alarms"), how: STAYS_ON_RECORD, columns: ALARM },
    Table { name: "alarm_event", noun: ALARM_EVENT_NOUN, how: STAYS_ON_RECORD, columns: ALARM_EVENT },
    Table {
        name: "proposal",
        noun: Noun("proposal", "proposals"),
        how: STAYS_ON_RECORD,
        columns: &[
            ("id", Form),
            ("mission_id", Kept),
            ("state", Form),
            ("tier", Form),
            ("action_hash", Form),
            ("body", Words),
        ],
    },
    Table {
        name: "world_state",
        noun: Noun("entry of the world state", "entries of the world state"),
        how: "Change the context that writes it.",
        columns: &[
            ("key", Name),
            ("value", Name),
            ("unit", Words),
            ("trust", Form),
            ("origin", Form),
            ("age_basis", Form),
            ("source", Name),
            ("instance", Name),
            ("provider_id", Form),
            ("mission_id", Kept),
        ],
    },
    Table {
        name: "world_history",
        noun: Noun("point of the history", "points of the history"),
        how: "Change the context that writes it.",
        columns: &[("key", Name), ("kind", Form), ("value", Name), ("source", Name), ("provider_id", Form)],
    },
    Table {
        name: "episodic",
        noun: Noun("record", "records"),
        how: "Forget the record by its id, or by a query that names the longer word.",
        columns: &[
            ("id", Form),
            ("role", Form),
            ("content", Words),
            ("terms", Made),
            ("origin", Kept),
            ("trust", Form),
            ("mission_id", Kept),
            ("session", Kept),
            ("cause", Form),
            ("file", Form),
        ],
    },
    Table { name: "episodic_file", noun: Noun("daily log", "daily logs"), how: "", columns: &[("name", Form)] },
    Table {
        name: "episodic_vector",
        noun: Noun("place of a record", "places of records"),
        how: "",
        columns: &[("model", Form), ("vector", Made)],
    },
    Table {
        name: "forget_intent",
        noun: Noun("intent", "intents"),
        how: "",
        columns: &[("id", Form), ("scope", Form), ("step", Form)],
    },
    Table {
        name: "belief",
        noun: Noun("belief", "beliefs"),
        how: "Forget the belief itself.",
        columns: &[
            ("id", Form),
            ("subject", Name),
            ("predicate", Name),
            ("value", Words),
            ("kind", Form),
            ("kind_params", Words),
            ("source", Words),
            ("trust", Form),
            ("confirmed_by", Form),
            ("observes", Kept),
            ("challenged", Words),
            ("notes", Words),
        ],
    },
    Table {
        name: "belief_history",
        noun: Noun("change of a belief", "changes of beliefs"),
        how: "Forget the belief itself.",
        columns: &[
            ("id", Form),
            ("belief_id", Form),
            ("kind", Form),
            ("value", Words),
            ("by", Kept),
            ("evidence", Words),
        ],
    },
    Table {
        name: "job",
        noun: Noun("job", "jobs"),
        how: "Cancel the job, and schedule it in other words.",
        columns: &[
            ("id", Form),
            ("name", Words),
            ("mission_id", Kept),
            ("action", Words),
            ("schedule", Form),
            ("time_zone", Form),
            ("policy", Form),
            ("state", Form),
            ("last_error", Words),
            ("created_by", Kept),
        ],
    },
    Table {
        name: "job_run",
        noun: Noun("run of a job", "runs of jobs"),
        how: STAYS_ON_RECORD,
        columns: &[
            ("id", Form),
            ("job_id", Form),
            ("outcome", Form),
            ("turn", Form),
            ("error", Words),
            ("proposal", Form),
        ],
    },
    Table {
        name: "memory_review",
        noun: Noun("review", "reviews"),
        how: "Decide on the review.",
        columns: &[
            ("id", Form),
            ("target", Kept),
            ("before", Words),
            ("after", Words),
            ("provenance", Words),
            ("state", Form),
        ],
    },
    Table {
        name: "model_call",
        noun: Noun("model call", "model calls"),
        how: STAYS_ON_RECORD,
        columns: &[
            ("id", Form),
            ("session", Kept),
            ("turn", Form),
            ("mission_id", Kept),
            ("purpose", Form),
            ("provider", Kept),
            ("model", Kept),
            ("outcome", Form),
            ("price", Form),
            ("usage_raw", Words),
            ("view", Words),
        ],
    },
    Table {
        name: "view_part",
        noun: Noun("part of a prompt", "parts of prompts"),
        how: "It goes as prompts get old.",
        columns: &[("hash", Form), ("body", Words)],
    },
    Table {
        name: "budget_grant",
        noun: Noun("addition to a budget", "additions to budgets"),
        how: STAYS_ON_RECORD,
        columns: &[("meter", Form), ("about", Kept), ("granted_by", Kept)],
    },
    Table {
        name: "agent_state",
        noun: Noun("setting of the agent", "settings of the agent"),
        how: RENAME,
        columns: &[("key", Form), ("value", Kept)],
    },
    Table {
        name: "said",
        noun: Noun("message", "messages"),
        how: STAYS_ON_RECORD,
        columns: &[("id", Form), ("session", Kept), ("actor", Kept), ("role", Form), ("text", Words)],
    },
    Table {
        name: "session",
        noun: Noun("conversation", "conversations"),
        how: RENAME,
        columns: &[("id", Kept), ("key", Kept), ("channel", Form), ("provider", Kept), ("model", Kept)],
    },
    Table {
        name: "mission",
        noun: Noun("mission", "missions"),
        how: RENAME,
        columns: &[
            ("id", Kept),
            ("status", Form),
            ("phase", Form),
            ("cause", Words),
            ("activation", Form),
            ("hash", Form),
            ("activated_by", Kept),
            ("run", Form),
            ("accepted", Form),
            ("activated_role", Form),
            ("reason", Words),
            ("triggers", Form),
            ("granted", Form),
            ("dry_run", Form),
        ],
    },
    Table {
        name: "mission_dry_run",
        noun: Noun("dry run of a mission", "dry runs of missions"),
        how: RENAME,
        columns: &[
            ("id", Form),
            ("mission_id", Kept),
            ("hash", Form),
            ("sentence", Words),
            ("basis", Kept),
            ("outcome", Words),
        ],
    },
    Table {
        name: "mission_version",
        noun: Noun("text of a mission", "texts of missions"),
        how: RENAME,
        columns: &[("mission_id", Kept), ("hash", Form), ("source", Words), ("author", Kept), ("activated_by", Kept)],
    },
    Table {
        name: "mission_run",
        noun: Noun("run of a mission", "runs of missions"),
        how: RENAME,
        columns: &[("id", Form), ("mission_id", Kept), ("hash", Form), ("run", Words)],
    },
    Table {
        name: "mission_transition",
        noun: Noun("step of a mission", "steps of missions"),
        how: STAYS_ON_RECORD,
        columns: &[
            ("mission_id", Kept),
            ("from_status", Form),
            ("to_status", Form),
            ("phase", Form),
            ("cause", Words),
            ("actor", Kept),
            ("activation", Form),
            ("reason", Words),
            ("hash", Form),
        ],
    },
    Table {
        name: "room_message",
        noun: Noun("room message", "room messages"),
        how: RENAME,
        columns: &[("room", Kept), ("station", Kept), ("sender", Words), ("text", Words)],
    },
    Table {
        name: "room_seq",
        noun: Noun("member of a room", "members of rooms"),
        how: RENAME,
        columns: &[("room", Kept), ("station", Kept)],
    },
    Table { name: "event", noun: Noun("event", "events"), how: STAYS_ON_RECORD, columns: EVENT },
];

/// The tables of `station.db`. They are of every agent, and most of them are evidence: forgetting takes words out of
/// approvals of its agent, and says what else there is.
pub(super) const STATION: &[Table] = &[
    Table { name: "station", noun: SETTING, how: RENAME, columns: &[("name", Form), ("value", Kept)] },
    Table {
        name: "latch",
        noun: Noun("stop", "stops"),
        how: STAYS_ON_RECORD,
        columns: &[("by", Kept), ("reason", Kept), ("robots", Kept), ("released", Kept), ("reason_kind", Kept)],
    },
    Table { name: "lease_epoch", noun: SETTING, how: RENAME, columns: &[("robot", Kept)] },
    Table {
        name: "constraint_row",
        noun: Noun("limit", "limits"),
        how: "Change or remove the limit.",
        columns: &[("id", Kept), ("body", Kept), ("owner", Kept)],
    },
    Table { name: "constraint_set", noun: SETTING, how: RENAME, columns: &[("robot", Kept), ("hash", Form)] },
    Table { name: "constraint_seal", noun: SETTING, how: RENAME, columns: &[("owner", Kept), ("seal", Form)] },
    Table {
        name: "approval",
        noun: Noun("decision on a proposal", "decisions on proposals"),
        how: STAYS_ON_RECORD,
        columns: &[("proposal", Form), ("action_hash", Form), ("by", Kept), ("state", Form), ("body", Words)],
    },
    Table {
        name: "audit",
        noun: Noun("audit record", "audit records"),
        how: NEVER_EDITED,
        columns: &[("record", Kept)],
    },
    Table { name: "audit_anchor", noun: SETTING, how: NEVER_EDITED, columns: &[("anchor", Form)] },
    Table {
        name: "standing_approval",
        noun: Noun("standing approval", "standing approvals"),
        how: STAYS_ON_RECORD,
        columns: &[
            ("id", Form),
            ("robot", Kept),
            ("mission", Kept),
            ("operation", Form),
            ("envelope", Kept),
            ("granted_by", Kept),
            ("ended", Kept),
        ],
    },
    Table {
        name: "drill",
        noun: Noun("test of a stop", "tests of stops"),
        how: STAYS_ON_RECORD,
        columns: &[("robot", Kept), ("by", Kept)],
    },
    Table {
        name: "alarm",
        noun: Noun("alarm of the station", "alarms of the station"),
        how: STAYS_ON_RECORD,
        columns: ALARM,
    },
    Table { name: "alarm_event", noun: ALARM_EVENT_NOUN, how: STAYS_ON_RECORD, columns: ALARM_EVENT },
    Table {
        name: "secret",
        noun: Noun("name of a secret", "names of secrets"),
        how: "Remove the secret.",
        columns: &[("name", Kept), ("last4", Form)],
    },
    Table {
        name: "token",
        noun: Noun("token", "tokens"),
        how: "Revoke the token and make another.",
        columns: &[("id", Form), ("hash", Form), ("label", Kept), ("kind", Form), ("role", Form), ("made_by", Kept)],
    },
    Table {
        name: "lockout",
        noun: Noun("lockout", "lockouts"),
        how: STAYS_ON_RECORD,
        columns: &[("robot", Kept), ("causes", Form)],
    },
    Table {
        name: "event",
        noun: Noun("event of the station", "events of the station"),
        how: "Later events push it out.",
        columns: EVENT,
    },
];

const SETTING: Noun = Noun("setting of the station", "settings of the station");
const ALARM_EVENT_NOUN: Noun = Noun("step of an alarm", "steps of alarms");
const ALARM: &[(&str, Holds)] = &[
    ("id", Form),
    ("source", Words),
    ("state", Form),
    ("definition", Words),
    ("acked_by", Kept),
    ("out_of_service", Words),
];
const ALARM_EVENT: &[(&str, Holds)] =
    &[("id", Form), ("alarm_id", Form), ("kind", Form), ("by", Kept), ("detail", Words)];
const EVENT: &[(&str, Holds)] = &[("code", Form), ("sentence", Words)];

#[cfg(test)]
mod tests;
