//! Prints the decisions of the official Rust SDK for the flags and contexts of a file.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use unleash_api_client::client::{ClientBuilder, FeatureKey};
use unleash_api_client::Context;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Deserialize)]
struct Task {
    urls: Vec<String>,
    token: String,
    flags: Vec<String>,
    contexts: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct Decision(bool, String, Option<String>);

/// Flags are asked for by their text.
#[derive(Debug, Clone, Copy)]
struct Unnamed;

impl FeatureKey for Unnamed {
    fn name(self) -> &'static str {
        ""
    }
}

fn to_context(given: &serde_json::Value) -> Context {
    let text = |name: &str| {
        given
            .get(name)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    Context {
        user_id: text("userId"),
        session_id: text("sessionId"),
        remote_address: serde_json::from_value(given["remoteAddress"].clone()).ok(),
        properties: serde_json::from_value(given["properties"].clone()).unwrap_or_default(),
        ..Default::default()
    }
}

/// Returns the decisions at one address: a line per context, with an entry per flag.
async fn decide_all(task: &Task, url: &str) -> Result<Vec<Vec<Decision>>, Failure> {
    let client = ClientBuilder::default()
        .enable_string_features()
        .disable_metric_submission()
        .interval(100)
        .into_client::<Unnamed>(url, "rust-service", "one", Some(task.token.clone()))?;
    client.register().await?;
    let decide = |name: &String, context: &Context| {
        let variant = client.get_variant_str(name, context);
        let on = client.is_enabled_str(name, Some(context), false);
        Decision(on, variant.name, variant.payload.get("value").cloned())
    };
    let work = async {
        while client.cached_state().is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let contexts = task.contexts.iter().map(to_context);
        let decisions = contexts
            .map(|context| {
                task.flags
                    .iter()
                    .map(|name| decide(name, &context))
                    .collect()
            })
            .collect();
        client.stop_poll().await;
        decisions
    };
    let ((), decisions) = tokio::join!(client.poll_for_updates(), work);
    Ok(decisions)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let file = std::env::args().nth(1).expect("the path of a file");
    let task: Task = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let mut answers = Vec::new();
    for url in &task.urls {
        answers.push(decide_all(&task, url).await?);
    }
    println!("{}", serde_json::to_string(&answers)?);
    Ok(())
}
