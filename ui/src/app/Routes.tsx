import { lazy } from "react";
import { Route, Switch } from "wouter";
import { LazyPart } from "../design/components/LazyPart";
import { Overview } from "../features/overview/Overview";
import { wordsFrom } from "./address";
import { SCREENS, useScreensAhead } from "./ahead";
import { Start } from "./Start";

const Admin = lazy(() => SCREENS.Admin().then((module) => ({ default: module.Admin })));
const Alarms = lazy(() => SCREENS.Alarms().then((module) => ({ default: module.Alarms })));
const Approvals = lazy(() => SCREENS.Approvals().then((module) => ({ default: module.Approvals })));
const Beliefs = lazy(() => SCREENS.Beliefs().then((module) => ({ default: module.Beliefs })));
const Jobs = lazy(() => SCREENS.Jobs().then((module) => ({ default: module.Jobs })));
const Memory = lazy(() => SCREENS.Memory().then((module) => ({ default: module.Memory })));
const Missions = lazy(() => SCREENS.Missions().then((module) => ({ default: module.Missions })));
const DeniedPage = lazy(() => SCREENS.DeniedPage().then((module) => ({ default: module.DeniedPage })));
const CommissioningPage = lazy(() =>
  SCREENS.CommissioningPage().then((module) => ({ default: module.CommissioningPage })),
);
const GoalPage = lazy(() => SCREENS.GoalPage().then((module) => ({ default: module.GoalPage })));
const Safety = lazy(() => SCREENS.Safety().then((module) => ({ default: module.Safety })));
const Stations = lazy(() => SCREENS.Stations().then((module) => ({ default: module.Stations })));
const Welcome = lazy(() => SCREENS.Welcome().then((module) => ({ default: module.Welcome })));
const World = lazy(() => SCREENS.World().then((module) => ({ default: module.World })));
const Parts = lazy(() => import("./parts/Parts").then((module) => ({ default: module.Parts })));

/** Every state worth sharing is in the address (U-202). */
export function Routes() {
  useScreensAhead();
  return (
    <LazyPart>
      <Switch>
        <Route path="/overview">
          <Overview />
        </Route>
        <Route path="/missions/:id?/:tab?">{({ id, tab }) => <Missions id={id} tab={tab} />}</Route>
        <Route path="/world/:first?/:second?/:third?">
          {({ first, second, third }) => <World first={first} second={second} third={third} />}
        </Route>
        <Route path="/approvals/:id?">{({ id }) => <Approvals id={id} />}</Route>
        <Route path="/alarms/:first?/:second?/:third?">
          {({ first, second, third }) => <Alarms first={first} second={second} third={third} />}
        </Route>
        <Route path="/beliefs/:id?">{({ id }) => <Beliefs id={id} />}</Route>
        <Route path="/memory/:view?/:words?">
          {({ view, words }) => <Memory view={view} words={words === undefined ? undefined : wordsFrom(words)} />}
        </Route>
        <Route path="/jobs/:id?">{({ id }) => <Jobs id={id} />}</Route>
        <Route path="/safety/:robot/new/:zone">
          {({ robot, zone }) => <Safety robot={robot} zone={wordsFrom(zone)} />}
        </Route>
        <Route path="/safety/:robot/change/:limit/:numbers">
          {({ robot, limit, numbers }) => (
            <Safety robot={robot} limit={wordsFrom(limit)} numbers={wordsFrom(numbers)} />
          )}
        </Route>
        <Route path="/safety/:robot/goal">{({ robot }) => <GoalPage robot={robot} />}</Route>
        <Route path="/safety/:robot/commissioning">{({ robot }) => <CommissioningPage robot={robot} />}</Route>
        <Route path="/safety/:robot/denied/:verdict">{({ verdict }) => <DeniedPage id={verdict} />}</Route>
        <Route path="/safety/:robot?/:limit?">{({ robot, limit }) => <Safety robot={robot} limit={limit} />}</Route>
        <Route path="/admin/:section?">{({ section }) => <Admin section={section} />}</Route>
        <Route path="/stations">
          <Stations />
        </Route>
        <Route path="/welcome/:step?">{({ step }) => <Welcome step={step} />}</Route>
        <Route path="/parts">
          <Parts />
        </Route>
        <Route>
          <Start />
        </Route>
      </Switch>
    </LazyPart>
  );
}
