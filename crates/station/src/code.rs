//! Codes of the station's refusals.

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
        AlreadyInControl: Conflict,
            "The session already has control of the robot.",
            "Go on; nothing needs to be done.";
        ArmingFailed: Conflict,
            "The robot stopped answering, or something came up while it was being armed.",
            "Look at `why_idle` for the robot, remove what it names, and arm again.";
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
        BadConstraint: BadInput,
            "The parameters are not those of a limit.",
            "Correct the field that the message names; `params_json` is a JSON object in a string.";
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
        Busy: Conflict,
            "Too much of this kind is waiting or running already.",
            "Wait a moment, then try again.";
        CausePresent: Conflict,
            "The cause still holds.",
            "Remove what the message names, then acknowledge it.";
        CausesOpen: Conflict,
            "The robot is stopped or held for another reason too.",
            "Clear the cause in `details.cause` first, then release the stop.";
        ClaimedElsewhere: Conflict,
            "Another station has claimed the robot.",
            "Disarm the robot at the station in `details.owner`, or wait until it lets go.";
        CommandRepeated: Conflict,
            "The command id was used before.",
            "Send the command with a new id.";
        ConstraintNotFound: NotFound,
            "There is no limit with this id.",
            "Take the id from `list_constraints`.";
        ControlIsFree: Conflict,
            "No person has control of the robot.",
            "Take it with `take_control`.";
        ControlOutOfReach: Conflict,
            "The robot is controlled at the robot itself, or by somebody unknown.",
            "End local control at the robot, then try again.";
        ControlRequestNotFound: NotFound,
            "There is no open request for control with this id.",
            "Look at the robot's control again; the request was answered or has expired.";
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
        KeyNotFound: NotFound,
            "There is no entry with this key.",
            "Take the key from `list_world_state`.";
        Latched: Conflict,
            "A stop is open for the robot.",
            "Release it with `release_stop`, then try again.";
        LinkSlow: Conflict,
            "The round trip to the robot is too long for jogging.",
            "Improve the link to the robot, or send single commands.";
        LockPoisoned: Internal,
            "The list of claimed actuators cannot be read because of a defect of the program.",
            "Start the station again, and send its log to the developers.";
        LockedOut: Conflict,
            "The robot is locked.",
            "Let an Admin put it into service again with `recommission`.";
        ManifestInvalid: Conflict,
            "The robot's manifest cannot be used.",
            "Correct the manifest as the message says, and start the station again.";
        ManifestLimit: Conflict,
            "The limit comes from the robot's manifest.",
            "Change it in the manifest.";
        MessageTooLong: BadInput,
            "The message to whoever has control is too long.",
            "Shorten it to the length that the message names.";
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
        NoMotionData: Conflict,
            "The robot reports no speed, so it is unknown whether it stands still.",
            "Start the robot's speed or pose source, then try again.";
        NoSuchCause: Conflict,
            "The robot is not held or stopped for this cause.",
            "Look at the robot's state again; the cause has ended.";
        NotArmable: Conflict,
            "Something keeps the robot from being armed.",
            "Remove what the message names; `why_idle` lists everything.";
        NotByAcknowledgement: Conflict,
            "The cause does not end by an acknowledgement.",
            "Do what the message names instead: disarm the robot, release its stop, or wait.";
        NotEncodable: Internal,
            "The answer could not be written as JSON.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotFetched: Unavailable,
            "The source did not give the file.",
            "Check the source as the message says, then try again.";
        NotHashable: Internal,
            "The proposal could not be hashed.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotInControl: Conflict,
            "Somebody else has control of the robot.",
            "Ask for control with `request_control`, or wait until it is released.";
        NotNumbersOnly: BadInput,
            "An edit of a proposal may change numbers of a motion only.",
            "Change only numbers, or reject the proposal and send a command of your own.";
        NotOfTheDesk: BadInput,
            "People cannot write into this conversation.",
            "Take one of the desk's conversations from `list_sessions`.";
        NotProposable: Forbidden,
            "This operation cannot be proposed.",
            "Call it directly, or let a person start it, as the message says.";
        NotStandingStill: Conflict,
            "The robot still moves.",
            "Wait until it stands still, then try again.";
        NotTighter: BadInput,
            "The new limit allows something that the present one does not.",
            "Let an Admin call `preview_constraint_change` and `loosen_constraint`.";
        NotesFull: Conflict,
            "The notes have no room left.",
            "Remove a note first, for example the one in `details.oldest`.";
        NothingMatched: NotFound,
            "No record matches, so nothing was forgotten.",
            "Check the query or the ids with `memory_search`.";
        NothingToRelease: BadInput,
            "The call names no robot to release.",
            "Name the robots whose stops are to be released.";
        NothingToSetAside: Conflict,
            "The conversation shows nothing that needs to be set aside.",
            "Go on; nothing needs to be done.";
        OutputFailed: Unavailable,
            "The stored output of the tool cannot be read.",
            "Check the station's disk, or call the tool again.";
        OutputNotFound: NotFound,
            "There is no stored output with this number.",
            "Take the number from the conversation, or call the tool again.";
        PreviewStale: Conflict,
            "The limits changed after the change was shown.",
            "Call `preview_constraint_change` again, and repeat the call with the new `preview_id`.";
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
        ReasonMissing: BadInput,
            "The call needs a reason.",
            "Give a reason of the length that the message names.";
        RecordNotFound: NotFound,
            "There is no record with this id.",
            "Take the id from `memory_search`.";
        RefusedByRobot: Conflict,
            "The robot's gate refused.",
            "Remove what the message names at the robot, then try again.";
        RequestIdReused: Conflict,
            "The `request_id` belongs to another request.",
            "Send the request with a new `request_id`.";
        RequestPending: Conflict,
            "Somebody asks for control of the robot already.",
            "Wait until that request is answered, then ask again.";
        ReviewNotFound: NotFound,
            "There is no memory review with this id.",
            "Take the id from `list_memory_reviews`.";
        RobotExists: Conflict,
            "A real robot has the id of a simulated one.",
            "Rename the real robot, then start the simulator.";
        RobotKeyChanged: Conflict,
            "The simulated robot has another key than before.",
            "Start the station again.";
        RobotNotFound: NotFound,
            "There is no robot with this id.",
            "Take the id from `list_robots`.";
        RobotUnreachable: Unavailable,
            "The robot did not confirm in time.",
            "Check the robot's link and that its gate runs, then try again.";
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
        ScreenFrozen: Forbidden,
            "The operator's screen is frozen, so nobody would see what is done.",
            "Repair or reload the screen; reading and stopping still work.";
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
        SetComplete: Conflict,
            "The robot's limits are complete, so it needs no permission to move without them.",
            "Arm the robot as usual.";
        SetUnreadable: Conflict,
            "The stored limits of the robot cannot be read, or do not fit it.",
            "Remove or correct the limit that the message names.";
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
        StationEnded: Unavailable,
            "The station is ending.",
            "Start the station again, then repeat the call.";
        StillLocked: Conflict,
            "The robot moves, or a cause of the lock still holds.",
            "Bring the robot to a standstill and remove the causes in its state, then try again.";
        StopSetChanged: Conflict,
            "The open stops are not the ones that the call names.",
            "Look at the stops in `details.open`, then release exactly those.";
        StoppedMeanwhile: Conflict,
            "A stop came before this was carried out.",
            "Release the stop when it is safe, then start again.";
        StoreUnavailable: Conflict,
            "The stored limits cannot be read or saved.",
            "Check the station's disk, then try again.";
        StrangersStop: Forbidden,
            "Somebody unknown to the robot's gate stopped the robot.",
            "Look at the robot and end the stop with its pendant, or let an Admin release it.";
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
        ValidatorError: Internal,
            "The safety check failed because of a defect of the program, and nothing was sent.",
            "Send the station's log to the developers, then try another command.";
        VerdictNotFound: NotFound,
            "There is no verdict with this id.",
            "Take the id from `list_verdicts`; old verdicts are removed.";
        VersionConflict: Conflict,
            "Somebody else changed it meanwhile.",
            "Ask for the present state again, compare, and repeat the call with the new version.";
        WrongState: Conflict,
            "Its state does not allow this.",
            "Look at its state again, which `details.state` may name, and call what fits it.";
    }
}
