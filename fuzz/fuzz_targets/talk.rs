//! The target `talk` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| myao_fuzz::talk(data));
