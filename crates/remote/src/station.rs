//! The station elsewhere that the window shows: its frames, its link, its calls, its stops.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::{Answer, ErrorBody, HostCode, RememberedStation, RemoteLink, StopDelivery, lock};
use futures::{SinkExt, StreamExt};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_util::task::TaskTracker;

use crate::client::{CallError, Client, refusal};
use crate::dial::{DialError, dial};
use crate::stop::Delivery;

/// A station sends a frame at least every 250 ms; after so long without one its connection is opened anew.
const SILENCE_MAX: Duration = Duration::from_secs(2);
/// Time in which a channel of frames has to be open.
const OPEN_WAIT: Duration = Duration::from_secs(5);
/// Pause before a lost channel is opened again.
const AGAIN_AFTER: Duration = Duration::from_millis(500);
/// The largest frame.
const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;
/// A stop that is not answered within this time is called not delivered; the station answers within a second.
const STOP_ANSWER_WAIT: Duration = Duration::from_millis(1_500);
/// A call that ends the motion of one robot is answered within this time, the connection included.
const URGENT_ANSWER_WAIT: Duration = Duration::from_secs(4);
/// A call made while the link is not known to be up is answered within this time.
const UNSEEN_ANSWER_WAIT: Duration = Duration::from_secs(30);

/// An item of the channel to a window.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedItem {
    /// Frames come from now on, or come no more.
    Connected(bool),
    /// A frame as the station sent it.
    Frame(Value),
}

/// A station elsewhere.
pub struct RemoteStation {
    station: RememberedStation,
    client: Arc<Client>,
    reached: watch::Sender<RemoteLink>,
    stop: Mutex<Option<Arc<Delivery>>>,
    tasks: TaskTracker,
}

type Socket = WebSocketStream<TlsStream<TcpStream>>;

/// The end of a channel of frames.
enum Ended {
    /// The window is gone.
    Untaken,
    /// It is opened again.
    Lost(String),
    /// Another certificate is shown, now and perhaps later.
    Changed(DialError),
    /// The token signs nobody in.
    SignedOut,
}

impl RemoteStation {
    /// Nothing is sent before the first call or channel.
    #[must_use]
    pub fn new(station: RememberedStation, client: Client) -> Self {
        let reached = watch::Sender::new(RemoteLink::Connecting);
        Self { station, client: Arc::new(client), reached, stop: Mutex::default(), tasks: TaskTracker::new() }
    }

    /// The station as it is remembered.
    pub fn station(&self) -> &RememberedStation {
        &self.station
    }

    /// State of the link.
    #[must_use]
    pub fn link(&self) -> RemoteLink {
        self.reached.borrow().clone()
    }

    /// Calls an operation. A call whose link is lost meanwhile is given up: nobody knows if it was carried out.
    ///
    /// # Errors
    /// The station refuses, or cannot be asked.
    pub async fn call(&self, name: &str, input: &Value) -> Result<Answer, ErrorBody> {
        let mut links = self.reached.subscribe();
        // A link that is not up cannot be lost: such a call depends on its own connection alone.
        let was_up = *links.borrow_and_update() == RemoteLink::Up;
        let lost = async {
            if was_up {
                // An error means that the station is no longer shown.
                let _ = links.wait_for(|link| *link != RemoteLink::Up).await;
            } else {
                // Nothing tells whether a connection that was kept from before still leads anywhere.
                tokio::time::sleep(UNSEEN_ANSWER_WAIT).await;
            }
        };
        tokio::select! {
            answer = self.client.call(name, input) => answer.map_err(|error| self.told(error)),
            () = lost => Err(self.unreachable("the link was lost before the answer")),
        }
    }

    /// Calls an operation that ends the motion of one robot, over a connection of its own and once.
    ///
    /// # Errors
    /// The station refuses, or cannot be asked.
    pub async fn call_urgently(&self, name: &str, input: &Value) -> Result<Answer, ErrorBody> {
        let call = self.client.call_alone(name, input);
        match tokio::time::timeout(URGENT_ANSWER_WAIT, call).await {
            Ok(answer) => answer.map_err(|error| self.told(error)),
            Err(_) => Err(self.unreachable("it has not answered, so nobody knows if it was carried out")),
        }
    }

    /// Presses STOP ALL, the operation `name`: it is tried until it is delivered, refused or withdrawn. While an
    /// earlier one is on its way that one is tried again at once.
    ///
    /// # Errors
    /// Not delivered by the time that a person can wait; it goes on being tried. Or the station refuses.
    pub async fn press_stop(&self, name: &str, input: Value) -> Result<Value, ErrorBody> {
        let delivery = self.pressed(name, input);
        // With a lost link it is called not delivered at once (decision 0180): a person can still go to the robot.
        let wait = if self.link() == RemoteLink::Up { STOP_ANSWER_WAIT } else { Duration::ZERO };
        match tokio::time::timeout(wait, delivery.answered()).await {
            Ok(Some(answer)) => answer,
            Ok(None) => Err(self.not_delivered("it was withdrawn")),
            Err(_) => Err(self.not_delivered("the station has not answered")),
        }
    }

    fn pressed(&self, name: &str, mut input: Value) -> Arc<Delivery> {
        let mut stop = lock(&self.stop);
        if let Some(trying) = stop.as_ref().filter(|delivery| delivery.is_trying()) {
            trying.press_again();
            return Arc::clone(trying);
        }
        if let Some(fields) = input.as_object_mut() {
            // One id for all tries, as every call that is repeated has it.
            fields.entry("request_id").or_insert_with(|| json!(uuid::Uuid::now_v7()));
        }
        let delivery = Arc::new(Delivery::new(self.station.to_string()));
        *stop = Some(Arc::clone(&delivery));
        self.tasks.spawn(Arc::clone(&delivery).run(Arc::clone(&self.client), name.to_owned(), input));
        delivery
    }

    /// The newest STOP ALL.
    #[must_use]
    pub fn stop_delivery(&self) -> Option<StopDelivery> {
        lock(&self.stop).as_ref().map(|delivery| delivery.shown())
    }

    /// True while a STOP ALL is on its way.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        lock(&self.stop).as_ref().is_some_and(|delivery| delivery.is_trying())
    }

    /// Tries no longer to deliver a stop; one that has ended is forgotten.
    pub fn withdraw_stop(&self) {
        let mut stop = lock(&self.stop);
        match stop.as_ref() {
            Some(delivery) if delivery.is_trying() => delivery.withdraw(),
            Some(_) | None => *stop = None,
        }
    }

    /// Follows the station's frames until `send` says that nobody takes them any more, or the token signs nobody in.
    pub async fn feed(&self, mut send: impl FnMut(FeedItem) -> bool + Send) {
        loop {
            let link = match self.follow(&mut send).await {
                Ended::Untaken => return,
                Ended::Lost(sentence) => RemoteLink::Lost { sentence },
                Ended::SignedOut => RemoteLink::SignedOut,
                Ended::Changed(error) => changed(&error),
            };
            let is_over = link == RemoteLink::SignedOut;
            self.reached.send_replace(link);
            if !send(FeedItem::Connected(false)) || is_over {
                return;
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }

    async fn follow(&self, send: &mut (impl FnMut(FeedItem) -> bool + Send)) -> Ended {
        let mut socket = match tokio::time::timeout(OPEN_WAIT, self.open()).await {
            Ok(Ok(socket)) => socket,
            Ok(Err(CallError::NoConnection(error @ DialError::Changed { .. }))) => return Ended::Changed(error),
            Ok(Err(error)) => return Ended::Lost(error.to_string()),
            Err(_) => return Ended::Lost("the channel of frames did not open in time".into()),
        };
        let mut is_connected = false;
        loop {
            let message = match tokio::time::timeout(SILENCE_MAX, socket.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(error))) => return Ended::Lost(error.to_string()),
                Ok(None) => return Ended::Lost("the station ended the channel of frames".into()),
                Err(_) => return Ended::Lost(format!("nothing was heard for {} s", SILENCE_MAX.as_secs())),
            };
            let text = match &message {
                Message::Text(text) => text.as_str(),
                Message::Close(Some(why)) => return Ended::Lost(why.reason.to_string()),
                Message::Close(None) => return Ended::Lost("the station ended the channel of frames".into()),
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
            };
            let Ok(frame @ Value::Object(_)) = serde_json::from_str::<Value>(text) else {
                return Ended::Lost("what came was no frame".into());
            };
            if frame.get("seq").is_none() {
                // The only other thing that a station says here is why it refuses the token.
                let why = refusal(401, text.as_bytes()).map(|error| error.message);
                return why.map_or_else(|| Ended::Lost("what came was no frame".into()), |_| Ended::SignedOut);
            }
            if !is_connected {
                is_connected = true;
                // The socket opens before the token is read: only a first frame proves that it signs in.
                self.reached.send_replace(RemoteLink::Up);
                if !send(FeedItem::Connected(true)) {
                    return Ended::Untaken;
                }
            }
            if !send(FeedItem::Frame(frame)) {
                return Ended::Untaken;
            }
        }
    }

    /// Opens a channel of frames and signs in on it.
    async fn open(&self) -> Result<Socket, CallError> {
        let broken = |error: &dyn std::fmt::Display| CallError::Broken(error.to_string());
        let address = self.client.address();
        let stream = dial(address, self.client.pin()).await.map_err(CallError::NoConnection)?;
        let request = format!("wss://{address}/events").into_client_request().map_err(|error| broken(&error))?;
        let limits =
            WebSocketConfig::default().max_message_size(Some(FRAME_BYTES_MAX)).max_frame_size(Some(FRAME_BYTES_MAX));
        let (mut socket, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(limits))
            .await
            .map_err(|error| broken(&error))?;
        // In a message and not in the address, which logs keep.
        let sign_in = json!({ "token": self.client.token().expose_secret() }).to_string();
        socket.send(Message::text(sign_in)).await.map_err(|error| broken(&error))?;
        Ok(socket)
    }

    /// Waits for the first frame, which comes only to a token that signs in.
    ///
    /// # Errors
    /// No connection, another certificate, or a token that signs nobody in.
    pub async fn check(&self) -> Result<(), ErrorBody> {
        match self.follow(&mut |_| false).await {
            Ended::Untaken => Ok(()),
            Ended::Lost(sentence) => Err(self.unreachable(&sentence)),
            Ended::SignedOut => Err(signed_out()),
            Ended::Changed(error) => Err(self.told(CallError::NoConnection(error))),
        }
    }

    /// The error as a window is told it.
    fn told(&self, error: CallError) -> ErrorBody {
        if error.is_signed_out() {
            self.reached.send_replace(RemoteLink::SignedOut);
            return signed_out();
        }
        match error {
            CallError::Refused(error) => error,
            CallError::NoConnection(error @ DialError::Changed { .. }) => {
                self.reached.send_replace(changed(&error));
                ErrorBody::new(HostCode::CertificateChanged, format!("{}: {error}. Nothing was sent.", self.station))
            }
            CallError::NoConnection(error) => self.unreachable(&error.to_string()),
            CallError::Broken(sentence) => self.unreachable(&sentence),
        }
    }

    fn unreachable(&self, sentence: &str) -> ErrorBody {
        ErrorBody::new(HostCode::StationUnreachable, format!("{} does not answer: {sentence}.", self.station))
    }

    fn not_delivered(&self, sentence: &str) -> ErrorBody {
        let message = format!("STOP ALL is NOT delivered to {}: {sentence}.", self.station);
        ErrorBody::new(HostCode::StopNotDelivered, message)
    }
}

impl Drop for RemoteStation {
    fn drop(&mut self) {
        if let Some(delivery) = lock(&self.stop).as_ref() {
            // Nobody is left who could see whether it arrives.
            delivery.withdraw();
        }
    }
}

fn signed_out() -> ErrorBody {
    let message =
        "The station no longer accepts the token: it was revoked, has expired, or the server has started anew.";
    ErrorBody::new(HostCode::StationTokenRefused, message)
}

/// The link while another certificate is shown.
fn changed(error: &DialError) -> RemoteLink {
    match error {
        DialError::Changed { pinned, shown } => {
            RemoteLink::CertificateChanged { pinned: pinned.to_string(), shown: shown.to_string() }
        }
        DialError::Unreachable(sentence) | DialError::NoTls(sentence) => {
            RemoteLink::Lost { sentence: sentence.clone() }
        }
    }
}
