export type Priority = 1 | 2 | 3 | 4;
