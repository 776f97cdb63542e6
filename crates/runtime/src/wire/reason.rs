//! Reasons that the station gives, each a code with what it names. The English sentence of each is made here and
//! nowhere else; a window says it in its own language by the code.

use std::fmt::{self, Display, Formatter};

use robot::{MissionId, RobotId};
use safety::machine::SafetyCause;
use safety::{OffGoal, Precondition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::word;

/// Reasons for a rejection; the agent is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the choices on the card")]
pub enum RejectReason {
    WrongPlace,
    WrongRobot,
    NotNow,
    Unsafe,
    Other,
}

/// The reason for the state of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ProposalReason {
    /// A person has rejected it.
    Rejected {
        /// The choice on the card.
        reason: RejectReason,
        /// The person's own words; empty without any.
        note: String,
    },
    /// Nobody is there who could approve what needs the most care.
    Unattended,
    /// Nobody has decided in time.
    NotDecided,
    /// The station ended before anybody decided.
    EndedUndecided,
    /// The station ended before it was sent.
    EndedUnsent,
    /// The station ended before the robot reported the end.
    EndedUnreported,
    /// A condition of approving does not hold.
    Precondition {
        /// The condition.
        precondition: Precondition,
    },
    /// It needs more care than its card asks for.
    MoreCare {
        /// The rule that made the tier.
        rule: String,
    },
    /// A stop has come.
    Stopped {
        /// The number of the stop.
        #[ts(type = "number")]
        stop_id: u64,
    },
    /// Something has happened to a robot, and everything that waited was taken back.
    RobotFailed {
        /// The robot.
        robot: RobotId,
        /// The trigger.
        trigger: StopReason,
    },
    /// Somebody has taken control of its robot.
    ControlTaken {
        /// The new holder, for people.
        holder: String,
    },
    /// Its robot was removed.
    RobotRemoved,
    /// Its mission stands still.
    MissionHalted {
        /// The mission.
        mission: MissionId,
    },
    /// Its job was cancelled.
    JobCancelled,
    /// A person has sent a command of their own instead.
    Replaced {
        /// The person.
        by: String,
    },
    /// The safety engine does not allow it.
    Denied {
        /// The verdict as a sentence.
        sentence: String,
    },
    /// The operation was refused.
    Refused {
        /// The code of the refusal.
        error: String,
        /// The refusal as a sentence.
        sentence: String,
        /// Values of the refusal.
        #[ts(type = "unknown")]
        details: serde_json::Value,
    },
    /// Its command was not sent, was refused by the robot, or did not reach its end.
    Command {
        /// The code of the command's end.
        end: String,
    },
    /// The robot reports the end, and nothing measured confirms it.
    OffGoal {
        /// The measured distance from the goal.
        off_goal: OffGoal,
    },
}

impl Display for ProposalReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected { reason, note } if note.is_empty() => f.write_str(&word(reason)),
            Self::Rejected { reason, note } => write!(f, "{}: {note}", word(reason)),
            Self::Unattended => f.write_str("unattended"),
            Self::NotDecided => f.write_str("nobody decided in time"),
            Self::EndedUndecided => f.write_str("the station ended before anybody decided"),
            Self::EndedUnsent => f.write_str("the station ended before it was sent"),
            Self::EndedUnreported => f.write_str("the station ended before the robot reported the end"),
            Self::Precondition { precondition } => f.write_str(precondition.broken()),
            Self::MoreCare { rule } => write!(f, "it needs more care now: {}", rule.replace('_', " ")),
            Self::Stopped { stop_id } => write!(f, "stop #{stop_id}"),
            Self::RobotFailed { robot, trigger } => write!(f, "{robot}: {trigger}"),
            Self::ControlTaken { holder } => write!(f, "{holder} has taken control"),
            Self::RobotRemoved => f.write_str("the robot was removed"),
            Self::MissionHalted { mission } => write!(f, "mission {mission} stands still"),
            Self::JobCancelled => f.write_str("its job was cancelled"),
            Self::Replaced { by } => write!(f, "replaced by a command of {by}"),
            Self::Denied { sentence } | Self::Refused { sentence, .. } => f.write_str(sentence),
            Self::Command { end } => f.write_str(end),
            Self::OffGoal { off_goal } => f.write_str(&off_goal.sentence()),
        }
    }
}

/// The reason for a stop, or for what is done about a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum StopReason {
    /// A person or a program gave it, in their own words.
    Given {
        /// The words.
        words: String,
    },
    /// Somebody wrote words that ask for a stop.
    Typed {
        /// The words.
        words: String,
    },
    /// The stop path is tested.
    Drill,
    /// Somebody else has stopped the robot, at the robot.
    AtTheRobot,
    /// An earlier run has locked the robot.
    LockedEarlier,
    /// A cause in the robot's state.
    Cause {
        /// The cause.
        cause: SafetyCause,
    },
    /// A command of an agent was denied.
    Denied {
        /// The verdict as a sentence.
        sentence: String,
    },
}

impl Display for StopReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given { words } => f.write_str(words),
            Self::Typed { words } => write!(f, "typed: {words}"),
            Self::Drill => f.write_str("stop drill"),
            Self::AtTheRobot => f.write_str("stopped at the robot by somebody else"),
            Self::LockedEarlier => f.write_str("locked by an earlier run"),
            Self::Cause { cause } => f.write_str(cause.rule().sentence),
            Self::Denied { sentence } => f.write_str(sentence),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_code_with_what_it_names_and_one_english_sentence() {
        let stopped = ProposalReason::Stopped { stop_id: 7 };
        assert_eq!(serde_json::to_value(&stopped).unwrap(), serde_json::json!({ "code": "stopped", "stop_id": 7 }));
        assert_eq!(stopped.to_string(), "stop #7");
        let cause = StopReason::Cause { cause: SafetyCause::BeatLost };
        let failed = ProposalReason::RobotFailed { robot: RobotId::new("arm-1").unwrap(), trigger: cause.clone() };
        assert_eq!(failed.to_string(), format!("arm-1: {}", SafetyCause::BeatLost.rule().sentence));
        let kept = serde_json::to_string(&cause).unwrap();
        assert_eq!(serde_json::from_str::<StopReason>(&kept).unwrap(), cause);
    }

    #[test]
    fn the_words_of_a_person_stay_as_they_were_given() {
        let words = "a child in the cell".to_owned();
        assert_eq!(StopReason::Given { words: words.clone() }.to_string(), words);
        let note = |note: &str| ProposalReason::Rejected { reason: RejectReason::NotNow, note: note.to_owned() };
        assert_eq!((note("").to_string(), note("later").to_string()), ("not_now".into(), "not_now: later".into()));
    }
}
