use super::*;
use crate::fixtures::sample;

const KEY_EXPR: &str = "lab/arm-1/cmd/claim";
const PAYLOAD: &[u8] = br#"{"epoch":7}"#;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&[seed; 32])
}

fn check(key_expr: &str, payload: &[u8], attachment: Option<&[u8]>, by: &PublicKey, expected: bool) {
    let signed = SignedSample::new(sample(key_expr, "", payload), attachment);
    assert_eq!(signed.is_by(by), expected, "{key_expr} {attachment:02x?}");
}

#[test]
fn a_signature_holds_for_its_key_its_payload_and_its_signer_only() {
    let signature = key(1).sign(KEY_EXPR, PAYLOAD);
    let (ours, theirs) = (key(1).public(), key(2).public());
    check(KEY_EXPR, PAYLOAD, Some(&signature), &ours, true);
    check(KEY_EXPR, PAYLOAD, Some(&signature), &theirs, false);
    check("lab/arm-1/cmd/release", PAYLOAD, Some(&signature), &ours, false);
    check(KEY_EXPR, br#"{"epoch":8}"#, Some(&signature), &ours, false);
    check(KEY_EXPR, PAYLOAD, None, &ours, false);
    check(KEY_EXPR, PAYLOAD, Some(&signature[..63]), &ours, false);
    for bit in 0..8 * signature.len() {
        let mut turned = signature;
        turned[bit / 8] ^= 1 << (bit % 8);
        check(KEY_EXPR, PAYLOAD, Some(&turned), &ours, false);
    }
}

#[test]
fn the_signed_bytes_are_those_of_the_module_text() {
    assert_eq!(signed_bytes("a/b", b"{}"), b"quarterdeck-1\0a/b\0{}");
}

#[test]
fn a_public_key_is_read_as_it_is_written() {
    let public = key(1).public();
    assert_eq!(public.to_string().parse::<PublicKey>().unwrap(), public);
    let zeros = format!("ed25519:{}", BASE64.encode([0; 32]));
    for text in ["", "ed25519:", "ed25519:AAAA", "rsa:AAAA", zeros.as_str(), &public.to_string()[8..]] {
        assert!(text.parse::<PublicKey>().is_err(), "{text}");
    }
}

#[test]
fn two_new_keys_differ() {
    assert_ne!(SigningKey::generate().unwrap().public(), SigningKey::generate().unwrap().public());
}
