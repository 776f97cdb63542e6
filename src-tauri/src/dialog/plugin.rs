//! Elsewhere: the system's message box. It stays until it is answered.

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind, MessageDialogResult};

use super::{Answer, RESTART, STOP_ALL, TEXT, TITLE, WAIT, act};

/// One box at a time, however often the screen freezes behind it.
static ASKING: AtomicBool = AtomicBool::new(false);

/// Puts the box up.
pub fn show(app: &AppHandle) {
    if ASKING.swap(true, Ordering::Relaxed) {
        return;
    }
    let buttons = MessageDialogButtons::YesNoCancelCustom(STOP_ALL.into(), RESTART.into(), WAIT.into());
    let dialog = app.dialog().message(TEXT).title(TITLE).kind(MessageDialogKind::Warning).buttons(buttons);
    let app = app.clone();
    dialog.show_with_result(move |answer| {
        ASKING.store(false, Ordering::Relaxed);
        let chosen = match answer {
            MessageDialogResult::Custom(button) if button == STOP_ALL => Answer::StopAll,
            MessageDialogResult::Custom(button) if button == RESTART => Answer::Restart,
            _closed => Answer::Wait,
        };
        act(&app, chosen);
    });
}

/// A message box cannot be taken away; its text is in the past tense.
pub fn hide(_app: &AppHandle) {}
