//! Codes of refusals of sensing.

robot::codes! {
    /// Refusals of what is asked of the world.
    pub enum SensingCode {
        KeyNotFound: NotFound,
            "There is no entry with this key.",
            "Take the key from `list_world_state`.";
    }
}
