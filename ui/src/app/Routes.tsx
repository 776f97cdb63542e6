import { Redirect, Route, Switch } from "wouter";
import { Admin } from "../features/admin/Admin";
import { Alarms } from "../features/alarms/Alarms";
import { Approvals } from "../features/approvals/Approvals";
import { Beliefs } from "../features/beliefs/Beliefs";
import { Jobs } from "../features/jobs/Jobs";
import { Memory } from "../features/memory/Memory";
import { Missions } from "../features/missions/Missions";
import { Overview } from "../features/overview/Overview";
import { Safety } from "../features/safety/Safety";
import { World } from "../features/world/World";
import { wordsFrom } from "./palette-entries";

/** Every state worth sharing is in the address (U-202). */
export function Routes() {
  return (
    <Switch>
      <Route path="/overview">
        <Overview />
      </Route>
      <Route path="/missions/:id?">{({ id }) => <Missions id={id} />}</Route>
      <Route path="/world/:first?/:second?/:third?">{({ first, second, third }) => <World first={first} second={second} third={third} />}</Route>
      <Route path="/approvals/:id?">{({ id }) => <Approvals id={id} />}</Route>
      <Route path="/alarms/:first?/:second?/:third?">{({ first, second, third }) => <Alarms first={first} second={second} third={third} />}</Route>
      <Route path="/beliefs/:id?">{({ id }) => <Beliefs id={id} />}</Route>
      <Route path="/memory/:view?/:words?">{({ view, words }) => <Memory view={view} words={words === undefined ? undefined : wordsFrom(words)} />}</Route>
      <Route path="/jobs/:id?">{({ id }) => <Jobs id={id} />}</Route>
      <Route path="/safety/:robot?/:limit?">{({ robot, limit }) => <Safety robot={robot} limit={limit} />}</Route>
      <Route path="/admin/:section?">{({ section }) => <Admin section={section} />}</Route>
      <Route>
        <Redirect to="/overview" replace />
      </Route>
    </Switch>
  );
}
