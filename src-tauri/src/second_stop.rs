//! `--stop-all`: a second process asks the app at this desk over the bus of the session, and ends with what became of the
//! stop. It opens no window, so it also works from a terminal without a screen.

use std::pin::Pin;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Manager};
use zbus::blocking::Connection;
use zbus::blocking::connection::Builder;

use crate::{commands, options};

/// The name of the app on the bus, for stops alone.
const NAME: &str = "org.quarterdeck.desktop.StopAll";
const PATH: &str = "/org/quarterdeck/desktop/StopAll";
/// The place at which a running app takes the arguments of a second one, and gives no answer: the single instance's.
const SINGLE: (&str, &str) = ("org.quarterdeck.desktop.SingleInstance", "/org/quarterdeck/desktop/SingleInstance");
/// The error of the bus for a name that nobody has.
const NOBODY: &str = "org.freedesktop.DBus.Error.ServiceUnknown";
/// Time for the answer: that of a station elsewhere, and a moment.
const ANSWER_WAIT: Duration = Duration::from_secs(4);

/// The outcome of a stop, in words.
type Answer = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

/// Presses STOP ALL for whoever calls. Each call is a task of its own, so that none waits for another.
struct Button {
    press: Box<dyn Fn() -> Answer + Send + Sync>,
}

#[zbus::interface(name = "org.quarterdeck.StopAll1")]
impl Button {
    /// Answers once the stop was carried out; an error says that it was not, or that nobody knows.
    async fn press(&self) -> zbus::fdo::Result<String> {
        (self.press)().await.map_err(zbus::fdo::Error::Failed)
    }
}

/// The app's place on the bus, for as long as it runs.
struct Place {
    _bus: Connection,
}

/// Takes stops of other processes at this desk from now on.
pub fn listen(app: &AppHandle) {
    let owner = app.clone();
    let press = move || -> Answer {
        // Pressed here and now; only the answer is waited for, on the app's own threads.
        let answer = spawn(commands::press_stop_all(&owner));
        Box::pin(async move { answer.await.unwrap_or_else(|error| Err(format!("nobody knows if it stops: {error}"))) })
    };
    match Builder::session().map_err(anyhow::Error::from).and_then(|bus| offer(bus, Box::new(press))) {
        Ok(bus) => {
            app.manage(Place { _bus: bus });
        }
        Err(error) => tracing::warn!(%error, "`quarterdeck --stop-all` does not stop: there is no bus of the session"),
    }
}

fn offer(bus: Builder<'_>, press: Box<dyn Fn() -> Answer + Send + Sync>) -> anyhow::Result<Connection> {
    // Another process that could take the name would say that robots stop.
    let bus = bus.name(NAME)?.allow_name_replacements(false).replace_existing_names(false);
    Ok(bus.serve_at(PATH, Button { press })?.build()?)
}

/// Asks the running app to stop every robot, and gives the outcome in words.
///
/// # Errors
/// No app runs at this desk, it has not stopped the robots, or it does not answer.
pub fn ask() -> anyhow::Result<String> {
    Builder::session().map_err(anyhow::Error::from).and_then(ask_over).context("NOT STOPPED; use the hardware stop")
}

fn ask_over(bus: Builder<'_>) -> anyhow::Result<String> {
    let bus = bus.method_timeout(ANSWER_WAIT).build().context("the bus of the session cannot be reached")?;
    match bus.call_method(Some(NAME), PATH, Some("org.quarterdeck.StopAll1"), "Press", &()) {
        Ok(answer) => Ok(answer.body().deserialize()?),
        // It may have been started before an update of this program, or a moment ago.
        Err(zbus::Error::MethodError(name, _, _)) if name.as_str() == NOBODY && hand_over(&bus) => {
            bail!("a running app has taken it and does not answer, so nobody knows if the robots stop")
        }
        Err(zbus::Error::MethodError(name, _, _)) if name.as_str() == NOBODY => {
            bail!("no running app was found at this desk")
        }
        Err(zbus::Error::MethodError(_, Some(why), _)) => Err(anyhow!(why)),
        Err(error) => Err(anyhow!(error).context("the app does not answer, so nobody knows if the robots stop")),
    }
}

fn hand_over(bus: &Connection) -> bool {
    let (name, path) = SINGLE;
    let arguments = (vec!["quarterdeck", options::STOP_ALL], "");
    bus.call_method(Some(name), path, Some("org.SingleInstance.DBus"), "ExecuteCallback", &arguments).is_ok()
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::{SyncSender, sync_channel};

    use super::*;

    /// A bus of its own; ended when dropped.
    struct Bus {
        daemon: Child,
        address: String,
    }

    impl Bus {
        fn start() -> Self {
            let mut daemon = Command::new("dbus-daemon")
                .args(["--session", "--nofork", "--print-address", "--address=unix:tmpdir=/tmp"])
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut address = String::new();
            BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
            Self { daemon, address: address.trim().to_owned() }
        }

        fn builder(&self) -> Builder<'static> {
            Builder::address(self.address.as_str()).unwrap()
        }
    }

    impl Drop for Bus {
        fn drop(&mut self) {
            let _ = self.daemon.kill();
            let _ = self.daemon.wait();
        }
    }

    fn answering(answer: Result<&'static str, &'static str>) -> Box<dyn Fn() -> Answer + Send + Sync> {
        Box::new(move || Box::pin(async move { answer.map(str::to_owned).map_err(str::to_owned) }))
    }

    /// An app that answers nothing.
    struct Single(SyncSender<Vec<String>>);

    #[zbus::interface(name = "org.SingleInstance.DBus")]
    impl Single {
        fn execute_callback(&mut self, arguments: Vec<String>, _folder: String) {
            self.0.send(arguments).unwrap();
        }
    }

    #[test]
    fn a_running_app_that_gives_no_answer_is_asked_and_no_stop_is_told() {
        let bus = Bus::start();
        let (taken, arguments) = sync_channel(1);
        let app = bus.builder().name(SINGLE.0).unwrap().serve_at(SINGLE.1, Single(taken)).unwrap().build().unwrap();
        let refused = ask_over(bus.builder()).unwrap_err();
        assert!(refused.to_string().contains("does not answer"), "{refused}");
        assert_eq!(arguments.recv().unwrap(), ["quarterdeck", "--stop-all"]);
        drop(app);
    }

    #[test]
    fn a_second_process_says_that_robots_stop_only_once_the_app_has_said_so() {
        let bus = Bus::start();
        let refused = ask_over(bus.builder()).unwrap_err();
        assert_eq!(refused.to_string(), "no running app was found at this desk");
        let app = offer(bus.builder(), answering(Ok("stop 7 is pressed"))).unwrap();
        assert_eq!(ask_over(bus.builder()).unwrap(), "stop 7 is pressed");
        drop(app);
        let bus = Bus::start();
        let _app = offer(bus.builder(), answering(Err("the station ends"))).unwrap();
        assert_eq!(ask_over(bus.builder()).unwrap_err().to_string(), "the station ends");
    }
}
