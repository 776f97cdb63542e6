//! Operations on worlds and alarms that need nothing but sensing. Those that name an agent are the station's.

mod alarms;
mod cameras;
mod maps;

pub use alarms::rows as alarms;
pub use cameras::rows as cameras;
pub use maps::rows as maps;
