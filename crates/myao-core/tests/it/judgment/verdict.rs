//! What models answer, within its bounds.

use myao_core::judgment::{Verdict, verdict_json_schema};
use serde_json::json;

#[test]
fn whatever_a_model_writes_is_bounded() {
    let read = |value| serde_json::from_value::<Verdict>(value).unwrap().bounded();
    let plain = read(json!({"should_respond": true, "reason": " left\nalone ", "confidence": 0.8}));
    let expected =
        Verdict { should_respond: true, reason: "left alone".into(), confidence: 0.8, delay_seconds: None };
    assert_eq!(plain, expected);
    let sure = |confidence: f64| {
        let value = json!({"should_respond": false, "reason": "", "confidence": confidence});
        read(value).confidence.to_string()
    };
    assert_eq!([0.0, 1.0, 85.0, -3.0, 900.0].map(sure), ["0", "1", "0.85", "0", "1"]);
    let later = |delay: f64| {
        let value = json!({"should_respond": true, "reason": "", "confidence": 1, "delay_seconds": delay});
        read(value).delay_seconds
    };
    assert_eq!([0.0, -5.0, 120.0, 1e12].map(later), [None, None, Some(120.0), None]);
    let long = read(json!({"should_respond": true, "reason": "あ".repeat(5000), "confidence": 1}));
    assert_eq!(long.reason.chars().count(), 300);
}

#[test]
fn the_schema_names_every_key() {
    let verdict =
        Verdict { should_respond: true, reason: String::new(), confidence: 1.0, delay_seconds: None };
    let written = serde_json::to_value(verdict).unwrap();
    let schema = verdict_json_schema();
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().filter_map(|k| k.as_str()).collect();
    let keys: Vec<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(required, keys);
    assert_eq!(schema["properties"].as_object().unwrap().len(), keys.len());
}
