//! Codes of refusals that a host makes itself, before it asks the station.

robot::codes! {
    /// Refusals of the HTTP host.
    pub enum HostCode {
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
        Internal: Internal,
            "The request failed because of a defect of the program.",
            "Look into the station's log and send it to the developers.";
        NoWindow: NotFound,
            "The server was built without its window.",
            "Run `make serve`, or call the operations over HTTP.";
        NotFound: NotFound,
            "There is nothing at this address.",
            "Open `/` for the window, or call `/op/` and the name of an operation.";
        RepeatedHeader: BadRequest,
            "A header that may stand once stands twice.",
            "Send the header that the message names once.";
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
