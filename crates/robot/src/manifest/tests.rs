use super::*;
use crate::CameraId;

pub(crate) const ARM: &str = r#"
schema = 1
id = "arm-1"
site = "lab"
gate = "reference"
supervision = "required"
default_frame = "base_link"
hardware_estop = "red mushroom on the pedestal, left of the cell"
public_key = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
body = { bounding_radius_m = 0.06, localisation_error_m = 0.01, margin_m = 0.02 }
envelope = { x_m = [-2.0, 2.0], y_m = [-2.0, 2.0], z_m = [-0.5, 2.5] }
limits = { speed_mps_max = 1.0, angular_radps_max = 1.5, acceleration_mps2_max = 2.0, goal_jump_m_max = 0.5, force_n_max = 60.0 }
stop = { behaviour = "hold", carries_load = false, ack_ms = 300, reaction_s = 0.2, decel_mps2 = 1.5, standstill_mps = 0.01, standstill_radps = 0.02 }
state = [{ kind = "pose", key = "lab/arm-1/out/state/pose", codec = "json", max_age_ms = 500 }]
frames = [{ parent = "map", child = "base_link", translation_m = [1.0, 0.0, 0.0], rotation_xyzw = [0.0, 0.0, 0.0, 1.0] }]
[[actuators]]
id = "arm"
kind = "tool"
key = "lab/arm-1/cmd/act/arm"
force = "rated"
"#;

fn check(from: &str, to: &str, expected: &str) {
    assert!(ARM.contains(from), "the fixture lost {from:?}");
    let error = Manifest::parse(&ARM.replace(from, to), "arm-1").unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn a_site_that_is_no_name_is_refused_with_the_form() {
    for site in ["../../x", "", "Lab", "a/b", "*", &"x".repeat(65), &"x".repeat(100_000)] {
        let refused =
            Manifest::parse(&ARM.replace("site = \"lab\"", &format!("site = \"{site}\"")), "arm-1").unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains("1 to 64 characters of a-z") && refused.len() < 1_000, "{refused}");
    }
}

#[test]
fn reads_a_whole_manifest() {
    let manifest = Manifest::parse(ARM, "arm-1").unwrap();
    assert!((manifest.body.inflation_m() - 0.09).abs() < 1e-12);
    let (map, base) = (FrameId::new("map").unwrap(), FrameId::new("base_link").unwrap());
    assert_eq!(manifest.static_transform(&base, &map).unwrap().apply([0.0, 0.5, 0.0]), [1.0, 0.5, 0.0]);
    assert_eq!(manifest.static_transform(&map, &base).unwrap().apply([1.0, 0.5, 0.0]), [0.0, 0.5, 0.0]);
    assert!(manifest.static_transform(&FrameId::new("odom").unwrap(), &map).is_none());
}

#[test]
fn names_what_is_wrong() {
    check("gate = \"reference\"", "gate = \"reference\"\ncolour = \"red\"", "line 6: unknown field `colour`");
    check("id = \"arm-1\"", "id = \"arm-2\"", "id: \"arm-1\", the name of the file");
    check("red mushroom on the pedestal, left of the cell", " ", "hardware_estop");
    check("speed_mps_max = 1.0", "speed_mps_max = nan", "limits.speed_mps_max");
    check("x_m = [-2.0, 2.0]", "x_m = [2.0, -2.0]", "envelope.x_m");
    check("kind = \"pose\"", "kind = \"force\"", "a source of kind \"pose\"");
    check("lab/arm-1/cmd/act/arm", "lab/arm-2/cmd/act/arm", "actuators.arm.key");
    for key in ["", "ed25519:", "ed25519:AAAA", "rsa:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="] {
        check("ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", key, "public_key");
    }
    check("max_age_ms = 500", "max_age_ms = 60000", "state[0].max_age_ms");
    check("lab/arm-1/out/state/pose", "lab/*/out/state/pose", "without wildcards");
    check("lab/arm-1/out/state/pose", "lab/arm-1/cmd/stop", "state[0].key");
    for key in ["lab/arm-1/cmd/stop", "lab/arm-1/cmd/**", "lab/arm-1/cmd/act/*"] {
        check("lab/arm-1/cmd/act/arm", key, "actuators.arm.key");
    }
    let twice = "[[actuators]]\nid = \"arm\"\nkind = \"gripper\"\nkey = \"lab/arm-1/cmd/act/grip\"\n[[actuators]]";
    check("[[actuators]]", twice, "actuators.arm.id: a name no other actuator");
    for bound in ["nan", "inf", "0.0", "-1.0"] {
        let source = format!("max_age_ms = 500, disagreement_m_max = {bound} }}]");
        check("max_age_ms = 500 }]", &source, "state[0].disagreement_m_max");
    }
    check("translation_m = [1.0, 0.0, 0.0]", "translation_m = [1.0, nan, 0.0]", "frames[0].translation_m");
    check("translation_m = [1.0, 0.0, 0.0]", "translation_m = [1.0, 0.0, inf]", "frames[0].translation_m");
}

#[test]
fn u_1002_a_map_is_declared_with_its_key() {
    let with = |map: &str| ARM.replacen("[[actuators]]", &format!("{map}\n[[actuators]]"), 1);
    let manifest = Manifest::parse(&with("map = { key = \"lab/arm-1/out/map\" }"), "arm-1").unwrap();
    assert_eq!(manifest.map.unwrap().key, "lab/arm-1/out/map");
    for key in ["lab/*/out/map", "lab/arm-1/cmd/stop", ""] {
        let error = Manifest::parse(&with(&format!("map = {{ key = {key:?} }}")), "arm-1").unwrap_err();
        assert!(error.to_string().contains("map.key"), "{error}");
    }
}

#[test]
fn u_406_a_camera_is_declared_with_its_key_its_form_and_its_rate() {
    let camera = r#"cameras = [{ id = "cell", key = "lab/arm-1/vision/cell", encoding = "jpeg", rate_hz = 5.0 }]
[[actuators]]"#;
    let text = ARM.replacen("[[actuators]]", camera, 1);
    let manifest = Manifest::parse(&text, "arm-1").unwrap();
    let expected = Camera {
        id: CameraId::new("cell").unwrap(),
        key: "lab/arm-1/vision/cell".to_owned(),
        encoding: PictureEncoding::Jpeg,
        rate_hz: 5.0,
        max_age_ms: 2_000,
        detections: None,
    };
    assert_eq!(manifest.cameras, [expected]);
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "the fixture lost {from:?}");
        Manifest::parse(&text.replacen(from, to, 1), "arm-1").unwrap_err().to_string()
    };
    let twice =
        "encoding = \"jpeg\", rate_hz = 5.0 }, { id = \"cell\", key = \"lab/b\", encoding = \"jpeg\", rate_hz = 5.0";
    for (from, to, expected) in [
        ("lab/arm-1/vision/cell", "lab/*/vision/cell", "cameras.cell.key"),
        ("lab/arm-1/vision/cell", "lab/arm-1/cmd/stop", "cameras.cell.key"),
        ("\"jpeg\"", "\"png\"", "unknown variant `png`"),
        ("rate_hz = 5.0", "rate_hz = 0.0", "cameras.cell.rate_hz"),
        ("rate_hz = 5.0", "rate_hz = nan", "cameras.cell.rate_hz"),
        ("rate_hz = 5.0", "rate_hz = 5.0, max_age_ms = 1", "cameras.cell.max_age_ms"),
        ("encoding = \"jpeg\", rate_hz = 5.0", twice, "cameras.cell.id"),
    ] {
        let error = refused(from, to);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn u_406_detections_in_the_pictures_of_a_camera_are_declared_with_their_key_and_form() {
    let with = |key: &str, encoding: &str| {
        let camera = format!(
            r#"cameras = [{{ id = "cell", key = "lab/arm-1/vision/cell", encoding = "jpeg", rate_hz = 5.0,
               detections = {{ key = {key:?}, encoding = {encoding:?} }} }}]
[[actuators]]"#
        );
        Manifest::parse(&ARM.replacen("[[actuators]]", &camera, 1), "arm-1")
    };
    let declared = with("lab/arm-1/vision/objects", "detection2d_array").unwrap().cameras.remove(0).detections;
    let (key, encoding) = ("lab/arm-1/vision/objects".to_owned(), DetectionEncoding::Detection2dArray);
    assert_eq!(declared, Some(DetectionSource { key, encoding }));
    for key in ["lab/*/objects", "lab/arm-1/cmd/stop", "lab/arm-1/vision/cell", ""] {
        let error = with(key, "json").unwrap_err().to_string();
        assert!(error.contains("cameras.cell.detections.key"), "{error}");
    }
    assert!(with("lab/arm-1/vision/objects", "xml").unwrap_err().to_string().contains("unknown variant `xml`"));
}

#[test]
fn rg_35_manifests_that_say_the_same_have_one_hash_and_any_other_value_makes_another() {
    let hash = |text: &str| Manifest::parse(text, "arm-1").unwrap().hash;
    let arm = hash(ARM);
    assert_eq!(hash(&format!("# Of the north hall.\n{}\n\n", ARM.replace(" = ", "="))), arm);
    let slower = ARM.replacen("speed_mps_max = 1.0", "speed_mps_max = 0.9", 1);
    assert_ne!(slower, ARM);
    assert_ne!(hash(&slower), arm);
}
