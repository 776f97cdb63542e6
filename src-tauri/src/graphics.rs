//! WebKitGTK leaves the window blank under the proprietary NVIDIA driver unless one variable says otherwise.

use std::path::Path;

/// Exists while the proprietary NVIDIA kernel driver is loaded.
const NVIDIA_DRIVER: &str = "/proc/driver/nvidia/version";

/// Tells WebKitGTK not to hand frames over as DMA buffers.
const NO_DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Tells the NVIDIA driver not to use explicit synchronisation under Wayland.
const NO_EXPLICIT_SYNC: &str = "__NV_DISABLE_EXPLICIT_SYNC";

/// Conditions that decide about the variables.
#[derive(Debug, Clone, Copy)]
struct Screen {
    nvidia: bool,
    wayland: bool,
    safe_graphics: bool,
}

/// Puts the variables in place that `screen` needs, where `value_of` says that they are not yet there.
/// The operator's own value is kept, except under `--safe-graphics`, which forces both.
fn missing_variables(screen: Screen, value_of: impl Fn(&str) -> Option<String>) -> Vec<&'static str> {
    if screen.safe_graphics {
        return [NO_DMABUF, NO_EXPLICIT_SYNC]
            .into_iter()
            .filter(|name| value_of(name).as_deref() != Some("1"))
            .collect();
    }
    let needed = if screen.wayland { NO_EXPLICIT_SYNC } else { NO_DMABUF };
    if screen.nvidia && value_of(needed).is_none() { vec![needed] } else { Vec::new() }
}

/// Replaces this process by itself with the missing variables set: setting them in place is unsafe once threads exist,
/// and the driver reads them before any of our code runs. Returns at once when nothing is missing.
///
/// # Errors
/// The program could not be started again.
pub fn work_around_graphics(safe_graphics: bool) -> std::io::Result<()> {
    let value_of = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let screen = Screen { nvidia: Path::new(NVIDIA_DRIVER).exists(), wayland: is_wayland(), safe_graphics };
    let missing = missing_variables(screen, value_of);
    if missing.is_empty() {
        return Ok(());
    }
    restart_with(&missing)
}

/// True if the desktop speaks Wayland, also if it runs X11 programs beside.
#[must_use]
pub fn is_wayland() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some()
}

#[cfg(target_os = "linux")]
fn restart_with(variables: &[&'static str]) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;
    let mut again = std::process::Command::new(std::env::current_exe()?);
    again.args(std::env::args_os().skip(1)).envs(variables.iter().map(|name| (*name, "1")));
    Err(again.exec())
}

#[cfg(not(target_os = "linux"))]
fn restart_with(_variables: &[&'static str]) -> std::io::Result<()> {
    // Only WebKitGTK reads them.
    Ok(())
}

#[cfg(test)]
mod tests;
