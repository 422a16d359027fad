use std::net::TcpListener;

use myao_testkit::reserve_port;

#[test]
fn a_port_is_given_once_and_not_by_the_system() {
    let ports = [reserve_port(), reserve_port(), reserve_port()];
    assert!(ports[0] != ports[1] && ports[1] != ports[2] && ports[0] != ports[2], "{ports:?}");
    for port in ports {
        assert!((10_000..30_000).contains(&port), "{ports:?}");
        TcpListener::bind(("127.0.0.1", port)).expect("nobody listens there");
    }
}
