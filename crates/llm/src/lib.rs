//! Model providers: types of a request and a reply, and the built-in command model.
