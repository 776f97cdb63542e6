//! Codes of refusals of what is asked of the agents.

robot::codes! {
    /// Refusals of what is asked of an agent.
    pub enum AgentCode {
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
        BadCommand: BadInput,
            "The text is not a shell command that the sandbox runs.",
            "Send a command that is not empty, holds no NUL and is no longer than the message says.";
        BadEffect: BadInput,
            "A tool of an external server cannot be declared to move robots.",
            "Declare its effect as read, write or irreversible.";
        BadMessage: BadInput,
            "The text is empty, too long, or holds what a message may not hold.",
            "Correct the text as the message says.";
        BadPattern: BadInput,
            "The pattern is empty or too long.",
            "Give a pattern of the length that the message names, or none.";
        BeliefNotFound: NotFound,
            "There is no such belief.",
            "Take its id from `list_beliefs`.";
        BrokenOff: Internal,
            "A change of a belief ended because of a defect of the program.",
            "Look at the belief, then try again; send the station's log to the developers.";
        BudgetSpent: Conflict,
            "The budget for model calls is spent.",
            "Let a person add to it with `add_budget`.";
        DeniedByHook: Conflict,
            "A hook of the site forbids this.",
            "Do what the hook's sentence asks, or let the site's administrator change the hook.";
        EmptyQuery: BadInput,
            "The query holds no word.",
            "Name at least one word to look for.";
        FormNotFilledIn: Unavailable,
            "The model did not fill in the form.",
            "Ask for fewer fields, or read the output in pages.";
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
        NotOfTheDesk: BadInput,
            "People cannot write into this conversation.",
            "Take one of the desk's conversations from `list_sessions`.";
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
        ReviewNotFound: NotFound,
            "There is no memory review with this id.",
            "Take the id from `list_memory_reviews`.";
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
        SourceNotFound: NotFound,
            "There is no source of files with this name.",
            "Use a source from config.toml, as `get_sandbox` lists them.";
        SummaryNotFound: NotFound,
            "There is no summary with this number.",
            "Take the number from the conversation.";
        TimedOut: Unavailable,
            "The tool did not answer in time.",
            "Check the tool server, then try again with less at once.";
        TooLong: BadInput,
            "The phrase is too long to be looked for everywhere.",
            "Name fewer words, or name ids.";
        TooMany: BadInput | Conflict,
            "More records match than are forgotten at once.",
            "Narrow the query, and forget in several calls.";
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
        UnknownTimeZone: BadInput,
            "The time zone is not known.",
            "Use a name of the IANA database, for example one of `details.nearest`.";
    }
}
