//! The turn loop as a sans-IO state machine, transcript, policy, context view, tool traits.
//! Nothing here waits, reads a clock or knows a robot: time and answers come in, effects go out.
//!
//! No way leads from here to a robot:
//! ```compile_fail
//! use bridge::RobotLink;
//! ```

mod entry;
mod event;
mod io;
mod message;
mod permission;
mod policy;
mod prompts;
mod resume;
mod taint;
mod tool;
mod transcript;
mod turn;
mod view;

pub use entry::{
    CallType, Content, Entry, EntryKind, EntryLine, EpochReason, LineCall, LineError, LineFunction, LineKind, LineRole,
    Marker, Part,
};
pub use event::{CancelReason, Event, FailKind, IngressStep, MeterName, ModelName, Need, Outcome, Profile, Why};
pub use io::{Bill, Bills, Effect, Input, Purpose};
pub use message::{AlertNotice, DecisionNotice, JobNotice, Message, MessageError, Trigger, context_block};
pub use permission::{Mode, Permission, permission};
pub use policy::{
    AfterRound, Agency, Approval, Budget, CacheMarks, Caching, ChoiceRule, Compact, CompactedSession, Concurrency,
    Delivery, DirectPolicy, Empty, Estimator, FinalCall, FlushTo, Gate, GateWhen, HardStep, Ingress, Keep, KeepBy,
    LengthStalls, Mask, MaskText, MemoryRank, Models, Moment, Notes, NotesPlace, NudgeChannel, OnEmpty, OverflowStep,
    Policy, PolicyError, Prefetch, Prefix, Preset, Prompt, PromptOrder, Rag, Ratio, Repeat, RepeatBy, Resume,
    ResumeText, Retry, Room, RoomPolicy, Route, RouteBy, Sampling, Select, SelectWhen, Session, SummaryForm,
    TextBesideTools, ThinkingRule, TimeOfDay, Tools, Usd, VolatilePlace, Warm,
};
pub use prompts::system_text;
pub use resume::OpenCall;
pub use tool::{Careful, Decision, OnCancel, Stops, ToolCall, ToolKind, ToolOutcome, ToolOutput, ToolSpec};
pub use transcript::{Loaded, Transcript};
pub use turn::{Turn, TurnSetup};
