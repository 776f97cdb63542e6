export type ModelInfo = { name: string; kind: "interpreter" | "language_model" };
