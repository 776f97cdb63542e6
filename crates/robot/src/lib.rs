//! The vocabulary every other crate shares: ids, time, poses, commands, manifests, samples, roles.
//! Plain data and its parsing: no I/O, no clock, no randomness, no secrets.

mod command;
mod commissioning;
mod find;
mod id;
mod joint;
mod manifest;
mod map;
mod picture;
mod pose;
mod reason;
pub mod refusal;
mod role;
mod sample;
mod sentence;
mod shared_code;
mod time;
mod word;

pub use command::{Command, LeaseToken, Motion, ParseContext, Rejection, Source, parse_command, path_points_max};
pub use command::{RawCommand, RawMotion, RawPath, RawPoseGoal, RawVelocity};
pub use command::{RawEscape, RawGripper, RawJoints, RawSwitch};
pub use commissioning::{
    Acceptance, BaseTimeout, CollisionMonitor, CommissionedPart, CommissioningState, CommissioningStep, GateAccount,
    GateFacts, GatePlacement, JointGoal, JointResult, MeansOutcome, MeansResult, MonitorPlace, RunningStep, SpeedPoint,
    StepMotion, StepOutcome, StepPhase, StepResult, StepWish, StopMeans, commissioned_actuator, commissioned_arms,
};
pub use find::{
    FIND_TEXT_CHARS_MAX, FINDS_MAX, FieldProposal, FieldSource, Find, FindCertainty, FindField, FindLack, FindOffer,
    FindProtocol, FoundJoint, OFFERS_MAX, OfferKind, SCAN_REPORT_BYTES_MAX, ScanReport, ScannedPlace,
};
pub use id::{
    ActuatorId, AgentId, ApprovalId, CameraId, CommandId, ConstraintId, ConversationId, FrameId, IdError, JobId,
    JointName, MissionId, ModelProviderId, ProposalId, RobotId, RoomId, SessionId, SiteId, StationId, TurnId,
    VerdictId,
};
pub use joint::{JOINTS_MAX, JointMotion, JointSpec};
pub use manifest::{
    Actuator, ActuatorKind, Body, Camera, DetectionEncoding, DetectionSource, Envelope, ForceSource, GateKind,
    Manifest, ManifestError, ManifestHash, ManifestLimits, MapSource, PathSource, PictureEncoding, StateKind,
    StateSource, StaticFrame, StopBehaviour, StopSpec, Supervision, WorkspaceBox,
};
pub use map::MapFault;
pub use picture::{DetectionFault, PictureFault};
pub use pose::{Isometry, UnitQuaternion};
pub use reason::Reason;
pub use role::{Audience, Effect, Origin, Role, SessionKind, Stops, Trust};
pub use sample::{
    Codec, EnvelopeMode, Field, FieldPath, HeaderMeta, PathError, PathStep, RejectReason, Row, Sample, Scalar,
    ScalarRef, Scan, ScanPlan, Scanned,
};
pub use sentence::sentence_of;
pub use shared_code::SharedCode;
pub use time::{Instant, Now, span_in_words};
pub use word::word;
