//! Operations on robots that need nothing but the fleet. Those that ask a person, or name an agent, are the station's.

mod commissioning;
mod control;
mod limits;
mod motion;
mod robots;
mod stops;

pub use commissioning::rows as commissioning;
pub use control::rows as control;
pub use limits::rows as limits;
pub use motion::rows as motion;
pub use robots::rows as robots;
pub use stops::rows as stops;
