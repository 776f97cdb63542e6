//! Watches over the page from outside it: what the station says of its screen and of stops goes to the tray, and a
//! frozen screen is told by a dialog that needs no page.

use api::{Api, Fact, Session};
use serde_json::json;
use tauri::AppHandle;

use crate::dialog;
use crate::tray::Tray;
use crate::tray_status::TrayStatus;

/// Follows the station until it ends. Without a tray the dialog still comes.
pub async fn run(app: AppHandle, (api, session): (Api, Session), tray: Option<Tray>) {
    // Before the state is read: what happens in between arrives as a fact.
    let mut frames = api.subscribe(&session);
    let mut tray_status = TrayStatus::default();
    read(&api, &session, &mut tray_status).await;
    loop {
        if let Some(Err(error)) = tray.as_ref().map(|tray| tray.show(&tray_status)) {
            tracing::warn!(%error, "the tray does not show what is true");
        }
        let (words, frozen) = (tray_status.words(), tray_status.frozen());
        while tray_status.words() == words {
            let Some(frame) = frames.next().await else { return };
            for fact in frame.facts {
                if fact == Fact::Resync {
                    read(&api, &session, &mut tray_status).await;
                } else {
                    tray_status.note(fact);
                }
            }
            if tray_status.unread() {
                read(&api, &session, &mut tray_status).await;
            }
        }
        match (frozen, tray_status.frozen()) {
            (false, true) => dialog::show(&app),
            (true, false) => dialog::hide(&app),
            (true, true) | (false, false) => {}
        }
    }
}

async fn read(api: &Api, session: &Session, tray_status: &mut TrayStatus) {
    let answer = api.call(session, "safety_status", json!({})).await.map(serde_json::from_value);
    let problem = match answer {
        Ok(Ok(status)) => return tray_status.note_status(status),
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.code.to_string(),
    };
    if tray_status.note_unread() {
        tracing::error!(problem, "the state of stops is not known");
    }
}
