// The Canvas 2D scene: draws a model when something changed, and only then.

import { onThemeChange } from "../../../design/theme/on-theme-change";
import { cleared, sizeOf } from "./canvas";
import { drawBorder } from "./draw-border";
import { drawDenial } from "./draw-denial";
import { drawBands, drawGoals, drawMargin } from "./draw-goals";
import { drawGrid, drawScale } from "./draw-grid";
import { drawLabels } from "./draw-labels";
import { drawMaps } from "./draw-maps";
import { drawAreas, drawOutline, drawPlan } from "./draw-plan";
import { drawRobots, drawTrails, radiusPx } from "./draw-robots";
import { drawDrafts, drawVolumes } from "./draw-volumes";
import { hasBorder, roomOf } from "./frame";
import { readInk } from "./ink";
import { type Box, squareAround } from "./labels";
import type { Pen } from "./pen";
import { outlineOf } from "./outline";
import { type Outline, outlineAt, robotAt } from "./pick";
import { inWords, type SceneModel, type SceneVolume } from "./scene-model";
import type { Vec3 } from "./transform";
import {
  type Camera,
  type CanvasSize,
  fit,
  flatten,
  keepFitted,
  nearTo,
  pan,
  pointAt,
  type Spot,
  toSpot,
  type ViewSide,
  zoomAt,
} from "./view";

/** View of a scene. */
export type SceneLook = {
  side: ViewSide;
  /** The robot whose limits alone are drawn and fitted. */
  focus: string | null;
  /** The robot that is marked. */
  chosen: string | null;
  /** True keeps the marked robot in the middle. */
  follow: boolean;
};

/** The canvas, the element whose children mark the robots, and the tools that no name may lie under. */
export type SceneParts = { canvas: HTMLCanvasElement; marks: HTMLElement; tools: HTMLElement };

/** One canvas and the marks above it. `mount` it, `update` it, `dispose` of it. */
export class Scene2d {
  #canvas: HTMLCanvasElement | null = null;
  #parts: SceneParts | null = null;
  #observer: ResizeObserver | null = null;
  #forgetTheme: () => void = () => undefined;
  #model: SceneModel | null = null;
  #look: SceneLook = { side: "top", focus: null, chosen: null, follow: false };
  /** The view that a hand has chosen; without one, everything is in sight. */
  #hand: Camera | null = null;
  #fitted: { camera: Camera; size: CanvasSize } | null = null;
  #labels: Map<string, number> = new Map();
  #request = 0;
  #draws = 0;
  /** The last drawn model and view, as JSON: a frame that moved nothing costs no drawing. */
  #drawn = "";
  /** The places of the handles, as text. */
  #places = "";

  /** Draws into the canvas from now on, and keeps each mark on its robot. */
  mount(parts: SceneParts): void {
    this.#canvas = parts.canvas;
    this.#parts = parts;
    this.#observer = new ResizeObserver(this.#redraw);
    this.#observer.observe(parts.canvas);
    this.#forgetTheme = onThemeChange(this.#redraw);
  }

  /** Shows a model; another side, or a focus that came from elsewhere, gives up what was zoomed and moved by hand. */
  update(model: SceneModel, look: SceneLook): void {
    const drawn = inWords(model, look);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const before = this.#look;
    // What was chosen in the scene is in sight: the view stays as it is.
    if (look.focus !== before.focus && look.focus === before.chosen) this.#hand = this.#camera();
    else if (look.side !== before.side || look.focus !== before.focus) this.#hand = this.#fitted = null;
    // Whoever ends the following goes on from there.
    else if (before.follow && !look.follow) this.#hand = this.#camera();
    // Another plan is another place to look at, and so is a map that has come.
    if (model.plan?.key !== this.#model?.plan?.key || model.maps.length !== this.#model?.maps.length)
      this.#fitted = null;
    this.#model = model;
    this.#look = look;
    this.#redraw();
  }

  /** Zooms about a spot, or about the middle. */
  zoomBy(factor: number, spot: Spot | null = null): void {
    this.#move((camera, size) => zoomAt(camera, size, spot ?? [size.width_px / 2, size.height_px / 2], factor));
  }

  /** Moves the view by pixels; it follows nobody any more. */
  panBy(right_px: number, up_px: number): void {
    this.#move((camera) => pan(camera, right_px, up_px));
    this.#look = { ...this.#look, follow: false };
  }

  /** Keeps the view as it is, whatever comes into sight. */
  hold(): void {
    this.#hand = this.#camera();
  }

  /** Shows everything again. */
  fit(): void {
    this.#hand = this.#fitted = null;
    this.#look = { ...this.#look, follow: false };
    this.#redraw();
  }

  /** Brings points into sight, and nearer where their handles would lie on each other. */
  lookAt(points_m: readonly Vec3[]): void {
    this.#move((camera, size) => nearTo(camera, size, points_m));
  }

  /** Puts handles where they are now, if these `places` are others than before. */
  placeHandles(places: string): void {
    if (places === this.#places) return;
    this.#places = places;
    this.#redraw();
  }

  /** Marks a robot before anybody else does, so that the view stays as it is. */
  choose(robot: string | null): void {
    this.#look = { ...this.#look, chosen: robot };
  }

  /** The robot under a spot. */
  robotAt(spot: Spot): string | null {
    const [canvas, camera] = [this.#canvas, this.#camera()];
    if (!canvas || !camera) return null;
    const discs = (this.#model?.robots ?? []).map((robot) => ({
      id: robot.id,
      at: toSpot(camera, sizeOf(canvas), robot.position_m),
      radius_px: radiusPx(robot, camera.px_per_m),
    }));
    return robotAt(discs, spot);
  }

  /** The limit whose outline is under a spot. */
  limitAt(spot: Spot): string | null {
    const [canvas, camera] = [this.#canvas, this.#camera()];
    if (!canvas || !camera) return null;
    const { focus } = this.#look;
    const drawn = (this.#model?.volumes ?? []).filter(
      ({ robot }) => focus === null || robot === null || robot === focus,
    );
    return outlineAt(
      drawn.map((volume) => outlineOfVolume(volume, camera, sizeOf(canvas))),
      spot,
    );
  }

  /** The coordinates of the scene's plane under a spot, metres. */
  pointAt(spot: Spot): readonly [number, number] | null {
    const [canvas, camera] = [this.#canvas, this.#camera()];
    return canvas && camera && pointAt(camera, sizeOf(canvas), spot);
  }

  /** Brings a robot into sight that is outside. */
  reveal(robot: string): void {
    const [canvas, camera] = [this.#canvas, this.#camera()];
    const found = this.#model?.robots.find(({ id }) => id === robot);
    if (!canvas || !camera || !found) return;
    const room = roomOf(sizeOf(canvas));
    const [x, y] = toSpot(camera, sizeOf(canvas), found.position_m);
    if (x >= room.left && x <= room.right && y >= room.top && y <= room.bottom) return;
    this.#hand = { ...camera, center: flatten(camera.side, found.position_m) };
    this.#redraw();
  }

  /** Lets go of the canvas. */
  dispose(): void {
    cancelAnimationFrame(this.#request);
    this.#observer?.disconnect();
    this.#forgetTheme();
    this.#canvas = null;
  }

  #move(change: (camera: Camera, size: CanvasSize) => Camera): void {
    const camera = this.#camera();
    if (!this.#canvas || !camera) return;
    this.#hand = change(camera, sizeOf(this.#canvas));
    this.#redraw();
  }

  #camera(): Camera | null {
    const [canvas, model] = [this.#canvas, this.#model];
    if (!canvas || !model) return null;
    const { side, chosen, follow } = this.#look;
    const camera = this.#hand ?? this.#fit(model, sizeOf(canvas));
    const followed = follow ? model.robots.find(({ id }) => id === chosen) : undefined;
    return followed ? { ...camera, center: flatten(side, followed.position_m) } : camera;
  }

  /** The same view as last time while everything is in it. */
  #fit(model: SceneModel, size: CanvasSize): Camera {
    const { side, focus } = this.#look;
    const last = this.#fitted;
    const same = last?.size.width_px === size.width_px && last.size.height_px === size.height_px;
    const camera = last && same ? keepFitted(last.camera, model, size, focus) : fit(model, size, side, focus);
    this.#fitted = { camera, size };
    return camera;
  }

  readonly #redraw = (): void => {
    cancelAnimationFrame(this.#request);
    this.#request = requestAnimationFrame(() => this.#draw());
  };

  #draw(): void {
    const [canvas, model, camera] = [this.#canvas, this.#model, this.#camera()];
    const context = canvas?.getContext("2d");
    if (!canvas || !model || !camera || !context) return;
    const size = cleared(canvas, context);
    const pen: Pen = { context, ink: readInk(canvas), camera, size, labels: [], taken: [] };
    drawGrid(pen);
    if (model.plan) drawAreas(pen, model.plan);
    drawMaps(pen, model.maps);
    if (model.plan) drawPlan(pen, model.plan);
    drawBands(pen, model.goals);
    drawVolumes(pen, model.volumes, { focus: this.#look.focus, denial: model.denial });
    drawDrafts(pen, model.drafts);
    drawOutline(pen, model.outline);
    drawTrails(pen, model.robots);
    drawRobots(pen, model.robots, this.#look.chosen);
    // A goal at the place of another robot is seen there.
    drawGoals(pen, model.goals);
    if (model.denial) drawDenial(pen, model.denial);
    if (model.decision?.margin) drawMargin(pen, model.decision.margin);
    if (hasBorder(size)) drawBorder(pen);
    drawScale(pen);
    if (this.#parts) pen.taken.push(boxOf(this.#parts.tools));
    this.#labels = drawLabels(pen, roomOf(size), this.#labels);
    this.#placeMarks(model, camera, size);
    this.#draws += 1;
    // For whoever measures how often it is drawn.
    canvas.dataset["draws"] = String(this.#draws);
  }

  /** Moves the focusable mark of each robot, and each handle, to where it is drawn. */
  #placeMarks(model: SceneModel, camera: Camera, size: CanvasSize): void {
    // React makes the marks; only their places are set here, since robots move more often than it renders.
    for (const mark of this.#parts?.marks.querySelectorAll<HTMLElement>("[data-robot]") ?? []) {
      const robot = model.robots.find(({ id }) => id === mark.dataset["robot"]);
      if (!robot) continue;
      place(mark, toSpot(camera, size, robot.position_m));
    }
    for (const handle of this.#parts?.marks.querySelectorAll<HTMLElement>("[data-handle]") ?? []) {
      const [x = 0, y = 0, z = 0] = (handle.dataset["at"] ?? "").split(" ").map(Number);
      place(handle, toSpot(camera, size, [x, y, z]));
    }
  }
}

function place(mark: HTMLElement, [x, y]: Spot): void {
  const transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  if (mark.style.transform !== transform) mark.style.transform = transform;
}

/** The outline that a limit is drawn with. */
function outlineOfVolume(volume: SceneVolume, camera: Camera, size: CanvasSize): Outline {
  const id = volume.constraint;
  if (volume.kind !== "forbidden_zone") return { id, round: false, corners: outlineOf(volume, camera, size) };
  const middle = toSpot(camera, size, volume.center_m);
  return { id, round: true, box: squareAround(middle, volume.radius_m * camera.px_per_m) };
}

/** The place of an element in the one that positions it. */
function boxOf({ offsetLeft, offsetTop, offsetWidth, offsetHeight }: HTMLElement): Box {
  return { left: offsetLeft, top: offsetTop, right: offsetLeft + offsetWidth, bottom: offsetTop + offsetHeight };
}
