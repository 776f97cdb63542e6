import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Alarms } from "../features/alarms/Alarms";
import { Approvals } from "../features/approvals/Approvals";
import { Beliefs } from "../features/beliefs/Beliefs";
import { Overview } from "../features/overview/Overview";
import { Safety } from "../features/safety/Safety";
import { World } from "../features/world/World";
import { wordsFrom } from "./palette-entries";

// Their code comes with them: nobody who watches robots waits for it (U-2608).
const Admin = lazy(() => import("../features/admin/Admin").then((module) => ({ default: module.Admin })));
const Jobs = lazy(() => import("../features/jobs/Jobs").then((module) => ({ default: module.Jobs })));
const Memory = lazy(() => import("../features/memory/Memory").then((module) => ({ default: module.Memory })));
const Missions = lazy(() => import("../features/missions/Missions").then((module) => ({ default: module.Missions })));

/** Every state worth sharing is in the address (U-202). */
export function Routes() {
  return (
    <Switch>
      <Route path="/overview">
        <Overview />
      </Route>
      <Route path="/missions/:id?">
        {({ id }) => (
          <Suspense>
            <Missions id={id} />
          </Suspense>
        )}
      </Route>
      <Route path="/world/:first?/:second?/:third?">
        {({ first, second, third }) => <World first={first} second={second} third={third} />}
      </Route>
      <Route path="/approvals/:id?">{({ id }) => <Approvals id={id} />}</Route>
      <Route path="/alarms/:first?/:second?/:third?">
        {({ first, second, third }) => <Alarms first={first} second={second} third={third} />}
      </Route>
      <Route path="/beliefs/:id?">{({ id }) => <Beliefs id={id} />}</Route>
      <Route path="/memory/:view?/:words?">
        {({ view, words }) => (
          <Suspense>
            <Memory view={view} words={words === undefined ? undefined : wordsFrom(words)} />
          </Suspense>
        )}
      </Route>
      <Route path="/jobs/:id?">
        {({ id }) => (
          <Suspense>
            <Jobs id={id} />
          </Suspense>
        )}
      </Route>
      <Route path="/safety/:robot?/:limit?">{({ robot, limit }) => <Safety robot={robot} limit={limit} />}</Route>
      <Route path="/admin/:section?">
        {({ section }) => (
          <Suspense>
            <Admin section={section} />
          </Suspense>
        )}
      </Route>
      <Route>
        <Redirect to="/overview" replace />
      </Route>
    </Switch>
  );
}
