import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { useRows } from "../station/useRows";
import { t } from "../../locales/i18n";

/** The way to the first robot, where a screen is empty because the station knows none; nothing otherwise. */
export function SetUpRobots() {
  const [, navigate] = useLocation();
  const robots = useRows("robots", "list_robots", {});
  if (robots.data?.rows.length !== 0) return null;
  return (
    <Button data-testid="set-up-robots" onClick={() => navigate("/overview")}>
      {t("robot.set_up")}
    </Button>
  );
}
