import { useState } from "react";
import type { RoomRow } from "../../generated/bindings/RoomRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { formatMoment } from "../../design/format/time";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./RoomHead.module.css";

/** The stations that may speak in a room, each with the key it signs with; an Admin changes them. */
export function RoomMembers({ room: { room, members } }: { room: RoomRow }) {
  const [station, setStation] = useState("");
  const [key, setKey] = useState("");
  const set = useOperation("set_room_member");
  const admin = useAdminRefusal();
  const own = useLive((store) => store.session?.public_key);
  const clear = () => {
    setStation("");
    setKey("");
  };
  // The way back from a slip: nobody has the key by heart, and it stands nowhere else.
  const keep = (member: { station: string; public_key: string }) => {
    if (station !== "" || key !== "") return;
    setStation(member.station);
    setKey(member.public_key);
  };
  return (
    <details className={styles.members}>
      <summary data-testid="room-members">{t("rooms.members", { count: members.length })}</summary>
      {members.length === 0 && <p>{t("rooms.nobody")}</p>}
      <ul>
        {members.map((member) => (
          <li key={member.station}>
            <strong>{member.station}</strong>
            <Button
              look="quiet"
              data-testid={`room-remove-${member.station}`}
              disabled={admin !== null || set.pending}
              title={admin ?? undefined}
              onClick={() => set.run({ room, station: member.station, public_key: null }, () => keep(member))}
            >
              {t("rooms.remove")}
            </Button>
            <span className={styles.heard}>
              {member.heard_ms === null
                ? t("rooms.unheard")
                : t("rooms.heard", { when: formatMoment(member.heard_ms) })}
            </span>
            <code className={styles.key}>{member.public_key}</code>
          </li>
        ))}
      </ul>
      {own !== undefined && (
        <p>
          {t("rooms.own_key")} <code className={styles.key}>{own}</code>
        </p>
      )}
      <div className={styles.form}>
        <TextField
          label={t("rooms.station")}
          value={station}
          problem={null}
          testId="room-member-station"
          onChange={setStation}
        />
        <TextField label={t("rooms.key")} value={key} problem={null} testId="room-member-key" onChange={setKey} />
        <Button
          data-testid="room-member-add"
          disabled={admin !== null || set.pending || station.trim() === "" || key.trim() === ""}
          onClick={() => set.run({ room, station: station.trim(), public_key: key.trim() }, clear)}
        >
          {set.pending ? t("hold.sending") : t("rooms.add")}
        </Button>
        {admin !== null && <p>{admin}</p>}
        <Refusal error={set.error} />
      </div>
    </details>
  );
}
