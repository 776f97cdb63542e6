//! A station and the gate of a robot learn each other's keys over a real session, and people compare six digits.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use quarterdeck_tests::{Site, built};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::commissioning::uncommissioned;
use crate::rover::Rover;

/// Lines of a program that wait.
const LINES_MAX: usize = 256;

/// `quarterdeck-gate pair` at a terminal.
pub(crate) struct Terminal {
    program: Child,
    types: ChildStdin,
    lines: mpsc::Receiver<String>,
}

impl Terminal {
    fn start(rover: &Rover) -> anyhow::Result<Self> {
        Self::start_with(rover, &[])
    }

    /// The same with further arguments.
    pub(crate) fn start_with(rover: &Rover, further: &[&str]) -> anyhow::Result<Self> {
        let mut pair = Command::new(built("quarterdeck-gate")?);
        pair.arg("pair").args(rover.arguments()).args(further);
        pair.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = pair.spawn()?;
        let missing = || anyhow::anyhow!("a stream is missing");
        let types = program.stdin.take().ok_or_else(missing)?;
        let (put, lines) = mpsc::channel(LINES_MAX);
        let streams: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(program.stdout.take().ok_or_else(missing)?),
            Box::new(program.stderr.take().ok_or_else(missing)?),
        ];
        for stream in streams {
            let put = put.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = put.blocking_send(line);
                }
            });
        }
        Ok(Self { program, types, lines })
    }

    /// The first line that holds `words`; an error if the program ends before it.
    pub(crate) async fn until(&mut self, words: &str) -> anyhow::Result<String> {
        let mut before = String::new();
        while let Some(line) = self.lines.recv().await {
            if line.contains(words) {
                return Ok(line);
            }
            before.push_str(&line);
        }
        anyhow::bail!("{words:?} was never said: {before}")
    }

    /// The digits that it shows.
    pub(crate) async fn digits(&mut self) -> anyhow::Result<String> {
        let asked = self.until("Does the window show").await?;
        Ok(asked.chars().filter(char::is_ascii_digit).collect())
    }

    pub(crate) fn answer(&mut self, word: &str) -> anyhow::Result<()> {
        Ok(writeln!(self.types, "{word}")?)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// A rover whose files name neither the station nor a key that is its gate's, wired to `site`.
async fn stranger(site: &Site) -> anyhow::Result<Rover> {
    let rover = Rover::unpaired()?;
    let endpoint = site.endpoint().await?;
    rover.wire("beside", &format!("endpoint = \"{endpoint}\""), &[])?;
    Ok(rover)
}

async fn until_pairing(site: &mut Site, holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Value> {
    site.until("get_pairing", json!({}), holds).await
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_34_a_gate_is_paired_by_six_digits_and_its_robot_is_added_and_driven() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut rover = stranger(&site).await?;
    assert_eq!(site.get("open_pairing", json!({})).await?["state"], "waiting");
    let mut terminal = Terminal::start(&rover)?;
    let digits = terminal.digits().await?;
    let shown = until_pairing(&mut site, |view| view["state"] == "comparing").await?;
    assert_eq!((&shown["digits"], &shown["robot"]), (&json!(digits), &json!("rover-9")));
    assert_eq!((&shown["meaning"]["speed_mps_max"], &shown["meaning"]["is_signed"]), (&json!(0.5), &json!(true)));

    assert_eq!(site.refused("confirm_pairing", json!({ "digits": "000000x" })).await?, "pairing_not_comparing");
    assert_eq!(site.get("confirm_pairing", json!({ "digits": digits })).await?["state"], "confirmed");
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]), "one person's word is not enough");
    terminal.answer("yes")?;
    terminal.until("Paired with station").await?;
    until_pairing(&mut site, |view| view["state"] == "paired").await?;

    rover.start_gate()?;
    site.until_robot("rover-9", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    site.arm("rover-9").await?;
    let arrives = |rover: &Rover| (rover.x_m() - 0.5).abs() < 0.05 && rover.x_mps() == 0.0;
    rover.goes(&site, 0.5, "it arrives", arrives).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_34_digits_that_differ_at_either_side_pair_nothing_and_three_tries_are_all() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let rover = stranger(&site).await?;
    site.get("open_pairing", json!({})).await?;
    for left in [2, 1, 0] {
        let mut terminal = Terminal::start(&rover)?;
        let digits = terminal.digits().await?;
        until_pairing(&mut site, |view| view["digits"] == json!(digits)).await?;
        site.get("confirm_pairing", json!({ "digits": digits })).await?;
        terminal.answer("no")?;
        terminal.until("pairing_failed").await?;
        let failed = until_pairing(&mut site, |view| view["tries_left"] == left).await?;
        assert!(failed["problem"].as_str().is_some_and(|why| why.contains("ended")), "{failed:#}");
    }
    assert_eq!(site.get("get_pairing", json!({})).await?["state"], "closed");

    site.get("open_pairing", json!({})).await?;
    let mut terminal = Terminal::start(&rover)?;
    terminal.digits().await?;
    site.get("close_pairing", json!({})).await?;
    terminal.until("pairing_failed").await?;
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_35_without_an_open_pairing_a_gate_is_not_heard_and_an_unpaired_one_cannot_be_moved() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let mut rover = stranger(&site).await?;
    let mut terminal = Terminal::start(&rover)?;
    terminal.until("the gate's key stands in it now").await?;
    assert_eq!(site.get("get_pairing", json!({})).await?["state"], "closed");
    assert_eq!(site.refused("confirm_pairing", json!({ "digits": "123456" })).await?, "pairing_not_comparing");
    drop(terminal);

    // Its manifest alone makes the robot known; its gate obeys no station that it was not paired with.
    site.get("add_robot", json!({ "manifest": rover.manifest()? })).await?;
    rover.start_gate()?;
    site.until_robot("rover-9", |row| row["pose"].is_object()).await?;
    assert_eq!(site.refused("arm_robot", json!({ "robot": "rover-9" })).await?, "not_armable");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_35_a_gate_that_checks_by_another_manifest_than_the_station_is_named_until_they_say_the_same()
-> anyhow::Result<()> {
    let (mut site, mut rover) = uncommissioned(&[]).await?;
    let robot = json!({ "robot": "rover-9" });
    let standing = |rows: &Value| {
        let mut rows = rows.as_array().into_iter().flatten();
        rows.any(|row| {
            row["source"] == "gate_manifest_differs" && row["robot"] == "rover-9" && row["state"] == "unack_active"
        })
    };
    let shared = rover.manifest()?;
    let slower = shared.replace("speed_mps_max = 0.5", "speed_mps_max = 0.4");
    assert_ne!(slower, shared);
    for (at_the_gate, manifest) in
        [(slower, "another"), (format!("# Of the north hall.\n{shared}"), "same"), (shared, "same")]
    {
        rover.end()?;
        std::fs::write(rover.path("rover-9.toml"), at_the_gate)?;
        rover.start_uncommissioned_gate()?;
        site.until("get_commissioning", robot.clone(), |row| row["manifest"] == manifest).await?;
        site.until("list_alarms", json!({}), |rows| standing(rows) == (manifest == "another")).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_a_station_without_a_router_waits_for_gates_on_its_own_computer_alone() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let rover = Rover::unpaired()?;
    assert_eq!(site.refused("open_pairing", json!({ "address": "127.0.0.1:0" })).await?, "pairing_here");
    assert_eq!(site.get("open_pairing", json!({})).await?["endpoint"], Value::Null);
    let mut terminal = Terminal::start_with(&rover, &["--station", "tcp/127.0.0.1:7448"])?;
    terminal.until("`--station` is too much").await?;
    rover.wire("onboard", "", &[])?;
    let mut terminal = Terminal::start(&rover)?;
    terminal.until("with `--station`").await.map(drop)
}
