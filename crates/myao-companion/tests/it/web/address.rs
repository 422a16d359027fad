//! Which addresses are public.

use std::net::IpAddr;

use myao_companion::tools::web::is_public;
use proptest::prelude::*;

const PUBLIC: [&str; 26] = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "168.63.129.17",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2400:cb00::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
    "2001:200::1",
];

const CLOSED: [&str; 59] = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.1.2.3",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.1.2.3",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2002:c0a8:101::1",
    "3fff::1",
    "3fff:fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ffff::1",
];

#[test]
fn the_public_internet_is_told_from_the_rest() {
    for text in PUBLIC {
        assert!(is_public(text.parse().unwrap()), "{text} is public");
    }
    for text in CLOSED {
        assert!(!is_public(text.parse().unwrap()), "{text} is not public");
    }
}

proptest! {
    /// However an IPv4 address is dressed up, it is as public as it is.
    #[test]
    fn an_address_inside_an_address_counts(bits: u32) {
        let [a, b, c, d] = bits.to_be_bytes();
        let plain: IpAddr = format!("{a}.{b}.{c}.{d}").parse().unwrap();
        for dressed in [
            format!("::ffff:{plain}"),
            format!("64:ff9b::{plain}"),
            format!("2002:{:x}:{:x}::1", u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])),
        ] {
            prop_assert_eq!(is_public(dressed.parse().unwrap()), is_public(plain), "{}", dressed);
        }
        // What the standard library knows to be nobody's, we know too.
        if let IpAddr::V4(v4) = plain
            && (v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast()
                || v4.is_documentation() || v4.is_broadcast() || v4.is_unspecified())
        {
            prop_assert!(!is_public(plain));
        }
    }

    #[test]
    fn local_networks_of_ipv6_are_closed(bits: u128) {
        let address = std::net::Ipv6Addr::from_bits(bits);
        if address.is_loopback() || address.is_multicast() || address.is_unique_local()
            || address.is_unicast_link_local() || address.is_unspecified()
        {
            prop_assert!(!is_public(IpAddr::V6(address)));
        }
        prop_assert!(!is_public(IpAddr::V6(std::net::Ipv6Addr::from_bits(bits >> 3))), "outside 2000::/3");
    }
}
