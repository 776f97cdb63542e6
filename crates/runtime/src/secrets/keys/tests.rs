use serde_json::json;

use super::*;

const CANARY: &str = "sk-canary-0123456789abcdef";

fn value(text: &str) -> SecretValue {
    serde_json::from_value(json!(text)).unwrap()
}

fn name(text: &str) -> SecretName {
    SecretName::new(text).unwrap()
}

async fn db(folder: &std::path::Path) -> StationDb {
    StationDb::open(&folder.join("station.db")).await.unwrap()
}

#[test]
fn att_19_a_key_has_no_form_for_logs_and_its_errors_quote_nothing() {
    assert!(!format!("{:?}", value(CANARY)).contains("canary"));
    for bad in [json!([CANARY]), json!({ CANARY: 1 }), json!(format!("{CANARY} {CANARY}")), json!(""), json!(7)] {
        let error = serde_json::from_value::<SecretValue>(bad).unwrap_err().to_string();
        assert!(!error.contains("canary"), "{error}");
    }
    assert_eq!(value(&format!("  {CANARY}\n")).0.expose_secret(), CANARY, "what was pasted is trimmed");
}

#[test]
fn u_1701_of_a_key_its_last_four_characters_are_shown_and_of_a_short_one_none() {
    for (key, end) in [(CANARY, "cdef"), ("0123456789ab", "89ab"), ("0123456789a", ""), ("x", "")] {
        assert_eq!(end_of(&SecretString::from(key)), end, "{key}");
    }
}

#[tokio::test]
async fn a_key_of_this_session_is_used_and_listed_and_written_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let (db, keys) = (db(folder.path()).await, Keys::new(KeyStore::Environment, Redaction::default()));
    keys.set_for_session(name("key-of-a-test"), value(CANARY), 7);
    assert_eq!(keys.get(&name("key-of-a-test")).await.unwrap().expose_secret(), CANARY);
    let rows = keys.list(&db).await.unwrap();
    let row = rows.iter().find(|row| row.name.as_str() == "key-of-a-test").unwrap();
    assert_eq!((row.last4.as_str(), row.set_at, row.kept), ("cdef", Some(7), SecretKept::Session));
    assert!(db.secrets().await.unwrap().is_empty());
    keys.delete(&db, &name("key-of-a-test")).await.unwrap();
    assert!(matches!(keys.get(&name("key-of-a-test")).await, Err(SecretError::Missing { .. })));
}

#[tokio::test]
async fn att_21_keys_of_the_environment_cannot_be_set_and_a_missing_one_names_its_variable() {
    let folder = tempfile::tempdir().unwrap();
    let (db, keys) = (db(folder.path()).await, Keys::new(KeyStore::Environment, Redaction::default()));
    let refused = keys.set(&db, name("key-of-a-test"), value(CANARY), 7).await.unwrap_err();
    assert_eq!(refused.code, "secrets_read_only");
    assert!(refused.message.contains("QUARTERDECK_SECRET_KEY_OF_A_TEST"), "{}", refused.message);
    let missing = keys.delete(&db, &name("key-of-a-test")).await.unwrap_err();
    assert_eq!(missing.code, "secret_not_found");
    assert!(db.secrets().await.unwrap().is_empty());
}

#[tokio::test]
async fn att_19_what_was_set_is_taken_out_of_records_from_then_on() {
    let redaction = Redaction::default();
    let keys = Keys::new(KeyStore::Environment, redaction.clone());
    let odd = "0123/odd+shape~of=key";
    assert_eq!(redaction.without_secrets(odd), odd);
    keys.set_for_session(name("odd"), value(odd), 7);
    assert_eq!(redaction.without_secrets(&format!("it is {odd}!")), "it is [redacted]!");
}

#[tokio::test]
async fn a_key_that_cannot_be_listed_is_not_given_to_the_keychain_and_takes_no_other_out_of_use() {
    let folder = tempfile::tempdir().unwrap();
    let (db, keys) = (db(folder.path()).await, Keys::new(KeyStore::Keychain, Redaction::default()));
    keys.set_for_session(name("key-of-a-test"), value(CANARY), 7);
    db.close().await;
    let refused = keys.set(&db, name("key-of-a-test"), value("another-key-of-a-test"), 8).await.unwrap_err();
    assert_eq!(refused.code, "storage_failed");
    assert_eq!(keys.get(&name("key-of-a-test")).await.unwrap().expose_secret(), CANARY);
}
