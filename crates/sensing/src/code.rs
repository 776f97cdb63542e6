//! Codes of refusals of sensing.

robot::codes! {
    /// Refusals of what is asked of the world.
    pub enum SensingCode {
        KeyNotFound: NotFound,
            "There is no entry with this key.",
            "Take the key from `list_world_state`.";
        CameraNotFound: NotFound,
            "The robot is unknown, or its manifest declares no camera of this name.",
            "Take robot and camera from `list_robots`.";
        CameraUnreachable: Unavailable,
            "The camera's key cannot be subscribed to.",
            "Read the station's log; look at the camera's `key` in the robot's manifest.";
    }
}
