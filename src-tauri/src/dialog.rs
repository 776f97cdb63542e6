//! The dialog that says that the screen is frozen. It needs no page, and takes nothing from the app's other windows.

#[cfg_attr(target_os = "linux", path = "dialog/gtk.rs")]
#[cfg_attr(not(target_os = "linux"), path = "dialog/plugin.rs")]
mod platform;

use tauri::AppHandle;

use crate::{commands, window};

pub use platform::{hide, show};

const TITLE: &str = "Quarterdeck: screen frozen";
const TEXT: &str = "The screen of Quarterdeck stopped answering. What it shows is old; robots go on as they were. \
    While nobody sees another screen, the agent only reads.\n\n\
    STOP ALL asks the robots' software to stop. Restarting the screen stops nothing.";

const STOP_ALL: &str = "STOP ALL";
const RESTART: &str = "Restart screen";
const WAIT: &str = "Wait";

/// The operator's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    StopAll,
    Restart,
    Wait,
}

fn act(app: &AppHandle, answer: Answer) {
    match answer {
        Answer::StopAll => commands::stop_all(app),
        Answer::Restart => window::restart(app),
        Answer::Wait => {}
    }
}
