//! Who may still spend when a day's tokens run out.

use myao_core::ports::Role;

/// How much of `budget.daily_tokens` a role may use, in percent. As the day's tokens run out memory work waits
/// first, since nothing is lost by it, then judgments, and replies last (SPEC §8).
pub const fn share_of(role: Role) -> u64 {
    match role {
        Role::Memory => 80,
        Role::Judgment => 90,
        Role::Response => 100,
    }
}
