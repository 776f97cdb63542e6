import { useLocation } from "wouter";
import { AdminGrant } from "../../domain/station/AdminGrant";
import { SoundSwitch } from "../../domain/alarm/SoundSwitch";
import screen from "../../design/layout/screen.module.css";
import { Segments } from "../../design/components/Segments";
import { t } from "../../locales/i18n";
import { AlarmList } from "./AlarmList";
import { placeOf } from "./alarm-place";
import { Events } from "./Events";
import { Figures } from "./Figures";
import { Rules } from "./Rules";

type AlarmsProps = { first: string | undefined; second: string | undefined; third: string | undefined };

/** Alarms that need a response, in their order, with the response. The three words come from the address. */
export function Alarms({ first, second, third }: AlarmsProps) {
  const place = placeOf(first, second, third);
  const [, navigate] = useLocation();
  return (
    <div className={screen.screen}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.alarms")}</h1>
        <Segments
          label={t("alarms.views")}
          value={place.view}
          options={[
            { value: "list", text: t("alarms.list") },
            { value: "events", text: t("alarms.events") },
            { value: "rules", text: t("alarms.rules") },
            { value: "figures", text: t("alarms.figures") },
          ]}
          onChange={(view) => navigate(view === "list" ? "/alarms" : `/alarms/${view}`)}
        />
        <div className={screen.end}>
          <SoundSwitch />
          <AdminGrant />
        </div>
      </header>
      {place.view === "list" && <AlarmList preset={place.preset} selected={place.alarm} />}
      {place.view === "events" && <Events />}
      {place.view === "rules" && <Rules rule={place.rule} onKey={place.key} />}
      {place.view === "figures" && <Figures />}
    </div>
  );
}
