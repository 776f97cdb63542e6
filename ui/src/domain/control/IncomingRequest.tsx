import { useId, useRef } from "react";
import type { ControlRequest } from "../../generated/bindings/ControlRequest";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { secondsLeft } from "../../design/format/time";
import { useLive } from "../station/useLive";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./IncomingRequest.module.css";

/** Somebody asks for a robot of this desk. Nothing is focused by it: whoever drives must not answer by accident. */
export function IncomingRequest({ robot, request }: { robot: string; request: ControlRequest }) {
  const answer = useOperation("answer_control_request");
  const lost = useLive((store) => store.time.lost);
  const seconds = useLive(({ time }) => (time.now_ms === null ? 0 : secondsLeft(request.until_mono_ms, time.now_ms)));
  const title = useId();
  const said = useId();
  const { id, from, message } = request;
  const shut = lost || answer.pending || seconds === 0;
  const answerWith = (allow: boolean) => () => answer.run({ id, allow });
  const whole = useRef<HTMLElement>(null);
  // It goes away when it is answered or its time is over, and the focus must not go with it.
  useFocusBack(whole, () => document.querySelector("main")?.focus());
  return (
    <section
      ref={whole}
      role="dialog"
      aria-labelledby={title}
      aria-describedby={said}
      className={styles.request}
      data-testid={`control-request-${robot}`}
    >
      <div className={styles.words}>
        <h2 id={title} className={styles.title}>
          {t("control.incoming", { name: from.name, desk: t(`desk_kind.${from.desk}`), robot })}
        </h2>
        {message !== "" && (
          <blockquote id={said} className={styles.message}>
            {t("control.quoted", { message })}
          </blockquote>
        )}
        <span className="visually-hidden" role="status">
          {t("control.incoming", { name: from.name, desk: t(`desk_kind.${from.desk}`), robot })}
        </span>
      </div>
      <p className={styles.left}>{t("control.keeps_in", { seconds })}</p>
      <div className={styles.acts}>
        <Button data-testid={`allow-control-${robot}`} disabled={shut} onClick={answerWith(true)}>
          {answer.pending ? t("hold.sending") : t("control.allow", { robot })}
        </Button>
        <Button data-testid={`refuse-control-${robot}`} disabled={shut} onClick={answerWith(false)}>
          {t("control.refuse")}
        </Button>
      </div>
      <Refusal error={answer.error} />
    </section>
  );
}
