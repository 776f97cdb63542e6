//! Cameras over real Zenoh: pictures of both forms arrive, are lost when their camera falls silent, and what cannot be
//! shown is refused by name. A stop is as quick while they arrive.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use api::Answer;
use bridge::{Detection, Link, LinkConfig, SamplePublisher, write_compressed_image, write_detections};
use quarterdeck_tests::Site;
use quarterdeck_tests::wire::ROBOTS;
use robot::{DetectionEncoding, Now, PictureEncoding};
use serde_json::{Value, json};

use crate::arriving::Lag;

/// More than a camera's message may have, and as much as Zenoh puts together.
const TOO_LARGE: usize = 5 * 1024 * 1024;
/// More than Zenoh puts together.
const FAR_TOO_LARGE: usize = 100 * 1024 * 1024;
/// The time between two pictures of a camera with 30 Hz.
const PICTURE_EVERY: Duration = Duration::from_millis(33);

const CELL: &str = "lab/arm-1/out/camera/cell";
const FRONT: &str = "lab/rover-1/out/camera/front";

fn asked(robot: &str, camera: &str) -> Value {
    json!({ "robot": robot, "camera": camera })
}

/// The newest picture of a camera and the facts in it, or the facts alone.
async fn picture(site: &Site, input: Value) -> anyhow::Result<(Value, Option<Vec<u8>>)> {
    match site.api.call_for_picture(&site.admin, "camera_frame", input).await? {
        Answer::Json(facts) => Ok((facts, None)),
        Answer::Jpeg(file) => {
            anyhow::ensure!(file[..4] == [0xff, 0xd8, 0xff, 0xfe], "a JPEG begins with its facts");
            let length = usize::from(u16::from_be_bytes([file[4], file[5]]));
            Ok((serde_json::from_slice(&file[6..4 + length])?, Some(file)))
        }
    }
}

/// A camera that the test holds in its hand.
async fn camera(site: &Site, key: &str, encoding: PictureEncoding) -> anyhow::Result<(Link, SamplePublisher)> {
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.picture_publisher(key, encoding)?;
    Ok((link, publisher))
}

/// A JPEG of 8 by 8 pixels whose scan has `bytes` bytes.
fn jpeg(bytes: usize) -> Vec<u8> {
    let mut file =
        vec![0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
    file.resize(file.len() + bytes, 0x55);
    file.extend([0xff, 0xd9]);
    file
}

/// Two robots with a camera of each form, and nobody who simulates them.
async fn site_without_simulator() -> anyhow::Result<Site> {
    let arm = include_str!("../../crates/sim/manifests/arm-1.toml");
    let rover = include_str!("../../crates/sim/manifests/rover-1.toml");
    Site::start_with(&json!({ "arm-1": arm, "rover-1": rover })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn u_406_u_1108_pictures_of_both_forms_arrive_and_are_lost_with_their_camera() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    for (robot, camera) in [("arm-1", "cell"), ("rover-1", "front")] {
        let input = asked(robot, camera);
        site.until("camera_frame", input.clone(), |facts| facts["newer"] == true).await?;
        let (first, file) = picture(&site, input.clone()).await?;
        assert_eq!(
            (&first["width_px"], &first["height_px"], &first["fault"]),
            (&json!(320), &json!(240), &Value::Null)
        );
        let after = json!({ "robot": robot, "camera": camera, "after_mono_ms": first["observed_mono_ms"] });
        site.until("camera_frame", after.clone(), |facts| facts["newer"] == true).await?;
        let (second, next) = picture(&site, after).await?;
        assert!(second["observed_mono_ms"].as_u64() > first["observed_mono_ms"].as_u64());
        assert!(file.is_some() && next.is_some() && file != next, "every picture has its time in a corner");

        site.get("inject_fault", json!({ "target": robot, "fault": "silent_camera", "on": true })).await?;
        let lost = site.until("camera_frame", input, |facts| facts["rate_hz"] == 0.0).await?;
        let seen = json!({ "robot": robot, "camera": camera, "after_mono_ms": lost["observed_mono_ms"] });
        let (facts, file) = picture(&site, seen).await?;
        assert_eq!(
            (&facts["newer"], &facts["observed_mono_ms"], file),
            (&json!(false), &lost["observed_mono_ms"], None)
        );
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_406_what_a_detector_finds_comes_with_its_camera_and_a_message_that_cannot_be_read_is_named()
-> anyhow::Result<()> {
    let mut site = site_without_simulator().await?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let person =
        Detection { label: "person".to_owned(), confidence: Some(0.75), min_px: [10.0, 20.0], max_px: [40.0, 90.0] };
    for (robot, camera, encoding) in
        [("arm-1", "cell", DetectionEncoding::Json), ("rover-1", "front", DetectionEncoding::Detection2dArray)]
    {
        let publisher = link.detection_publisher(&format!("lab/{robot}/out/detections/{camera}"), encoding)?;
        let input = asked(robot, camera);
        let message = write_detections(encoding, "camera", 0, std::slice::from_ref(&person));
        let none = site.get("camera_frame", input.clone()).await?["detections"].clone();
        assert_eq!(none, json!({ "observed_mono_ms": null, "fault": null, "objects": [] }));
        // The first put of a new session may come before the station's subscription is known to it.
        while site.get("camera_frame", input.clone()).await?["detections"]["observed_mono_ms"].is_null() {
            publisher.put(message.clone())?;
        }
        let found = json!([{ "label": "person", "confidence": 0.75, "min_px": [10.0, 20.0], "max_px": [40.0, 90.0] }]);
        assert_eq!(site.get("camera_frame", input.clone()).await?["detections"]["objects"], found);
        for (payload, fault) in [(b"<svg/>".to_vec(), "not_detections"), (vec![b' '; 300 * 1024], "too_large")] {
            publisher.put(payload)?;
            let faulty =
                site.until("camera_frame", input.clone(), |facts| facts["detections"]["fault"] == fault).await?;
            assert_eq!((&faulty["detections"]["objects"], &faulty["fault"]), (&found, &Value::Null));
        }
        publisher.put(write_detections(encoding, "camera", 0, &[]))?;
        let nothing = json!([]);
        site.until("camera_frame", input, |facts| facts["detections"]["objects"] == nothing).await?;
    }
    link.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_406_what_cannot_be_shown_is_refused_by_name_and_the_last_picture_stays() -> anyhow::Result<()> {
    let mut site = site_without_simulator().await?;
    let cell = asked("arm-1", "cell");
    let none = site.get("camera_frame", cell.clone()).await?;
    assert_eq!(
        (&none["observed_mono_ms"], &none["newer"], &none["fault"]),
        (&Value::Null, &json!(false), &Value::Null)
    );
    let (link, publisher) = camera(&site, CELL, PictureEncoding::Jpeg).await?;
    // The first put of a new session may come before the station's subscription is known to it.
    while site.get("camera_frame", cell.clone()).await?["newer"] == false {
        publisher.put(jpeg(64))?;
        site.get("screen_alive", json!({})).await?;
    }
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\x02\0\0\0".to_vec();
    let whole = jpeg(64);
    let refused = [
        (png, "not_jpeg"),
        (b"<svg onload='alert(1)'/>".to_vec(), "not_jpeg"),
        (whole[..whole.len() - 1].to_vec(), "truncated"),
        (jpeg(TOO_LARGE), "too_large"),
        (write_compressed_image("cam", 0, &jpeg(64)), "not_jpeg"),
    ];
    for (payload, fault) in refused {
        publisher.put(payload)?;
        let facts = site.until("camera_frame", cell.clone(), |facts| facts["fault"] == fault).await?;
        assert_eq!((&facts["width_px"], facts["observed_mono_ms"].is_u64()), (&json!(8), true), "{fault}: {facts:#}");
        publisher.put(jpeg(64))?;
        site.until("camera_frame", cell.clone(), |facts| facts["fault"].is_null()).await?;
    }
    // Zenoh does not put it together: nothing of it arrives, and what comes after it does.
    publisher.put(vec![0xff; FAR_TOO_LARGE])?;
    let (before, _) = picture(&site, cell.clone()).await?;
    publisher.put(jpeg(64))?;
    let after = json!({ "robot": "arm-1", "camera": "cell", "after_mono_ms": before["observed_mono_ms"] });
    site.until("camera_frame", after, |facts| facts["newer"] == true).await?;
    link.close().await;

    let (link, publisher) = camera(&site, FRONT, PictureEncoding::CompressedImage).await?;
    let front = asked("rover-1", "front");
    while site.get("camera_frame", front.clone()).await?["fault"].is_null() {
        publisher.put(jpeg(64))?;
        site.get("screen_alive", json!({})).await?;
    }
    let facts = site.get("camera_frame", front.clone()).await?;
    assert_eq!((&facts["fault"], &facts["newer"]), (&json!("not_compressed_image"), &json!(false)));
    publisher.put(write_compressed_image("cam", 0, &jpeg(64)))?;
    site.until("camera_frame", front, |facts| facts["newer"] == true && facts["fault"].is_null()).await?;
    assert!(publisher.is_listened_to(), "somebody looks");
    site.until("session_info", json!({}), |_| !publisher.is_listened_to()).await?;
    link.close().await;
    assert_eq!(site.refused("camera_frame", asked("arm-1", "none")).await?, "camera_not_found");
    assert_eq!(site.refused("camera_frame", asked("none", "cell")).await?, "camera_not_found");
    Ok(())
}

/// A camera that sends pictures of 64 KiB at 30 Hz until it is dropped.
struct Busy {
    end: Option<SyncSender<()>>,
    sending: Option<JoinHandle<()>>,
}

impl Busy {
    fn start(publisher: SamplePublisher) -> Self {
        let (end, ended) = sync_channel(1);
        let sending = std::thread::spawn(move || {
            while ended.recv_timeout(PICTURE_EVERY) == Err(RecvTimeoutError::Timeout) {
                // A network that is full drops a picture.
                let _put = publisher.put(jpeg(64 * 1024));
            }
        });
        Self { end: Some(end), sending: Some(sending) }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        drop(self.end.take());
        // A thread that panicked has said so.
        let _joined = self.sending.take().map(JoinHandle::join);
    }
}

/// Milliseconds from a press until the last robot has acknowledged it.
async fn stop_ms(site: &mut Site) -> anyhow::Result<f64> {
    let pressed = site.stop_all().await?;
    let of_it = |status: &Value| {
        let stops = status["stops"].as_array().into_iter().flatten();
        let robots =
            stops.filter(|stop| stop["stop_id"] == pressed["stop_id"]).flat_map(|stop| stop["robots"].as_array());
        robots.flatten().map(|row| row["acked_after_ms"].as_f64()).collect::<Option<Vec<f64>>>()
    };
    let acked = |status: &Value| of_it(status).is_some_and(|acked| acked.len() == 4);
    let status = site.until("safety_status", json!({}), acked).await?;
    site.until("safety_status", json!({}), |status| {
        let robots = status["stops"][0]["robots"].as_array();
        robots.is_some_and(|rows| rows.iter().all(|row| row["standstill"] == true))
    })
    .await?;
    site.release_all(&ROBOTS).await?;
    Ok(of_it(&status).into_iter().flatten().fold(0.0, f64::max))
}

async fn median_stop_ms(site: &mut Site) -> anyhow::Result<f64> {
    let mut each = Vec::new();
    for _ in 0..5 {
        each.push(stop_ms(site).await?);
    }
    each.sort_by(f64::total_cmp);
    Ok(each[2])
}

#[tokio::test(flavor = "multi_thread")]
async fn u_406_a_stop_is_as_quick_while_pictures_arrive() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    // The machine's own share, measured while no picture comes.
    let lag = Lag::watch(&site);
    let quiet_ms = median_stop_ms(&mut site).await?;
    let lag_ms = lag.longest_ms();

    let cell = asked("arm-1", "cell");
    let (link, publisher) = camera(&site, CELL, PictureEncoding::Jpeg).await?;
    let busy = Busy::start(publisher);
    site.until("camera_frame", cell.clone(), |facts| facts["rate_hz"].as_f64().is_some_and(|rate_hz| rate_hz > 15.0))
        .await?;
    let busy_ms = median_stop_ms(&mut site).await?;
    let told = format!("{quiet_ms} ms without pictures, {busy_ms} ms with them, at a lag of {lag_ms} ms");
    assert!(busy_ms <= quiet_ms + 20.0 + lag_ms as f64, "{told}");
    drop(busy);
    link.close().await;
    Ok(())
}
