//! The windows: the main one, and on demand a small one that stops. Each shows the app's own page, and nothing leads
//! away from it.

use anyhow::Context;
use tauri::webview::NewWindowResponse;
use tauri::{App, AppHandle, Manager, Runtime, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};

/// Label of the main window, the one its capability names.
pub const MAIN: &str = "main";
/// Label of the small window. Its session may look and stop.
const STOP: &str = "stop";

/// Room for the button and the line about what it is not, in logical pixels.
const STOP_SIZE: (f64, f64) = (320.0, 180.0);

/// Opens the main window as `tauri.conf.json` describes it.
///
/// # Errors
/// The configuration lacks the window, or the desktop refuses it.
pub fn open(app: &App) -> anyhow::Result<()> {
    let windows = &app.config().app.windows;
    let config = windows.iter().find(|window| window.label == MAIN).context("tauri.conf.json has no main window")?;
    let window = confined(WebviewWindowBuilder::from_config(app, config)?).build()?;
    let app = app.handle().clone();
    window.on_window_event(move |event| {
        // The app is its main window: a small one left open must not keep it running unseen.
        if let WindowEvent::Destroyed = event {
            app.exit(0);
        }
    });
    Ok(())
}

/// Opens the small window above all others, or brings it back.
pub fn open_stop(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(STOP) {
        return to_front(&window);
    }
    let builder = WebviewWindowBuilder::new(app, STOP, WebviewUrl::App("stop.html".into()))
        .title("STOP ALL")
        .inner_size(STOP_SIZE.0, STOP_SIZE.1)
        .resizable(false)
        .maximizable(false)
        .always_on_top(true)
        .visible_on_all_workspaces(true);
    if let Err(error) = confined(builder).build() {
        tracing::error!(%error, "the stop window could not be opened");
    }
}

/// Brings the main window to the front.
pub fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        to_front(&window);
    }
}

/// Loads the page of the main window anew, also if it hangs.
pub fn restart(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    tracing::warn!("the screen is restarted");
    if let Err(error) = end_page(&window).and_then(|()| window.reload()) {
        tracing::error!(%error, "the screen could not be restarted");
    }
}

/// Loads the pages of the other windows anew: they show another station. The page that chose it does so itself
/// once it has its answer; taken from it before, the call would be sent a second time.
pub fn reload_others(chooser: &WebviewWindow) {
    for (label, window) in chooser.app_handle().webview_windows() {
        if label != chooser.label()
            && let Err(error) = window.reload()
        {
            tracing::error!(%error, "a window still shows the station of before");
        }
    }
}

/// A page in an endless loop does not hear that it should load again: its process has to go first.
#[cfg(target_os = "linux")]
fn end_page(window: &WebviewWindow) -> tauri::Result<()> {
    window.with_webview(|webview| webkit2gtk::WebViewExt::terminate_web_process(&webview.inner()))
}

#[cfg(not(target_os = "linux"))]
fn end_page(_window: &WebviewWindow) -> tauri::Result<()> {
    // These webviews end a hanging page themselves when it is loaded again.
    Ok(())
}

fn to_front(window: &WebviewWindow) {
    if let Err(error) = window.unminimize().and_then(|()| window.set_focus()) {
        tracing::warn!(%error, "the window could not be raised");
    }
}

fn confined<R: Runtime, M: Manager<R>>(builder: WebviewWindowBuilder<'_, R, M>) -> WebviewWindowBuilder<'_, R, M> {
    // Another page in this window would have the commands of the desk.
    builder.on_navigation(is_own_page).on_new_window(|_url, _features| NewWindowResponse::Deny)
}

/// True for the page that is built into the program, under the address each platform gives it.
fn is_own_page(url: &Url) -> bool {
    matches!((url.scheme(), url.host_str()), ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, own: bool) {
        assert_eq!(is_own_page(&url.parse().unwrap()), own, "{url}");
    }

    #[test]
    fn nothing_leads_away_from_the_apps_own_page() {
        check("tauri://localhost/index.html#/overview", true);
        check("http://tauri.localhost/", true);
        check("https://example.org/", false);
        check("https://tauri.localhost.example.org/", false);
        check("http://localhost:5173/", false);
        check("file:///etc/passwd", false);
        check("javascript:alert(1)", false);
        check("data:text/html,hello", false);
    }
}
