//! The two commands of the webviews. They add transport and no behaviour: roles, validation and audit are the
//! station's, here or elsewhere.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use api::{Answer, Api, DeskAct, ErrorBody, HostCode, Session, StopShortcut, lock};
use remote::{FeedItem, RemoteStation, Stations};
use serde_json::{Value, json};
use tauri::async_runtime::{JoinHandle, spawn};
use tauri::ipc::{Channel, Invoke, InvokeBody, InvokeResponseBody, Response};
use tauri::{AppHandle, Manager, State, WebviewWindow, Wry};
use tokio::sync::oneshot;

use crate::window;

/// The operation that is tried until a station elsewhere has it.
const STOP_ALL: &str = "stop_all";
/// Operations that lock the desk at both stations, the shown one and this computer's own.
const OF_BOTH: [&str; 2] = ["lock_screen", "unlock_screen"];
/// Operations that the small window may call at a station elsewhere, besides those that end motion.
const OF_STOP_WINDOW: [&str; 2] = ["session_info", "safety_status"];

/// The state of the windows: the station, the stations elsewhere, the sessions of person and shell, and one stream of
/// frames for each window.
pub struct Desk {
    api: Api,
    stations: Stations,
    person: Session,
    shell: Session,
    feeds: Mutex<BTreeMap<String, JoinHandle<()>>>,
}

impl Desk {
    /// The desk of the process's own windows.
    #[must_use]
    pub fn new(api: Api, stations: Stations, stop_shortcut: StopShortcut) -> Self {
        let person = Session::app_window().with_stop_shortcut(stop_shortcut);
        Self { api, stations, person, shell: Session::app_shell(), feeds: Mutex::default() }
    }

    /// The station, and the session of what the shell does itself.
    #[must_use]
    pub fn shell(&self) -> (Api, Session) {
        (self.api.clone(), self.shell.clone())
    }

    /// Stops the station; returns when its last task has ended.
    pub async fn shutdown(&self) {
        if let Some(remote) = self.stations.shown().filter(|remote| remote.is_stopping()) {
            tracing::error!(station = %remote.station(), "the app ends, and STOP ALL is NOT delivered to that station");
        }
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
        let mut feeds = lock(&self.feeds);
        if let Some(previous) = feeds.insert(window.label().to_owned(), feed) {
            previous.abort();
        }
    }

    /// No window follows the station that was shown before.
    fn end_feeds(&self) {
        let feeds = std::mem::take(&mut *lock(&self.feeds));
        feeds.into_values().for_each(|feed| feed.abort());
    }

    /// An act of the person about stations elsewhere.
    async fn act(&self, window: &WebviewWindow, input: Value) -> Result<Response, ErrorBody> {
        let act: DeskAct = serde_json::from_value(input)
            .map_err(|error| ErrorBody::new(HostCode::BadRequest, format!("No act of the desk: {error}.")))?;
        if window.label() != window::MAIN && !matches!(act, DeskAct::Status {}) {
            return Err(ErrorBody::new(HostCode::NotFound, "Only the main window chooses a station."));
        }
        // Before anything is done with it: an error of the connection could quote the token.
        if let DeskAct::Connect { token, .. } = &act {
            self.api.hide(token.expose());
        }
        let before = self.stations.shown();
        let status = self.stations.act(act, self.person.is_locked()).await?;
        if !is_same(before.as_ref(), self.stations.shown().as_ref()) {
            // Frames of the station before would mix with those of the one that is shown.
            self.end_feeds();
            window::reload_others(window);
        }
        Ok(Response::new(json!(status).to_string()))
    }

    /// A call for the station elsewhere that is shown.
    async fn call_remote(
        &self,
        remote: &RemoteStation,
        window: &WebviewWindow,
        name: &str,
        input: &Value,
    ) -> Result<Response, ErrorBody> {
        if window.label() != window::MAIN && !OF_STOP_WINDOW.contains(&name) {
            return Err(ErrorBody::new(HostCode::NotFound, "The small window looks and stops, and nothing else."));
        }
        if OF_BOTH.contains(&name) {
            // This station first: one elsewhere that does not answer keeps nobody from locking this desk.
            self.api.call(&self.person, name, json!({})).await?;
        }
        remote.call(name, input).await.map(answered)
    }
}

/// True if both are the same link to the same station, or both none.
fn is_same(before: Option<&Arc<RemoteStation>>, now: Option<&Arc<RemoteStation>>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => Arc::ptr_eq(before, now),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Answers what the pages ask for. A stop is handed on right here, where it arrives: it does not wait until one of the
/// threads that carry out everything else is free.
pub fn handler() -> impl Fn(Invoke<Wry>) -> bool + Send + Sync + 'static {
    let ordinary: Box<dyn Fn(Invoke<Wry>) -> bool + Send + Sync> = Box::new(tauri::generate_handler![call, subscribe]);
    move |invoke| match called(&invoke) {
        Some((name, input)) if api::is_urgent(&name) => {
            stop(invoke, name, input);
            true
        }
        Some((name, input)) if api::is_spoken(&name) => match say(invoke, name, input) {
            Some(invoke) => ordinary(invoke),
            None => true,
        },
        Some(_) | None => ordinary(invoke),
    }
}

/// The name and the input of a stop, or of words that may hold one. Of everything else nothing is copied here.
fn called(invoke: &Invoke<Wry>) -> Option<(String, Value)> {
    match invoke.message.payload() {
        InvokeBody::Json(sent) if invoke.message.command() == "call" => asked(sent),
        InvokeBody::Json(_) | InvokeBody::Raw(_) => None,
    }
}

/// The name and the input in a page's message. A stop needs no input.
fn asked(sent: &Value) -> Option<(String, Value)> {
    let name = sent["name"].as_str().filter(|name| api::is_urgent(name) || api::is_spoken(name))?;
    Some((name.to_owned(), sent.get("input").cloned().unwrap_or_default()))
}

/// Stops what the words ask to stop, from right here on; the words themselves wait for a thread. A station elsewhere
/// searches its words itself: the call is given back.
fn say(invoke: Invoke<Wry>, name: String, input: Value) -> Option<Invoke<Wry>> {
    let desk = invoke.message.webview_ref().try_state::<Desk>();
    if desk.is_some_and(|desk| desk.stations.shown().is_some()) {
        return Some(invoke);
    }
    let Invoke { message, resolver, .. } = invoke;
    let webview = message.webview_ref();
    let Some(desk) = webview.try_state::<Desk>() else {
        resolver.reject("The station has not started.");
        return None;
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
    None
}

fn stop(invoke: Invoke<Wry>, name: String, input: Value) {
    let Invoke { message, resolver, .. } = invoke;
    let webview = message.webview_ref();
    let Some(desk) = webview.try_state::<Desk>() else {
        return resolver.reject("The station has not started.");
    };
    // The button belongs to the station that is shown. Key and tray show none, and stop both (decision 0180).
    if let Some(remote) = desk.stations.shown() {
        spawn(async move {
            match stop_remote(&remote, &name, input).await {
                Ok(value) => resolver.resolve(value),
                Err(error) => resolver.reject(error),
            }
        });
        return;
    }
    desk.api.act_at_once(desk.session_at(webview.window().label()), &name, input, move |answer| match answer {
        Ok(value) => resolver.resolve(value),
        Err(error) => resolver.reject(error),
    });
}

async fn stop_remote(remote: &RemoteStation, name: &str, input: Value) -> Result<Value, ErrorBody> {
    if name == STOP_ALL {
        return remote.press_stop(name, input).await;
    }
    remote.call_urgently(name, &input).await.map(|answer| match answer {
        Answer::Json(value) => value,
        Answer::Jpeg(_) => Value::Null,
    })
}

/// Runs the operation `name`; an error carries a stable code and a sentence.
#[tauri::command]
pub async fn call(
    desk: State<'_, Desk>,
    window: WebviewWindow,
    name: String,
    input: Value,
) -> Result<Response, ErrorBody> {
    if name == api::DESK {
        return desk.act(&window, input).await;
    }
    if let Some(remote) = desk.stations.shown() {
        return desk.call_remote(&remote, &window, &name, &input).await;
    }
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

/// Sends frames into `channel`, and between them if the station is there, until the station shuts down, the page goes,
/// or it subscribes again.
#[tauri::command]
pub fn subscribe(desk: State<'_, Desk>, window: WebviewWindow, channel: Channel<InvokeResponseBody>) {
    let send = move |item: FeedItem| {
        let item = match item {
            FeedItem::Connected(connected) => json!({ "connected": connected }),
            FeedItem::Frame(frame) => frame,
        };
        let sent = channel.send(InvokeResponseBody::Json(item.to_string()));
        sent.inspect_err(|error| tracing::debug!(%error, "the page no longer takes frames")).is_ok()
    };
    let feed = match desk.stations.shown() {
        Some(remote) => spawn(async move { remote.feed(send).await }),
        None => {
            let (api, session) = (desk.api.clone(), desk.session(&window).clone());
            spawn(async move {
                // Here, because its timer belongs to the runtime.
                let mut frames = api.subscribe(&session);
                send(FeedItem::Connected(true));
                while let Some(frame) = frames.next().await {
                    if !send(FeedItem::Frame(json!(frame))) {
                        return;
                    }
                }
            })
        }
    };
    desk.replace_feed(&window, feed);
}

/// A stop that was asked for before there was a desk to press it at.
#[derive(Default)]
struct EarlyStop(AtomicBool);

impl EarlyStop {
    /// Keeps it until there is a desk. True if one has come meanwhile, and the stop is to be pressed now.
    fn ask(&self, has_desk: impl FnOnce() -> bool) -> bool {
        self.0.store(true, Ordering::SeqCst);
        has_desk() && self.take()
    }

    /// True, once, if it was asked for.
    fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

static EARLY_STOP: EarlyStop = EarlyStop(AtomicBool::new(false));
const STARTING: &str = "NOT STOPPED: the app is starting; STOP ALL is pressed as soon as its station is there";

/// Presses the stop that was asked for while the station started.
pub fn stop_as_asked(app: &AppHandle) {
    if EARLY_STOP.take() {
        stop_all(app);
    }
}

/// Presses STOP ALL, like the button in the window: at this computer's own station and at the one that is shown.
pub fn stop_all(app: &AppHandle) {
    // Pressed by now. Nobody behind a key or the tray reads the answer; the log and the window have it.
    drop(press_stop_all(app));
}

/// The same, and what both stations have answered, in words. The press itself waits for nobody.
pub fn press_stop_all(app: &AppHandle) -> impl Future<Output = Result<String, String>> + Send + use<> {
    let desk = app.try_state::<Desk>().or_else(|| {
        tracing::error!("{STARTING}");
        let is_asked = EARLY_STOP.ask(|| app.try_state::<Desk>().is_some());
        is_asked.then(|| app.try_state::<Desk>()).flatten()
    });
    let pressed = desk.map(|desk| press_at(app, &desk));
    async move {
        let Some((here, elsewhere)) = pressed else { return Err(STARTING.to_owned()) };
        let here = here.await.map_err(|_| "NOT STOPPED: the station ends")?;
        let elsewhere = match elsewhere {
            Some(answer) => Some(answer.await.map_err(|error| format!("nobody knows if it stops: {error}"))?),
            None => None,
        };
        told(here, elsewhere)
    }
}

/// A station's answer to STOP ALL.
type StopAnswer = Result<Value, ErrorBody>;

fn press_at(app: &AppHandle, desk: &Desk) -> (oneshot::Receiver<StopAnswer>, Option<JoinHandle<StopAnswer>>) {
    let (api, session) = desk.shell();
    let (answered, here) = oneshot::channel();
    // First the station of this computer, which waits for no network.
    api.act_at_once(&session, STOP_ALL, json!({}), |answer| {
        if let Err(error) = &answer {
            tracing::error!(code = error.code, "STOP ALL was refused");
        }
        // Behind a key or the tray nobody waits for it.
        let _ = answered.send(answer);
    });
    let elsewhere = desk.stations.shown().map(|remote| {
        // The window shows what becomes of the stop.
        window::raise(app);
        spawn(async move {
            let answer = remote.press_stop(STOP_ALL, json!({})).await;
            answer.inspect_err(|error| {
                tracing::error!(code = error.code, "STOP ALL has not reached the station elsewhere");
            })
        })
    });
    (here, elsewhere)
}

/// The outcome of a stop at both stations: it counts only if both have it.
fn told(here: StopAnswer, elsewhere: Option<StopAnswer>) -> Result<String, String> {
    let here = here.map_err(|error| format!("NOT STOPPED at this computer's station: {}", error.message));
    let elsewhere = elsewhere.transpose().map_err(|error| error.message);
    match (here, elsewhere) {
        (Ok(stop), Ok(other)) => {
            let also = if other.is_some() { ", and at the station that is shown" } else { "" };
            Ok(format!("STOP ALL is pressed (stop {}){also}. The window shows how the robots answer.", stop["stop_id"]))
        }
        (Err(here), Ok(_)) => Err(here),
        (Ok(_), Err(elsewhere)) => Err(elsewhere),
        (Err(here), Err(elsewhere)) => Err(format!("{here} {elsewhere}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_that_is_asked_for_before_there_is_a_desk_is_pressed_once_there_is_one() {
        let early = EarlyStop::default();
        assert!(!early.take());
        assert!(!early.ask(|| false), "there is nothing to press it at");
        assert_eq!((early.take(), early.take()), (true, false));
        assert!(early.ask(|| true), "the desk came while it was asked for");
        assert!(!early.take());
    }

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
        for other in [json!({ "input": {} }), json!({ "name": "list_robots", "input": {} })] {
            assert_eq!(asked(&other), None);
        }
    }

    #[test]
    fn a_stop_counts_only_if_every_station_that_was_asked_has_it() {
        let stop = || Ok(json!({ "stop_id": 7 }));
        let lost = || Err(ErrorBody::new(HostCode::StopNotDelivered, "STOP ALL is NOT delivered to lab."));
        let failed = || Err(ErrorBody::new(HostCode::Internal, "The station ends."));
        assert!(told(stop(), None).unwrap().starts_with("STOP ALL is pressed (stop 7). "));
        assert!(told(stop(), Some(stop())).unwrap().contains("and at the station that is shown"));
        assert_eq!(told(stop(), Some(lost())).unwrap_err(), "STOP ALL is NOT delivered to lab.");
        let both = told(failed(), Some(lost())).unwrap_err();
        assert!(both.starts_with("NOT STOPPED at this computer's station: The station ends. STOP ALL"), "{both}");
    }
}
