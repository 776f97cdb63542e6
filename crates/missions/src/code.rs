//! Codes of refusals of acts on missions.

robot::codes! {
    /// Refusals to read, save, activate, pause, resume, complete or cancel a mission.
    pub enum MissionCode {
        AskUnknown: Conflict,
            "The mission has no open question.",
            "Ask for the mission again; its question was answered already.";
        BadId: BadInput,
            "The name of the file cannot be the id of a mission.",
            "Name it with small letters, digits, `-` and `_`, 64 at most; the message names the nearest.";
        DependencyCycle: Conflict,
            "The mission would wait for itself through its dependencies.",
            "Remove one of the missions from `depends_on`.";
        DryRunTooLong: BadInput,
            "A dry run of the mission would make more decisions than one answer holds.",
            "Give the mission fewer steps, or divide it into missions that wait for one another.";
        DryRunUnknown: Conflict,
            "No dry run of exactly this text with this id is kept.",
            "Run the mission dry again and name that run, or activate it without one.";
        FileChanged: Conflict,
            "The file is not the text that was changed; nothing was saved.",
            "Compare your text with the one in `details.source`, then save with the hash in `details.hash`.";
        HasProblems: BadInput,
            "The text has no meaning at this site, or has warnings that nobody has accepted.",
            "Correct the lines in `details.problems`, or accept the warnings, then activate the mission again.";
        HashChanged: Conflict,
            "The file is not the text that was read.",
            "Read the mission again, and activate it with the new hash.";
        MissionCancelled: Conflict,
            "The mission was cancelled, which is final.",
            "Save its text under another id and activate that.";
        MissionChanged: Conflict,
            "Somebody changed the mission meanwhile.",
            "Read the mission again, then repeat the call.";
        MissionEnded: Conflict,
            "The mission is completed, failed or cancelled.",
            "Activate it again if it is to go on.";
        MissionExists: Conflict,
            "There is a mission with this id already.",
            "Take another id, or change the text that is there.";
        MissionExpired: Conflict,
            "The time of the mission is over.",
            "Activate it again, with a later end if its file names one.";
        MissionLive: Conflict,
            "The mission is active or paused.",
            "Cancel or complete the mission first.";
        MissionNotFound: NotFound,
            "There is no mission with this id.",
            "Take the id from `list_missions`.";
        MissionNotLive: Conflict,
            "The mission is paused, has ended, waits, or does not name the robot.",
            "Resume or activate the mission first, or command a robot that it names.";
        MissionUnreadable: Conflict,
            "The mission's file cannot be read.",
            "Check the rights and the encoding of the file, which must be UTF-8.";
        NotActivated: Conflict,
            "Nobody has activated the mission.",
            "Activate it first with `activate_mission`.";
        NotStarted: Unavailable,
            "The agent whose mission it is has not started.",
            "Wait until the agent is in `list_agents`, then try again.";
        NotYours: Conflict,
            "Somebody with more authority paused the mission.",
            "Let a person resume it.";
        StopOpen: Conflict,
            "A stop is open on one of the mission's robots.",
            "Release the stop with `release_stop`, then try again.";
        SubMissionsOpen: Conflict,
            "A part of the mission is not completed.",
            "Complete or cancel its parts first.";
        TemplateNotFound: NotFound,
            "There is no template of a mission with this name.",
            "Take one of those that the message names, or give the text as `source`.";
        VersionNotFound: NotFound,
            "No text of the mission with this hash is kept.",
            "Take the hash from `mission_history`.";
    }
}
