//! The two commands of the webviews. They add transport and no behaviour: roles, validation and audit are the station's.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use api::{Answer, Api, ErrorBody, Frame, Session, StopShortcut};
use serde_json::Value;
use tauri::async_runtime::{JoinHandle, spawn};
use tauri::ipc::{Channel, Invoke, InvokeBody, Response};
use tauri::{AppHandle, Manager, State, WebviewWindow, Wry};

use crate::window;

/// The state of the windows: the station, the sessions of person and shell, and one stream of frames for each window.
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

    /// The caller's session: the small window may look and stop, whatever its page asks for.
    fn session(&self, window: &WebviewWindow) -> &Session {
        self.session_at(window.label())
    }

    fn session_at(&self, label: &str) -> &Session {
        if label == window::MAIN { &self.person } else { &self.shell }
    }

    /// A window has one stream: a page that loads again takes the place of what it was before.
    fn replace_feed(&self, window: &WebviewWindow, feed: JoinHandle<()>) {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(previous) = feeds.insert(window.label().to_owned(), feed) {
            previous.abort();
        }
    }
}

/// Answers what the pages ask for. A stop is handed on right here, where it arrives: it does not wait until one of the
/// threads that carry out everything else is free.
pub fn handler() -> impl Fn(Invoke<Wry>) -> bool + Send + Sync + 'static {
    let ordinary: Box<dyn Fn(Invoke<Wry>) -> bool + Send + Sync> = Box::new(tauri::generate_handler![call, subscribe]);
    move |invoke| match called(&invoke) {
        Some((name, input)) if api::is_urgent(&name) => {
            stop(invoke, &name, input);
            true
        }
        Some((name, input)) if api::is_spoken(&name) => {
            say(invoke, name, input);
            true
        }
        Some(_) | None => ordinary(invoke),
    }
}

/// The name and the input of the operation that a page calls.
fn called(invoke: &Invoke<Wry>) -> Option<(String, Value)> {
    match invoke.message.payload() {
        InvokeBody::Json(sent) if invoke.message.command() == "call" => asked(sent),
        InvokeBody::Json(_) | InvokeBody::Raw(_) => None,
    }
}

/// The name and the input in a page's message. A stop needs no input.
fn asked(sent: &Value) -> Option<(String, Value)> {
    let name = sent["name"].as_str()?;
    Some((name.to_owned(), sent.get("input").cloned().unwrap_or_default()))
}

/// Stops what the words ask to stop, from right here on; the words themselves wait for a thread.
fn say(invoke: Invoke<Wry>, name: String, input: Value) {
    let Invoke { message, resolver, .. } = invoke;
    let webview = message.webview_ref();
    let Some(desk) = webview.try_state::<Desk>() else {
        return resolver.reject("The station has not started.");
    };
    let (api, session) = (desk.api.clone(), desk.session_at(webview.window().label()).clone());
    let heeding = api.heed(&session, &name, input);
    spawn(async move {
        let answer = match heeding.await {
            Ok(heeded) => api.call_heeded(&session, &name, heeded).await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(value) => resolver.resolve(value),
            Err(error) => resolver.reject(error),
        }
    });
}

fn stop(invoke: Invoke<Wry>, name: &str, input: Value) {
    let Invoke { message, resolver, .. } = invoke;
    let webview = message.webview_ref();
    let Some(desk) = webview.try_state::<Desk>() else {
        return resolver.reject("The station has not started.");
    };
    desk.api.act_at_once(desk.session_at(webview.window().label()), name, input, move |answer| match answer {
        Ok(value) => resolver.resolve(value),
        Err(error) => resolver.reject(error),
    });
}

/// Runs the operation `name`; an error carries a stable code and a sentence.
#[tauri::command]
pub async fn call(
    desk: State<'_, Desk>,
    window: WebviewWindow,
    name: String,
    input: Value,
) -> Result<Response, ErrorBody> {
    let session = desk.session(&window);
    if api::answers_picture(&name) {
        return desk.api.call_for_picture(session, &name, input).await.map(answered);
    }
    desk.api.call(session, &name, input).await.map(|answer| answered(Answer::Json(answer)))
}

/// An answer as the page takes it: a value, or the bytes of a picture.
fn answered(answer: Answer) -> Response {
    match answer {
        Answer::Json(value) => Response::new(value.to_string()),
        Answer::Jpeg(file) => Response::new(file),
    }
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
    api.act_at_once(&session, "stop_all", serde_json::json!({}), |answer| {
        if let Err(error) = answer {
            tracing::error!(code = error.code, "STOP ALL was refused");
        }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stop_without_an_input_is_a_stop() {
        for (sent, input) in [
            (json!({ "name": "stop_all" }), Value::Null),
            (json!({ "name": "stop_all", "input": null }), Value::Null),
            (json!({ "name": "stop_robot", "input": { "robot": "arm-1" } }), json!({ "robot": "arm-1" })),
        ] {
            let name = sent["name"].as_str().unwrap().to_owned();
            assert_eq!(asked(&sent), Some((name, input)));
        }
        assert_eq!(asked(&json!({ "input": {} })), None);
    }
}
