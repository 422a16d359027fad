//! Who sits at the terminal.

use myao_config::TerminalUser;

fn described(variables: &[(&str, &str)]) -> TerminalUser {
    let find = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
    TerminalUser::described_by(find)
}

#[test]
fn the_environment_describes_them() {
    let person =
        described(&[("USER", "alice"), ("EDITOR", "vi"), ("VISUAL", "code --wait"), ("NO_COLOR", "1")]);
    let expected =
        TerminalUser { name: "alice".to_owned(), editor: Some("code --wait".to_owned()), plain: true };
    assert_eq!(person, expected);
    assert_eq!(described(&[("USER", " "), ("USERNAME", "Alice")]).name, "Alice");
    assert_eq!(described(&[]), TerminalUser { name: "somebody".to_owned(), editor: None, plain: false });
}
