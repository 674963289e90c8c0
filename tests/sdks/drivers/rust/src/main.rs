//! Drives the official Rust SDK: reads commands as lines of JSON from standard input, and answers each with a line.

use serde_json::{json, Value};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, BufReader};
use unleash_api_client::client::{Client, ClientBuilder, FeatureKey};
use unleash_api_client::Context;

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Clients = HashMap<String, Arc<Client<Unnamed>>>;

/// Flags are asked for by their text.
#[derive(Debug, Clone, Copy)]
struct Unnamed;

impl FeatureKey for Unnamed {
    fn name(self) -> &'static str {
        ""
    }
}

fn text(command: &Value, name: &str) -> String {
    command[name].as_str().unwrap_or_default().to_owned()
}

fn list(command: &Value, name: &str) -> Vec<Value> {
    command[name].as_array().cloned().unwrap_or_default()
}

fn get(clients: &Clients, command: &Value) -> Result<Arc<Client<Unnamed>>, Failure> {
    let client = clients.get(&text(command, "client"));
    client.cloned().ok_or_else(|| "no such client".into())
}

/// Starts a client that registers and polls in the background.
async fn start(clients: &mut Clients, command: &Value) -> Result<Value, Failure> {
    let client = ClientBuilder::default()
        .enable_string_features()
        .interval(1000 * command["intervalSeconds"].as_u64().unwrap_or(1))
        .into_client::<Unnamed>(
            &text(command, "url"),
            &text(command, "appName"),
            &text(command, "instanceId"),
            Some(text(command, "token")),
        )?;
    let client = Arc::new(client);
    clients.insert(text(command, "client"), client.clone());
    tokio::spawn(async move {
        // a client that may not register polls all the same
        let _ = client.register().await;
        client.poll_for_updates().await;
    });
    Ok(json!({}))
}

/// Returns a line per context, with on or off, variant and payload per flag.
fn decide(client: &Client<Unnamed>, command: &Value) -> Result<Value, Failure> {
    let flags: Vec<String> = serde_json::from_value(command["flags"].clone())?;
    let mut lines = Vec::new();
    for given in list(command, "contexts") {
        let context: Context = serde_json::from_value(given)?;
        let decisions = flags.iter().map(|flag| {
            let variant = client.get_variant_str(flag, &context);
            let is_enabled = client.is_enabled_str(flag, Some(&context), false);
            json!([is_enabled, variant.name, variant.payload.get("value")])
        });
        lines.push(decisions.collect::<Vec<_>>());
    }
    Ok(json!({ "decisions": lines }))
}

/// Asks for one flag a number of times. Returns the last answer.
fn ask(client: &Client<Unnamed>, command: &Value) -> Result<Value, Failure> {
    let context: Context = serde_json::from_value(command["context"].clone())?;
    let flag = text(command, "flag");
    let mut is_enabled = false;
    for _ in 0..command["times"].as_u64().unwrap_or(1) {
        is_enabled = client.is_enabled_str(&flag, Some(&context), false);
    }
    Ok(json!({ "isEnabled": is_enabled }))
}

async fn carry_out(clients: &mut Clients, line: &str) -> Result<Value, Failure> {
    let command: Value = serde_json::from_str(line)?;
    match command["do"].as_str() {
        Some("start") => start(clients, &command).await,
        Some("decide") => decide(&*get(clients, &command)?, &command),
        Some("ask") => ask(&*get(clients, &command)?, &command),
        Some("stop") => {
            get(clients, &command)?.stop_poll().await;
            clients.remove(&text(&command, "client"));
            Ok(json!({}))
        }
        _ => Err("unknown command".into()),
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut clients = Clients::new();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let answer = carry_out(&mut clients, &line).await;
        println!("{}", answer.unwrap_or_else(|error| json!({ "error": error.to_string() })));
    }
    Ok(())
}
