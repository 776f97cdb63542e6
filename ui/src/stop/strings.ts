// The words of STOP ALL, compiled in: they must be there when catalogues and views are not (U-209).

/** What STOP ALL is not, word for word (U-612). */
export const STOP_NOTICE =
  "STOP ALL asks the robots' software, over your network, to stop. The request can arrive late or not at all. It is not an emergency stop in the sense of ISO 13850 or IEC 60204-1 and does not replace one. Before you supervise a robot, know where its hardware E-stop is.";

/** Everything else the button and its panel say. */
export const WORDS = {
  stopAll: "STOP ALL",
  sending: "SENDING…",
  stopping: (acked: number, total: number) => `STOPPING ${acked}/${total}`,
  stopped: (acked: number, total: number) => `STOPPED ${acked}/${total}`,
  notConfirmed: (count: number) => `${count} NOT CONFIRMED`,
  notSent: "NOT SENT",
  cannotConfirm: "cannot be confirmed",
  openPanel: "press again to resend",
  panel: "Stop",
  title: (numbers: string, by: string, at: string) => `STOPPED ${numbers} by ${by}, ${at}`,
  titleSending: "STOP ALL – sending…",
  titleFailed: "STOP ALL was not taken by the station",
  failed: (sentence: string) => `${sentence} Press again, and use the hardware E-stops.`,
  you: "you",
  close: "Close",
  latchSaved: "Latch saved: the stop survives a restart",
  latchSaving: "Saving the latch…",
  noRobots: "No robot is connected. The stop is latched all the same.",
  robot: "Robot",
  sent: "Sent",
  acknowledged: "Acknowledged",
  speed: "Observed speed",
  standstill: "Standstill",
  behaviour: "Stop behaviour",
  hardware: "Hardware E-stop",
  after: (ms: string) => `after ${ms} ms`,
  notYet: "not yet",
  waiting: "waiting…",
  observed: "observed",
  moving: "still moving",
  noMotionData: "no motion data",
  notConfirmedRow: (place: string) => `NOT CONFIRMED – use the hardware E-stop: ${place}`,
  released: "released",
  release: "Release",
  releaseWhat: (numbers: string) =>
    `Release of ${numbers} enables commands for the ticked robots. No robot moves by it; each has to be armed again.`,
  reason: "Reason",
  reasonHint: "cell checked, nobody inside",
  releaseButton: "Release commands",
  hold: "Hold for 1 s",
  keepHolding: "Keep holding…",
  again: "Press once more to release",
  releasing: "Sending…",
  needsOperator: "needs Operator",
  needsReason: "needs a reason and at least one robot",
} as const;
