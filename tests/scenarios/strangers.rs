//! Somebody who reaches the network and has no key of the site: nobody believes a word of it.

use std::sync::Arc;

use bridge::{Link, LinkConfig};
use quarterdeck_tests::Site;
use robot::{Codec, Now};
use serde_json::{Value, json};

use crate::supervision::{causes, until_state};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_robot_with_a_key_has_not_signed_neither_moves_its_picture_nor_stops_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let put = |key: &str, payload: &Value| -> anyhow::Result<()> {
        let publisher = link.sample_publisher(&format!("lab/rover-1/out/{key}"), Codec::Json)?;
        Ok(publisher.put(payload.to_string().into_bytes())?)
    };
    let elsewhere = json!({ "frame": "map", "position_m": [7.0, 7.0, 0.0] });
    let lie = json!({ "robot": "rover-2", "subject": { "hold": { "station": "x", "hold_id": 1 } }, "status": "received",
        "claimed_by": null, "speed_mps": 0.0, "standstill": true });
    let mut failed = Ok(());
    let names_both = |rows: &Value| {
        let rows = rows.to_string();
        ["state/pose has two writers", "the robot itself", "does not sign"].iter().all(|text| rows.contains(text))
    };
    site.until("list_alarms", json!({}), |rows| {
        failed = std::mem::replace(&mut failed, Ok(())).and(put("state/pose", &elsewhere));
        names_both(rows)
    })
    .await?;
    let mut rounds = 0;
    site.until("list_alarms", json!({}), |_| {
        rounds += 1;
        for (key, payload) in [("state/pose", &elsewhere), ("ack", &lie), ("ack", &json!("?")), ("beat", &lie)] {
            failed = std::mem::replace(&mut failed, Ok(())).and(put(key, payload));
        }
        rounds > 20
    })
    .await?;
    failed?;
    let row = site.until_robot("rover-1", |_| true).await?;
    assert!(row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m.abs() < 1.0), "{row:#}");
    let armed = until_state(&mut site, "rover-1", "armed").await?;
    assert!(causes(&armed).is_empty(), "{armed:#}");
    link.close().await;
    Ok(())
}
