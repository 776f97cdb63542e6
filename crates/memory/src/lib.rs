//! Everything that outlives the process: the station database, an agent's database, and transcripts.
//! The only crate that speaks SQL; it owns the migrations.

mod agent_db;
<<<<<<< HEAD
pub mod episodic;
=======
pub mod belief;
mod belief_store;
>>>>>>> p3-beliefs
mod error;
pub mod observe;
mod open;
mod proposal;
mod station_db;
mod transcript;

pub use agent_db::{AgentDb, StoredAlert, StoredProvider};
pub use error::MemoryError;
pub use proposal::ProposalRow;
pub use station_db::{
    AnchorLine, ApprovalRow, ApprovalState, AuditLine, ConstraintChange, OpenStop, SealedChange, SetChange, SetRow,
    StandingApproval, StationDb, StoredConstraint, StoredConstraints, StoredDrill,
};
pub use transcript::TranscriptFile;
