//! Everything that outlives the process: the station database, an agent's database, and transcripts.
//! The only crate that speaks SQL; it owns the migrations.

mod agent_db;
mod alarm_store;
mod alert_store;
mod backup;
pub mod belief;
mod belief_store;
pub mod episodic;
mod error;
mod event_store;
mod files;
pub mod forget;
pub mod jobs;
mod mission_dry_runs;
mod mission_history;
mod mission_store;
pub mod model_calls;
pub mod notes;
pub mod observe;
mod open;
mod probe;
mod proposal;
mod put_back;
mod restore;
mod retention;
mod review_store;
mod room_store;
mod station_db;
mod transcript;
#[cfg(test)]
mod truncation;
mod turn_store;
mod words;
mod world_store;

pub use agent_db::AgentDb;
pub use alarm_store::StoredAlarmEvent;
pub use alert_store::{FireTurn, RemovedAlert, StoredAlert, StoredFire};
pub use backup::{backed_up_ms, written_ms};
pub use belief_store::Safety;
pub use error::{MemoryError, Trouble};
pub use event_store::StoredEvent;
pub use mission_dry_runs::StoredDryRun;
pub use mission_history::{KeptRun, KeptVersion, MissionStep, SeenVersion};
pub use mission_store::{Author, StoredActivation, StoredMission, StoredRun};
pub use proposal::ProposalRow;
pub use restore::Restored;
pub use retention::oldest_record_ms;
pub use review_store::{MemoryReview, ReviewState, WAITING_MAX as REVIEWS_WAITING_MAX};
pub use room_store::StoredRoomMessage;
pub use station_db::{
    AcceptedNotice, AdminPin, AnchorLine, ApprovalRow, ApprovalState, AuditLine, ConstraintChange, OpenStop,
    SealedChange, SetChange, SetRow, StandingApproval, StationDb, StoredCertificate, StoredConstraint,
    StoredConstraints, StoredDrill, StoredLockout, StoredNetwork, StoredSecret, StoredSitePlan, StoredStop,
    StoredToken,
};
pub use transcript::TranscriptFile;
pub use turn_store::{PendingMessage, SessionRecord, StateKey};
pub use words::{of_word, word};
pub use world_store::{StoredProvider, WorldBatch};
