import { Route, Switch } from "wouter";
import { lateCode } from "../design/components/late-code";
import { LazyPart } from "../design/components/LazyPart";
import { Overview } from "../features/overview/Overview";
import { wordsFrom } from "../design/format/address";
import { SCREENS, useScreensAhead } from "./ahead";
import { Start } from "./Start";

const Admin = lateCode(async () => (await SCREENS.Admin()).Admin);
const Alarms = lateCode(async () => (await SCREENS.Alarms()).Alarms);
const Approvals = lateCode(async () => (await SCREENS.Approvals()).Approvals);
const Beliefs = lateCode(async () => (await SCREENS.Beliefs()).Beliefs);
const Jobs = lateCode(async () => (await SCREENS.Jobs()).Jobs);
const Memory = lateCode(async () => (await SCREENS.Memory()).Memory);
const Missions = lateCode(async () => (await SCREENS.Missions()).Missions);
const DeniedPage = lateCode(async () => (await SCREENS.DeniedPage()).DeniedPage);
const CommissioningPage = lateCode(async () => (await SCREENS.CommissioningPage()).CommissioningPage);
const GoalPage = lateCode(async () => (await SCREENS.GoalPage()).GoalPage);
const Safety = lateCode(async () => (await SCREENS.Safety()).Safety);
const Stations = lateCode(async () => (await SCREENS.Stations()).Stations);
const Welcome = lateCode(async () => (await SCREENS.Welcome()).Welcome);
const World = lateCode(async () => (await SCREENS.World()).World);
const Parts = lateCode(async () => (await import("./parts/Parts")).Parts);

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
