//! Names of things. A name is checked once, when it is made; afterwards its type is the proof.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

/// Refusal of a text that is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} {text:?} must be 1 to 64 characters of a-z, 0-9, '_' and '-'")]
pub struct IdError {
    /// Kind of id that was expected, for example `robot id`.
    pub kind: &'static str,
    /// The text as given, cut to 80 characters.
    pub text: String,
}

/// The longest name that is accepted, in bytes.
const NAME_BYTES_MAX: usize = 64;

fn check_name(kind: &'static str, text: &str) -> Result<(), IdError> {
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
    if (1..=NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(legal) {
        return Ok(());
    }
    Err(IdError { kind, text: text.chars().take(80).collect() })
}

/// A name that a person declares is one of a closed set; others, such as the name of a file or of another station, anybody
/// may have chosen.
macro_rules! name_id {
    ($(#[$doc:meta])* declared $name:ident, $kind:literal) => {
        name_id!(@true $(#[$doc])* $name, $kind);
    };
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        name_id!(@false $(#[$doc])* $name, $kind);
    };
    (@$is_vouched:literal $(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(extend("x-vouched" = $is_vouched))]
        #[ts(type = "string")]
        pub struct $name(
            // Shared text: copying a name into a verdict allocates nothing.
            #[schemars(with = "String", regex(pattern = r"^[a-z0-9_-]{1,64}$"))] Arc<str>,
        );

        impl $name {
            /// Checks `text` against the id grammar `[a-z0-9_-]{1,64}`.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                check_name($kind, &text)?;
                Ok(Self(text.into()))
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.as_str().to_owned()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }
    };
}

name_id!(/// A robot, equal to the stem of its manifest file.
    declared RobotId, "robot id");
name_id!(/// An actuator of one robot, for example `arm`.
    declared ActuatorId, "actuator id");
name_id!(/// A camera of one robot, for example `front`.
    declared CameraId, "camera id");
name_id!(/// A coordinate frame, for example `base_link`.
    declared FrameId, "frame id");
name_id!(/// A joint, unique within its robot.
    declared JointName, "joint name");
name_id!(/// A mission, equal to the stem of its file.
    MissionId, "mission id");
name_id!(/// A station: one running Quarterdeck.
    StationId, "station id");
name_id!(/// A site, the first part of the keys of everything that stands there.
    declared SiteId, "site");
name_id!(/// An agent and its memory.
    declared AgentId, "agent id");
name_id!(/// A room in which operators of several stations speak, equal to the last part of its key.
    RoomId, "room id");
name_id!(/// A server of language models, as the operator calls it.
    declared ModelProviderId, "model provider id");
name_id!(/// A constraint, `con-<uuid>` or, for a manifest limit, `manifest-<kind>`.
    declared ConstraintId, "constraint id");
name_id!(/// An approval of one proposal version.
    ApprovalId, "approval id");

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
        #[serde(transparent)]
        #[schemars(extend("x-vouched" = true))]
        #[ts(type = "string")]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

uuid_id!(/// One command; the same id sent again returns the first outcome.
    CommandId);
uuid_id!(/// One verdict.
    VerdictId);

/// A name that the station makes, keeps and looks up. Any text is one: rows and files of every age hold such names, and
/// one that nobody knows is told from the others by looking it up.
macro_rules! record_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.as_str().to_owned()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                self.as_str() == text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                self.as_str() == *text
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        // On the wire it is a text like any other.
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                String::schema_name()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                String::json_schema(generator)
            }
        }

        impl TS for $name {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(config: &ts_rs::Config) -> String {
                String::name(config)
            }

            fn inline(config: &ts_rs::Config) -> String {
                String::inline(config)
            }
        }
    };
}

record_id!(/// A turn, `turn-<uuid>`.
    TurnId);
record_id!(/// A proposal, `pr-<uuid>`.
    ProposalId);
record_id!(/// A job, `job-<uuid>`, or `job-file-<digits>-<name>` if the text of a mission plans it.
    JobId);
record_id!(/// A signed-in session, not the person at it: `app-window`, `token-<id>`, or the name of a program.
    SessionId);
record_id!(/// A conversation, equal to the stem of its transcript file: `desk`, `autonomy`, `chat-<uuid>` or `room-<room id>`.
    ConversationId);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_names_outside_the_grammar() {
        for text in ["", "Arm-1", "arm 1", "arm/1", "ärm", "arm.1", "*", &"a".repeat(65)] {
            assert!(RobotId::new(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn whatever_an_older_row_calls_a_turn_is_one_and_stands_on_the_wire_as_before() {
        for text in ["", "turn-1", "Turn 1", "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5c", &"ä".repeat(100)] {
            let id: TurnId = serde_json::from_value(serde_json::json!(text)).unwrap();
            assert_eq!(serde_json::to_value(&id).unwrap(), text);
        }
        assert_eq!(
            schemars::schema_for!(Option<TurnId>).get("type"),
            schemars::schema_for!(Option<String>).get("type")
        );
        assert_eq!(TurnId::name(&ts_rs::Config::default()), "string");
    }

    proptest! {
        #[test]
        fn a_name_survives_json(text in "[a-z0-9_-]{1,64}") {
            let id = RobotId::new(text.clone()).unwrap();
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<RobotId>(&json).unwrap(), id);
        }
    }
}
