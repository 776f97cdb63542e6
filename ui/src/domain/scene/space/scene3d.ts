// The scene in three dimensions: draws when something changed, and only then. It illustrates; the flat scene is the one
// that a decision rests on.

import { Color, Group, PerspectiveCamera, Raycaster, Scene, Vector2, WebGLRenderer } from "three";
import { onThemeChange } from "../../../design/theme/on-theme-change";
import { isCurrent } from "../../../design/format/freshness";
import { inHex, readInk } from "../flat/ink";
import { inWords, type SceneModel } from "../flat/scene-model";
import { pointsInSight } from "../flat/view";
import { axisNames, drawGround, gridStepM } from "./draw-ground";
import { drawDenial, drawGoals } from "./draw-paths";
import { areaNames, drawPlan } from "./draw-plan";
import { drawChosen, drawRobots } from "./draw-robots";
import { drawVolumes } from "./draw-volumes";
import { FrameLoop } from "./frame-loop";
import { discard, type Kit } from "./line-work";
import { namesOf } from "./names";
import { type BodySource, type BodyTrouble, RobotBodies } from "./robot-bodies";
import { robotOn } from "./pick";
import { eyeOf, FIELD_RAD, keptAround, nearer, type Orbit, turned } from "./orbit";
import { writeNames } from "./write-names";

/** A finer picture costs more than it shows. */
const DENSITY_MAX = 2;
/** Dashes between the eye and what it looks at. */
const DASHES_TO_EYE = 60;

/** The canvas of the scene, and the one above it that carries the names. */
export type Canvases = { scene: HTMLCanvasElement; names: HTMLCanvasElement };

/** One view. `mount` it, `update` it, `dispose` of it. It says so if graphics are missing, lost or too slow. */
export class Scene3d {
  readonly #onOff: () => void;
  readonly #loop: FrameLoop;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera((FIELD_RAD * 180) / Math.PI, 1, 0.01, 2_000);
  #canvases: Canvases | null = null;
  #renderer: WebGLRenderer | null = null;
  #observer: ResizeObserver | null = null;
  #forgetTheme: () => void = () => undefined;
  readonly #bodies: RobotBodies;
  #content = new Group();
  /** The plan as it was drawn last: it may have thousands of walls, and stays while robots move. */
  #plan: { key: number; color: string; group: Group } | null = null;
  #model: SceneModel | null = null;
  #focus: string | null = null;
  #chosen: string | null = null;
  #hand: Orbit | null = null;
  /** The eye as it was fitted last. */
  #fitted: Orbit | null = null;
  /** The last shown scene, as JSON: a frame that moved nothing costs no drawing. */
  #shown = "";
  #draws = 0;

  constructor(onOff: () => void, source: BodySource, onTroubles: (troubles: BodyTrouble[]) => void) {
    this.#onOff = onOff;
    this.#bodies = new RobotBodies(source, () => {
      onTroubles(this.#bodies.troubles());
      this.#loop.request();
    });
    this.#scene.add(this.#bodies.group);
    this.#loop = new FrameLoop(() => this.#draw(), onOff);
    this.#camera.up.set(0, 0, 1);
  }

  /** Draws into these canvases from now on, if the browser has graphics for it. */
  mount(canvases: Canvases): void {
    // Asked for here: the renderer would report its absence as an error of ours.
    const context = canvases.scene.getContext("webgl2", { antialias: true });
    if (!context) return this.#onOff();
    this.#canvases = canvases;
    this.#renderer = new WebGLRenderer({ canvas: canvases.scene, context, antialias: true });
    canvases.scene.addEventListener("webglcontextlost", this.#lost);
    this.#observer = new ResizeObserver(this.#loop.request);
    this.#observer.observe(canvases.scene);
    this.#forgetTheme = onThemeChange(this.#loop.request);
  }

  /** Shows a model with one robot marked; another focus gives up what was turned by hand. */
  update(model: SceneModel, focus: string | null, chosen: string | null): void {
    // An age that is not written beside its robot changes nothing that is drawn.
    const robots = model.robots.map((robot) => (isCurrent(robot.freshness) ? { ...robot, age: "" } : robot));
    const shown = inWords({ ...model, robots }, [focus, chosen]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (focus !== this.#focus) this.#hand = this.#fitted = null;
    this.#model = model;
    this.#focus = focus;
    this.#chosen = chosen;
    this.#loop.request();
  }

  /** Turns the eye around what it looks at. */
  turnBy(azimuth_rad: number, elevation_rad: number): void {
    this.#move((orbit) => turned(orbit, azimuth_rad, elevation_rad));
  }

  /** Comes nearer by a factor. */
  zoomBy(factor: number): void {
    this.#move((orbit) => nearer(orbit, factor));
  }

  /** The robot under a place of the picture: shares of its width and height, from the top left corner. */
  robotAt(right: number, down: number): string | null {
    if (!this.#model) return null;
    const sight = new Raycaster();
    sight.setFromCamera(new Vector2(2 * right - 1, 1 - 2 * down), this.#camera);
    const { origin, direction } = sight.ray;
    return robotOn(
      { from_m: origin.toArray(), along: direction.toArray() },
      this.#model.robots,
      this.#bodies.hitBy(sight),
    );
  }

  /** Shows everything again. */
  fit(): void {
    this.#hand = this.#fitted = null;
    this.#loop.request();
  }

  /** Lets go of the canvases and of the graphics card's memory. */
  dispose(): void {
    this.#loop.stop();
    this.#observer?.disconnect();
    this.#forgetTheme();
    this.#canvases?.scene.removeEventListener("webglcontextlost", this.#lost);
    discard(this.#content);
    if (this.#plan) discard(this.#plan.group);
    this.#bodies.dispose();
    this.#renderer?.dispose();
    // A browser has few graphics contexts, and keeps one until its canvas is collected. One on the page is used again.
    if (this.#canvases?.scene.isConnected === false) this.#renderer?.forceContextLoss();
    this.#canvases = null;
    this.#renderer = null;
  }

  #move(change: (orbit: Orbit) => Orbit): void {
    if (!this.#model || !this.#canvases) return;
    this.#hand = change(this.#orbit(this.#model, this.#canvases.scene));
    this.#loop.request();
  }

  #orbit(model: SceneModel, { clientWidth, clientHeight }: HTMLCanvasElement): Orbit {
    if (this.#hand) return this.#hand;
    const aspect = clientWidth / Math.max(clientHeight, 1);
    this.#fitted = keptAround(this.#fitted, pointsInSight(model, this.#focus), aspect);
    return this.#fitted;
  }

  readonly #lost = (event: Event): void => {
    event.preventDefault();
    this.#onOff();
  };

  #draw(): void {
    const [canvases, renderer, model] = [this.#canvases, this.#renderer, this.#model];
    if (!canvases || !renderer || !model) return;
    // A screen that is on its way out has no size, and what is seen from nowhere has none either.
    if (canvases.scene.clientWidth === 0 || canvases.scene.clientHeight === 0) return;
    const ink = inHex(readInk(canvases.scene));
    const orbit = this.#orbit(model, canvases.scene);
    this.#look(orbit, canvases.scene);
    const before = this.#content;
    const kit = { ink, dash_m: orbit.distance_m / DASHES_TO_EYE };
    this.#fill(kit, model, orbit);
    this.#lay(kit, model);
    this.#scene.background = new Color(ink.scene);
    resize(renderer, canvases.scene);
    renderer.render(this.#scene, this.#camera);
    // Not before: programs of the graphics card that nothing uses any more would be compiled anew for each frame.
    discard(before);
    writeNames(
      canvases.names,
      this.#camera,
      ink,
      [...namesOf(model, this.#focus), ...axisNames(orbit), ...(model.plan ? areaNames(model.plan) : [])],
      gridStepM(orbit),
    );
    this.#draws += 1;
    // For whoever measures how often it is drawn.
    canvases.scene.dataset["draws"] = String(this.#draws);
  }

  #look(orbit: Orbit, { clientWidth, clientHeight }: HTMLCanvasElement): void {
    this.#camera.aspect = clientWidth / Math.max(clientHeight, 1);
    this.#camera.position.set(...eyeOf(orbit));
    this.#camera.lookAt(...orbit.target_m);
    this.#camera.updateProjectionMatrix();
    this.#camera.updateMatrixWorld();
  }

  /** Lays the plan on the ground, unless it lies there. */
  #lay(kit: Kit, { plan }: SceneModel): void {
    const color = kit.ink.plan;
    if (this.#plan?.key === plan?.key && (this.#plan === null || this.#plan.color === color)) return;
    if (this.#plan) {
      this.#scene.remove(this.#plan.group);
      discard(this.#plan.group);
    }
    this.#plan = plan && { key: plan.key, color, group: new Group().add(...drawPlan(kit, plan)) };
    if (this.#plan) this.#scene.add(this.#plan.group);
  }

  #fill(kit: Kit, model: SceneModel, orbit: Orbit): void {
    this.#scene.remove(this.#content);
    this.#bodies.pose(model.robots);
    this.#content = new Group();
    this.#content.add(
      ...drawGround(kit, orbit),
      ...drawVolumes(kit, model, this.#focus),
      ...drawGoals(kit, model.goals),
      ...drawRobots(kit, model.robots, (robot) => this.#bodies.shows(robot)),
      ...drawChosen(kit, model.robots, this.#chosen),
      ...(model.denial ? drawDenial(kit, model.denial) : []),
    );
    this.#scene.add(this.#content);
  }
}

/** Only another size or density: setting even the same one throws the picture away. */
function resize(renderer: WebGLRenderer, { clientWidth, clientHeight }: HTMLCanvasElement): void {
  const density = Math.min(devicePixelRatio, DENSITY_MAX);
  if (renderer.getPixelRatio() !== density) renderer.setPixelRatio(density);
  const { x, y } = renderer.getSize(new Vector2());
  if (x !== clientWidth || y !== clientHeight) renderer.setSize(clientWidth, clientHeight, false);
}
