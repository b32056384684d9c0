//! The connection: where the referee is and who calls, as the environment tells; TLS; the signal to stop.

use crate::hearts::referee_service_client::RefereeServiceClient;
use crate::hearts::{BotMessage, Hello, RefereeMessage};
use std::{env, error::Error, fs, process};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::AsciiMetadataValue;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Request, Status, Streaming};

/// Where to dial, and what tells the referee who calls.
pub struct Connection {
    endpoint: Endpoint,
    authorization: AsciiMetadataValue,
    instance: AsciiMetadataValue,
}

impl Connection {
    /// Reads the environment; from here on SIGTERM ends this process, with success.
    pub fn prepare() -> Result<Self, Box<dyn Error>> {
        let (Ok(address), Ok(token)) = (env::var("HEARTS_REFEREE"), env::var("HEARTS_TOKEN")) else {
            return Err("HEARTS_REFEREE and HEARTS_TOKEN must be set.".into());
        };
        let mut stop = signal(SignalKind::terminate())?;
        tokio::spawn(async move { stop.recv().await.map(|()| process::exit(0)) });
        Ok(Self {
            endpoint: endpoint(&address)?,
            authorization: format!("Bearer {token}").parse()?,
            instance: env::var("HEARTS_INSTANCE").unwrap_or_default().parse()?,
        })
    }

    /// Opens a stream that begins with `hello`. A send that fails has its reason in the next read.
    pub async fn open(&self, hello: Hello) -> tonic::Result<(UnboundedSender<BotMessage>, Streaming<RefereeMessage>)> {
        let channel = self.endpoint.connect().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let (outbox, messages) = mpsc::unbounded_channel();
        let _ = outbox.send(BotMessage { hello: Some(hello), decisions: vec![] });
        let mut call = Request::new(UnboundedReceiverStream::new(messages));
        call.metadata_mut().insert("authorization", self.authorization.clone());
        call.metadata_mut().insert("hearts-instance", self.instance.clone());
        let mut referee = RefereeServiceClient::new(channel).max_decoding_message_size(65536);
        Ok((outbox, referee.play(call).await?.into_inner()))
    }
}

/// An address that begins with `unix:` needs nothing more.
fn endpoint(address: &str) -> Result<Endpoint, Box<dyn Error>> {
    if let Ok(ca_file) = env::var("HEARTS_CA") {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(fs::read(ca_file)?));
        return Ok(Endpoint::from_shared(format!("https://{address}"))?.tls_config(tls)?);
    }
    let scheme = if address.starts_with("unix:") { "" } else { "http://" };
    Ok(Endpoint::from_shared(format!("{scheme}{address}"))?)
}
