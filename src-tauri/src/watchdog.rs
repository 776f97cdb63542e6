//! Watches over the page from outside it: what the station says of its screen and of stops goes to the tray, and a
//! frozen screen is told by a dialog that needs no page.

use api::{Api, Fact, Session};
use serde_json::json;
use tauri::AppHandle;

use crate::dialog;
use crate::outlook::Outlook;
use crate::tray::Tray;

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
        while outlook.words() == words {
            let Some(frame) = frames.next().await else { return };
            for fact in frame.facts {
                if fact == Fact::Resync {
                    read(&api, &session, &mut outlook).await;
                } else {
                    outlook.note(fact);
                }
            }
        }
        match (frozen, outlook.frozen()) {
            (false, true) => dialog::show(&app),
            (true, false) => dialog::hide(&app),
            (true, true) | (false, false) => {}
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
