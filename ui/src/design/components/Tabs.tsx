import type { ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";
import styles from "./Tabs.module.css";

type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  /** `count` stands behind the text where it says how much is there. */
  options: readonly { value: Value; text: string; count?: number }[];
  onChange: (value: Value) => void;
  children: ReactNode;
};

/** Parts of a thing, one of them shown as `children`. */
export function Tabs<Value extends string>({ label, value, options, onChange, children }: TabsProps<Value>) {
  return (
    <AriaTabs
      className={styles.tabs ?? ""}
      selectedKey={value}
      onSelectionChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen) onChange(chosen.value);
      }}
    >
      <TabList aria-label={label} className={styles.list ?? ""}>
        {options.map((option) => (
          <Tab key={option.value} id={option.value} className={styles.tab ?? ""}>
            {option.text}
            {option.count !== undefined && <span className={styles.count}>{option.count}</span>}
          </Tab>
        ))}
      </TabList>
      <TabPanel key={value} id={value} className={styles.panel ?? ""}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}
