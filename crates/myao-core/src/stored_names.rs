//! Gives enum variants the names that databases, files and the configuration hold.

/// Gives an enum `as_str` and `FromStr`: `stored_names!(Type, "what a variant is", { Variant => "name", … })`.
macro_rules! stored_names {
    ($type:ident, $what:literal, { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// The name in storage.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($name => Ok(Self::$variant),)+
                    _ => Err(format!("`{text}` is no {}", $what)),
                }
            }
        }
    };
}
