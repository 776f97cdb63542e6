// What STOP ALL is not. Compiled in, like everything that the stop shows.

import { spoken } from "../../host/language";

const EN =
  "STOP ALL asks the robots' software, over your network, to stop. The request can arrive late or not at all. It is not an emergency stop in the sense of ISO 13850 or IEC 60204-1 and does not replace one. Before you supervise a robot, know where its hardware E-stop is.";

/** The same in German; "Not-Halt" is the word of the standards there. */
const DE =
  "STOP ALL fordert die Software der Roboter über Ihr Netzwerk auf, zu stoppen. Die Aufforderung kann verspätet oder gar nicht ankommen. STOP ALL ist kein Not-Halt im Sinne der ISO 13850 oder der IEC 60204-1 und ersetzt keinen. Stellen Sie, bevor Sie einen Roboter beaufsichtigen, fest, wo sich sein Hardware-Not-Halt befindet.";

/** Disclaimer of STOP ALL, word for word (U-612). */
export function stopNotice(): string {
  return spoken({ en: EN, de: DE });
}
