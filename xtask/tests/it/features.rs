use xtask::features::{BuiltPackages, FeatureGap, RunsIn, packages_beside, text_of_manifest};

/// What `cargo tree` lists for a workspace: all, and what runs in what is built.
const WHOLE: [&str; 2] = [
    "myao-core v0.1.0 (/clone/crates/myao-core)|\nserde v1.0.229|default,derive,rc\nserde_derive v1.0.229 (proc-macro)|\n\
     syn v2.0.119|full,parsing\nsyn v3.0.9|fold,full\nserde v1.0.229|default,derive,rc (*)\nfastrand v2.5.0|\n\
     fastrand v2.5.0|std\n",
    "myao-core v0.1.0 (/clone/crates/myao-core)|\nserde v1.0.229|default,derive,rc\nfastrand v2.5.0|std\n",
];
/// The same for a crate by itself.
const ALONE: [&str; 2] = [
    "myao-core v0.1.0 (/clone/crates/myao-core)|\nserde v1.0.229|default,derive\nserde_derive v1.0.229 (proc-macro)|\n\
     syn v2.0.119|parsing\nsyn v3.0.9|full\nfastrand v2.5.0|\n",
    "myao-core v0.1.0 (/clone/crates/myao-core)|\nserde v1.0.229|default,derive\nfastrand v2.5.0|\n",
];

fn gaps() -> Vec<FeatureGap> {
    let [whole, alone] = [WHOLE, ALONE].map(|[all, target]| BuiltPackages::from_lists(all, target));
    assert!(whole.gaps_to(&whole).is_empty());
    alone.gaps_to(&whole).into_iter().collect()
}

#[test]
fn packages_get_the_features_that_they_have_in_the_workspace_where_they_run() {
    let found: Vec<String> = gaps().iter().map(|gap| format!("{:?} {}", gap.runs_in, gap.wanted)).collect();
    let expected = [
        "Target fastrand 2.5.0 (std)",
        "Target serde 1.0.229 (default, derive, rc)",
        "Host syn 2.0.119 (full, parsing)",
        "Host syn 3.0.9 (fold, full)",
    ];
    assert_eq!(found, expected);
    assert_eq!(gaps().iter().filter(|gap| gap.runs_in == RunsIn::Host).count(), 2);
}

#[test]
fn a_manifest_names_each_version_of_a_package() {
    let text = text_of_manifest(&gaps());
    let written = text.split_once("[target.").expect("a section").1;
    let expected = "'cfg(target_os = \"linux\")'.dependencies]
fastrand = { version = \"2\", default-features = false, features = [\"std\"] }
serde = { version = \"1\", default-features = false, features = [\"default\", \"derive\", \"rc\"] }

[target.'cfg(target_os = \"linux\")'.build-dependencies]
syn-2 = { package = \"syn\", version = \"2\", default-features = false, features = [\"full\", \"parsing\"] }
syn-3 = { package = \"syn\", version = \"3\", default-features = false, features = [\"fold\", \"full\"] }
";
    assert_eq!(written, expected);
}

#[test]
fn what_a_crate_would_build_for_itself_is_found() {
    let found: Vec<String> = packages_beside(ALONE[0], WHOLE[0]).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["serde 1.0.229 (default, derive)", "syn 2.0.119 (parsing)", "syn 3.0.9 (full)"]);
    assert!(packages_beside(WHOLE[0], WHOLE[0]).is_empty());
}
