//! Generates the protocol's types from the .proto files, which are in proto/ of a copy of this project.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let proto = if std::path::Path::new("proto").exists() { "proto" } else { "../../proto" };
    println!("cargo::rerun-if-changed={proto}/hearts");
    let files = protox::compile(["hearts/v1/referee_service.proto"], [proto])?;
    Ok(tonic_prost_build::configure().build_server(false).compile_fds(files)?)
}
