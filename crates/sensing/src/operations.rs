//! Operations on worlds and alarms that need nothing but sensing. Those that name an agent are the station's.

mod alarms;
mod cameras;

pub use alarms::rows as alarms;
pub use cameras::rows as cameras;
