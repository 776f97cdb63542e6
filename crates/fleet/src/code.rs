//! Codes of refusals of the fleet.

robot::codes! {
    /// Refusals of commands, stops, limits and control of robots.
    pub enum FleetCode {
        AcceptanceNotStored: Unavailable,
            "The robot's gate did not store the acceptance.",
            "Look at the gate's log and at the disk of its computer, then accept again.";
        AlreadyInControl: Conflict,
            "The session already has control of the robot.",
            "Go on; nothing needs to be done.";
        ArmingFailed: Conflict,
            "The robot stopped answering, or something came up while it was being armed.",
            "Look at `why_idle` for the robot, remove what it names, and arm again.";
        BadConstraint: BadInput,
            "The parameters are not those of a limit.",
            "Correct the field that the message names; `params_json` is a JSON object in a string.";
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
        ModelUnreadable: Conflict,
            "The model of the robot cannot be read.",
            "Correct the file that the message names; a URDF has at most 5 MiB, a mesh 16 MiB.";
        NoCommissioning: Conflict,
            "The robot's gate tells nothing of a commissioning.",
            "Nothing needs to be done for a gate that needs none; start the robot's `quarterdeck-gate` otherwise.";
        NoMotionData: Conflict,
            "The robot reports no speed, so it is unknown whether it stands still.",
            "Start the robot's speed or pose source, then try again.";
        NoSuchCause: Conflict,
            "The robot is not held or stopped for this cause.",
            "Look at the robot's state again; the cause has ended.";
        NobodyAtStop: BadInput,
            "Nobody has confirmed to stand at the robot's hardware stop.",
            "Let somebody stand at the hardware stop, and confirm it.";
        NotArmable: Conflict,
            "Something keeps the robot from being armed.",
            "Remove what the message names; `why_idle` lists everything.";
        NotByAcknowledgement: Conflict,
            "The cause does not end by an acknowledgement.",
            "Do what the message names instead: disarm the robot, release its stop, or wait.";
        NotCommissioned: Conflict,
            "The robot was not commissioned, or what was commissioned has changed since.",
            "Carry out the step in `details.missing` on the robot's commissioning page, with somebody at its hardware stop.";
        NotInControl: Conflict,
            "Somebody else has control of the robot.",
            "Ask for control with `request_control`, or wait until it is released.";
        NotStandingStill: Conflict,
            "The robot still moves.",
            "Wait until it stands still, then try again.";
        NotTighter: BadInput,
            "The new limit allows something that the present one does not.",
            "Let an Admin call `preview_constraint_change` and `loosen_constraint`.";
        NotUnderWay: Conflict,
            "The robot is not armed for commissioning.",
            "Begin its commissioning with somebody at the hardware stop, then repeat the step.";
        NothingToAccept: Conflict,
            "The robot does not keep moving when its gate dies.",
            "Nothing needs to be accepted; arm the robot as usual.";
        NothingToRelease: BadInput,
            "The call names no robot to release.",
            "Name the robots whose stops are to be released.";
        PreviewStale: Conflict,
            "The limits changed after the change was shown.",
            "Call `preview_constraint_change` again, and repeat the call with the new `preview_id`.";
        RefusedByRobot: Conflict,
            "The robot's gate refused.",
            "Remove what the message names at the robot, then try again.";
        RequestPending: Conflict,
            "Somebody asks for control of the robot already.",
            "Wait until that request is answered, then ask again.";
        RobotInUse: Conflict,
            "The robot is armed, may move, or is stopped and still answers.",
            "Do what the message says, then remove it.";
        RobotNotFound: NotFound,
            "There is no robot with this id.",
            "Take the id from `list_robots`.";
        RobotSimulated: Conflict,
            "The robot belongs to the simulator.",
            "End the simulator; its robots go with it.";
        RobotUnreachable: Unavailable,
            "The robot did not confirm in time.",
            "Check the robot's link and that its gate runs, then try again.";
        ScreenFrozen: Forbidden,
            "The operator's screen is frozen, so nobody would see what is done.",
            "Repair or reload the screen; reading and stopping still work.";
        SetComplete: Conflict,
            "The robot's limits are complete, so it needs no permission to move without them.",
            "Arm the robot as usual.";
        SetUnreadable: Conflict,
            "The stored limits of the robot cannot be read, or do not fit it.",
            "Remove or correct the limit that the message names.";
        StepBrokenOff: Conflict,
            "The step of commissioning was broken off, and the robot was held.",
            "Let the button go, look at the robot, and carry out the step again.";
        StepDenied: Conflict,
            "The motion of the step is not allowed where the robot is.",
            "Bring the robot to a free place, or remove what the message names, then repeat the step.";
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
        ValidatorError: Internal,
            "The safety check failed because of a defect of the program, and nothing was sent.",
            "Send the station's log to the developers, then try another command.";
        VerdictNotFound: NotFound,
            "There is no verdict with this id.",
            "Take the id from `list_verdicts`; old verdicts are removed.";
    }
}
