import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { EpisodeRole } from "../../generated/bindings/EpisodeRole";
import { aboutAgent, type Input, operation } from "../../host/operations";
import { Button } from "../../design/components/Button";
import { Segments } from "../../design/components/Segments";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useStation } from "../../domain/station/station-context";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { everyWord } from "../../host/variants";
import fields from "../../design/fields/fields.module.css";
import { Hits } from "./Hits";
import styles from "./Memory.module.css";
import { NOTHING, type SearchDraft, searchOf } from "./search-draft";

const ROLES = everyWord<EpisodeRole>({
  user: true,
  assistant: true,
  tool: true,
  alert: true,
  job: true,
  mission: true,
  belief: true,
  note: true,
  plan: true,
  system: true,
});

/**
 * Finds what happened, by words. What was found stays as it is until somebody asks again. `words` are asked for at
 * once.
 */
export function Search({ words }: { words: string }) {
  const [draft, setDraft] = useState<SearchDraft>({ ...NOTHING, query: words });
  const [asked, setAsked] = useState<Input<"memory_search"> | null>(searchOf({ ...NOTHING, query: words }));
  return (
    <>
      <Panel title={t("memory.search")} titled={false}>
        <SearchForm draft={draft} onDraft={setDraft} onSearch={setAsked} />
      </Panel>
      {asked === null ? (
        <Panel title={t("memory.found")} titled={false}>
          <Notice title={t("memory.empty")} detail={t("memory.empty_detail")} />
        </Panel>
      ) : (
        <Found key={JSON.stringify(asked)} search={asked} />
      )}
    </>
  );
}

type SearchFormProps = {
  draft: SearchDraft;
  onDraft: (draft: SearchDraft) => void;
  onSearch: (search: Input<"memory_search">) => void;
};

function SearchForm({ draft, onDraft, onSearch }: SearchFormProps) {
  const refusal = useCommandRefusal();
  const search = searchOf(draft);
  const change = (part: Partial<SearchDraft>) => onDraft({ ...draft, ...part });
  return (
    <form
      className={styles.form}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (search !== null && refusal === null) onSearch(search);
      }}
    >
      <div className={styles.grow}>
        <TextField
          label={t("memory.words")}
          value={draft.query}
          problem={null}
          testId="memory-query"
          onChange={(query) => change({ query })}
        />
      </div>
      <Segments
        label={t("memory.match")}
        value={draft.match}
        options={[
          { value: "any", text: t("memory.any") },
          { value: "all", text: t("memory.all") },
        ]}
        onChange={(match) => change({ match })}
      />
      <SelectField
        label={t("memory.role")}
        value={draft.role}
        options={[
          { value: "", text: t("memory.every_role") },
          ...ROLES.map((value) => ({ value, text: t(`episode_role.${value}`) })),
        ]}
        problem={null}
        onChange={(role) => change({ role })}
      />
      <div className={styles.days}>
        <DayField
          label={t("memory.since")}
          value={draft.since}
          testId="memory-since"
          onChange={(since) => change({ since })}
        />
        <DayField
          label={t("memory.until")}
          value={draft.until}
          testId="memory-until"
          onChange={(until) => change({ until })}
        />
      </div>
      <TextField
        label={t("memory.mission")}
        value={draft.mission}
        problem={null}
        testId="memory-mission"
        onChange={(mission) => change({ mission })}
      />
      <Button type="submit" look="primary" data-testid="memory-submit" disabled={search === null || refusal !== null}>
        {t("memory.find")}
      </Button>
      <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("memory.phrase_hint")}</span>
    </form>
  );
}

function Found({ search }: { search: Input<"memory_search"> }) {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const found = useQuery({
    queryKey: ["memory_search", agent, search],
    enabled: agent !== null,
    // What was found may be forgotten a moment later: nothing of it is kept once it is off the screen.
    gcTime: 0,
    // A query that is refused is refused again.
    retry: false,
    queryFn: ({ signal }) => operation(host, "memory_search", aboutAgent("memory_search", search, agent), signal),
  });
  return (
    <Rows query={found} what={t("memory.found")}>
      {({ items, partial, recall }) => (
        <Hits
          hits={items}
          partial={partial}
          keywordOnly={recall === "keyword"}
          query={search.query}
          onForgotten={() => void found.refetch()}
        />
      )}
    </Rows>
  );
}

type DayFieldProps = { label: string; value: string; testId: string; onChange: (day: string) => void };

/** A day of the calendar, as this desk writes it. */
function DayField({ label, value, testId, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className={fields.text}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
