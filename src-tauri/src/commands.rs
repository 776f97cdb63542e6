//! The two commands of the webview. They add transport and no behaviour: roles, validation and audit are the station's.

use std::sync::{Mutex, PoisonError};

use api::{Api, ErrorBody, Frame, Session};
use serde_json::Value;
use tauri::async_runtime::{JoinHandle, spawn};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State};

/// What the window works with: the station, who sits at it, and its one stream of frames.
pub struct Desk {
    api: Api,
    session: Session,
    feed: Mutex<Option<JoinHandle<()>>>,
}

impl Desk {
    /// The desk of the process's own window.
    #[must_use]
    pub fn new(api: Api) -> Self {
        Self { api, session: Session::app_window(), feed: Mutex::new(None) }
    }

    /// Stops the station; returns when its last task has ended.
    pub async fn shutdown(&self) {
        self.api.shutdown().await;
    }

    /// A window has one stream: a page that loads again takes the place of what it was before.
    fn replace_feed(&self, feed: JoinHandle<()>) {
        let mut current = self.feed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(previous) = current.replace(feed) {
            previous.abort();
        }
    }
}

/// Runs the operation `name`; an error carries a stable code and a sentence.
#[tauri::command]
pub async fn call(desk: State<'_, Desk>, name: String, input: Value) -> Result<Value, ErrorBody> {
    desk.api.call(&desk.session, &name, input).await
}

/// Sends frames into `channel` until the station shuts down, the page goes, or it subscribes again.
#[tauri::command]
pub fn subscribe(desk: State<'_, Desk>, channel: Channel<Frame>) {
    let (api, session) = (desk.api.clone(), desk.session.clone());
    desk.replace_feed(spawn(async move {
        let mut frames = api.subscribe(&session); // here, because its timer belongs to the runtime
        while let Some(frame) = frames.next().await {
            if let Err(error) = channel.send(frame) {
                tracing::debug!(%error, "the page no longer takes frames");
                return;
            }
        }
    }));
}

/// Presses STOP ALL, like the button in the window.
pub fn stop_all(app: &AppHandle) {
    let Some(desk) = app.try_state::<Desk>() else { return };
    let (api, session) = (desk.api.clone(), desk.session.clone());
    spawn(async move {
        if let Err(error) = api.call(&session, "stop_all", serde_json::json!({})).await {
            tracing::error!(code = error.code, "STOP ALL was refused");
        }
    });
}
