//! The shell's knowledge without its page: open stops, and a frozen screen. The station says both.

use std::collections::{BTreeMap, BTreeSet};

use api::{APP_WINDOW, Fact, SafetyStatus, Stop};

/// The newest the station said.
#[derive(Debug, Default)]
pub struct TrayStatus {
    frozen: bool,
    /// The station did not say which stops are open.
    unread: bool,
    stops: BTreeMap<u64, Stop>,
    /// Every robot that the station knows.
    robots: BTreeSet<String>,
}

/// The tray's words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Beside the icon; none while all is normal.
    pub title: Option<&'static str>,
    /// The first line of the menu.
    pub line: String,
}

impl TrayStatus {
    /// Takes in a snapshot; facts alone tell whether the screen is frozen.
    pub fn note_status(&mut self, status: SafetyStatus) {
        self.unread = false;
        self.robots = status.robots.iter().map(|robot| robot.robot.to_string()).collect();
        self.stops = status.stops.into_iter().map(|stop| (stop.stop_id, stop)).collect();
    }

    /// Takes in that the station told nothing; true if that is news.
    pub fn note_unread(&mut self) -> bool {
        !std::mem::replace(&mut self.unread, true)
    }

    /// True if the station did not say which stops are open.
    #[must_use]
    pub fn unread(&self) -> bool {
        self.unread
    }

    /// Takes in what happened.
    pub fn note(&mut self, fact: Fact) {
        if let Fact::Screen { session, frozen, .. } = fact {
            self.frozen = if session == APP_WINDOW { frozen } else { self.frozen };
        } else if let Fact::RobotSafety { safety } = fact {
            self.robots.insert(safety.robot.to_string());
        } else if let Fact::RobotRemoved { robot, .. } = fact {
            self.robots.remove(robot.as_str());
        } else if let Fact::Stop { stop } = fact {
            // What has ended goes with the next stop, so that the map stays small.
            self.stops.retain(|_, stop| stop.open);
            self.stops.insert(stop.stop_id, stop);
        }
    }

    /// True if the app's window shows nothing new any more.
    #[must_use]
    pub fn frozen(&self) -> bool {
        self.frozen
    }

    /// Human-readable, for the tray.
    #[must_use]
    pub fn words(&self) -> Words {
        let stop = self.stop_words();
        match (self.frozen, stop) {
            (true, Some((_, stop))) => {
                Words { title: Some("SCREEN FROZEN"), line: format!("Screen frozen – restart it · {stop}") }
            }
            (true, None) => {
                Words { title: Some("SCREEN FROZEN"), line: "Screen frozen – STOP ALL or restart it".to_owned() }
            }
            (false, Some((title, line))) => Words { title: Some(title), line },
            (false, None) if self.unread => {
                Words { title: Some("STOPS UNKNOWN"), line: "Whether a stop is open is not known".to_owned() }
            }
            (false, None) => Words { title: None, line: "No stop is open".to_owned() },
        }
    }

    /// The state of all open stops, as the button in the window says it: counted over every robot, and stopped only
    /// where none of them is free. None if no stop is open.
    fn stop_words(&self) -> Option<(&'static str, String)> {
        let open = || self.stops.values().filter(|stop| stop.open);
        open().next()?;
        // In rising order, so that the newest stop that names a robot speaks for it.
        let robots: BTreeMap<_, _> = open()
            .flat_map(|stop| stop.robots.iter().filter(|robot| !robot.released))
            .map(|robot| (&robot.robot, robot))
            .collect();
        let missing = robots.values().filter(|robot| robot.not_confirmed).count();
        let acknowledged = robots.values().filter(|robot| robot.acked_after_ms.is_some()).count();
        let free =
            self.robots.iter().filter(|robot| !robots.keys().any(|held| held.as_str() == robot.as_str())).count();
        let total = robots.len() + free;
        let line = match missing {
            0 if free > 0 => format!("{acknowledged} of {total} stopped – STOP ALL stops the others"),
            0 if acknowledged < total => format!("STOPPING {acknowledged}/{total}"),
            0 => format!("STOPPED {acknowledged}/{total}"),
            missing => format!("{missing} NOT CONFIRMED – use the hardware stop"),
        };
        Some((if free > 0 { "PARTLY STOPPED" } else { "STOPPED" }, line))
    }
}

#[cfg(test)]
mod tests;
