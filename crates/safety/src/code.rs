//! Codes of refusals to arm a robot.

robot::codes! {
    /// Refusals to arm a robot because of its limits or its measured state.
    pub enum SafetyCode {
        EmptySet: Conflict,
            "The robot's limits are not complete.",
            "Register the limits that the message names, or let an Admin call `grant_unconstrained`.";
        InconsistentSet: Conflict,
            "The robot's limits leave no room to move, or the robot is outside them.",
            "Change the limit that the message names, or give a reason to arm the robot only to escape from there.";
        NoFreshPose: Conflict,
            "The robot's position is not known.",
            "Start the pose source that the message names, and arm the robot when it reports.";
        SourceSilent: Conflict,
            "A source that the robot's manifest declares does not report.",
            "Start the source that the message names, or correct the manifest.";
    }
}
