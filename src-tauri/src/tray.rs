//! The tray: the state of robots and screen in words, and STOP ALL, all without the page.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, anyhow};
use tauri::image::Image;
use tauri::menu::{Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{App, AppHandle, Wry, include_image};

use crate::tray_status::TrayStatus;
use crate::{commands, window};

/// While nothing is out of the ordinary.
const ICON: Image<'static> = include_image!("icons/32x32.png");
/// While a stop is open or the screen is frozen.
const ICON_ATTENTION: Image<'static> = include_image!("icons/tray-attention.png");

const STATE: &str = "state";
const STOP_ALL: &str = "stop_all";
const OPEN: &str = "open";
const STOP_WINDOW: &str = "stop_window";
const RESTART: &str = "restart_screen";

/// The icon and the parts of its menu that change.
pub struct Tray {
    icon: TrayIcon,
    state: MenuItem<Wry>,
    restart: MenuItem<Wry>,
}

impl Tray {
    /// Puts the icon up.
    ///
    /// # Errors
    /// The desktop has no tray, or the system's library for it is missing.
    pub fn open(app: &App) -> anyhow::Result<Self> {
        let state = MenuItem::with_id(app, STATE, TrayStatus::default().words().line, false, None::<&str>)?;
        let restart = MenuItem::with_id(app, RESTART, "Restart screen", false, None::<&str>)?;
        let menu = Menu::with_items(
            app,
            &[
                &state,
                &MenuItem::with_id(app, STOP_ALL, "STOP ALL", true, None::<&str>)?,
                &PredefinedMenuItem::separator(app)?,
                &MenuItem::with_id(app, OPEN, "Open Quarterdeck", true, None::<&str>)?,
                &MenuItem::with_id(app, STOP_WINDOW, "Stop window, always on top", true, None::<&str>)?,
                &restart,
            ],
        )?;
        let builder = TrayIconBuilder::with_id("quarterdeck")
            .icon(ICON)
            .tooltip("Quarterdeck")
            .menu(&menu)
            .on_menu_event(|app, event| act(app, event.id().as_ref()));
        // The library that draws it is loaded on first use, and the crate that loads it panics if it is not installed.
        let icon = catch_unwind(AssertUnwindSafe(|| builder.build(app)))
            .map_err(|_panic| anyhow!("the system's library for tray icons is not installed"))?
            .context("the desktop takes no tray icon")?;
        Ok(Self { icon, state, restart })
    }

    /// Shows what is true now.
    ///
    /// # Errors
    /// The main thread has ended.
    pub fn show(&self, tray_status: &TrayStatus) -> tauri::Result<()> {
        let words = tray_status.words();
        let icon = if words.title.is_some() { ICON_ATTENTION } else { ICON };
        self.state.set_text(&words.line)?;
        self.restart.set_enabled(tray_status.frozen())?;
        self.icon.set_icon(Some(icon))?;
        self.icon.set_title(words.title)?;
        self.icon.set_tooltip(Some(format!("Quarterdeck: {}", words.line)))
    }
}

fn act(app: &AppHandle, item: &str) {
    match item {
        STOP_ALL => commands::stop_all(app),
        OPEN => window::raise(app),
        STOP_WINDOW => window::open_stop(app),
        RESTART => window::restart(app),
        other => tracing::debug!(other, "a line of the tray that does nothing"),
    }
}
