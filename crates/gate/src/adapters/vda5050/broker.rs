//! The thread that speaks to the broker. A connection that has failed takes everything with it that waited to be
//! sent: an order never moves a robot after a connection that its gate thought lost.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use rumqttc::{
    AsyncClient, Event, EventLoop, LastWill, MqttOptions, NetworkOptions, Outgoing as Left, Packet, QoS, SubAck,
    SubscribeFilter, SubscribeReasonCode, TlsConfiguration, Transport,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::sync::watch;

use super::hearing::{Address, Inbound};
use super::message::{instant_actions, with_head};
use super::outbox::{Outbox, Outgoing, Topic};
use super::wiring::Vda5050Wiring;
use crate::code::GateCode;
use crate::error::GateError;

/// A silent broker is noticed within twice this time.
const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// Time for a connection.
const CONNECT_S: u64 = 3;
/// Time between two of them.
const AGAIN_AFTER: Duration = Duration::from_millis(500);
/// Time for the farewell.
const CLOSE_WITHIN: Duration = Duration::from_millis(200);
/// The largest packet that is taken; a message is looked at up to a quarter of it, bytes.
const PACKET_BYTES_MAX: usize = 4 << 20;
/// Messages on their way to the network.
const REQUESTS_MAX: usize = 64;
/// The longest file of a password or of certificates, bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// A way to the broker that can be begun again and again.
pub struct Link {
    options: MqttOptions,
    topics: [String; 3],
    vehicle: (String, String),
    heard: Arc<Inbound>,
    /// Only with it the vehicle is commanded.
    outbox: Option<Arc<Outbox>>,
    clock: ClockFn,
    /// Numbers of the next messages.
    numbers: RefCell<BTreeMap<Topic, u64>>,
    /// The stops among the messages that were handed over and have not left.
    leaving: RefCell<VecDeque<Option<u64>>>,
}

/// The end of a connection.
enum End {
    /// The vehicle was found: the will has a topic now.
    Found,
    /// The reason.
    Lost(String),
}

impl Link {
    /// Reads what the wiring names. Relative paths begin at `folder`.
    pub fn new(
        wiring: &Vda5050Wiring,
        folder: &Path,
        heard: Arc<Inbound>,
        outbox: Option<Arc<Outbox>>,
        clock: &ClockFn,
    ) -> Result<Self, GateError> {
        let bad =
            |path: &Path, error: String| GateError::new(GateCode::BadVda5050, format!("{}: {error}", path.display()));
        let broker = wiring.broker()?;
        // A broker closes the older of two connections with one client id.
        let client = format!("quarterdeck-{}-{}", wiring.serial, std::process::id());
        let mut options = MqttOptions::new(client, broker.host, broker.port);
        options.set_keep_alive(KEEP_ALIVE).set_clean_session(true);
        options.set_max_packet_size(PACKET_BYTES_MAX, PACKET_BYTES_MAX);
        if let (Some(user), Some(path)) = (&wiring.user, &wiring.password_file) {
            let path = folder.join(path);
            let password = files::read_text(&path, FILE_BYTES_MAX).map_err(|error| bad(&path, error.to_string()))?;
            options.set_credentials(user, password.trim_end());
        }
        if broker.is_encrypted {
            let ca = wiring.ca.as_ref().map(|path| folder.join(path));
            let config = tls(ca.as_deref()).map_err(|error| bad(ca.as_deref().unwrap_or(Path::new("TLS")), error))?;
            options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(Arc::new(config))));
        }
        Ok(Self {
            options,
            topics: wiring.topics(),
            vehicle: (wiring.manufacturer.clone(), wiring.serial.clone()),
            heard,
            outbox,
            clock: ClockFn::clone(clock),
            numbers: RefCell::default(),
            leaving: RefCell::default(),
        })
    }

    /// Starts the thread. It ends with the other half of `ended`.
    pub fn start(self, ended: watch::Receiver<()>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name("vda5050".to_owned()).spawn(move || {
            let crash = CrashMark(Arc::clone(&self.heard));
            runtime.block_on(self.run(ended));
            drop(crash);
        })?;
        Ok(())
    }

    async fn run(&self, mut ended: watch::Receiver<()>) {
        let mut said = String::new();
        loop {
            let (client, mut events) = self.connect();
            let end = tokio::select! {
                end = self.listen(&client, &mut events) => end,
                () = self.send(&client) => return,
                _ = ended.changed() => return self.close(&client, &mut events).await,
            };
            self.set_connected(false);
            match end {
                // Nothing was sent yet that could move anything.
                End::Found => continue,
                End::Lost(reason) => {
                    self.heard.lost();
                    if said != reason {
                        tracing::warn!(reason, "no connection to the broker");
                        said = reason;
                    }
                }
            }
            tokio::select! {
                () = tokio::time::sleep(AGAIN_AFTER) => {}
                _ = ended.changed() => return,
            }
        }
    }

    fn connect(&self) -> (AsyncClient, EventLoop) {
        let mut options = self.options.clone();
        if let Some(will) = self.will() {
            options.set_last_will(will);
        }
        self.leaving.borrow_mut().clear();
        let (client, mut events) = AsyncClient::new(options, REQUESTS_MAX);
        let mut network = NetworkOptions::new();
        network.set_tcp_nodelay(true);
        network.set_connection_timeout(CONNECT_S);
        events.set_network_options(network);
        (client, events)
    }

    /// The broker pauses the vehicle if this connection breaks.
    pub(super) fn will(&self) -> Option<LastWill> {
        self.outbox.as_ref()?;
        let address = self.heard.look(|heard| heard.address.clone())?;
        // A vehicle carries out an action once: it would ignore the pause of a second connection under the same name.
        let name = format!("quarterdeck-will-pause-{}-{}", (self.clock)().wall_ms, self.count(Topic::InstantActions));
        let body = instant_actions(&[("startPause", &name)]);
        let payload = self.with_head(body, &address, Topic::InstantActions);
        let topic = format!("{}/{}", address.root, Topic::InstantActions.name());
        // Not retained: a vehicle that comes online later must not find the pause of an earlier gate.
        Some(LastWill::new(topic, payload, QoS::AtMostOnce, false))
    }

    /// Hears until the connection ends.
    async fn listen(&self, client: &AsyncClient, events: &mut EventLoop) -> End {
        let had_will = self.heard.look(|heard| heard.address.is_some());
        loop {
            match events.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    if let Err(error) = client.try_subscribe_many(self.filters()) {
                        return End::Lost(error.to_string());
                    }
                }
                Ok(Event::Incoming(Packet::SubAck(granted))) if !is_granted(&granted) => {
                    return End::Lost("the broker gives this user nothing of the vehicle".to_owned());
                }
                // Before the subscription the silence of the vehicle says nothing.
                Ok(Event::Incoming(Packet::SubAck(_))) => self.set_connected(true),
                Ok(Event::Incoming(Packet::Publish(message))) => {
                    self.heard.message(&message.topic, &message.payload, (self.clock)().station);
                    let is_found = !had_will && self.heard.look(|heard| heard.address.is_some());
                    if is_found && self.outbox.is_some() {
                        return End::Found;
                    }
                    // Messages that came together are not decoded in one go: a stop would wait for all of them.
                    tokio::task::yield_now().await;
                }
                Ok(Event::Outgoing(Left::Publish(_))) => {
                    // Messages leave in the order in which they were handed over.
                    let left = self.leaving.borrow_mut().pop_front().flatten();
                    if let (Some(number), Some(outbox)) = (left, &self.outbox) {
                        outbox.has_left(number);
                    }
                }
                Ok(Event::Incoming(_) | Event::Outgoing(_)) => {}
                Err(error) => return End::Lost(error.to_string()),
            }
        }
    }

    /// Its topics, at the quality of service that VDA 5050 wants: only `connection` must not be lost.
    pub(super) fn filters(&self) -> Vec<SubscribeFilter> {
        let [connection, others @ ..] = &self.topics;
        let connection = SubscribeFilter::new(connection.clone(), QoS::AtLeastOnce);
        let others = others.iter().map(|topic| SubscribeFilter::new(topic.clone(), QoS::AtMostOnce));
        [connection].into_iter().chain(others).collect()
    }

    fn set_connected(&self, is_connected: bool) {
        if is_connected {
            self.heard.connected();
        }
        if let Some(outbox) = &self.outbox {
            outbox.set_connected(is_connected);
        }
    }

    /// Hands over what waits, for ever.
    async fn send(&self, client: &AsyncClient) {
        let Some(outbox) = &self.outbox else { return std::future::pending().await };
        loop {
            let Outgoing { topic, body, stop } = outbox.next().await;
            // A vehicle that was never online has no topic to be spoken to.
            let Some(address) = self.heard.look(|heard| heard.address.clone()) else { continue };
            let payload = self.with_head(body, &address, topic);
            let full = format!("{}/{}", address.root, topic.name());
            // VDA 5050 wants QoS 0: what is lost is sent again by whoever needs it.
            match client.try_publish(full, QoS::AtMostOnce, false, payload) {
                Ok(()) => self.leaving.borrow_mut().push_back(stop),
                Err(error) => {
                    tracing::error!(%error, "a message to the vehicle is not taken");
                    self.heard.fault(GateFault::NotTaken);
                }
            }
        }
    }

    /// The number of the newest message of this topic.
    fn count(&self, topic: Topic) -> u64 {
        self.numbers.borrow().get(&topic).copied().unwrap_or_default()
    }

    fn with_head(&self, body: serde_json::Value, address: &Address, topic: Topic) -> String {
        let number = self.count(topic) + 1;
        self.numbers.borrow_mut().insert(topic, number);
        let vehicle = (self.vehicle.0.as_str(), self.vehicle.1.as_str());
        with_head(body, &address.version, vehicle, number, (self.clock)().wall_ms)
    }

    /// Sends the last stop and the farewell, so that the broker does not carry out the will.
    async fn close(&self, client: &AsyncClient, events: &mut EventLoop) {
        let farewell = async {
            if client.try_disconnect().is_ok() {
                while events.poll().await.is_ok() {}
            }
        };
        let _ = tokio::time::timeout(CLOSE_WITHIN, farewell).await;
    }
}

/// True if the broker gives at least `connection` and `state`, without which nothing is begun; `visualization` tells
/// no more than they do.
pub(super) fn is_granted(answer: &SubAck) -> bool {
    answer.return_codes.iter().take(2).all(|code| *code != SubscribeReasonCode::Failure)
}

/// A thread that panics leaves a fault behind.
struct CrashMark(Arc<Inbound>);

impl Drop for CrashMark {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.fault(GateFault::Crashed);
        }
    }
}

fn tls(ca: Option<&Path>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    match ca {
        Some(path) => {
            let text = files::read_text(path, FILE_BYTES_MAX).map_err(|error| error.to_string())?;
            for certificate in CertificateDer::pem_slice_iter(text.as_bytes()) {
                let certificate = certificate.map_err(|error| error.to_string())?;
                roots.add(certificate).map_err(|error| error.to_string())?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() {
        return Err("no certificate is there to hold the broker's against".to_owned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config.map_err(|error| error.to_string())?.with_root_certificates(roots).with_no_client_auth())
}
