//! The two commands of the webviews. They add transport and no behaviour: roles, validation and audit are the station's.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use api::{Api, ErrorBody, Frame, Session, StopShortcut};
use serde_json::Value;
use tauri::async_runtime::{JoinHandle, spawn};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State, WebviewWindow};

use crate::window;

/// What the windows work with: the station, who sits at it, and one stream of frames for each window.
pub struct Desk {
    api: Api,
    person: Session,
    shell: Session,
    feeds: Mutex<BTreeMap<String, JoinHandle<()>>>,
}

impl Desk {
    /// The desk of the process's own windows.
    #[must_use]
    pub fn new(api: Api, stop_shortcut: StopShortcut) -> Self {
        let person = Session::app_window().with_stop_shortcut(stop_shortcut);
        Self { api, person, shell: Session::app_shell(), feeds: Mutex::default() }
    }

    /// The station, and the session of what the shell does itself.
    #[must_use]
    pub fn shell(&self) -> (Api, Session) {
        (self.api.clone(), self.shell.clone())
    }

    /// Stops the station; returns when its last task has ended.
    pub async fn shutdown(&self) {
        self.api.shutdown().await;
    }

    /// Who calls: the small window may look and stop, whatever its page asks for.
    fn session(&self, window: &WebviewWindow) -> &Session {
        if window.label() == window::MAIN { &self.person } else { &self.shell }
    }

    /// A window has one stream: a page that loads again takes the place of what it was before.
    fn replace_feed(&self, window: &WebviewWindow, feed: JoinHandle<()>) {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(previous) = feeds.insert(window.label().to_owned(), feed) {
            previous.abort();
        }
    }
}

/// Runs the operation `name`; an error carries a stable code and a sentence.
#[tauri::command]
pub async fn call(
    desk: State<'_, Desk>,
    window: WebviewWindow,
    name: String,
    input: Value,
) -> Result<Value, ErrorBody> {
    desk.api.call(desk.session(&window), &name, input).await
}

/// Sends frames into `channel` until the station shuts down, the page goes, or it subscribes again.
#[tauri::command]
pub fn subscribe(desk: State<'_, Desk>, window: WebviewWindow, channel: Channel<Frame>) {
    let (api, session) = (desk.api.clone(), desk.session(&window).clone());
    let feed = spawn(async move {
        let mut frames = api.subscribe(&session); // here, because its timer belongs to the runtime
        while let Some(frame) = frames.next().await {
            if let Err(error) = channel.send(frame) {
                tracing::debug!(%error, "the page no longer takes frames");
                return;
            }
        }
    });
    desk.replace_feed(&window, feed);
}

/// Presses STOP ALL, like the button in the window.
pub fn stop_all(app: &AppHandle) {
    let Some(desk) = app.try_state::<Desk>() else { return };
    let (api, session) = desk.shell();
    spawn(async move {
        if let Err(error) = api.call(&session, "stop_all", serde_json::json!({})).await {
            tracing::error!(code = error.code, "STOP ALL was refused");
        }
    });
}
