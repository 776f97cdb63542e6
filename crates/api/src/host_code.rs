//! Codes of refusals that a host makes itself, before it asks the station.

robot::codes! {
    /// Refusals of the HTTP host, and of the app's desk when it shows a station elsewhere.
    pub enum HostCode {
        BadAnswer: Unavailable,
            "The station elsewhere answered with something else than a station answers.",
            "Check the address; update the app or the server if their versions are far apart.";
        BadHost: Forbidden,
            "The request names a host that the server does not answer to.",
            "Use the address that the server printed at its start.";
        BadJson: BadRequest,
            "The body is not JSON, holds a key twice, or is nested too deeply.",
            "Send one JSON object with every key once, at most 64 levels deep.";
        BadMethod: BadMethod,
            "Operations are called with POST.",
            "Send the request again with POST.";
        BadOrigin: Forbidden,
            "A page of another site sent the request.",
            "Open the station's own window, or call it from a program that sends no `Origin`.";
        BadRequest: BadRequest,
            "The body of the request cannot be read.",
            "Send the whole body, as JSON, with the right `Content-Length`.";
        CertificateChanged: Conflict,
            "The station elsewhere shows another certificate than the one that is pinned. Nothing was sent.",
            "Ask who runs it whether the certificate was renewed; only then connect again and compare the fingerprint.";
        DeskLocked: Forbidden,
            "The desk is locked, so it shows no other station.",
            "Unlock it first; *Back to this computer's station* and STOP ALL always work.";
        Internal: Internal,
            "The request failed because of a defect of the program.",
            "Look into the station's log and send it to the developers.";
        NoStationToken: NotFound,
            "No token for this station is kept on this computer.",
            "Connect to the station again, with a token of it.";
        NoSuchStation: NotFound,
            "This desk remembers no station at that address.",
            "Connect to it with its address, a token and its fingerprint.";
        NoWindow: NotFound,
            "The server was built without its window.",
            "Run `make serve`, or call the operations over HTTP.";
        NotFound: NotFound,
            "There is nothing at this address.",
            "Open `/` for the window, or call `/op/` and the name of an operation.";
        RepeatedHeader: BadRequest,
            "A header that may stand once stands twice.",
            "Send the header that the message names once.";
        StationUnreachable: Unavailable,
            "The station elsewhere does not answer.",
            "Check that its server runs and that this computer reaches the address; it is tried again by itself.";
        StopNotDelivered: Unavailable,
            "STOP ALL has not reached the station elsewhere, and is tried again until it has.",
            "Use the hardware E-stops; withdraw the stop if it is not needed any more.";
        StopPending: Conflict,
            "A STOP ALL for the station elsewhere is still on its way.",
            "Wait until it is delivered, or withdraw it.";
        StationTokenRefused: Forbidden,
            "The station elsewhere does not accept the token.",
            "Make a new token at that station and connect to it again.";
        TooLarge: TooLarge,
            "The request has more bytes than its operation takes.",
            "Send less at once; the message names the limit.";
        TooManyConnections: TooOften,
            "This computer has too many connections open.",
            "Close some of them, or reuse one; stopping works on any of them.";
        TooManyFailures: TooOften,
            "Too many wrong tokens came from this address.",
            "Wait a minute, then sign in with the token that the server printed at its start.";
        TooManyRequests: TooOften,
            "Requests come more often than the server takes them.",
            "Ask less often, and subscribe to the events instead of polling; stopping always works.";
        TooSlow: TooSlow,
            "The body of the request did not arrive in time.",
            "Check the connection and send the request again.";
        Unauthorized: SignedOut,
            "The token is missing or unknown.",
            "Sign in with the token that the server printed at its start.";
    }
}
