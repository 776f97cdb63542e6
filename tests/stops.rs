//! Stops, releases and arming, as a person does them on a machine that may be busy.

use serde_json::{Value, json};

use crate::{DEADLINE, SEED, Site, find};

impl Site {
    /// Stops every robot and waits until the disk has it: a busy one takes longer than the answer waits.
    pub async fn stop_all(&mut self) -> anyhow::Result<Value> {
        let pressed = self.get("stop_all", json!({})).await?;
        let is_saved = |status: &Value| {
            let mut stops = status["stops"].as_array().into_iter().flatten();
            stops.any(|stop| stop["stop_id"] == pressed["stop_id"] && stop["latch_saved"] == true)
        };
        self.until("safety_status", json!({}), is_saved).await?;
        Ok(pressed)
    }

    /// Arms a robot as soon as nothing speaks against it. One on a busy machine may confirm too late, and is stopped for it: that is
    /// released, and it is asked again.
    pub async fn arm(&mut self, robot: &str) -> anyhow::Result<()> {
        loop {
            self.until("safety_status", json!({}), |status| {
                find(&status["robots"], "robot", robot).is_some_and(|row| row["arming_problem"].is_null())
            })
            .await?;
            match self.call("arm_robot", json!({ "robot": robot })).await {
                Ok(_) => return Ok(()),
                Err(error) if ["robot_unreachable", "arming_failed"].contains(&error.code.as_str()) => {
                    self.release(robot).await?;
                }
                Err(error) if error.code.as_str() == "source_silent" => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Releases every stop that is open for a robot, as soon as that is allowed: its poses must show for a second that it stands.
    pub async fn release(&mut self, robot: &str) -> anyhow::Result<()> {
        self.release_all(&[robot]).await.map(drop)
    }

    /// The same for several robots at once. One that took long to answer was stopped a second time for that: the cause stands
    /// against the release, and a person who looks acknowledges it. Gives the answer, null if nothing was to release.
    pub async fn release_all(&mut self, robots: &[&str]) -> anyhow::Result<Value> {
        let mut refused = None;
        let released = tokio::time::timeout(DEADLINE, async {
            loop {
                let status = self.get("safety_status", json!({})).await?;
                let stops = binding(&status, robots);
                if stops.is_empty() {
                    return anyhow::Ok(Value::Null);
                }
                let release = json!({ "stop_ids": stops, "robots": robots, "reason": "looked" });
                let error = match self.call("release_stop", release).await {
                    Ok(answer) => return Ok(answer),
                    Err(error) => error,
                };
                if let Some(cause) = error.details["cause"].as_str() {
                    for robot in robots {
                        let looked = json!({ "robot": robot, "cause": cause, "reason": "looked" });
                        // It may be another robot's, or still be there.
                        let _done_or_not = self.call("acknowledge_cause", looked).await;
                    }
                }
                refused = Some(error);
                self.facts.extend(self.frames.next().await.into_iter().flat_map(|frame| frame.facts));
            }
        });
        released.await.unwrap_or_else(|_| anyhow::bail!("seed {SEED}: no release: {refused:?}"))
    }
}

/// The ids of the open stops that bind one of `robots`.
fn binding(status: &Value, robots: &[&str]) -> Vec<Value> {
    let binds = |stop: &&Value| {
        let mut rows = stop["robots"].as_array().into_iter().flatten();
        rows.any(|row| row["released"] != true && robots.iter().any(|robot| row["robot"] == *robot))
    };
    status["stops"].as_array().into_iter().flatten().filter(binds).map(|stop| stop["stop_id"].clone()).collect()
}
