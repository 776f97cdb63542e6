use tokio::sync::mpsc;

use super::*;
use crate::launcher::{Launched, SimulatorProcess};

/// A program that says this and ends; none is missing.
struct Program(Option<&'static str>);

impl SimulatorLauncher for Program {
    fn launch(&self, _: Vec<String>) -> Launched {
        Box::pin(async { Err(std::io::Error::other("no simulator")) })
    }

    fn launch_gate(&self, args: Vec<String>) -> Launched {
        assert_eq!(args[..2], ["scan", "--until-input-ends"]);
        let said = self.0;
        Box::pin(async move {
            let said = said.ok_or(std::io::ErrorKind::NotFound)?;
            let ((lines_in, lines), (input, _)) = (mpsc::channel(1), mpsc::channel(1));
            if !said.is_empty() {
                lines_in.try_send(said.to_owned()).map_err(std::io::Error::other)?;
            }
            Ok(SimulatorProcess { lines, input })
        })
    }
}

fn places(routers: &[&str]) -> Places {
    let routers = routers.iter().map(|&router| router.to_owned()).collect();
    Places { domains: vec![0], routers, seconds: 2 }
}

async fn outcome(program: Program, routers: &[&str]) -> Result<ScanReport, String> {
    let scanner = Scanner::new(Arc::new(program));
    let scanned = scanner.scan(&places(routers), &CancellationToken::new()).await;
    assert!(!scanner.cancel(), "there is room for the next scan");
    scanned.map_err(|error| error.code.to_string())
}

#[tokio::test]
async fn rg_38_a_program_that_is_missing_or_says_nothing_that_can_be_read_is_an_error_of_its_own() {
    assert_eq!(outcome(Program(None), &[]).await, Err("scan_program_missing".to_owned()));
    for said in ["", "killed", "{\"finds\":[]}", "{\"finds\":[],\"places\":[],\"finds_left_out\":0,\"more\":1}"] {
        assert_eq!(outcome(Program(Some(said)), &[]).await, Err("scan_failed".to_owned()), "{said}");
    }
    let whole = "{\"finds\":[],\"places\":[],\"finds_left_out\":0}";
    assert_eq!(outcome(Program(Some(whole)), &["tcp/10.0.0.2:7447"]).await, Ok(ScanReport::default()));
}

#[tokio::test]
async fn rg_38_an_address_of_a_router_is_never_a_flag_of_the_program() {
    for router in ["--seconds=60", "10.0.0.2:7447", "tcp/a b", "tcp/a\n", ""] {
        assert_eq!(outcome(Program(Some("")), &[router]).await, Err("bad_scan".to_owned()), "{router:?}");
    }
}
