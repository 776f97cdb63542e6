//! Codes of the station's refusals.

use fleet::FleetCode;
use runtime::error::Code;
use sensing::SensingCode;

/// Every code of the station and of the crates below it.
pub fn codes() -> impl Iterator<Item = Code> {
    runtime::error::codes().chain(FleetCode::codes()).chain(SensingCode::codes()).chain(StationCode::codes())
}

robot::codes! {
    /// Refusals of operations.
    pub enum StationCode {
        AgentExists: Conflict,
            "There is an agent with this id already.",
            "Choose another id.";
        AgentNotFound: NotFound,
            "There is no agent with this id.",
            "Take the id from `list_agents`.";
        AgentNotMade: Unavailable,
            "The agent's folder or database could not be made.",
            "Correct what the message names, usually the disk, then try again.";
        AgentRequired: BadInput,
            "The station has several agents and the call names none.",
            "Name one of `details.agents` in the field `agent`.";
        AlreadyAdmin: Conflict,
            "The session acts as Admin already.",
            "Go on; nothing needs to be done.";
        AskUnknown: Conflict,
            "The mission has no open question.",
            "Ask for the mission again; its question was answered already.";
        AuditBroken: Conflict,
            "A record of the audit cannot be read.",
            "Call `verify_audit`, and let an Admin look at what it finds.";
        AuditIntact: Conflict,
            "The audit is what was written.",
            "Go on; there is nothing to accept.";
        BadCommand: BadInput,
            "The text is not a shell command that the sandbox runs.",
            "Send a command that is not empty, holds no NUL and is no longer than the message says.";
        BadEffect: BadInput,
            "A tool of an external server cannot be declared to move robots.",
            "Declare its effect as read, write or irreversible.";
        BadFault: BadInput,
            "The simulator does not know this fault, or cannot apply it.",
            "Correct the fault as the message says.";
        BadMessage: BadInput,
            "The text is empty, too long, or holds what a message may not hold.",
            "Correct the text as the message says.";
        BadPattern: BadInput,
            "The pattern is empty or too long.",
            "Give a pattern of the length that the message names, or none.";
        BadStandingApproval: BadInput,
            "The standing approval is not one that can be granted.",
            "Correct the field that `details.path` names.";
        BeliefNotFound: NotFound,
            "There is no such belief.",
            "Take its id from `list_beliefs`.";
        BrokenOff: Internal,
            "A change of a belief ended because of a defect of the program.",
            "Look at the belief, then try again; send the station's log to the developers.";
        BudgetSpent: Conflict,
            "The budget for model calls is spent.",
            "Let a person add to it with `add_budget`.";
        Denied: Conflict,
            "The safety engine does not allow the command.",
            "Read the verdict in `details`, change the command so that every item holds, and propose it again.";
        DeniedByHook: Conflict,
            "A hook of the site forbids this.",
            "Do what the hook's sentence asks, or let the site's administrator change the hook.";
        DependencyCycle: Conflict,
            "The mission would wait for itself through its dependencies.",
            "Remove one of the missions from `depends_on`.";
        EmptyQuery: BadInput,
            "The query holds no word.",
            "Name at least one word to look for.";
        Forbidden: Forbidden,
            "This session may not call the operation.",
            "Sign in with a role or as a user that the message names, or let a person call it.";
        FormNotFilledIn: Unavailable,
            "The model did not fill in the form.",
            "Ask for fewer fields, or read the output in pages.";
        HasProblems: BadInput,
            "The mission file cannot be read as a mission.",
            "Correct the line in `details.line`, then activate the mission again.";
        HashChanged: Conflict,
            "The file is not the text that was read.",
            "Read the mission again, and activate it with the new hash.";
        Incomplete: Unavailable,
            "Some files still hold what was to be forgotten.",
            "Look at `details.files`, make them writable or remove them, and forget again.";
        InvalidCron: BadInput,
            "The text is not a cron schedule.",
            "Correct the field that the message names: minute, hour, day of month, month, day of week.";
        InvalidKey: BadInput,
            "The text is not a key of the world state, or not the beginning of one.",
            "Use a-z, 0-9, `_`, `-` and dots.";
        InvalidSchedule: BadInput,
            "The time or repetition of the job is not one of the forms.",
            "Use one of the forms in `details.forms`.";
        JobExists: Conflict,
            "A job with this name has not ended yet.",
            "Choose another name, or cancel the job in `details.id`.";
        JobNotFound: NotFound,
            "There is no job with this id.",
            "Take the id from `list_jobs`.";
        MissionChanged: Conflict,
            "Somebody changed the mission meanwhile.",
            "Read the mission again, then repeat the call.";
        MissionNotFound: NotFound,
            "There is no mission with this id.",
            "Take the id from `list_missions`.";
        MissionNotLive: Conflict,
            "The mission is paused or has ended.",
            "Resume or activate the mission first.";
        MissionUnreadable: Conflict,
            "The mission's file cannot be read.",
            "Check the rights and the encoding of the file, which must be UTF-8.";
        ModelFailed: Unavailable,
            "The model did not answer.",
            "Check the model provider with `test_provider`, then try again.";
        NoLanguageModel: Conflict,
            "Only the command interpreter is set up, and it reads no texts.",
            "Select a language model with `select_model`.";
        NoModel: Conflict,
            "No language model is set up, and the job's prompt needs one.",
            "Select a language model with `select_model`.";
        NotFetched: Unavailable,
            "The source did not give the file.",
            "Check the source as the message says, then try again.";
        NotHashable: Internal,
            "The proposal could not be hashed.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotNumbersOnly: BadInput,
            "An edit of a proposal may change numbers of a motion only.",
            "Change only numbers, or reject the proposal and send a command of your own.";
        NotOfTheDesk: BadInput,
            "People cannot write into this conversation.",
            "Take one of the desk's conversations from `list_sessions`.";
        NotProposable: Forbidden,
            "This operation cannot be proposed.",
            "Call it directly, or let a person start it, as the message says.";
        NotesFull: Conflict,
            "The notes have no room left.",
            "Remove a note first, for example the one in `details.oldest`.";
        NothingMatched: NotFound,
            "No record matches, so nothing was forgotten.",
            "Check the query or the ids with `memory_search`.";
        NothingToSetAside: Conflict,
            "The conversation shows nothing that needs to be set aside.",
            "Go on; nothing needs to be done.";
        OutputFailed: Unavailable,
            "The stored output of the tool cannot be read.",
            "Check the station's disk, or call the tool again.";
        OutputNotFound: NotFound,
            "There is no stored output with this number.",
            "Take the number from the conversation, or call the tool again.";
        ProposalChanged: Conflict,
            "The proposal is not what was on the screen.",
            "Read it again, then decide.";
        ProposalClosed: Conflict,
            "The proposal has been decided or has expired.",
            "Ask for the list of proposals again; `details.state` says how it ended.";
        ProposalNotFound: NotFound,
            "There is no proposal with this id.",
            "Take the id from `list_proposals`.";
        ProposalRecheck: Conflict,
            "The state has changed since the proposal was judged.",
            "Wait until it has been judged again, read it, then decide.";
        ProviderInUse: Conflict,
            "Agents use the model provider.",
            "Select another model for the agents in `details.agents` first.";
        ProviderNotFound: NotFound,
            "There is no model provider with this id.",
            "Take the id from `list_providers`.";
        ProviderUnusable: Conflict,
            "The model provider cannot be used as it is set up.",
            "Correct its address or key with `set_provider` as the message says.";
        RateLimited: Conflict,
            "Too much was done in this minute.",
            "Wait a minute, then do less at once.";
        RecordNotFound: NotFound,
            "There is no record with this id.",
            "Take the id from `memory_search`.";
        RequestIdReused: Conflict,
            "The `request_id` belongs to another request.",
            "Send the request with a new `request_id`.";
        ReviewNotFound: NotFound,
            "There is no memory review with this id.",
            "Take the id from `list_memory_reviews`.";
        RobotExists: Conflict,
            "A real robot has the id of a simulated one.",
            "Rename the real robot, then start the simulator.";
        RobotKeyChanged: Conflict,
            "The simulated robot has another key than before.",
            "Start the station again.";
        RoomClosed: Conflict,
            "The room cannot be used.",
            "Correct the room in config.toml as the message says.";
        RoomNotFound: NotFound,
            "There is no room with this id.",
            "Take the id from `list_rooms`.";
        SandboxDisabled: Conflict,
            "The sandbox does not work on this machine.",
            "Install or allow what the message names, then start the station again.";
        SandboxFailed: Unavailable,
            "The sandbox's folder cannot be used.",
            "Check the disk and the rights of the station's folder.";
        SandboxFull: Conflict,
            "The sandbox has no room for another file.",
            "Remove files from it with `sandbox_exec` first.";
        SandboxOff: Conflict,
            "The agent has no sandbox.",
            "Let an Admin give it one with `set_sandbox`.";
        SearchIncomplete: Unavailable,
            "The search ran out of time before it found anything.",
            "Ask again with rarer words or a span of time.";
        SectionLocked: Conflict,
            "A person has locked this section of the notes.",
            "Write into another section, or let a person unlock this one.";
        ServerExists: Conflict,
            "There is a tool server with this id already.",
            "Choose another id.";
        ServerNotFound: NotFound,
            "There is no tool server with this id.",
            "Take the id from `list_mcp_servers`.";
        ServerUnavailable: Unavailable,
            "The tool server cannot be called.",
            "Check the server as the message says; `list_mcp_servers` shows its state.";
        SessionNotFound: NotFound,
            "There is no conversation with this name.",
            "Take the name from `list_sessions`.";
        SimulatorFailed: Unavailable,
            "The simulator did not start, has ended or does not answer.",
            "Look into its log, then call `start_simulator` again.";
        SimulatorStopped: Conflict,
            "The simulator does not run.",
            "Start it with `start_simulator`.";
        SourceNotFound: NotFound,
            "There is no source of files with this name.",
            "Use a source from config.toml, as `get_sandbox` lists them.";
        StandingApprovalNotFound: NotFound,
            "There is no standing approval with this id.",
            "Take the id from `list_standing_approvals`; it may have ended.";
        SummaryNotFound: NotFound,
            "There is no summary with this number.",
            "Take the number from the conversation.";
        TimedOut: Unavailable,
            "The tool did not answer in time.",
            "Check the tool server, then try again with less at once.";
        TooLarge: BadInput | Conflict,
            "The input, or the file to fetch, has more bytes than may be.",
            "Send or fetch less at once; the message names the limit.";
        TooLong: BadInput,
            "The phrase is too long to be looked for everywhere.",
            "Name fewer words, or name ids.";
        TooMany: BadInput | Conflict,
            "More records match than are forgotten at once.",
            "Narrow the query, and forget in several calls.";
        TooManyOpen: Conflict,
            "Too many proposals wait, or too many were made in this minute.",
            "Decide on those that wait, or propose again in a minute.";
        TooManyRequests: Unavailable,
            "Too many requests of this session are being carried out.",
            "Wait for their answers, then try again.";
        ToolChanged: Conflict,
            "The tool is not the one that an Admin allowed.",
            "Let an Admin look at the tool again and call `pin_mcp_tool` with its new hash.";
        ToolFailed: Unavailable,
            "The tool reported a failure.",
            "Read its message, correct the arguments, and call it again.";
        ToolNotFound: NotFound,
            "There is no tool with this name, or nobody has allowed it.",
            "Take the name from `list_mcp_servers` or `get_sandbox`, and let an Admin allow it.";
        ToolRefused: Conflict,
            "The description of the tool is not one that can be allowed.",
            "Ask whoever keeps the tool server to correct what the message names.";
        TurnEnded: Conflict,
            "The turn has ended, or none runs.",
            "Send the text as a new message.";
        TurnNotFound: NotFound,
            "There is no turn with this id.",
            "Take the id from the conversation.";
        UnknownOperation: NotFound | BadInput,
            "There is no operation with this name.",
            "Correct the name; `details.nearest` holds the most similar ones.";
        UnknownTimeZone: BadInput,
            "The time zone is not known.",
            "Use a name of the IANA database, for example one of `details.nearest`.";
    }
}
