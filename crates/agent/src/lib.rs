//! The turn loop as a sans-IO state machine, transcript, policy, context view, tool traits.
//! Nothing here waits, reads a clock or knows a robot: time and answers come in, effects go out.
//!
//! No way leads from here to a robot:
//! ```compile_fail
//! use bridge::RobotLink;
//! ```

mod agency;
mod context;
mod conversation;
mod event;
mod gate;
mod hook;
mod ingress;
mod io;
mod meter;
mod permission;
mod policy;
mod prompts;
mod route;
mod select;
mod side_calls;
#[cfg(test)]
mod testing;
mod text;
mod tool;
mod turn;
mod untrusted;
mod words;

pub use agency::agency_tools;
pub use context::aside::SetAside;
pub use context::compact::{Compaction, Fact, Side, can_flush, digest, flush_is_tainted, flush_request, parse_facts};
pub use context::context_relief::{Load, Relieved, Standing, Step, after_overflow, has_gained, pressure, room, window};
pub use context::estimate::{Measured, estimate};
pub use context::mask::{MaskMove, mask_all, mask_move};
pub use context::stable::{Fixed, first_difference, stable_bytes};
pub use context::view::{messages_shown, output_max};
pub use conversation::entry::{
    CallType, Content, Covered, Entry, EntryKind, EntryLine, EntryPlace, EpochReason, LineCall, LineError,
    LineFunction, LineKind, LineRole, Marker, Part, WorldExcerpt,
};
pub use conversation::envelope::{Envelope, Media, desk_words, enveloped};
pub use conversation::message::{
    AlertNotice, DecisionNotice, JobNotice, Message, MessageError, MissionNotice, RoomLine, TaskNotice, Trigger,
    context_block,
};
pub use conversation::replay::{Record, Recorded};
pub use conversation::resume::OpenCall;
pub use conversation::session::{Stale, is_prunable, stale};
pub use conversation::transcript::{Loaded, Transcript};
pub use event::{CancelReason, Event, FailKind, IngressStep, MeterName, ModelName, Outcome, Why};
pub use gate::{
    GateVerdict, Judge, PREVIEW_CHARS, PREVIEWS_MAX, TurnFacts, gate_is_on, inspect, judge_request, judged, preview,
};
pub use hook::{Carries, Hook, HookError, HookVerdict};
pub use ingress::{Ingress, Ingressed, RawMessage};
pub use io::{Bill, Bills, Effect, Input, Purpose};
pub use permission::{
    Circumstances, Layer, Mode, ModeError, Permission, Rule, Ruler, Ruling, fits, permission, ruling,
};
pub use policy::{
    AfterRound, Agency, Approval, Budget, CacheMarks, Caching, ChoiceRule, Compact, CompactedSession, Concurrency,
    Delivery, DirectPolicy, Empty, Estimator, FinalCall, FlushTo, Gate, GateWhen, HardStep, IngressPolicy, Keep,
    KeepBy, LengthStalls, Mask, MaskText, MemoryRank, Models, Moment, Notes, NotesPlace, NudgeChannel, OnEmpty,
    OverflowStep, Policy, PolicyError, Prefetch, Prefix, Preset, Prompt, PromptOrder, Rag, Ratio, Reached, Repeat,
    RepeatBy, Resume, ResumeText, Retry, Room, RoomPolicy, Route, RouteBy, Sampling, Select, SelectWhen, Session,
    SummaryForm, TextBesideTools, ThinkingRule, TimeOfDay, Tools, Usd, VolatilePlace, Warm,
};
pub use prompts::{SystemParts, continuation};
pub use route::{Demand, Profile, Routed, Routing, Scene, classified, route, router_request};
pub use select::{Document, Weights, at_edges, hybrid, is_trivial, select_tools};
pub use side_calls::micro_turn::{MicroVerdict, Precondition, micro_request, micro_verdict, read_micro_reply};
pub use side_calls::reader::{Field, FieldKind, Form, FormError, Reading};
pub use side_calls::recall::{Hit, recall_query, recalled};
pub use tool::{Careful, Decision, OnCancel, Scope, Speaker, ToolCall, ToolKind, ToolOutcome, ToolOutput, ToolSpec};
pub use turn::{Surroundings, Turn, TurnSetup, TurnState};
pub use untrusted::quote::QuoteKey;
pub use untrusted::sanitise::{NAME_CHARS_MAX, QUOTE_CHARS_MAX, name, quotation, sanitised};
