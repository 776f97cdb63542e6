use proptest::prelude::*;

use super::*;

const FORMS: [DetectionEncoding; 2] = [DetectionEncoding::Json, DetectionEncoding::Detection2dArray];

fn person() -> Detection {
    Detection { label: "person".to_owned(), confidence: Some(0.75), min_px: [10.0, 20.5], max_px: [50.0, 220.0] }
}

fn dog() -> Detection {
    Detection { label: "dog".to_owned(), confidence: Some(0.875), min_px: [-4.0, 100.0], max_px: [30.0, 140.0] }
}

#[test]
fn u_406_detections_of_both_forms_are_read_the_most_confident_first() {
    for form in FORMS {
        let message = write_detections(form, "camera", 1_500, &[person(), dog()]);
        assert_eq!(read_detections(form, &message), Ok(vec![dog(), person()]), "{form:?}");
        assert_eq!(read_detections(form, &write_detections(form, "a", 0, &[])), Ok(vec![]), "{form:?}");
    }
}

#[test]
fn u_406_detections_in_json_may_stand_in_an_object_and_go_by_the_names_of_other_detectors() {
    let read = |text: &str| read_detections(DetectionEncoding::Json, text.as_bytes());
    let text = r#"{"stamp": 5, "detections": [{"class_name": "cup", "score": 0.5, "track": 7,
        "bbox": {"x1": 1, "y1": 2, "x2": 3.5, "y2": 4}}, {"bbox": {"x1": 0, "y1": 0, "x2": 1, "y2": 1}}]}"#;
    let cup = Detection { label: "cup".to_owned(), confidence: Some(0.5), min_px: [1.0, 2.0], max_px: [3.5, 4.0] };
    let nameless = Detection { label: String::new(), confidence: None, min_px: [0.0, 0.0], max_px: [1.0, 1.0] };
    assert_eq!(read(text), Ok(vec![cup, nameless]));
}

#[test]
fn u_406_a_message_of_another_form_is_refused_and_a_detection_without_a_box_is_left_out() {
    let whole = write_detections(DetectionEncoding::Detection2dArray, "camera", 0, &[person()]);
    let refused = |form, message: &[u8]| read_detections(form, message) == Err(DetectionFault::NotDetections);
    for message in [b"{}".as_slice(), b"[1]", b"<svg/>", b"", &whole] {
        assert!(refused(DetectionEncoding::Json, message), "{message:?}");
    }
    assert!(refused(DetectionEncoding::Detection2dArray, b"[]"));
    assert!(refused(DetectionEncoding::Detection2dArray, &whole[..whole.len() - 20]));
    for broken in [f64::NAN, f64::INFINITY, 51.0] {
        let detection = Detection { min_px: [broken, 0.0], ..person() };
        let message = write_detections(DetectionEncoding::Detection2dArray, "camera", 0, &[detection, dog()]);
        assert_eq!(read_detections(DetectionEncoding::Detection2dArray, &message), Ok(vec![dog()]), "{broken}");
    }
    let reversed = r#"[{"label": "cup", "bbox": {"x1": 9, "y1": 0, "x2": 1, "y2": 1}}]"#;
    assert_eq!(read_detections(DetectionEncoding::Json, reversed.as_bytes()), Ok(vec![]));
}

#[test]
fn u_406_a_label_is_a_word_and_a_picture_has_64_objects_at_most() {
    let shouting = Detection { label: format!("per\n\u{7}\u{202e}s\u{200b}on{}", "!".repeat(400)), ..person() };
    for form in FORMS {
        let many: Vec<Detection> = (0..200).map(|_| person()).chain([dog(), shouting.clone()]).collect();
        let read = read_detections(form, &write_detections(form, "camera", 0, &many)).unwrap();
        assert_eq!((read.len(), &read[0]), (OBJECTS_MAX, &dog()), "{form:?}");
        let read =
            read_detections(form, &write_detections(form, "camera", 0, std::slice::from_ref(&shouting))).unwrap();
        assert_eq!((read[0].label.chars().count(), &read[0].label[..8]), (LABEL_CHARS_MAX, "person!!"), "{form:?}");
    }
}

#[test]
fn u_406_a_turned_box_is_shown_as_the_upright_one_around_it_and_a_share_of_more_than_one_is_no_confidence() {
    let center = Pose2D { position: Point2D { x: 100.0, y: 50.0 }, theta: std::f64::consts::FRAC_PI_2 };
    let ([left, top], [right, bottom]) = BoundingBox2D { center, size_x: 40.0, size_y: 10.0 }.upright();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(near(left, 95.0) && near(right, 105.0) && near(top, 30.0) && near(bottom, 70.0));
    for score in [-0.1, 1.1, 87.0, f64::NAN] {
        assert_eq!(Detection::shown("a", score, [0.0; 2], [1.0; 2]).unwrap().confidence, None);
    }
}

proptest! {
    #[test]
    fn u_406_no_bytes_make_the_reader_of_detections_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0_usize..500) {
        for form in FORMS {
            let _ = read_detections(form, &bytes);
            let mut broken = write_detections(form, "camera", 0, &[person()]);
            let end = broken.len();
            for (place, byte) in broken[at.min(end)..].iter_mut().zip(&bytes) {
                *place = *byte;
            }
            let _ = read_detections(form, &broken);
        }
    }
}
