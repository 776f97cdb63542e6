//! The one window: it shows the app's own page, and nothing leads away from it.

use anyhow::Context;
use tauri::webview::NewWindowResponse;
use tauri::{App, AppHandle, Manager, Url, WebviewWindowBuilder};

/// Label of the window, the one its capability names.
const LABEL: &str = "main";

/// Opens the window as `tauri.conf.json` describes it.
pub fn open(app: &App) -> anyhow::Result<()> {
    let windows = &app.config().app.windows;
    let config = windows.iter().find(|window| window.label == LABEL).context("tauri.conf.json has no main window")?;
    WebviewWindowBuilder::from_config(app, config)?
        .on_navigation(is_own_page)
        .on_new_window(|_url, _features| NewWindowResponse::Deny)
        .build()?;
    Ok(())
}

/// Brings the window to the front.
pub fn raise(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    if let Err(error) = window.unminimize().and_then(|()| window.set_focus()) {
        tracing::warn!(%error, "the window could not be raised");
    }
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
