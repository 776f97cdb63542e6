use super::*;

fn check(phrase: &str, text: &str, expected: Option<&str>) {
    let found = Phrase::of(phrase).unwrap().replaced(text, "[x]");
    assert_eq!(found.as_deref(), expected, "{phrase} in {text}");
}

#[test]
fn e2_12_a_typed_phrase_is_found_in_any_case_and_normal_form_with_its_accents_as_typed() {
    for (phrase, text, expected) in [
        ("Meerrettichwurst", "the MEERRETTICHWURST, please", Some("the [x], please")),
        ("kim", "Kim's key: KIM_1", Some("[x]'s key: [x]_1")),
        ("kim", "a kimono", None),
        ("Größe", "GRÖSSE gro\u{308}ße GRO\u{308}SSE grösse", Some("[x] [x] [x] [x]")),
        ("gro\u{308}sse", "Größe", Some("[x]")),
        ("Grosse", "Größe", None),
        ("Andre", "Andre\u{301} Andr\u{e9} andre", Some("Andre\u{301} Andr\u{e9} [x]")),
        ("Andr\u{e9}", "Andre ANDRE\u{301}", Some("Andre [x]")),
        ("final office", "\u{fb01}nal o\u{fb03}ce", Some("[x]")),
        ("οδός", "ΟΔΌΣ", Some("[x]")),
        ("Ｋｉｍ", "kim", Some("[x]")),
        ("Anna Lee", "anna\n   LEE and Anna-Lee", Some("[x] and Anna-Lee")),
        ("ệ", "e\u{323}\u{302} ẹ\u{302} Ệ", Some("[x] [x] [x]")),
    ] {
        check(phrase, text, expected);
    }
    assert!(Phrase::of(" … ").is_none());
}

#[test]
fn e2_12_in_json_only_words_give_way_however_deep_they_stand() {
    let inner = serde_json::json!({ "note": "call KIM\nnow", "kim": 1 }).to_string();
    let line = serde_json::json!({ "kind": "kim", "id": 3, "content": "Kim", "result": inner }).to_string();
    let replaced = Phrase::of("Kim").unwrap().replaced(&line, "[x]").unwrap();
    let value: Value = serde_json::from_str(&replaced).unwrap();
    assert_eq!((&value["kind"], &value["content"]), (&Value::from("kim"), &Value::from("[x]")));
    let inner: Value = serde_json::from_str(value["result"].as_str().unwrap()).unwrap();
    assert_eq!(inner, serde_json::json!({ "note": "call [x]\nnow", "kim": 1 }));
    check("kind", r#"{"kind":"user"}"#, None);
    let called = r#"{"arguments":"{}","name":"stop_all"}"#;
    check("stop_all", called, None);
}

#[test]
fn e2_13_the_bytes_of_a_file_hold_a_phrase_escaped_in_part_of_a_word_and_across_its_parts() {
    let phrase = Phrase::of("große Ägäis").unwrap();
    let once = r#""GRO\u00DFE \u00e4g\u00c4is""#;
    let twice = Value::from(once).to_string();
    for text in ["xgroße Ägäisx", "grosse\\n\\tA\u{308}ga\u{308}is", once, &twice] {
        assert!(phrase.is_part_of(text.as_bytes(), Parts::Telling), "{text}");
        let long = format!("{}{text}{}", " ".repeat(PART_BYTES - 9), "tail".repeat(99));
        assert!(phrase.is_read_from(long.as_bytes(), Parts::Telling).unwrap(), "{text}");
    }
    assert!(!phrase.is_read_from("grosse Agais".as_bytes(), Parts::Telling).unwrap());
    let kim = Phrase::of("kim").unwrap();
    assert!(!kim.is_part_of(b"kimono", Parts::Telling), "another word");
    assert!(kim.is_part_of(b"userKim", Parts::Any), "columns back to back");
}
