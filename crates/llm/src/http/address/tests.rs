use super::refusal;
use crate::http::Reach;

#[test]
fn w_03_only_what_belongs_to_the_internet_is_public() {
    for public in
        ["8.8.8.8", "100.63.0.1", "172.32.0.1", "192.0.1.1", "198.20.0.1", "2606:4700::1111", "2001:4860:4860::8888"]
    {
        let address = public.parse().expect(public);
        assert_eq!(refusal(address, Reach::Public), None, "{public}");
        assert!(refusal(address, Reach::Local).is_some(), "{public}");
        assert_eq!(refusal(address, Reach::Marked), None, "{public}");
    }
}

#[test]
fn w_03_whatever_leads_inside_is_private_however_it_is_written() {
    let inside = [
        "127.0.0.1",
        "127.8.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "198.18.0.1",
        "192.0.2.1",
        "203.0.113.9",
        "240.0.0.1",
        "::1",
        "fe80::1",
        "fc00::1",
        "fd12:3456::1",
        "2001:db8::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "::127.0.0.1",
        "3fff::1",
        "100::1",
    ];
    for private in inside {
        let address = private.parse().expect(private);
        assert!(refusal(address, Reach::Public).is_some(), "{private}");
        assert_eq!(refusal(address, Reach::Local), None, "{private}");
    }
}

#[test]
fn w_03_an_address_of_no_single_server_is_never_used() {
    for nobody in ["0.0.0.0", "255.255.255.255", "224.0.0.1", "::", "ff02::1", "::ffff:0.0.0.0"] {
        for reach in [Reach::Public, Reach::Marked, Reach::Local] {
            assert!(refusal(nobody.parse().expect(nobody), reach).is_some(), "{nobody} {reach:?}");
        }
    }
}
