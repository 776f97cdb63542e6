//! The desktop shell: windows, two commands, the tray, the global key of STOP ALL, and the simulator as a sidecar.
//! Decisions are made behind `api`.

mod commands;
mod dialog;
mod graphics;
mod hotkey;
mod options;
#[cfg(target_os = "linux")]
mod second_stop;
mod simulator;
mod tray;
mod tray_status;
mod watchdog;
mod window;

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use api::{Api, Config};
use tauri::async_runtime::{block_on, spawn};
use tauri::{App, AppHandle, Manager, RunEvent};

pub use graphics::work_around_graphics;
pub use options::Options;

use commands::Desk;
use simulator::Sidecar;
use tray::Tray;

/// A station that has not ended by now is left behind: the operator closed the window and waits.
const SHUTDOWN_MAX: Duration = Duration::from_secs(25);

/// Runs the app until its window is closed.
///
/// # Errors
/// The window or the station could not be started.
pub fn run(options: Options) -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    if options.stop_all {
        println!("{}", second_stop::ask()?);
        return Ok(());
    }
    #[cfg(not(target_os = "linux"))]
    if options.stop_all {
        // The running app ends this process before it could know.
        eprintln!("STOP ALL is asked of the app at this desk, if one runs; its window shows what becomes of it.");
        eprintln!("If in doubt, use the hardware stop.");
    }
    let builder = tauri::Builder::default()
        // First, because it may end the process.
        .plugin(tauri_plugin_single_instance::init(|app, args, _cwd| called_again(app, &args)))
        .plugin(tauri_plugin_shell::init())
        .plugin(tauri_plugin_global_shortcut::Builder::new().build());
    #[cfg(not(target_os = "linux"))]
    let builder = builder.plugin(tauri_plugin_dialog::init());
    builder
        .invoke_handler(commands::handler())
        .setup(move |app| Ok(start(app, options)?))
        .build(tauri::generate_context!())?
        .run(|app, event| {
            if let RunEvent::Exit = event {
                stop(app);
                server::end_log();
            }
        });
    Ok(())
}

/// The app was started a second time. Of its arguments only a stop is honoured.
fn called_again(app: &AppHandle, arguments: &[String]) {
    if arguments.iter().any(|argument| argument == options::STOP_ALL) {
        commands::stop_all(app);
    }
    window::raise(app);
}

fn start(app: &mut App, options: Options) -> anyhow::Result<()> {
    // With another app running, the plugin has handed this start over to it and ended the process.
    if options.stop_all {
        bail!("NOT STOPPED: no running app was found at this desk; use the hardware stop");
    }
    let data_dir = match options.data_dir {
        Some(dir) => dir,
        None => app.path().app_data_dir()?,
    };
    // Before the station starts, which takes seconds: who asks meanwhile is told that nothing has stopped yet.
    #[cfg(target_os = "linux")]
    second_stop::listen(app.handle());
    let folder = data_dir.clone();
    let config =
        Config { data_dir, zenoh_config: options.zenoh_config, with_sim: options.with_sim, seed: options.seed };
    let simulator = Arc::new(Sidecar::new(app.handle().clone()));
    let station = block_on(Api::start(config, simulator, Arc::new(server::McpClient)))?;
    let stations = remote::Stations::open(&folder, station.key_store());
    let desk = Desk::new(station, stations, hotkey::register(app));
    // A desktop without a tray has the window, the key and the dialog all the same.
    let tray = Tray::open(app).inspect_err(|error| tracing::warn!(%error, "no tray")).ok();
    spawn(watchdog::run(app.handle().clone(), desk.shell(), tray));
    app.manage(desk);
    commands::stop_as_asked(app.handle());
    spawn(exit_on_signal(app.handle().clone()));
    window::open(app)?;
    if options.stop_window {
        window::open_stop(app.handle());
    }
    Ok(())
}

/// A terminal's Ctrl-C and a service manager's SIGTERM end the app like closing its window.
async fn exit_on_signal(app: AppHandle) {
    match termination().await {
        Ok(()) => app.exit(0),
        Err(error) => tracing::warn!(%error, "signals cannot be heard; close the window to end the app"),
    }
}

#[cfg(unix)]
async fn termination() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        heard = tokio::signal::ctrl_c() => heard,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn termination() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

fn stop(app: &AppHandle) {
    let Some(desk) = app.try_state::<Desk>() else { return };
    if block_on(async { tokio::time::timeout(SHUTDOWN_MAX, desk.shutdown()).await }).is_err() {
        tracing::error!("the station did not end within {} s", SHUTDOWN_MAX.as_secs());
    }
}
