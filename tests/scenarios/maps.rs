//! Maps of robots over real Zenoh: the simulated rover's own, and those that a test puts.

use std::sync::Arc;

use bridge::{Ground, Link, LinkConfig, SamplePublisher, write_grid};
use quarterdeck_tests::Site;
use robot::Now;
use serde_json::{Value, json};

const KEY: &str = "lab/rover-1/out/map";

/// A publisher of the rover's map that the test holds in its hand.
async fn mapper(site: &Site) -> anyhow::Result<(Link, SamplePublisher)> {
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.map_publisher(KEY)?;
    Ok((link, publisher))
}

fn seen(row: &Value) -> Value {
    json!({ "seen": [{ "robot": row["robot"], "observed_mono_ms": row["observed_mono_ms"] }] })
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1102_the_map_that_a_robot_makes_arrives_and_its_picture_is_sent_once() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let rows = site.until("list_robot_maps", json!({}), |rows| rows[0]["observed_mono_ms"].is_u64()).await?;
    let [row] = &rows.as_array().unwrap()[..] else { panic!("{rows}") };
    assert_eq!((&row["robot"], &row["grid"]["frame"], &row["fault"]), (&json!("rover-1"), &json!("map"), &Value::Null));
    assert!(row["png_base64"].as_str().is_some_and(|png| png.starts_with("iVBORw0KGgo")), "a PNG");

    let again = site.get("list_robot_maps", seen(row)).await?;
    assert_eq!(again[0]["png_base64"], Value::Null, "its picture is not sent to whoever has it");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1102_a_map_that_cannot_be_shown_says_why_and_the_last_one_stays() -> anyhow::Result<()> {
    let rover = include_str!("../../crates/sim/manifests/rover-1.toml");
    let arm = include_str!("../../crates/sim/manifests/arm-1.toml");
    let mut site = Site::start_with(&json!({ "rover-1": rover, "arm-1": arm })).await?;
    let none = site.get("list_robot_maps", json!({})).await?;
    assert_eq!(none.as_array().map(Vec::len), Some(1), "the arm shows no map: {none}");
    assert_eq!((&none[0]["observed_mono_ms"], &none[0]["grid"]), (&Value::Null, &Value::Null));

    let (_link, publisher) = mapper(&site).await?;
    let whole = write_grid(
        "map",
        1_000,
        Ground { resolution_m: 0.05, origin_m: [-1.0, 2.0], size: [3, 2], cells: &[0, 50, 100, -1, 0, 7] },
    );
    while site.get("list_robot_maps", json!({})).await?[0]["grid"].is_null() {
        publisher.put(whole.clone())?;
    }
    let shown = site.get("list_robot_maps", json!({})).await?;
    assert_eq!(shown[0]["grid"]["origin_m"], json!([-1.0, 2.0]));
    assert_eq!((&shown[0]["grid"]["width_cells"], &shown[0]["grid"]["height_cells"]), (&json!(3), &json!(2)));

    let short =
        write_grid("map", 1_000, Ground { resolution_m: 0.05, origin_m: [0.0, 0.0], size: [30, 20], cells: &[0; 7] });
    for (payload, fault) in [(b"a text".to_vec(), "not_grid"), (short, "wrong_size"), (vec![0; 9 << 20], "too_large")] {
        publisher.put(payload)?;
        let refused = site.until("list_robot_maps", json!({}), |rows| rows[0]["fault"] == fault).await?;
        assert_eq!(refused[0]["grid"], shown[0]["grid"], "the last map stays");
    }
    publisher.put(whole)?;
    site.until("list_robot_maps", json!({}), |rows| rows[0]["fault"].is_null()).await?;
    Ok(())
}
