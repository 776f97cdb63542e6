import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { ChoiceCards } from "../../design/fields/ChoiceCards";
import { Scene } from "../../domain/scene/flat/Scene";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { t } from "../../locales/i18n";
import styles from "./Welcome.module.css";

const WHERE = ["simulator", "network"] as const;
const NO_ENDPOINTS: readonly string[] = [];

/** The simulator, or robots of one's own: what to do so that they appear. */
export function RobotsStep({ onDone }: { onDone: () => void }) {
  const [where, setWhere] = useState<(typeof WHERE)[number]>("simulator");
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const start = useOperation("start_simulator");
  const simulator = useLive((store) => store.session?.simulator ?? "stopped");
  const endpoints = useLive((store) => store.session?.zenoh_endpoints ?? NO_ENDPOINTS);
  const refusal = useCommandRefusal();
  // The call is answered before the process runs; only the session says that it does.
  const busy = start.pending || simulator === "starting";
  const starts = where === "simulator" && simulator !== "running";
  return (
    <>
      <h1 className={styles.title}>{t("welcome.robots_title")}</h1>
      <ChoiceCards
        label={t("welcome.robots_title")}
        value={where}
        choices={WHERE.map((value) => ({
          value,
          title: t(`welcome.${value}`),
          detail: t(`welcome.${value}_detail`),
        }))}
        onChange={setWhere}
      />
      {where === "network" && <Endpoints endpoints={endpoints} />}
      {robots.length > 0 && <Preview robots={robots} />}
      <Refusal error={start.error} />
      <div className={styles.acts}>
        <Button look="quiet" data-testid="welcome-skip" onClick={onDone}>
          {t("welcome.skip")}
        </Button>
        <span className={styles.hint}>{starts && refusal}</span>
        <Button
          look="primary"
          size="large"
          data-testid="welcome-robots-go"
          disabled={starts && (busy || refusal !== null)}
          onClick={() => (starts ? start.run({}) : onDone())}
        >
          {starts ? t(busy ? "overview.starting" : "overview.start_simulator") : t("welcome.go_on")}
        </Button>
      </div>
    </>
  );
}

function Endpoints({ endpoints }: { endpoints: readonly string[] }) {
  return (
    <div>
      <p>{t("overview.connect_detail")}</p>
      {endpoints.length === 0 && <p>{t("about.none")}</p>}
      {endpoints.map((endpoint) => (
        <code key={endpoint} className={styles.endpoint}>
          {endpoint}
        </code>
      ))}
    </div>
  );
}

function Preview({ robots }: { robots: readonly RobotRow[] }) {
  const model = useSceneModel(robots);
  return (
    <div className={styles.preview}>
      <div className={styles.scene}>
        <Scene model={model} side="top" focus={null} />
      </div>
      <SceneText model={model} />
    </div>
  );
}
