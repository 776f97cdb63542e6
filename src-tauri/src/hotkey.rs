//! Ctrl+Alt+End stops all robots, whichever program has the keyboard.

use api::StopShortcut;
use tauri::App;
use tauri_plugin_global_shortcut::{GlobalShortcutExt, ShortcutState};

use crate::{commands, graphics};

/// Far from everything that is typed, and on every keyboard.
const STOP_ALL: &str = "Ctrl+Alt+End";

/// Asks the desktop for the key; the screen says what became of it.
#[must_use]
pub fn register(app: &App) -> StopShortcut {
    // Asked through X11, a Wayland desktop says yes and then hands over the key to X11 windows only.
    if graphics::is_wayland() {
        tracing::warn!("Wayland gives no program a key of other windows: {STOP_ALL} does not stop");
        return StopShortcut::Wayland;
    }
    let registered = app.global_shortcut().on_shortcut(STOP_ALL, |app, _shortcut, event| {
        // Letting go of the key is an event too.
        if event.state == ShortcutState::Pressed {
            commands::stop_all(app);
        }
    });
    match registered {
        Ok(()) => StopShortcut::Registered,
        Err(error) => {
            tracing::warn!(%error, "{STOP_ALL} does not stop");
            StopShortcut::Taken
        }
    }
}
