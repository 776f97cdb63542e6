//! The modes of a policy: settings that name one of several ways. The turn machine matches on them.

use serde::{Deserialize, Serialize};

/// Declares modes that are written in snake case.
macro_rules! modes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }
    )+};
}

modes! {
    /// S-02: the last call of a turn.
    FinalCall {
        /// An ordinary call; if nothing was visible in the turn, one reply is asked for that is.
        GateForce,
        /// A call that must answer in words.
        ForceText,
        /// An ordinary call; without words the fallback text stands in.
        Fallback,
    }
    /// S-06: reaction to an empty reply.
    OnEmpty {
        /// The gate says what is missing.
        GateNudge,
        /// The call is made once more without tools.
        OnceWithoutTools,
        /// The model is asked again, then its newest words count.
        Nudges,
        /// The fallback text.
        FallbackText,
    }
    /// S-08: room that the context is measured against.
    Room {
        /// The model's window.
        Window,
        /// The window without what is kept for the reply.
        WindowLessOutput,
    }
    /// S-08: rule by which a mark counts.
    Reached {
        /// At the mark.
        At,
        /// Only beyond it.
        Beyond,
    }
    /// S-10: step at the hard mark.
    HardStep {
        /// Nothing of its own.
        Nothing,
        /// A shorter summary, and every result cleared.
        Emergency,
        /// The call after this one is the last.
        NextIsFinal,
        /// This call is the last.
        Final,
        /// Nothing by measure; a reported overflow begins a new session.
        ResetOnOverflow,
    }
    /// S-12: by what the newest part is counted that no compaction touches.
    KeepBy {
        /// A head of messages and a tail by tokens.
        HeadAndTail,
        /// Exchanges: a message of a person and all that followed it.
        Exchanges,
        /// Messages.
        Messages,
    }
    /// S-13: the form of a summary.
    SummaryForm {
        /// Seven headings, the fifth about the mood.
        Companion,
        /// Six points in less than 500 words.
        SixPoints,
        /// Five sections.
        FiveSections,
        /// Seven headings, the fifth about robots and safety.
        Operator,
    }
    /// S-14: session after a compaction.
    CompactedSession {
        /// It stays the same one.
        Same,
        /// The conversation begins anew with the summary and the messages that are kept; all of it stays in its file.
        New,
    }
    /// S-15: way of saving facts before they are summarised away.
    FlushTo {
        /// They are not.
        Off,
        /// Into `knowledge.md`.
        Knowledge,
        /// The model is warned and writes by itself.
        Warning,
        /// Through `remember_note`.
        RememberNote,
    }
    /// S-16 and S-18: moment at which the past may be edited.
    Moment {
        /// Never.
        Never,
        /// Between turns.
        TurnStart,
        /// Before any call.
        EachCall,
        /// Together with a compaction.
        Compaction,
    }
    /// S-19: note in the place of a cleared result.
    MaskText {
        /// A fixed sentence.
        Sentence,
        /// A stub that names the tool and its query.
        Stub,
        /// `[Tool: name - OK]`.
        ToolOk,
        /// The same and where the whole result can be read.
        ToolOkPath,
    }
    /// S-20: counting of tokens.
    Estimator {
        /// Characters / 4 and 10 a message.
        QuarterAndTen,
        /// Characters / 3.5.
        ThreeAndHalf,
        /// The provider's measurement.
        Measured,
        /// Characters / 4.
        Quarter,
        /// The provider's measurement and characters / 3.5 of the rest; without one, characters / 4 and 10 a message.
        MeasuredThenTail,
    }
    /// S-21: obligation of the model to call tools.
    ChoiceRule {
        /// Always.
        Required,
        /// It is free to, and must answer in words in the last call.
        AutoNoneLast,
        /// It is free to.
        Auto,
    }
    /// S-22: calls of a reply that run side by side. Motion always runs alone and in order.
    Concurrency {
        /// All.
        Parallel,
        /// None.
        Sequential,
        /// Neighbouring reads.
        ByEffect,
    }
    /// S-23: calls that count as the same again.
    RepeatBy {
        /// None.
        Off,
        /// Calls of the same tool in a row.
        Name,
        /// None, but the model gets a list of every query it made.
        Queries,
        /// Calls of the same tool with the same arguments.
        Arguments,
    }
    /// S-26: moment at which tools are chosen.
    SelectWhen {
        /// Never: all of them are declared.
        All,
        /// For each message.
        EachMessage,
        /// Once, when an epoch begins.
        EachEpoch,
    }
    /// S-27: hint to the model after each round of tools.
    AfterRound {
        /// Nothing.
        Nothing,
        /// That results are there.
        Nudge,
        /// Every earlier query, and to answer from what is there.
        Directive,
    }
    /// S-28: turns whose answer the completion gate looks at.
    GateWhen {
        /// Never.
        Off,
        /// Always.
        Always,
        /// If a work tool failed, or none succeeded although the message asked for more than words.
        OnDoubt,
    }
    /// S-30: text that reaches the person.
    Delivery {
        /// Words that the model says by its tool `say`.
        Say,
        /// The final text.
        FinalText,
        /// The final text as a note.
        FinalNote,
        /// The final text, or what a tool sent.
        FinalOrSendTool,
        /// The final text; `say` counts as delivered too.
        FinalTextAndSay,
    }
    /// S-31: treatment of text beside calls.
    TextBesideTools {
        /// Nobody sees it.
        Internal,
        /// It is held, and shown if there is no call.
        Held,
        /// The newest is the answer if there is no other.
        LastText,
        /// All texts of the turn are the answer.
        Joined,
        /// It is shown as progress, and is the answer if there is no other.
        Progress,
    }
    /// S-32: channel of a hint to the model.
    NudgeChannel {
        /// A user message that stays.
        KeptUser,
        /// A user message that is gone after the call.
        RemovedUser,
        /// A part of the prompt, item 10.
        PromptItem,
        /// Behind the system text. It changes the first byte of every prefix.
        SystemSuffix,
        /// Whatever the model takes best.
        Auto,
    }
    /// S-33: place of state that changes from turn to turn.
    VolatilePlace {
        /// Inside the user message, under `[Turn context]`.
        InsideUser,
        /// As a user message before the newest one.
        BeforeUser,
        /// There is none: the message is an event.
        Nowhere,
        /// In the system text.
        System,
    }
    /// S-34: place of the notes.
    NotesPlace {
        /// Nowhere.
        Nowhere,
        /// In the stable prompt.
        Preamble,
        /// In the system text.
        System,
        /// With the state of the turn.
        Volatile,
    }
    /// S-36: ranking of memories.
    MemoryRank {
        /// They are not searched.
        Off,
        /// By vector and keyword.
        Hybrid,
        /// By keyword and age.
        RelevanceAndAge,
    }
    /// S-37: the order of the system text.
    PromptOrder {
        /// Identity, monologue, voice, tools.
        Companion,
        /// One block: identity, tool guidance, context rules, overview.
        Vault,
        /// Base, tool notes, workflow.
        Investigator,
        /// Ten sections.
        Chat,
        /// Safety rules, identity, form, place, owner and site, missions and constraints.
        Operator,
    }
    /// S-38: place of the cache marks.
    CacheMarks {
        /// Nowhere.
        Off,
        /// On the system text.
        System,
        /// On the last message, or the last but one if a transient one follows, and where it was before.
        Messages,
        /// On the system text, at the end of what stays, and where that was before.
        SystemAndMessages,
    }
    /// S-39: time for which the system text stays the same.
    Prefix {
        /// Until mood or knowledge moves its fingerprint.
        Fingerprint,
        /// Always.
        Stable,
        /// It is built for each call; equal inputs give equal bytes.
        EachCall,
        /// As long as an epoch lasts.
        Epoch,
    }
    /// S-40: reading of a prefix ahead of its call.
    Warm {
        /// No.
        Off,
        /// At the opening of a conversation and after each reply.
        StartAndReply,
        /// The same on local servers; elsewhere it would be a paid write.
        LocalOnly,
    }
    /// S-43: one step of what follows a reported overflow.
    OverflowStep {
        /// Mask every result but the newest wave.
        MaskAll,
        /// Compact.
        Compact,
        /// Compact harder.
        Emergency,
        /// The next call is the last.
        NextIsFinal,
        /// Archive the session, begin an empty one, send the message again.
        ArchiveAndReset,
        /// Archive the session, begin one with the summary, send the message again.
        ArchiveWithSummary,
    }
    /// S-46: place of the note that a resumed session goes on.
    ResumeText {
        /// Nowhere.
        Nowhere,
        /// In the system text.
        System,
        /// With the state of the turn.
        Volatile,
    }
    /// S-47: look at a message before it is answered.
    RouteBy {
        /// No.
        Off,
        /// By its words.
        Words,
        /// By its words, and by what robots do.
        WordsAndRobots,
    }
    /// S-50: people who may write in a direct conversation.
    DirectPolicy {
        /// People on a list.
        Allowlist,
        /// Everybody.
        Open,
        /// Admins.
        AdminOnly,
        /// Nobody.
        Disabled,
        /// Everybody who is signed in.
        SignedIn,
    }
    /// S-50: rooms and groups that are read.
    RoomPolicy {
        /// All.
        Open,
        /// Those on a list.
        Allowlist,
        /// None.
        Disabled,
    }
    /// S-54: models of an agent.
    Models {
        /// One.
        One,
        /// Another one for turns with tools.
        MainAndTool,
        /// Another one for router, judges, flush and summary.
        MainAndSide,
    }
    /// S-55: amount of thinking of the model.
    ThinkingRule {
        /// As it does by itself.
        Own,
        /// Not at all in reflex, else by itself.
        OffInReflex,
    }
}
