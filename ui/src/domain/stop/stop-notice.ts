// What STOP ALL is not. Compiled in, like everything that the stop shows.

/** Disclaimer of STOP ALL, word for word (U-612). */
export const STOP_NOTICE =
  "STOP ALL asks the robots' software, over your network, to stop. The request can arrive late or not at all. It is not an emergency stop in the sense of ISO 13850 or IEC 60204-1 and does not replace one. Before you supervise a robot, know where its hardware E-stop is.";
