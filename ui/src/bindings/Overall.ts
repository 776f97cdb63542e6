export type Overall = "allow" | "deny" | { validator_error: string };
