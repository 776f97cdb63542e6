//! The groups of a policy. A field's name is its name in `[agents.<id>.policy]`.

use serde::{Deserialize, Serialize};

use super::choice::{
    AfterRound, CacheMarks, ChoiceRule, CompactedSession, Concurrency, DirectPolicy, FinalCall, FlushTo, GateWhen,
    HardStep, KeepBy, MaskText, MemoryRank, Moment, NotesPlace, OnEmpty, PromptOrder, Reached, RepeatBy, ResumeText,
    Room, RoomPolicy, RouteBy, SelectWhen, SummaryForm,
};
use super::number::{Ratio, TimeOfDay, Usd, or_off};

/// Declares groups whose unknown keys are errors.
macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind,)+ }
    )+};
}

groups! {
    /// S-01 to S-05: the budget of a turn.
    Budget {
        /// Model calls of one turn; rounds of tools are one less.
        calls: u32,
        /// Form of the last call.
        #[serde(rename = "final")]
        final_call: FinalCall,
        /// Tells the model that this call is the last.
        final_warning: bool,
        /// From this share of the calls on the model is warned.
        #[serde(with = "or_off")]
        warn_at: Option<Ratio>,
        /// Time of one turn, seconds. Waiting for a person does not count.
        wall_s: u32,
        /// The same for a turn that nobody at a desk started.
        autonomous_wall_s: u32,
        /// Cost of one turn before it asks for more, US dollars.
        #[serde(with = "or_off")]
        cost_turn_usd: Option<Usd>,
        /// Cost of all turns of a day before they ask for more, US dollars.
        #[serde(with = "or_off")]
        cost_day_usd: Option<Usd>,
        /// Calls of one reply; the rest get an error result.
        reply_calls: u32,
        /// Further calls when the gate is not content.
        #[serde(with = "or_off")]
        extend_by: Option<u32>,
    }
    /// S-06: empty replies.
    Empty {
        /// Reaction to an empty reply.
        then: OnEmpty,
        /// Further requests to the model.
        nudges: u32,
    }
    /// S-07: replies in a row that were cut by length.
    LengthStalls {
        /// From this one on the model is advised to write into a file.
        #[serde(with = "or_off")]
        advise: Option<u32>,
        /// This one ends the turn.
        #[serde(with = "or_off")]
        stop: Option<u32>,
    }
    /// S-08 to S-16: compaction of a context that fills.
    Compact {
        /// All of it can be switched off.
        enabled: bool,
        /// Tokens the context is held to, if the model's window is larger.
        #[serde(with = "or_off")]
        window: Option<u32>,
        /// Room that marks are shares of.
        room: Room,
        /// Rule by which a mark counts.
        reached: Reached,
        /// At this mark old messages are summarised.
        #[serde(with = "or_off")]
        trigger: Option<Ratio>,
        /// At this many messages too.
        #[serde(with = "or_off")]
        messages: Option<u32>,
        /// At this mark facts are saved.
        #[serde(with = "or_off")]
        flush_at: Option<Ratio>,
        /// At this mark the model is warned.
        #[serde(with = "or_off")]
        warn_at: Option<Ratio>,
        /// The hard mark.
        #[serde(with = "or_off")]
        hard_at: Option<Ratio>,
        /// Step taken there.
        hard: HardStep,
        /// Passes in a row.
        passes: u32,
        /// A pass that frees less of what was used is the last.
        #[serde(with = "or_off")]
        gain_min: Option<Ratio>,
        /// Part that no pass touches.
        keep: Keep,
        /// The form of a summary.
        summary: SummaryForm,
        /// Brings the old summary up to date instead of writing it anew.
        update: bool,
        /// Session after a compaction: the same or one of its own.
        session: CompactedSession,
        /// Destination of facts before.
        flush: FlushTo,
        /// Moment at which it happens.
        moment: Moment,
    }
    /// S-12: parts that no compaction touches.
    Keep {
        /// Unit in which the newest part is counted.
        by: KeepBy,
        /// Messages at the beginning.
        head: u32,
        /// The newest messages or exchanges; by tokens at least so many.
        tail: u32,
        /// The share of the window that the newest messages may fill.
        #[serde(with = "or_off")]
        tail_share: Option<Ratio>,
    }
    /// S-17 to S-19: old results in the view.
    Mask {
        /// Newest results that stay whole.
        keep: u32,
        /// Keeps errors whole at any age.
        keep_errors: bool,
        /// Only longer results are cleared, characters.
        chars_min: u32,
        /// Moment at which it happens.
        when: Moment,
        /// Only if so many tokens go.
        frees_min_tokens: u32,
        /// Note in their place.
        text: MaskText,
        /// Newer results of earlier rounds above this length are cut, characters.
        #[serde(with = "or_off")]
        trim_above_chars: Option<u32>,
        /// Length that they are cut to, characters.
        trim_to_chars: u32,
    }
    /// S-21 to S-27: calls.
    Tools {
        /// Tool choice of a call: required or free.
        choice: ChoiceRule,
        /// Calls that run side by side.
        concurrency: Concurrency,
        /// Reads that run side by side.
        reads_at_once: u32,
        /// The same call again.
        repeat: Repeat,
        /// Time limit of a tool, seconds, unless it sets its own.
        timeout_s: u32,
        /// Longer results go into a file, bytes.
        #[serde(with = "or_off")]
        spill_above_bytes: Option<u32>,
        /// Longer results are cut, bytes, if they are not in a file.
        cut_above_bytes: u32,
        /// Choice of the declared tools.
        select: Select,
        /// Hint to the model after each round.
        after_round: AfterRound,
    }
    /// S-23: the same call again.
    Repeat {
        /// Criterion by which two calls are the same.
        by: RepeatBy,
        /// This one is not run.
        block: u32,
        /// At this one of the same tool the model gets a hint.
        #[serde(with = "or_off")]
        nudge: Option<u32>,
    }
    /// S-26: choice of the declared tools.
    Select {
        /// Moment of the choice.
        when: SelectWhen,
        /// Up to so many are declared without choosing.
        all_up_to: u32,
        /// Tools that are chosen.
        top: u32,
        /// Most that are declared to a model that has a bound.
        cap: u32,
        /// Tools that are always in; `*` at the end stands for any rest, `@core` for those that work at a station begins with.
        always: Vec<String>,
    }
    /// S-28 and S-29: the completion gate.
    Gate {
        /// Turns that it looks at.
        when: GateWhen,
        /// Most refusals in one turn.
        loops: u32,
    }
    /// S-34: notes in the context.
    Notes {
        /// Place of the notes.
        place: NotesPlace,
        /// Lines of `MEMORY.md`.
        lines: u32,
        /// Lines of each of the two newest daily logs.
        daily_lines: u32,
    }
    /// S-35: context gathered for a turn.
    Prefetch {
        /// Newest messages that the search is made from.
        messages: u32,
        /// Memories found.
        hits: u32,
        /// Characters of each.
        hit_chars: u32,
        /// Newest episodic records.
        feed: u32,
        /// Includes the state of the world.
        world: bool,
        /// Longest wait of the turn for it, seconds.
        wait_s: u32,
    }
    /// S-36: weights of searching.
    Rag {
        /// Ranking of memories.
        memory: MemoryRank,
        /// Weight of meaning for memories; the rest is that of words.
        memory_vector: Ratio,
        /// Lowest score of a memory.
        memory_min: Ratio,
        /// Weight of meaning for tools; the rest is that of words.
        tools_vector: Ratio,
        /// Lowest score of a tool.
        tools_min: Ratio,
        /// Candidates looked at for each one that is chosen.
        candidates: u32,
    }
    /// S-37 and S-39: the system text.
    Prompt {
        /// Its order.
        order: PromptOrder,
        /// Its length, characters.
        #[serde(with = "or_off")]
        chars_max: Option<u32>,
        /// Time for which the text stays the same.
        prefix: super::choice::Prefix,
    }
    /// S-38 and S-40: caches of the provider.
    Caching {
        /// Place of the marks.
        marks: CacheMarks,
        /// Reads a prefix ahead.
        warm: super::choice::Warm,
    }
    /// S-41 and S-42: calls that failed.
    Retry {
        /// Retries after *too many requests*.
        rate_limit_tries: u32,
        /// Retries after other failures that pass.
        other_tries: u32,
        /// The first wait, milliseconds; each further one is twice as long.
        base_ms: u32,
        /// The longest wait, milliseconds.
        max_ms: u32,
        /// The share by which a wait is made longer or shorter.
        jitter: Ratio,
        /// Counts a retry as a call of the budget.
        uses_step: bool,
    }
    /// S-44 and S-45: the life of a session.
    Session {
        /// It ends every day at this local time.
        #[serde(with = "or_off")]
        reset_at: Option<TimeOfDay>,
        /// It ends after so many minutes without a message.
        #[serde(with = "or_off")]
        idle_min: Option<u32>,
        /// An archived one is kept so long, days.
        keep_days: u32,
    }
    /// S-46: a resumed session.
    Resume {
        /// Place of the note that the session goes on.
        text: ResumeText,
        /// Compacts before the first call, if the context is too full.
        compact: bool,
    }
    /// S-47: the router.
    Route {
        /// Signs that it looks at.
        by: RouteBy,
        /// Nothing is ever answered in reflex.
        always_deliberate: bool,
        /// Tokens of a reply in reflex.
        reflex_tokens: u32,
    }
    /// S-48: temperatures and output limit. Off leaves them to the server.
    Sampling {
        /// Temperature of the conversation.
        #[serde(with = "or_off")]
        main: Option<Ratio>,
        /// Temperature of the router.
        #[serde(with = "or_off")]
        router: Option<Ratio>,
        /// Temperature of the judges.
        #[serde(with = "or_off")]
        judges: Option<Ratio>,
        /// Temperature of the flush.
        #[serde(with = "or_off")]
        flush: Option<Ratio>,
        /// Temperature of a summary.
        #[serde(with = "or_off")]
        summary: Option<Ratio>,
        /// Most tokens of a reply.
        #[serde(with = "or_off")]
        output_max: Option<u32>,
    }
    /// S-49 to S-51: messages on their way in.
    IngressPolicy {
        /// Time for which messages of a room are gathered, milliseconds. Direct ones go at once.
        debounce_ms: u32,
        /// People who may write directly.
        direct: DirectPolicy,
        /// Rooms that are read.
        rooms: RoomPolicy,
        /// Messages of one sender a second.
        #[serde(with = "or_off")]
        sender_per_s: Option<u32>,
        /// Messages of one room a minute.
        #[serde(with = "or_off")]
        room_per_min: Option<u32>,
        /// Requires a message of a room to name the agent.
        mention: bool,
    }
    /// S-52: the tools `say` and `wait`.
    Agency {
        /// Texts said in one turn.
        says: u32,
        /// Shortest wait, seconds.
        wait_min_s: u32,
        /// Longest wait, seconds.
        wait_max_s: u32,
    }
    /// S-53: waiting for a person.
    Approval {
        /// Time after which the loop goes on without the answer, seconds.
        wait_s: u32,
    }
}
