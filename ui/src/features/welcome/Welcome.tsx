import { Check } from "lucide-react";
import { Link, useLocation } from "wouter";
import { Rows } from "../../design/components/Rows";
import { formatMoment } from "../../design/format/time";
import { useShownAgent } from "../../domain/agent/useShownAgent";
import { useRows } from "../../domain/station/useRows";
import type { NoticeState } from "../../generated/bindings/NoticeState";
import { t } from "../../locales/i18n";
import { AgentStep } from "./AgentStep";
import { ModelStep } from "./ModelStep";
import { RobotsStep } from "./RobotsStep";
import { StopStep } from "./StopStep";
import { type Step, stepAfter, stepOf, STEPS, stepsDone } from "./steps";
import styles from "./Welcome.module.css";

/** Setting a station up, in four steps of which only the first is asked for (U-1801). */
export function Welcome({ step: part }: { step: string | undefined }) {
  const notice = useRows("safety", "notice_state", {});
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={notice} what={t("welcome.title")}>
      {({ rows }) => <Steps part={part} notice={rows} robots={robots.data?.rows.length ?? 0} />}
    </Rows>
  );
}

type StepsProps = { part: string | undefined; notice: NoticeState; robots: number };

function Steps({ part, notice, robots }: StepsProps) {
  const agent = useShownAgent();
  const has_model = agent !== null && agent.model.kind !== "interpreter";
  const done = stepsDone({ accepted: notice.accepted_by !== null, robots, mode: agent?.mode ?? null, has_model });
  const step = stepOf(part, done);
  const [, navigate] = useLocation();
  const next = stepAfter(step);
  const onward = () => navigate(next === null ? "/overview" : `/welcome/${next}`);
  return (
    <div className={styles.welcome}>
      <nav className={styles.steps} aria-label={t("welcome.steps")}>
        <div>
          <strong className={styles.heading}>{t("welcome.title")}</strong>
          <p className={styles.hint}>{t("welcome.about")}</p>
        </div>
        <ol>
          {STEPS.map((name, place) => (
            <li key={name} data-testid={`welcome-${name}`} data-done={done.has(name)}>
              <Link href={`/welcome/${name}`} className={styles.step} aria-current={name === step ? "step" : undefined}>
                <span className={styles.number} aria-hidden="true">
                  {done.has(name) ? <Check /> : place + 1}
                </span>
                <span>
                  <strong className={styles.name}>{t(`welcome.step_${name}`)}</strong>
                  <span className={styles.hint}>{stateText(name, done.has(name), notice, robots)}</span>
                </span>
                <span className="visually-hidden">{t(done.has(name) ? "steps.done" : "steps.open")}</span>
              </Link>
            </li>
          ))}
        </ol>
        <p className={styles.foot}>{t("welcome.local")}</p>
      </nav>
      <section className={styles.shown} data-step={step} aria-label={t(`welcome.step_${step}`)}>
        {step === "stop" && <StopStep notice={notice} onDone={onward} />}
        {step === "robots" && <RobotsStep onDone={onward} />}
        {step === "agent" && <AgentStep onDone={onward} />}
        {step === "model" && <ModelStep onDone={onward} />}
      </section>
    </div>
  );
}

function stateText(step: Step, done: boolean, { accepted_by, accepted_at_ms }: NoticeState, robots: number): string {
  if (step === "stop" && accepted_by !== null)
    return t("welcome.accepted", { by: accepted_by, at: accepted_at_ms === null ? "" : formatMoment(accepted_at_ms) });
  if (step === "robots" && done) return t("welcome.robots_known", { count: robots });
  return t(`welcome.hint_${step}`);
}
