//! Watches over the page from outside it: what the station says of its screen and of stops goes to the tray, and a
//! frozen screen is told by a dialog that needs no page.

use std::sync::atomic::{AtomicBool, Ordering};

use api::{Api, Fact, Session};
use serde_json::json;
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind, MessageDialogResult};

use crate::outlook::Outlook;
use crate::tray::Tray;
use crate::{commands, window};

const STOP_ALL: &str = "STOP ALL";
const RESTART: &str = "Restart screen";
const WAIT: &str = "Wait";

/// In the past tense: the dialog stays when the screen comes back.
const FROZEN: &str = "The screen of Quarterdeck stopped answering. What it shows is old, and robots carry on. \
    The agent only reads until the screen is back.\n\n\
    STOP ALL asks the robots' software to stop. Restarting the screen stops nothing.";

/// One dialog at a time, however often the screen freezes behind it.
static ASKING: AtomicBool = AtomicBool::new(false);

/// Follows the station until it ends. Without a tray the dialog still comes.
pub async fn run(app: AppHandle, (api, session): (Api, Session), tray: Option<Tray>) {
    let mut frames = api.subscribe(&session);
    let mut outlook = Outlook::default();
    read(&api, &session, &mut outlook).await;
    loop {
        if let Some(Err(error)) = tray.as_ref().map(|tray| tray.show(&outlook)) {
            tracing::warn!(%error, "the tray does not show what is true");
        }
        let (words, frozen) = (outlook.words(), outlook.frozen());
        while outlook.words() == words && outlook.frozen() == frozen {
            let Some(frame) = frames.next().await else { return };
            for fact in frame.facts {
                if fact == Fact::Resync {
                    read(&api, &session, &mut outlook).await;
                } else {
                    outlook.note(fact);
                }
            }
        }
        if outlook.frozen() && !frozen {
            ask(&app);
        }
    }
}

async fn read(api: &Api, session: &Session, outlook: &mut Outlook) {
    let answer = api.call(session, "safety_status", json!({})).await.map(serde_json::from_value);
    match answer {
        Ok(Ok(status)) => outlook.note_status(status),
        Ok(Err(error)) => tracing::error!(%error, "the state of stops cannot be read"),
        Err(error) => tracing::error!(code = error.code, "the state of stops is not told"),
    }
}

/// Says that the screen is frozen, and offers what helps.
fn ask(app: &AppHandle) {
    if ASKING.swap(true, Ordering::Relaxed) {
        return;
    }
    let buttons = MessageDialogButtons::YesNoCancelCustom(STOP_ALL.into(), RESTART.into(), WAIT.into());
    let dialog = app.dialog().message(FROZEN).title("Quarterdeck: screen frozen");
    let app = app.clone();
    dialog.kind(MessageDialogKind::Warning).buttons(buttons).show_with_result(move |answer| {
        ASKING.store(false, Ordering::Relaxed);
        match answer {
            MessageDialogResult::Custom(button) if button == STOP_ALL => commands::stop_all(&app),
            MessageDialogResult::Custom(button) if button == RESTART => window::restart(&app),
            _closed => {}
        }
    });
}
