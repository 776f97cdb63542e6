//! Every table of both databases, and what each of its columns is to forgetting. A column that is not here fails a
//! test: whoever adds one decides what becomes of the words in it.

use world::alarm::{Definition, OutOfService};
use world::predicate::Predicate;
use world::{AlertRule, Key, Provider, ProviderConfig, ProviderId};

use super::Readers;
use super::held_in::{HeldIn, Remedy};
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
    /// Its rows as a place that holds words.
    pub held_in: HeldIn,
    /// The way to forget the rest.
    pub remedy: Remedy,
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
            // Read as a start reads them: a row that no longer compiles would be left out there.
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

use Holds::{Form, Kept, Made, Name, Words};

/// The tables of an agent's `memory.db`.
pub(super) const AGENT: &[Table] = &[
    Table {
        name: "provider",
        held_in: HeldIn::Context,
        remedy: Remedy::ChangeContext,
        columns: &[("id", Form), ("config", Words), ("created_by", Kept), ("mission_id", Kept), ("state", Form)],
    },
    Table {
        name: "alert",
        held_in: HeldIn::Alert,
        remedy: Remedy::RewordAlert,
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
        held_in: HeldIn::AlertFire,
        remedy: Remedy::OnRecord,
        columns: &[("id", Form), ("alert_id", Form), ("facts", Words), ("episode", Form), ("turn", Form)],
    },
    Table { name: "alarm", held_in: HeldIn::Alarm, remedy: Remedy::OnRecord, columns: ALARM },
    Table { name: "alarm_event", held_in: HeldIn::AlarmStep, remedy: Remedy::OnRecord, columns: ALARM_EVENT },
    Table {
        name: "proposal",
        held_in: HeldIn::Proposal,
        remedy: Remedy::OnRecord,
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
        held_in: HeldIn::WorldState,
        remedy: Remedy::ChangeWriter,
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
        held_in: HeldIn::WorldHistory,
        remedy: Remedy::ChangeWriter,
        columns: &[("key", Name), ("kind", Form), ("value", Name), ("source", Name), ("provider_id", Form)],
    },
    Table {
        name: "episodic",
        held_in: HeldIn::Record,
        remedy: Remedy::ForgetRecord,
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
    Table { name: "episodic_file", held_in: HeldIn::DailyLog, remedy: Remedy::OnRecord, columns: &[("name", Form)] },
    Table {
        name: "episodic_vector",
        held_in: HeldIn::RecordVector,
        remedy: Remedy::OnRecord,
        columns: &[("model", Form), ("vector", Made)],
    },
    Table {
        name: "forget_intent",
        held_in: HeldIn::ForgetIntent,
        remedy: Remedy::OnRecord,
        columns: &[("id", Form), ("scope", Form), ("step", Form)],
    },
    Table {
        name: "belief",
        held_in: HeldIn::Belief,
        remedy: Remedy::ForgetBelief,
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
        held_in: HeldIn::BeliefChange,
        remedy: Remedy::ForgetBelief,
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
        held_in: HeldIn::Job,
        remedy: Remedy::RewordJob,
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
        held_in: HeldIn::JobRun,
        remedy: Remedy::OnRecord,
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
        held_in: HeldIn::Review,
        remedy: Remedy::DecideReview,
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
        held_in: HeldIn::ModelCall,
        remedy: Remedy::OnRecord,
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
        held_in: HeldIn::PromptPart,
        remedy: Remedy::PromptsAge,
        columns: &[("hash", Form), ("body", Words)],
    },
    Table {
        name: "budget_grant",
        held_in: HeldIn::BudgetGrant,
        remedy: Remedy::OnRecord,
        columns: &[("meter", Form), ("about", Kept), ("granted_by", Kept)],
    },
    Table {
        name: "agent_state",
        held_in: HeldIn::AgentSetting,
        remedy: Remedy::Rename,
        columns: &[("key", Form), ("value", Kept)],
    },
    Table {
        name: "said",
        held_in: HeldIn::Message,
        remedy: Remedy::OnRecord,
        columns: &[("id", Form), ("session", Kept), ("actor", Kept), ("role", Form), ("text", Words)],
    },
    Table {
        name: "session",
        held_in: HeldIn::Conversation,
        remedy: Remedy::Rename,
        columns: &[("id", Kept), ("key", Kept), ("channel", Form), ("provider", Kept), ("model", Kept)],
    },
    Table {
        name: "mission",
        held_in: HeldIn::Mission,
        remedy: Remedy::Rename,
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
        held_in: HeldIn::MissionDryRun,
        remedy: Remedy::Rename,
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
        held_in: HeldIn::MissionText,
        remedy: Remedy::Rename,
        columns: &[("mission_id", Kept), ("hash", Form), ("source", Words), ("author", Kept), ("activated_by", Kept)],
    },
    Table {
        name: "mission_run",
        held_in: HeldIn::MissionRun,
        remedy: Remedy::Rename,
        columns: &[("id", Form), ("mission_id", Kept), ("hash", Form), ("run", Words)],
    },
    Table {
        name: "mission_transition",
        held_in: HeldIn::MissionStep,
        remedy: Remedy::OnRecord,
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
        held_in: HeldIn::RoomMessage,
        remedy: Remedy::Rename,
        columns: &[("room", Kept), ("station", Kept), ("sender", Words), ("text", Words)],
    },
    Table {
        name: "room_seq",
        held_in: HeldIn::RoomMember,
        remedy: Remedy::Rename,
        columns: &[("room", Kept), ("station", Kept)],
    },
    Table { name: "event", held_in: HeldIn::Event, remedy: Remedy::OnRecord, columns: EVENT },
];

/// The tables of `station.db`. They are of every agent, and most of them are evidence: forgetting takes words out of
/// approvals of its agent, and says what else there is.
pub(super) const STATION: &[Table] = &[
    Table {
        name: "station",
        held_in: HeldIn::StationSetting,
        remedy: Remedy::Rename,
        columns: &[("name", Form), ("value", Kept)],
    },
    Table {
        name: "latch",
        held_in: HeldIn::Stop,
        remedy: Remedy::OnRecord,
        columns: &[("by", Kept), ("reason", Kept), ("robots", Kept), ("released", Kept), ("reason_kind", Kept)],
    },
    Table { name: "lease_epoch", held_in: HeldIn::StationSetting, remedy: Remedy::Rename, columns: &[("robot", Kept)] },
    Table {
        name: "constraint_row",
        held_in: HeldIn::Limit,
        remedy: Remedy::ChangeLimit,
        columns: &[("id", Kept), ("body", Kept), ("owner", Kept)],
    },
    Table {
        name: "constraint_set",
        held_in: HeldIn::StationSetting,
        remedy: Remedy::Rename,
        columns: &[("robot", Kept), ("hash", Form)],
    },
    Table {
        name: "constraint_seal",
        held_in: HeldIn::StationSetting,
        remedy: Remedy::Rename,
        columns: &[("owner", Kept), ("seal", Form)],
    },
    Table {
        name: "approval",
        held_in: HeldIn::Decision,
        remedy: Remedy::OnRecord,
        columns: &[("proposal", Form), ("action_hash", Form), ("by", Kept), ("state", Form), ("body", Words)],
    },
    Table { name: "audit", held_in: HeldIn::AuditRecord, remedy: Remedy::NeverEdited, columns: &[("record", Kept)] },
    Table {
        name: "audit_anchor",
        held_in: HeldIn::StationSetting,
        remedy: Remedy::NeverEdited,
        columns: &[("anchor", Form)],
    },
    Table {
        name: "standing_approval",
        held_in: HeldIn::StandingApproval,
        remedy: Remedy::OnRecord,
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
        held_in: HeldIn::StopTest,
        remedy: Remedy::OnRecord,
        columns: &[("robot", Kept), ("by", Kept)],
    },
    Table { name: "alarm", held_in: HeldIn::StationAlarm, remedy: Remedy::OnRecord, columns: ALARM },
    Table { name: "alarm_event", held_in: HeldIn::AlarmStep, remedy: Remedy::OnRecord, columns: ALARM_EVENT },
    Table {
        name: "secret",
        held_in: HeldIn::SecretName,
        remedy: Remedy::RemoveSecret,
        columns: &[("name", Kept), ("last4", Form)],
    },
    Table {
        name: "token",
        held_in: HeldIn::Token,
        remedy: Remedy::RevokeToken,
        columns: &[("id", Form), ("hash", Form), ("label", Kept), ("kind", Form), ("role", Form), ("made_by", Kept)],
    },
    Table {
        name: "lockout",
        held_in: HeldIn::Lockout,
        remedy: Remedy::OnRecord,
        columns: &[("robot", Kept), ("causes", Form)],
    },
    Table { name: "event", held_in: HeldIn::StationEvent, remedy: Remedy::PushedOut, columns: EVENT },
];

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
