import { useState } from "react";
import type { MeterName } from "../../generated/bindings/MeterName";
import type { Input } from "../../host/operations";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { parseDecimal } from "../../design/fields/decimal";
import { NumberField } from "../../design/fields/NumberField";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./PausedCard.module.css";

/** Amount first offered, US dollars. */
const FIRST_USD = "1";

/** A budget is spent: the turn waits with all it had, and goes on as soon as a person adds to it (K-04). */
export function PausedCard({ session }: { session: string }) {
  const agent = useLive((store) => store.agent);
  const agents = useRows("agents", "list_agents", {});
  const turn = useLive((store) => store.turn);
  const [answered, setAnswered] = useState<{ turn: string; asked_ms: number | undefined } | null>(null);
  // The station knows what waits, also after a restart; what has just paused is seen here first.
  const waiting = agents.data?.rows
    .find(({ id }) => id === agent)
    ?.paused?.find((paused) => paused.session === session);
  const outcome = turn?.outcome;
  const paused =
    turn !== null && typeof outcome === "object" && outcome !== null && "paused" in outcome
      ? { turn: turn.turn, meter: outcome.paused }
      : undefined;
  const of = waiting ?? paused;
  // It goes on, and can be paused again under the same name.
  if (of === undefined && answered !== null) setAnswered(null);
  // Answered, and not asked since; what the station still lists as paused was not added enough to.
  const isAnswered =
    answered?.turn === of?.turn && (waiting === undefined || answered?.asked_ms === agents.data?.asked_ms);
  if (of === undefined || isAnswered || !isOfMoney(of.meter)) return null;
  const settle = () => setAnswered({ turn: of.turn, asked_ms: agents.data?.asked_ms });
  return <Card key={of.turn} turn={of.turn} meter={of.meter} onSettled={settle} />;
}

type OfMoney = Input<"add_budget">["meter"];

/** Only money can be added to. */
function isOfMoney(meter: MeterName): meter is OfMoney {
  return meter === "turn" || meter === "mission" || meter === "day";
}

type CardProps = { turn: string; meter: OfMoney; onSettled: () => void };

function Card({ turn, meter, onSettled }: CardProps) {
  const [text, setText] = useState(FIRST_USD);
  const add = useOperation("add_budget");
  const end = useOperation("turn_cancel");
  const refusal = useCommandRefusal();
  const decimal = parseDecimal(text);
  const usd = "value" in decimal && decimal.value > 0 ? decimal.value : null;
  return (
    <form
      noValidate
      className={styles.card}
      data-testid="paused"
      aria-label={t("paused.title")}
      onSubmit={(event) => {
        event.preventDefault();
        if (usd !== null && refusal === null) add.run({ meter, usd, ...(meter === "turn" ? { turn } : {}) }, onSettled);
      }}
    >
      <p className={styles.title}>{t("paused.title")}</p>
      <p className={styles.why}>
        {t(`paused.${meter}`)} {t("paused.still_works")}
      </p>
      <NumberField
        field={{ label: t("paused.more"), unit: "$", step: 0.5 }}
        text={text}
        problem={usd === null ? t("paused.problem") : null}
        onText={(next) => {
          setText(next);
          add.forget();
        }}
      />
      <Button
        type="submit"
        look="primary"
        data-testid="add-budget"
        disabled={usd === null || refusal !== null || add.pending}
      >
        {add.pending ? t("hold.sending") : t("paused.add")}
      </Button>
      <Button
        look="quiet"
        data-testid="end-paused"
        disabled={refusal !== null || end.pending}
        onClick={() => end.run({ turn }, onSettled)}
      >
        {end.pending ? t("hold.sending") : t("paused.end")}
      </Button>
      {refusal !== null && <span className={styles.why}>{refusal}</span>}
      <Refusal error={add.error ?? end.error} />
    </form>
  );
}
