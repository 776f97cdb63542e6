//! The gate as a service of systemd: its unit, and the signs of life that systemd asks for.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};

use crate::code::GateCode;
use crate::error::GateError;
use crate::setup::Setup;

/// Variable that names the socket of the service manager.
const SOCKET: &str = "NOTIFY_SOCKET";

/// Signs of life for the service manager that has started this program, if one has.
pub(crate) struct LifeSigns(Option<(UnixDatagram, SocketAddr)>);

impl LifeSigns {
    /// For the manager that the environment names.
    pub fn of_environment() -> Self {
        Self(std::env::var_os(SOCKET).and_then(|name| Self::at(name.as_bytes())))
    }

    fn at(name: &[u8]) -> Option<(UnixDatagram, SocketAddr)> {
        let address = match name.strip_prefix(b"@") {
            // systemd writes a leading `@` for the abstract namespace of sockets, which has no path.
            Some(name) => SocketAddr::from_abstract_name(name),
            None => SocketAddr::from_pathname(Path::new(std::ffi::OsStr::from_bytes(name))),
        };
        let socket = UnixDatagram::unbound().ok()?;
        // The thread that watches the deciding one must not block on a service manager with a full queue.
        socket.set_nonblocking(true).ok()?;
        Some((socket, address.ok()?))
    }

    /// The gate hears its station and its robot.
    pub fn is_ready(&self) {
        self.tell(b"READY=1");
    }

    /// The deciding thread ticks.
    pub fn is_alive(&self) {
        self.tell(b"WATCHDOG=1");
    }

    fn tell(&self, word: &[u8]) {
        if let Some((socket, address)) = &self.0 {
            // Without the sign systemd restarts the gate, which is what the watchdog is for.
            let _ = socket.send_to_addr(word, address);
        }
    }
}

/// Writes the unit of the gate of `config` into `folder`, or where systemd looks for units of this user, and gives
/// its path.
///
/// # Errors
/// Names what keeps the gate from running, or what the disk refused.
pub fn install(config: &Path, state: Option<&Path>, folder: Option<&Path>) -> Result<PathBuf, GateError> {
    let setup = Setup::read(config, state)?;
    // The unit restarts without end, so that it is written only for a gate that can start.
    setup.wiring.reach()?;
    if let Some(misfit) = setup.misfits().into_iter().next() {
        return Err(misfit);
    }
    let kind = setup.wiring.adapter()?;
    if !kind.is_built() {
        return Err(kind.not_built());
    }
    let failed = |what: &Path, error: std::io::Error| {
        GateError::new(GateCode::StateUnusable, format!("{}: {error}", what.display()))
    };
    let program = std::env::current_exe().map_err(|error| failed(Path::new("this program"), error))?;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| failed(path, error));
    let (config, state) = (absolute(config)?, absolute(&setup.state)?);
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None => user_units().ok_or_else(|| failed(Path::new("~"), std::io::ErrorKind::NotFound.into()))?,
    };
    let path = folder.join(format!("quarterdeck-gate-{}.service", setup.wiring.robot));
    let text = unit(setup.wiring.robot.as_str(), &program, &config, &state);
    files::make_folder(&folder).map_err(|error| failed(&folder, error))?;
    files::replace(&path, text.as_bytes()).map_err(|error| failed(&path, error))?;
    Ok(path)
}

fn user_units() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(settings.join("systemd/user"))
}

/// The robot's program is left alone while the gate stops the robot, and killed with what is left after that.
fn unit(robot: &str, program: &Path, config: &Path, state: &Path) -> String {
    let [program, config, state] = [program, config, state].map(quoted);
    // Without a start limit systemd never gives up on a gate that crashes, and the robot is not left without one.
    // `WatchdogSec` covers a hang of the watching thread itself.
    format!(
        "[Unit]\nDescription=Quarterdeck gate of {robot}\nStartLimitIntervalSec=0\n\n\
         [Service]\nType=notify\nExecStart={program} run --config {config} --state {state}\n\
         Restart=always\nRestartSec=1\nWatchdogSec=2\nKillMode=mixed\nTimeoutStopSec=15\nUMask=0077\nNoNewPrivileges=true\n\n\
         [Install]\nWantedBy=default.target\n"
    )
}

/// A path as one word of a unit, in which `%` and `$` would stand for something.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
    }

    #[test]
    fn rg_03_a_unit_starts_the_gate_again_and_ends_it_when_it_hangs() {
        let folder = tempfile::tempdir().unwrap();
        let path = install(&example("rover-9.gate.toml"), Some(folder.path()), Some(folder.path())).unwrap();
        assert!(path.ends_with("quarterdeck-gate-rover-9.service"));
        let text = std::fs::read_to_string(path).unwrap();
        for line in ["Type=notify", "Restart=always", "WatchdogSec=2", "KillMode=mixed", "StartLimitIntervalSec=0"] {
            assert!(text.lines().any(|written| written == line), "{line}\n{text}");
        }
        let refused = install(&example("px4-1.gate.toml"), None, Some(folder.path())).unwrap_err();
        assert_eq!(refused.code, GateCode::AdapterNotBuilt);
        assert_eq!(quoted(Path::new("/a b/100%/$x\"")), "\"/a b/100%%/$$x\\\"\"");
    }

    #[test]
    fn rg_03_the_service_manager_is_told_of_the_start_and_of_each_sign_of_life() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let manager = UnixDatagram::bind(&path).unwrap();
        let gate = LifeSigns(LifeSigns::at(path.as_os_str().as_bytes()));
        gate.is_ready();
        gate.is_alive();
        let mut heard = [0; 32];
        let mut next = || {
            let count = manager.recv(&mut heard).unwrap();
            String::from_utf8_lossy(&heard[..count]).into_owned()
        };
        assert_eq!([next(), next()], ["READY=1", "WATCHDOG=1"]);
        LifeSigns(None).is_alive();
    }
}
