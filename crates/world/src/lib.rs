//! Tier 0: world state, provider rules, the predicate language, alert and alarm rules, arousal, schedules; pure, time
//! passed in.
//!
//! One [`World`] holds what one agent knows right now. Samples come in through [`World::apply`], silence through
//! [`World::tick`]; both answer with [`Changes`]. No language model takes part, and nothing else writes an entry.
//!
//! [`site_plan`] stands beside it: the picture that people have of the site.

mod agenda;
pub mod alarm;
mod alert;
pub mod arousal;
mod changes;
mod code;
pub mod cron;
mod facts;
pub mod predicate;
pub mod prompt_block;
mod provider;
mod reading;
pub mod site_plan;
mod state;
mod stats;
mod template;
#[cfg(test)]
mod test_support;
mod trial;
mod warning;
mod world;

pub use alert::{
    AlertError, AlertId, AlertRow, AlertRule, AlertState, AlertValue, Fire, Registered, RuleCondition, RuleHistory,
    RuleMove, RuleNews, RuleQueue, RuleRecord,
};
pub use changes::{Changed, Changes, Notice, SkewedClock};
pub use code::WorldCode;
pub use predicate::PredicateError;
pub use provider::{Provider, ProviderConfig, ProviderError, ProviderId, check_key_expr};
pub use site_plan::SitePlan;
pub use state::entry::{AgeBasis, Entry, Flags, ValueOrigin};
pub use state::freshness::{Freshness, freshness};
pub use state::history::{History, HistoryLog, HistoryPoint, PointKind};
pub use state::key::{Key, KeyError};
pub use state::snapshot::Snapshot;
pub use stats::{ProviderStats, Trouble};
pub use template::{Template, TemplateError, key_form};
pub use trial::{Trial, TrialWrite, median_period_ms, trial};
pub use warning::{Warning, WarningCode};
pub use world::{Awaited, FieldOrder, StoredEntry, World};
