//! The five presets. Each is a whole table of values, written as what it changes in the plainest loop there is.

use serde::{Deserialize, Serialize};

use super::Policy;
use super::choice::{
    AfterRound, CacheMarks, ChoiceRule, CompactedSession, Concurrency, Delivery, DirectPolicy, Estimator, FinalCall,
    FlushTo, GateWhen, HardStep, KeepBy, MaskText, MemoryRank, Models, Moment, NotesPlace, NudgeChannel, OnEmpty,
    OverflowStep, Prefix, PromptOrder, Reached, RepeatBy, ResumeText, Room, RoomPolicy, RouteBy, SelectWhen,
    SummaryForm, TextBesideTools, ThinkingRule, VolatilePlace, Warm,
};
use super::number::{Ratio, TimeOfDay, Usd};
use super::setting::{
    Agency, Approval, Budget, Caching, Compact, Empty, Gate, IngressPolicy, Keep, LengthStalls, Mask, Notes, Prefetch,
    Prompt, Rag, Repeat, Resume, Retry, Route, Sampling, Select, Session, Tools,
};
use crate::select::CORE;

/// A named set of values for every setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// A companion that acts by tools only and asks judges whether it is done.
    Companion,
    /// A reader of notes: one round of searches, then an answer.
    Vault,
    /// An investigator: a long workflow, one call after another.
    Investigator,
    /// A chat agent in direct and group conversations.
    Chat,
    /// An operator's desk.
    #[default]
    Operator,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Companion, Self::Vault, Self::Investigator, Self::Chat, Self::Operator];
}

impl Policy {
    /// The values of `preset`.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        match preset {
            Preset::Companion => companion(),
            Preset::Vault => vault(),
            Preset::Investigator => investigator(),
            Preset::Chat => chat(),
            Preset::Operator => operator(),
        }
    }
}

/// Settings of the designs where they say nothing: every bound is there, nothing clever is on.
fn plain(preset: Preset) -> Policy {
    Policy {
        preset,
        budget: plain_budget(),
        empty: Empty { then: OnEmpty::Nudges, nudges: 2 },
        length_stalls: LengthStalls { advise: None, stop: None },
        compact: plain_compact(),
        mask: plain_mask(),
        estimator: Estimator::Quarter,
        tools: plain_tools(),
        gate: Gate { when: GateWhen::Off, loops: 0 },
        delivery: Delivery::FinalText,
        text_beside_tools: TextBesideTools::LastText,
        nudge: NudgeChannel::RemovedUser,
        volatile: VolatilePlace::BeforeUser,
        memory: Notes { place: NotesPlace::Nowhere, lines: 0, daily_lines: 0 },
        prefetch: Prefetch { messages: 0, hits: 0, hit_chars: 300, feed: 0, world: false, wait_s: 2 },
        rag: Rag {
            memory: MemoryRank::Off,
            memory_vector: Ratio::percent(50),
            memory_min: Ratio::percent(15),
            tools_vector: Ratio::percent(60),
            tools_min: Ratio::percent(10),
            candidates: 3,
        },
        prompt: Prompt { order: PromptOrder::Operator, chars_max: None, prefix: Prefix::Stable },
        cache: Caching { marks: CacheMarks::Off, warm: Warm::Off },
        retry: plain_retry(),
        on_overflow: Vec::new(),
        session: Session { reset_at: None, idle_min: None, keep_days: 30 },
        resume: Resume { text: ResumeText::Nowhere, compact: false },
        route: Route { by: RouteBy::Off, always_deliberate: false, reflex_tokens: 512 },
        sampling: Sampling { main: None, router: None, judges: None, flush: None, summary: None, output_max: None },
        ingress: IngressPolicy {
            debounce_ms: 0,
            direct: DirectPolicy::Open,
            rooms: RoomPolicy::Open,
            sender_per_s: None,
            room_per_min: None,
            mention: true,
        },
        agency: Agency { says: 0, wait_min_s: 1, wait_max_s: 15 },
        approval: Approval { wait_s: 30 },
        models: Models::One,
        thinking: ThinkingRule::Own,
    }
}

fn plain_budget() -> Budget {
    Budget {
        calls: 12,
        final_call: FinalCall::ForceText,
        final_warning: false,
        warn_at: None,
        wall_s: 600,
        autonomous_wall_s: 120,
        cost_turn_usd: None,
        cost_day_usd: None,
        reply_calls: 64,
        extend_by: None,
    }
}

fn plain_compact() -> Compact {
    Compact {
        enabled: true,
        window: None,
        room: Room::Window,
        reached: Reached::At,
        trigger: None,
        messages: None,
        flush_at: None,
        warn_at: None,
        hard_at: None,
        hard: HardStep::Nothing,
        passes: 1,
        gain_min: None,
        keep: Keep { by: KeepBy::Messages, head: 0, tail: 20, tail_share: None },
        summary: SummaryForm::Operator,
        update: false,
        session: CompactedSession::Same,
        flush: FlushTo::Off,
        moment: Moment::TurnStart,
    }
}

fn plain_mask() -> Mask {
    Mask {
        keep: 10,
        keep_errors: false,
        chars_min: 0,
        when: Moment::Never,
        frees_min_tokens: 0,
        text: MaskText::ToolOk,
        trim_above_chars: None,
        trim_to_chars: 500,
    }
}

fn plain_tools() -> Tools {
    Tools {
        choice: ChoiceRule::AutoNoneLast,
        concurrency: Concurrency::Sequential,
        reads_at_once: 8,
        repeat: Repeat { by: RepeatBy::Off, block: 3, nudge: None },
        timeout_s: 30,
        spill_above_bytes: None,
        cut_above_bytes: 51_200,
        select: Select { when: SelectWhen::All, all_up_to: 0, top: 25, cap: 128, always: Vec::new() },
        after_round: AfterRound::Nothing,
    }
}

fn plain_retry() -> Retry {
    Retry {
        rate_limit_tries: 0,
        other_tries: 0,
        base_ms: 1_000,
        max_ms: 60_000,
        jitter: Ratio::percent(0),
        uses_step: false,
    }
}

/// The side calls of a companion each have a temperature of their own.
fn companion_sampling() -> Sampling {
    Sampling {
        main: None,
        router: Some(Ratio::percent(20)),
        judges: Some(Ratio::percent(0)),
        flush: Some(Ratio::percent(15)),
        summary: Some(Ratio::percent(25)),
        output_max: None,
    }
}

fn companion() -> Policy {
    let plain = plain(Preset::Companion);
    Policy {
        budget: Budget { calls: 11, final_call: FinalCall::GateForce, ..plain.budget },
        empty: Empty { then: OnEmpty::GateNudge, ..plain.empty },
        length_stalls: LengthStalls { advise: Some(3), stop: Some(8) },
        compact: Compact {
            window: Some(32_768),
            reached: Reached::Beyond,
            trigger: Some(Ratio::percent(75)),
            messages: Some(200),
            passes: 3,
            keep: companion_keep(),
            summary: SummaryForm::Companion,
            update: true,
            flush: FlushTo::Knowledge,
            moment: Moment::EachCall,
            ..plain.compact
        },
        mask: Mask { keep: 36, chars_min: 200, when: Moment::Compaction, text: MaskText::Sentence, ..plain.mask },
        estimator: Estimator::QuarterAndTen,
        tools: Tools {
            choice: ChoiceRule::Required,
            concurrency: Concurrency::Parallel,
            repeat: Repeat { by: RepeatBy::Name, ..plain.tools.repeat },
            cut_above_bytes: 262_144,
            after_round: AfterRound::Nudge,
            ..plain.tools
        },
        gate: Gate { when: GateWhen::Always, loops: 12 },
        delivery: Delivery::Say,
        text_beside_tools: TextBesideTools::Internal,
        nudge: NudgeChannel::KeptUser,
        volatile: VolatilePlace::InsideUser,
        memory: Notes { place: NotesPlace::Preamble, ..plain.memory },
        prompt: Prompt { order: PromptOrder::Companion, chars_max: Some(12_000), prefix: Prefix::Fingerprint },
        retry: Retry { rate_limit_tries: 3, other_tries: 3, base_ms: 2_000, ..plain.retry },
        on_overflow: vec![OverflowStep::Compact],
        route: Route { by: RouteBy::Words, ..plain.route },
        sampling: companion_sampling(),
        agency: Agency { says: 12, ..plain.agency },
        thinking: ThinkingRule::OffInReflex,
        ..plain
    }
}

/// A tail by tokens survives one huge result.
const fn companion_keep() -> Keep {
    Keep { by: KeepBy::HeadAndTail, head: 2, tail: 12, tail_share: Some(Ratio::percent(20)) }
}

fn vault() -> Policy {
    let plain = plain(Preset::Vault);
    Policy {
        budget: Budget { calls: 2, ..plain.budget },
        empty: Empty { then: OnEmpty::OnceWithoutTools, ..plain.empty },
        compact: Compact {
            reached: Reached::Beyond,
            trigger: Some(Ratio::percent(70)),
            hard_at: Some(Ratio::percent(85)),
            hard: HardStep::Emergency,
            passes: 2,
            keep: Keep { by: KeepBy::Exchanges, tail: 2, ..plain.compact.keep },
            summary: SummaryForm::SixPoints,
            ..plain.compact
        },
        mask: Mask { keep: 2, when: Moment::TurnStart, text: MaskText::Stub, ..plain.mask },
        estimator: Estimator::ThreeAndHalf,
        tools: Tools {
            concurrency: Concurrency::Parallel,
            repeat: Repeat { by: RepeatBy::Queries, ..plain.tools.repeat },
            cut_above_bytes: 262_144,
            after_round: AfterRound::Directive,
            ..plain.tools
        },
        text_beside_tools: TextBesideTools::Held,
        memory: Notes { place: NotesPlace::System, lines: 200, daily_lines: 0 },
        prefetch: Prefetch { messages: 3, hits: 5, wait_s: 15, ..plain.prefetch },
        rag: Rag { memory: MemoryRank::Hybrid, ..plain.rag },
        prompt: Prompt { order: PromptOrder::Vault, chars_max: Some(8_750), prefix: Prefix::Stable },
        cache: Caching { marks: CacheMarks::System, warm: Warm::StartAndReply },
        on_overflow: vec![OverflowStep::Compact, OverflowStep::Emergency],
        models: Models::MainAndTool,
        ..plain
    }
}

fn investigator() -> Policy {
    let plain = plain(Preset::Investigator);
    Policy {
        budget: Budget {
            calls: 50,
            final_warning: true,
            warn_at: Some(Ratio::percent(80)),
            wall_s: 3_600,
            ..plain.budget
        },
        compact: Compact {
            enabled: false,
            warn_at: Some(Ratio::percent(80)),
            hard_at: Some(Ratio::percent(100)),
            hard: HardStep::NextIsFinal,
            passes: 0,
            moment: Moment::Never,
            ..plain.compact
        },
        estimator: Estimator::Measured,
        tools: Tools { spill_above_bytes: Some(4_096), ..plain.tools },
        delivery: Delivery::FinalNote,
        volatile: VolatilePlace::Nowhere,
        prompt: Prompt { order: PromptOrder::Investigator, prefix: Prefix::EachCall, ..plain.prompt },
        cache: Caching { marks: CacheMarks::Messages, ..plain.cache },
        retry: Retry { rate_limit_tries: 4, other_tries: 4, ..plain.retry },
        on_overflow: vec![OverflowStep::NextIsFinal],
        resume: Resume { text: ResumeText::System, compact: false },
        ..plain
    }
}

fn chat() -> Policy {
    let plain = plain(Preset::Chat);
    Policy {
        budget: Budget { calls: 5, final_call: FinalCall::Fallback, ..plain.budget },
        empty: Empty { then: OnEmpty::FallbackText, ..plain.empty },
        compact: Compact {
            trigger: Some(Ratio::percent(75)),
            messages: Some(200),
            flush_at: Some(Ratio::percent(50)),
            hard: HardStep::ResetOnOverflow,
            summary: SummaryForm::FiveSections,
            session: CompactedSession::New,
            flush: FlushTo::Warning,
            moment: Moment::EachCall,
            ..plain.compact
        },
        mask: Mask { keep_errors: true, when: Moment::EachCall, trim_above_chars: Some(4_000), ..plain.mask },
        tools: Tools {
            choice: ChoiceRule::Auto,
            select: Select { when: SelectWhen::EachMessage, always: patterns(&[CORE]), ..plain.tools.select },
            ..plain.tools
        },
        delivery: Delivery::FinalOrSendTool,
        text_beside_tools: TextBesideTools::Joined,
        nudge: NudgeChannel::PromptItem,
        volatile: VolatilePlace::System,
        memory: Notes { place: NotesPlace::System, lines: 150, daily_lines: 100 },
        prefetch: Prefetch { messages: 10, hits: 5, feed: 5, ..plain.prefetch },
        rag: Rag { memory: MemoryRank::Hybrid, ..plain.rag },
        prompt: Prompt { order: PromptOrder::Chat, prefix: Prefix::EachCall, ..plain.prompt },
        retry: Retry { rate_limit_tries: 3, other_tries: 1, ..plain.retry },
        on_overflow: vec![OverflowStep::ArchiveAndReset],
        session: Session { reset_at: TimeOfDay::hour(4), idle_min: Some(1_440), ..plain.session },
        resume: Resume { text: ResumeText::Nowhere, compact: true },
        sampling: Sampling { main: Some(Ratio::percent(70)), output_max: Some(4_096), ..plain.sampling },
        ingress: IngressPolicy {
            debounce_ms: 1_500,
            direct: DirectPolicy::Allowlist,
            sender_per_s: Some(1),
            room_per_min: Some(20),
            ..plain.ingress
        },
        ..plain
    }
}

fn operator() -> Policy {
    let plain = plain(Preset::Operator);
    Policy {
        budget: Budget {
            warn_at: Some(Ratio::percent(80)),
            cost_turn_usd: Some(Usd::cents(50)),
            cost_day_usd: Some(Usd::cents(1_000)),
            ..plain.budget
        },
        length_stalls: LengthStalls { advise: Some(3), stop: Some(8) },
        compact: operator_compact(plain.compact),
        mask: Mask {
            keep_errors: true,
            when: Moment::TurnStart,
            frees_min_tokens: 8_000,
            text: MaskText::ToolOkPath,
            ..plain.mask
        },
        estimator: Estimator::MeasuredThenTail,
        tools: operator_tools(plain.tools),
        gate: Gate { when: GateWhen::OnDoubt, loops: 2 },
        delivery: Delivery::FinalTextAndSay,
        text_beside_tools: TextBesideTools::Progress,
        nudge: NudgeChannel::Auto,
        memory: Notes { place: NotesPlace::Volatile, lines: 150, daily_lines: 100 },
        prefetch: Prefetch { messages: 1, hits: 5, feed: 5, world: true, ..plain.prefetch },
        rag: Rag { memory: MemoryRank::RelevanceAndAge, ..plain.rag },
        prompt: Prompt { chars_max: Some(12_000), prefix: Prefix::Epoch, ..plain.prompt },
        cache: Caching { marks: CacheMarks::SystemAndMessages, warm: Warm::LocalOnly },
        retry: Retry { rate_limit_tries: 4, other_tries: 4, max_ms: 30_000, jitter: Ratio::percent(20), ..plain.retry },
        on_overflow: vec![OverflowStep::MaskAll, OverflowStep::Compact, OverflowStep::ArchiveWithSummary],
        session: Session { keep_days: 365, ..plain.session },
        resume: Resume { text: ResumeText::Volatile, compact: true },
        route: Route { by: RouteBy::WordsAndRobots, ..plain.route },
        sampling: Sampling { output_max: Some(4_096), ..companion_sampling() },
        ingress: IngressPolicy {
            debounce_ms: 1_500,
            direct: DirectPolicy::SignedIn,
            rooms: RoomPolicy::Allowlist,
            sender_per_s: Some(1),
            room_per_min: Some(20),
            ..plain.ingress
        },
        agency: Agency { says: 12, ..plain.agency },
        models: Models::MainAndSide,
        thinking: ThinkingRule::OffInReflex,
        ..plain
    }
}

fn operator_compact(plain: Compact) -> Compact {
    Compact {
        room: Room::WindowLessOutput,
        trigger: Some(Ratio::percent(75)),
        messages: Some(200),
        flush_at: Some(Ratio::percent(50)),
        warn_at: Some(Ratio::percent(80)),
        hard_at: Some(Ratio::percent(100)),
        hard: HardStep::Final,
        passes: 3,
        gain_min: Some(Ratio::percent(5)),
        keep: companion_keep(),
        update: true,
        flush: FlushTo::RememberNote,
        ..plain
    }
}

fn operator_tools(plain: Tools) -> Tools {
    Tools {
        concurrency: Concurrency::ByEffect,
        repeat: Repeat { by: RepeatBy::Arguments, nudge: Some(5), ..plain.repeat },
        spill_above_bytes: Some(4_096),
        select: Select { when: SelectWhen::EachEpoch, all_up_to: 96, always: patterns(&[CORE]), ..plain.select },
        ..plain
    }
}

fn patterns(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
