//! Operations on worlds and alarms that need nothing but sensing. Those that name an agent are the station's.

mod alarms;

pub use alarms::rows as alarms;
