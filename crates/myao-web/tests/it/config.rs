//! Passwords that are given as hashes, and paths that are taken.

use axum::http::StatusCode;
use myao_config::{Config, Secret};
use myao_store::Store;
use myao_web::site::{ChatLinks, Site, SiteParts};

use crate::support::World;

/// What argon2 (Argon2id, 8 KiB, once) makes of `correct horse battery` with the salt `somesaltsomesalt`.
fn hash() -> String {
    use argon2::{Algorithm, Argon2, Params, Version, password_hash::PasswordHasher as _};
    let params = Params::new(8, 1, 1, None).expect("parameters");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_with_salt(b"correct horse battery", b"somesaltsomesalt").expect("a hash").to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_may_be_given_as_its_hash() {
    let mut world = World::new().await;
    world.config.web.access.password = Some(Secret::new(hash()));
    let mut browser = world.browser();
    let wrong = browser.submit("/sign-in", "/sign-in", &[("password", &hash())]).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED, "the hash is no password");
    let right = browser.submit("/sign-in", "/sign-in", &[("password", "correct horse battery")]).await;
    assert_eq!(right.status, StatusCode::SEE_OTHER);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_looks_like_a_hash_and_is_none_is_told() {
    let mut world = World::new().await;
    world.config.web.access.password = Some(Secret::new("$argon2id$nonsense"));
    let store: Store = world.store.clone();
    let site = Site::new(SiteParts {
        config: world.config.clone(),
        store: store.clone(),
        sessions: store,
        clock: std::sync::Arc::new(world.clock.clone()),
        templates: std::sync::Arc::new(
            myao_core::wording::Templates::new(
                myao_core::text::Language::En,
                &std::collections::BTreeMap::new(),
            )
            .expect("templates"),
        ),
        asker: None,
        judge: None,
        keeper: None,
        links: ChatLinks { message: |_, _, _, _| None, message_at: |_| None },
        draw: || [7; 32],
        owner: "Imogen".to_owned(),
        is_read_only: true,
    });
    let error = site.err().expect("it is refused").to_string();
    assert!(error.contains("web.password") && !error.contains("nonsense"), "{error}");
}

/// A run serves other agents at a path of theirs; the configuration refuses one that would hide a page.
#[test]
fn the_paths_of_pages_are_known_to_the_configuration() {
    const PAGES: &str = include_str!("../../src/pages.rs");
    const ROOM: &str = include_str!("../../src/room.rs");
    let routes = [PAGES, ROOM].into_iter().flat_map(|code| code.split(".route(\"").skip(1));
    let paths: Vec<&str> =
        routes.filter_map(|rest| rest.split('"').next()).filter(|path| *path != "/").collect();
    assert!(paths.len() > 40, "{paths:?}");
    for path in paths {
        let first = path.split('/').nth(1).expect("a path");
        let text = format!("mcp: {{path: /{first}}}");
        let read = Config::load_from(&text, std::path::Path::new("config.yaml"), |_| None);
        let told = read.map(|_| ()).expect_err(path).to_string();
        assert!(told.contains("a path of the pages"), "{path}: {told}");
    }
}
