//! Each rule of the house, on small repositories made up here: what it finds, and what it leaves alone.

#[cfg(test)]
mod arrows;
#[cfg(test)]
mod books;
#[cfg(test)]
mod circles;
#[cfg(test)]
mod claims;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod features;
#[cfg(test)]
mod files;
#[cfg(test)]
mod references;
#[cfg(test)]
mod secret_rules;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod types;

#[cfg(test)]
mod house {
    use serde_json::{Value, json};
    use xtask::tidy::{SourceFile, all_violations};

    /// What is found in a repository of these files, one line a violation.
    pub(crate) fn found(files: &[(&str, &str)]) -> Vec<String> {
        found_with(&json!({}), files)
    }

    /// The same with packages, as `cargo metadata` tells of them.
    pub(crate) fn found_with(metadata: &Value, files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(*path, *text)).collect();
        all_violations(metadata, &files).iter().map(ToString::to_string).collect()
    }
}

#[cfg(test)]
mod slow_tests {
    mod repository {
        /// Whether it is tidy is for `cargo xtask tidy` to say.
        #[test]
        fn can_be_read() {
            let mut said = Vec::new();
            let count = xtask::tidy::check_repository(&mut said).unwrap();
            let said = String::from_utf8(said).unwrap();
            assert_eq!(count, said.lines().count() - 1, "a line each and a summary:\n{said}");
            assert!(
                said.lines().last().unwrap().starts_with(&format!("tidy: {count} violations; ")),
                "{said}"
            );
        }
    }
}
