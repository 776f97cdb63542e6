//! Everything that outlives the process: the station database, an agent's database, and transcripts.
//! The only crate that speaks SQL; it owns the migrations.

mod agent_db;
pub mod belief;
mod database;
pub mod episodic;
mod error;
mod files;
pub mod forget;
pub mod jobs;
pub mod notes;
pub mod observe;
mod retention;
mod station_db;
pub mod stores;
mod transcript;
#[cfg(test)]
mod truncation;
mod words;

pub use agent_db::AgentDb;
pub use database::backup::{backed_up_ms, written_ms};
pub use database::restore::Restored;
pub use error::{MemoryError, Trouble};
pub use retention::oldest_record_ms;
pub use station_db::{
    AcceptedNotice, AdminPin, AnchorLine, ApprovalRow, ApprovalState, AuditLine, ConstraintChange, OpenStop,
    SealedChange, SetChange, SetRow, StandingApproval, StationDb, StoredCertificate, StoredConstraint,
    StoredConstraints, StoredDrill, StoredLockout, StoredNetwork, StoredSecret, StoredSitePlan, StoredStop,
    StoredToken,
};
pub use stores::alarm_store::StoredAlarmEvent;
pub use stores::alert_store::{FireTurn, RemovedAlert, StoredAlert, StoredFire};
pub use stores::belief_store::Safety;
pub use stores::event_store::StoredEvent;
pub use stores::mission_dry_runs::StoredDryRun;
pub use stores::mission_history::{KeptRun, KeptVersion, MissionStep, SeenVersion};
pub use stores::mission_store::{Author, StoredActivation, StoredMission, StoredRun};
pub use stores::proposal::ProposalRow;
pub use stores::review_store::{MemoryReview, ReviewState, WAITING_MAX as REVIEWS_WAITING_MAX};
pub use stores::room_store::StoredRoomMessage;
pub use stores::turn_store::{PendingMessage, SessionRecord, StateKey};
pub use stores::world_store::{StoredProvider, WorldBatch};
pub use transcript::TranscriptFile;
pub use words::{of_word, word};
