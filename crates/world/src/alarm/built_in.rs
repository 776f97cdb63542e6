//! The alarms that need no rule, as data.

use robot::{AgentId, MissionId, RobotId, word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AlarmSource, AlarmTerms, Consequence, Definition};

/// An alarm the station raises by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the cause of each is in its row of the table")]
pub enum BuiltIn {
    StopNotConfirmed,
    LimitBreached,
    UnconstrainedGrant,
    ForgedMessages,
    RobotLinkLost,
    GateRejectsStation,
    CommandNoAnswer,
    AuditChainBroken,
    UiFrozen,
    ClockSkew,
    StorageLow,
    KeychainLocked,
    MissionFailed,
    MissionWatcherFailed,
    LimitSetChanged,
    ModelOffline,
    SpendLimitReached,
    StopPathUntested,
    TooManyKeys,
    JobDeadLetter,
    MemoryStoreDamaged,
    RestoredFromBackup,
    ForgettingIncomplete,
    RequestFlood,
    ProposalUnseen,
    RecordMissing,
    FilesOpen,
    ConfigLost,
    StorageUnwritable,
    CertificateEnds,
    GateManifestDiffers,
}

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3_600.0;
/// The length of a shift.
const SHIFT: f64 = 8.0 * HOUR;

impl BuiltIn {
    /// Every built-in alarm.
    pub const ALL: [Self; 31] = [
        Self::StopNotConfirmed,
        Self::LimitBreached,
        Self::UnconstrainedGrant,
        Self::ForgedMessages,
        Self::RobotLinkLost,
        Self::GateRejectsStation,
        Self::CommandNoAnswer,
        Self::AuditChainBroken,
        Self::UiFrozen,
        Self::ClockSkew,
        Self::StorageLow,
        Self::KeychainLocked,
        Self::MissionFailed,
        Self::MissionWatcherFailed,
        Self::LimitSetChanged,
        Self::ModelOffline,
        Self::SpendLimitReached,
        Self::StopPathUntested,
        Self::TooManyKeys,
        Self::JobDeadLetter,
        Self::MemoryStoreDamaged,
        Self::RestoredFromBackup,
        Self::ForgettingIncomplete,
        Self::RequestFlood,
        Self::ProposalUnseen,
        Self::RecordMissing,
        Self::FilesOpen,
        Self::ConfigLost,
        Self::StorageUnwritable,
        Self::CertificateEnds,
        Self::GateManifestDiffers,
    ];

    /// Neither shelved nor suppressed: whoever hides it may get hurt, or hides what was done.
    #[must_use]
    pub fn is_never_hidden(self) -> bool {
        matches!(self, Self::StopNotConfirmed | Self::AuditChainBroken)
    }

    /// Cause, consequence, response and times, as shown to the operator.
    #[must_use]
    pub fn terms(self) -> AlarmTerms {
        let ((consequence, time_to_respond_secs), (cause, response)) = (self.stakes(), self.sentences());
        AlarmTerms {
            cause: cause.to_owned(),
            consequence,
            response: response.to_owned(),
            time_to_respond_secs,
            latching: false,
            off_delay_secs: self.off_delay_secs(),
        }
    }

    /// The consequence if nobody responds, and the time to respond, seconds.
    const fn stakes(self) -> (Consequence, f64) {
        match self {
            Self::StopNotConfirmed | Self::LimitBreached => (Consequence::Harm, 10.0),
            // A limit that somebody took out of the store keeps no robot away any more.
            Self::AuditChainBroken => (Consequence::Harm, 10.0 * MINUTE),
            Self::UnconstrainedGrant | Self::ForgedMessages | Self::RobotLinkLost | Self::GateRejectsStation => {
                (Consequence::Damage, 5.0 * MINUTE)
            }
            Self::MemoryStoreDamaged
            | Self::RestoredFromBackup
            | Self::RecordMissing
            | Self::ConfigLost
            | Self::StorageUnwritable => (Consequence::Damage, 10.0 * MINUTE),
            Self::CommandNoAnswer | Self::UiFrozen => (Consequence::Mission, 30.0),
            Self::ProposalUnseen => (Consequence::Mission, 5.0 * MINUTE),
            Self::ClockSkew
            | Self::StorageLow
            | Self::MissionFailed
            | Self::MissionWatcherFailed
            | Self::LimitSetChanged
            | Self::TooManyKeys
            | Self::JobDeadLetter
            | Self::ForgettingIncomplete
            | Self::RequestFlood => (Consequence::Mission, 30.0 * MINUTE),
            Self::KeychainLocked | Self::FilesOpen => (Consequence::Mission, HOUR),
            Self::StopPathUntested | Self::CertificateEnds | Self::GateManifestDiffers => (Consequence::Mission, SHIFT),
            Self::ModelOffline | Self::SpendLimitReached => (Consequence::None, HOUR),
        }
    }

    /// Cause and response.
    #[expect(clippy::too_many_lines, reason = "one row for each alarm")]
    const fn sentences(self) -> (&'static str, &'static str) {
        match self {
            Self::StopNotConfirmed => ("The robot may still move.", "Use the robot's hardware E-stop."),
            Self::LimitBreached => (
                "The robot left its limits or moved unasked, and was stopped by the station.",
                "Look at the robot, then acknowledge the cause.",
            ),
            Self::UnconstrainedGrant => ("Motion is allowed with an incomplete limit set.", "End the grant."),
            Self::ForgedMessages => {
                ("Somebody else speaks for a robot or a station.", "Find the sender; STOP ALL if in doubt.")
            }
            Self::RobotLinkLost => (
                "The robot is unsupervised.",
                "Check what it does without a link, restore the link, approach with care.",
            ),
            Self::GateRejectsStation => (
                "The robot will not accept commands of this station.",
                "Check who has control of it, then connect again.",
            ),
            Self::CommandNoAnswer => ("What the robot does is not known.", "Observe the robot; STOP ALL if in doubt."),
            Self::AuditChainBroken => (
                "The station's store was changed from outside: limits may be missing, and decisions cannot be proved any more.",
                "Export the audit and compare the limits; an administrator accepts what was found on the Safety screen.",
            ),
            Self::UiFrozen => ("Nobody sees changes.", "Restart the window, or STOP ALL."),
            Self::ClockSkew => ("Ages are estimates.", "Set the clocks of the sources right."),
            Self::StorageLow => ("Recording and audit will end.", "Free space on the station's disk."),
            Self::KeychainLocked => {
                ("The model is not available.", "Unlock the keychain, or enter a key for this session.")
            }
            Self::MissionFailed => ("Work of a mission is undone.", "Open the run; resume or cancel it."),
            Self::MissionWatcherFailed => ("Mission files may differ from what is shown.", "Open the comparison."),
            Self::LimitSetChanged => ("Limits differ from what this desk shows.", "Open the comparison."),
            Self::ModelOffline => ("The agent is silent.", "Work by hand until the model is back."),
            Self::SpendLimitReached => ("The agent is silent.", "Work by hand, or raise the limit."),
            Self::StopPathUntested => ("How fast a stop works is not known.", "Run the stop drill."),
            Self::TooManyKeys => {
                ("The world state drops keys.", "Narrow the key template or the filter of the provider.")
            }
            Self::JobDeadLetter => ("A job failed for good.", "Open the job; repair, then retry or cancel it."),
            Self::MemoryStoreDamaged => {
                ("The agent's memory cannot be read.", "Tell an administrator; keep the damaged file.")
            }
            Self::RestoredFromBackup => (
                "What the agent learned since the backup is lost.",
                "Check rules, jobs and beliefs; keep the damaged file.",
            ),
            Self::ForgettingIncomplete => (
                "What was to be forgotten stands in files that only people change.",
                "Take it out of the files that are named; the next start looks again.",
            ),
            Self::RequestFlood => (
                "A program asks this station too often, or guesses at tokens.",
                "Find the program at the address that is named, and end it.",
            ),
            Self::ProposalUnseen => {
                ("The agent waits for a decision that no screen shows.", "Open Approvals at a desk that is not locked.")
            }
            Self::RecordMissing => (
                "A stop or a standing approval in the station's store is not what is on record.",
                "Look for who edits the station's files; release the stop, or grant the approval anew.",
            ),
            Self::FilesOpen => (
                "Other users of this computer can read or change what the station keeps.",
                "Take their rights from the files that are named, or move the data to a disk that keeps rights.",
            ),
            Self::ConfigLost => (
                "Somebody or a failing disk took the station's configuration away; what is known of it is in force.",
                "Look at the settings, put config.toml back, then start the station again.",
            ),
            Self::StorageUnwritable => (
                "What is set, learned or recorded is refused or lost; stopping works.",
                "Give the station's user the right to write what is named, or mount the disk for writing.",
            ),
            Self::CertificateEnds => (
                "A link closes when its certificate ends, and a robot without a link stops.",
                "Make new certificates in Admin, Connections, and carry them to the router and the robots.",
            ),
            Self::GateManifestDiffers => (
                "The robot's gate checks by limits that are not the ones shown here.",
                "Put the same manifest at both, and pair the gate again.",
            ),
        }
    }

    /// It tells of a moment, not of something that lasts: it is over as soon as somebody has seen it.
    #[must_use]
    pub const fn is_moment(self) -> bool {
        match self {
            Self::ForgedMessages
            | Self::CommandNoAnswer
            | Self::MissionFailed
            | Self::LimitSetChanged
            | Self::MemoryStoreDamaged
            | Self::RestoredFromBackup
            | Self::RequestFlood
            | Self::RecordMissing => true,
            Self::StopNotConfirmed
            | Self::LimitBreached
            | Self::UnconstrainedGrant
            | Self::RobotLinkLost
            | Self::GateRejectsStation
            | Self::AuditChainBroken
            | Self::UiFrozen
            | Self::ClockSkew
            | Self::StorageLow
            | Self::KeychainLocked
            | Self::MissionWatcherFailed
            | Self::ModelOffline
            | Self::SpendLimitReached
            | Self::StopPathUntested
            | Self::TooManyKeys
            | Self::JobDeadLetter
            | Self::ForgettingIncomplete
            | Self::ProposalUnseen
            | Self::FilesOpen
            | Self::ConfigLost
            | Self::StorageUnwritable
            | Self::CertificateEnds
            | Self::GateManifestDiffers => false,
        }
    }

    /// Nobody says after a restart that the condition of the last run is gone: what is found anew raises it again.
    #[must_use]
    pub(super) fn is_found_anew(self) -> bool {
        matches!(self, Self::ClockSkew)
    }

    /// Off-delay, seconds: a momentary event counts as present for a while, so that repeats are one alarm.
    const fn off_delay_secs(self) -> f64 {
        match self {
            Self::ForgedMessages | Self::RequestFlood => 10.0 * MINUTE,
            Self::CommandNoAnswer => MINUTE,
            // A link that flaps is one alarm, not one a second.
            Self::RobotLinkLost | Self::GateRejectsStation => 2.0,
            Self::StopNotConfirmed
            | Self::LimitBreached
            | Self::UnconstrainedGrant
            | Self::AuditChainBroken
            | Self::UiFrozen
            | Self::ClockSkew
            | Self::StorageLow
            | Self::KeychainLocked
            | Self::MissionFailed
            | Self::MissionWatcherFailed
            | Self::LimitSetChanged
            | Self::ModelOffline
            | Self::SpendLimitReached
            | Self::StopPathUntested
            | Self::TooManyKeys
            | Self::JobDeadLetter
            | Self::MemoryStoreDamaged
            | Self::RestoredFromBackup
            | Self::ForgettingIncomplete
            | Self::ProposalUnseen
            | Self::RecordMissing
            | Self::FilesOpen
            | Self::ConfigLost
            | Self::StorageUnwritable
            | Self::CertificateEnds
            | Self::GateManifestDiffers => 0.0,
        }
    }
}

/// Subject of a built-in alarm. Two with the same subject are one alarm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Of {
    /// Its robot.
    pub robot: Option<RobotId>,
    /// Its agent; without one it is the station's.
    pub agent: Option<AgentId>,
    /// Its mission.
    pub mission: Option<MissionId>,
    /// One of several, for example a job or a provider.
    pub item: Option<String>,
    /// One priority step higher than the table says.
    pub urgent: bool,
}

impl Of {
    /// About the station itself.
    #[must_use]
    pub fn station() -> Self {
        Self::default()
    }

    /// About a robot.
    #[must_use]
    pub fn robot(robot: &RobotId) -> Self {
        Self { robot: Some(robot.clone()), ..Self::default() }
    }

    /// About an agent.
    #[must_use]
    pub fn agent(agent: &AgentId) -> Self {
        Self { agent: Some(agent.clone()), ..Self::default() }
    }

    /// The same, about one of several.
    #[must_use]
    pub fn item(self, item: impl Into<String>) -> Self {
        Self { item: Some(item.into()), ..self }
    }

    /// The same, for a mission.
    #[must_use]
    pub fn mission(self, mission: Option<MissionId>) -> Self {
        Self { mission, ..self }
    }

    /// The same, one priority step higher if `urgent`.
    #[must_use]
    pub fn urgent(self, urgent: bool) -> Self {
        Self { urgent, ..self }
    }

    pub(crate) fn source(&self, alarm: BuiltIn) -> AlarmSource {
        let robot = self.robot.as_ref().map(RobotId::as_str);
        let agent = self.agent.as_ref().map(AgentId::as_str);
        let code = word(&alarm);
        let parts = [Some(code.as_str()), robot, agent, self.item.as_deref()];
        AlarmSource(parts.into_iter().flatten().collect::<Vec<_>>().join("/"))
    }

    pub(crate) fn definition(&self, alarm: BuiltIn, message: String) -> Definition {
        Definition {
            code: word(&alarm),
            message,
            limit: None,
            terms: alarm.terms(),
            urgent: self.urgent,
            mission: self.mission.clone(),
            robot: self.robot.clone(),
            provider: None,
            never_hidden: alarm.is_never_hidden(),
        }
    }
}
