//! Codes of refusals of the life of a mission.

robot::codes! {
    /// Refusals to activate, pause, resume, complete or cancel a mission.
    pub enum MissionCode {
        MissionCancelled: Conflict,
            "The mission was cancelled, which is final.",
            "Save its text under another id and activate that.";
        MissionEnded: Conflict,
            "The mission is completed, failed or cancelled.",
            "Activate it again if it is to go on.";
        MissionExpired: Conflict,
            "The time of the mission is over.",
            "Activate it again, with a later end if its file names one.";
        NotActivated: Conflict,
            "Nobody has activated the mission.",
            "Activate it first with `activate_mission`.";
        NotYours: Conflict,
            "Somebody with more authority paused the mission.",
            "Let a person resume it.";
        SubMissionsOpen: Conflict,
            "A part of the mission is not completed.",
            "Complete or cancel its parts first.";
        StopOpen: Conflict,
            "A stop is open on one of the mission's robots.",
            "Release the stop with `release_stop`, then try again.";
    }
}
