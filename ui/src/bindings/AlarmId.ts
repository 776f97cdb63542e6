export type AlarmId = string;
