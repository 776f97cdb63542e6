//! Addresses that belong to the internet. The tables are the special-purpose registries of IANA (RFC 6890).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::Reach;

/// Reason to refuse `address`; absent if it may be reached.
pub(super) fn refusal(address: IpAddr, reach: Reach) -> Option<&'static str> {
    let address = embedded(address);
    let is_nobody = address.is_unspecified() || address.is_multicast() || address == IpAddr::V4(Ipv4Addr::BROADCAST);
    match reach {
        _ if is_nobody => Some("its address is that of no single server"),
        Reach::Public if !is_public(address) => Some("its address is private, and it is not marked as local"),
        Reach::Local if is_public(address) => {
            Some("its address is public: without encryption only local ones are used")
        }
        Reach::Public | Reach::Marked | Reach::Local => None,
    }
}

/// The address that is reached in the end.
fn embedded(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    let [a, b, _, _, _, _, g, h] = v6.segments();
    let inner = |high: u16, low: u16| IpAddr::V4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match v6.segments() {
        // IPv4-mapped, NAT64 and 6to4 addresses end at the IPv4 host that they contain.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => inner(g, h),
        [0x2002, ..] => inner(b, v6.segments()[2]),
        // The unspecified and the loopback address look like embedded ones and are none.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => address,
        [0, 0, 0, 0, 0, 0, ..] if a == 0 => inner(g, h),
        _ => address,
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

const fn is_public_v4(v4: Ipv4Addr) -> bool {
    let [a, b, c, _] = v4.octets();
    let is_special = matches!(
        (a, b, c),
        (0 | 10 | 127 | 240.., ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 168, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !is_special && !v4.is_multicast()
}

const fn is_public_v6(v6: Ipv6Addr) -> bool {
    let [a, b, ..] = v6.segments();
    // Only 2000::/3 is given out; of it, documentation and protocol assignments are nobody's.
    a & 0xe000 == 0x2000 && !(a == 0x2001 && (b == 0xdb8 || b < 0x200)) && !(a == 0x3fff && b < 0x1000)
}

#[cfg(test)]
mod tests;
