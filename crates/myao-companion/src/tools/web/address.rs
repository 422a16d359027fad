//! Tells which IP addresses belong to the public internet (specification §6: `web_fetch` reaches no private address).
//!
//! The standard library's `is_global` is not stable, and does not know the metadata addresses of clouds. So this is a
//! table of our own, after IANA's registries of special-purpose addresses. For IPv6 it is the other way around: only
//! `2000::/3` is public, and everything outside of it is refused without being listed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public, or not meant for us: base and prefix length.
const CLOSED_V4: [([u8; 4], u32); 17] = [
    ([0, 0, 0, 0], 8),          // this network; `0.0.0.0` is the machine itself
    ([10, 0, 0, 0], 8),         // private
    ([100, 64, 0, 0], 10),      // shared by a carrier's customers; VPNs of the Tailscale kind
    ([127, 0, 0, 0], 8),        // the machine itself
    ([168, 63, 129, 16], 32),   // public, but inside Azure it is the host
    ([169, 254, 0, 0], 16),     // link-local: the metadata of most clouds
    ([172, 16, 0, 0], 12),      // private
    ([192, 0, 0, 0], 24),       // protocol assignments: the metadata of another cloud
    ([192, 0, 2, 0], 24),       // documentation
    ([192, 88, 99, 0], 24),     // 6to4 relays, no longer in use
    ([192, 168, 0, 0], 16),     // private
    ([198, 18, 0, 0], 15),      // benchmarks
    ([198, 51, 100, 0], 24),    // documentation
    ([203, 0, 113, 0], 24),     // documentation
    ([224, 0, 0, 0], 4),        // multicast
    ([240, 0, 0, 0], 4),        // reserved
    ([255, 255, 255, 255], 32), // broadcast
];

/// Networks inside `2000::/3` that are not public.
const CLOSED_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments: Teredo, ORCHID, …
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Whether an address belongs to the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let closed = |(base, bits): &([u8; 4], u32)| {
        (address.to_bits() ^ Ipv4Addr::from(*base).to_bits()).leading_zeros() >= *bits
    };
    !CLOSED_V4.iter().any(closed)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // A packet to one of these is a packet to the IPv4 address inside.
    if let Some(inside) = carried_ipv4(address) {
        return is_public_v4(inside);
    }
    let closed = |(base, bits): &(Ipv6Addr, u32)| is_within(address, *base, *bits);
    is_within(address, Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3) && !CLOSED_V6.iter().any(closed)
}

/// The IPv4 address that an IPv6 address stands for: IPv4-mapped (`::ffff:a.b.c.d`), NAT64 (`64:ff9b::a.b.c.d`) or 6to4
/// (`2002:aabb:ccdd::`).
fn carried_ipv4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))),
        _ => None,
    }
}

fn is_within(address: Ipv6Addr, base: Ipv6Addr, bits: u32) -> bool {
    (address.to_bits() ^ base.to_bits()).leading_zeros() >= bits
}
