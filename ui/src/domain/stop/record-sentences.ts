// Sentences for records that no person made, in every language. Compiled in, like everything that the stop shows.

/** Sentences for a step of a fallback: as it begins, when it is acknowledged, and when it is not. */
type Step = Readonly<Record<string, (robot: string) => string>>;

/** Sentences of one language. */
export type RecordSentences = {
  someRobot: string;
  /** The end of a motion, as the robot, or the station in its place, has reported it. */
  reports: Readonly<Record<string, (robot: string) => string>>;
  steps: Readonly<Record<string, Step>>;
  /** Acts and outcomes by their codes; those without words of their own read as their code. */
  codes: Readonly<Record<string, string>>;
};

export const EN: RecordSentences = {
  someRobot: "the robot",
  codes: {},
  reports: {
    done: (robot) => `The motion of ${robot} is done`,
    done_not_confirmed: (robot) => `The motion of ${robot} is done, not confirmed`,
    failed: (robot) => `The motion of ${robot} was cut short`,
    superseded: (robot) => `The motion of ${robot} was replaced by a newer command`,
    refused_by_robot: (robot) => `The motion of ${robot} was refused by the robot`,
    unknown: (robot) => `The motion of ${robot} has an unknown outcome`,
  },
  steps: {
    stop_actuators: {
      begun: (robot) => `The station stopped ${robot} again`,
      done: (robot) => `${robot} acknowledged the stop`,
      failed: (robot) => `${robot} was not seen to stop`,
    },
    pause_all_missions: {
      begun: () => "The station is pausing all missions",
      done: () => "The station paused all missions",
      failed: () => "Missions could not be paused",
    },
    alert_agent: {
      begun: (robot) => `The station is telling the agent about ${robot}`,
      done: (robot) => `The agent was told about ${robot}`,
      failed: (robot) => `The agent could not be told about ${robot}`,
    },
    halt_and_wait: {
      begun: (robot) => `The station is latching ${robot}`,
      done: (robot) => `${robot} is latched until a person releases it`,
      failed: (robot) => `The latch of ${robot} is not on disk yet`,
    },
  },
};

export const DE: RecordSentences = {
  someRobot: "der Roboter",
  codes: {
    acknowledge_alarms: "Alarme quittiert",
    acknowledge_cause: "Ursache quittiert",
    approval: "Vorschlag genehmigt",
    approve_proposal: "Vorschlag genehmigt",
    arm_robot: "Roboter scharf geschaltet",
    cancel_mission: "Mission abgebrochen",
    cause_present: "Ursache besteht noch",
    causes_open: "Ursachen offen",
    control: "Steuerung gewechselt",
    deny: "verweigert",
    disarm_robot: "Roboter unscharf geschaltet",
    forbidden: "Rolle reicht nicht",
    hold_robot: "Roboter angehalten",
    latched: "Stopp verriegelt",
    pause_mission: "Mission angehalten",
    proposal: "Vorschlag",
    recommission: "Roboter wieder in Betrieb genommen",
    reject_proposal: "Vorschlag abgelehnt",
    rejected: "abgelehnt",
    release_control: "Steuerung abgegeben",
    release_stop: "Stopp freigegeben",
    resume_mission: "Mission fortgesetzt",
    send: "Befehl gesendet",
    send_command: "Befehl gesendet",
    send_message: "Nachricht an den Agenten",
    stop_latched: "Stopp verriegelt",
    stop_release: "Stopp freigegeben",
    stop_robot: "Roboter gestoppt",
    stop_set_changed: "Stopps geändert",
    take_control: "Steuerung übernommen",
    turn_cancel: "Antwort abgebrochen",
    verdict: "Befehl geprüft",
    voided: "verfallen",
  },
  reports: {
    done: (robot) => `Bewegung von ${robot} ausgeführt`,
    done_not_confirmed: (robot) => `Bewegung von ${robot} ausgeführt, nicht bestätigt`,
    failed: (robot) => `Bewegung von ${robot} abgebrochen`,
    superseded: (robot) => `Bewegung von ${robot} durch einen neueren Befehl ersetzt`,
    refused_by_robot: (robot) => `Bewegung von ${robot} vom Roboter abgelehnt`,
    unknown: (robot) => `Bewegung von ${robot} mit unbekanntem Ausgang`,
  },
  steps: {
    stop_actuators: {
      begun: (robot) => `Die Station hat ${robot} erneut gestoppt`,
      done: (robot) => `${robot} hat den Stopp bestätigt`,
      failed: (robot) => `Stillstand von ${robot} nicht beobachtet`,
    },
    pause_all_missions: {
      begun: () => "Die Station hält alle Missionen an",
      done: () => "Die Station hat alle Missionen angehalten",
      failed: () => "Missionen konnten nicht angehalten werden",
    },
    alert_agent: {
      begun: (robot) => `Die Station meldet ${robot} dem Agenten`,
      done: (robot) => `Dem Agenten wurde ${robot} gemeldet`,
      failed: (robot) => `Dem Agenten konnte ${robot} nicht gemeldet werden`,
    },
    halt_and_wait: {
      begun: (robot) => `Die Station verriegelt ${robot}`,
      done: (robot) => `${robot} ist verriegelt, bis eine Person ihn freigibt`,
      failed: (robot) => `Die Verriegelung von ${robot} ist noch nicht auf der Platte`,
    },
  },
};
