//! On Linux: one window of GTK, made once and then shown and hidden.

use std::cell::OnceCell;

use gtk::prelude::*;
use gtk::{MessageDialog, MessageType, ResponseType, WindowPosition};
use tauri::AppHandle;

use super::{Answer, RESTART, STOP_ALL, TEXT, TITLE, WAIT, act};

thread_local! {
    /// Of the main thread, which alone may touch it.
    static DIALOG: OnceCell<MessageDialog> = const { OnceCell::new() };
}

/// Puts the dialog before all windows.
pub fn show(app: &AppHandle) {
    let owner = app.clone();
    on_main_thread(app, move || DIALOG.with(|dialog| dialog.get_or_init(|| make(owner)).present()));
}

/// Takes it away: the screen answers again.
pub fn hide(app: &AppHandle) {
    on_main_thread(app, || DIALOG.with(|dialog| dialog.get().map_or((), WidgetExt::hide)));
}

fn on_main_thread(app: &AppHandle, work: impl FnOnce() + Send + 'static) {
    if let Err(error) = app.run_on_main_thread(work) {
        tracing::warn!(%error, "the dialog about the screen is out of reach");
    }
}

fn make(app: AppHandle) -> MessageDialog {
    let dialog = MessageDialog::builder()
        .title(TITLE)
        .text(TITLE)
        .secondary_text(TEXT)
        .message_type(MessageType::Warning)
        // A modal one would keep the pointer from STOP ALL in every window of the app.
        .modal(false)
        .window_position(WindowPosition::Center)
        .build();
    dialog.set_keep_above(true);
    for (answer, label) in [(Answer::StopAll, STOP_ALL), (Answer::Restart, RESTART), (Answer::Wait, WAIT)] {
        dialog.add_button(label, ResponseType::Other(answer as u16));
    }
    dialog.connect_response(move |dialog, response| {
        dialog.hide();
        let answers = [Answer::StopAll, Answer::Restart];
        let chosen = answers.into_iter().find(|answer| response == ResponseType::Other(*answer as u16));
        act(&app, chosen.unwrap_or(Answer::Wait));
    });
    dialog.connect_delete_event(|dialog, _event| {
        dialog.hide();
        gtk::glib::Propagation::Stop // closed is not gone: it is shown again
    });
    dialog
}
