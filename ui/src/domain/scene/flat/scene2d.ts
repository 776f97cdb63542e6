// The Canvas 2D scene: draws a model when something changed, and only then.

import { drawDenial } from "./draw-denial";
import { drawGoals } from "./draw-goals";
import { drawGrid, drawScale } from "./draw-grid";
import { drawRobots, drawTrails } from "./draw-robots";
import { drawDrafts, drawVolumes } from "./draw-volumes";
import { drawBorder, hasBorder } from "./draw-border";
import { readInk } from "./ink";
import type { Pen } from "./pen";
import type { SceneModel } from "./scene-model";
import { type Camera, type CanvasSize, fit, pan, type ViewSide, zoom } from "./view";

/** View of a scene: its side, the id of the robot in focus, and the label of goals. */
export type SceneLook = { side: ViewSide; focus: string | null; goalLabel: string };

/** One canvas. `mount` it, `update` it, `dispose` of it. */
export class Scene2d {
  #canvas: HTMLCanvasElement | null = null;
  #observer: ResizeObserver | null = null;
  #theme: MediaQueryList | null = null;
  #model: SceneModel | null = null;
  #look: SceneLook = { side: "top", focus: null, goalLabel: "" };
  #hand: Camera | null = null;
  #request = 0;
  /** The last drawn model and view, as JSON: a frame that moved nothing costs no drawing. */
  #drawn = "";

  /** Draws into `canvas` from now on. */
  mount(canvas: HTMLCanvasElement): void {
    this.#canvas = canvas;
    this.#observer = new ResizeObserver(this.#redraw);
    this.#observer.observe(canvas);
    this.#theme = matchMedia("(prefers-color-scheme: dark)");
    this.#theme.addEventListener("change", this.#redraw);
  }

  /** Shows a model; another side or focus gives up what was zoomed and moved by hand. */
  update(model: SceneModel, look: SceneLook): void {
    const drawn = JSON.stringify([model, look]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    if (look.side !== this.#look.side || look.focus !== this.#look.focus) this.#hand = null;
    this.#model = model;
    this.#look = look;
    this.#redraw();
  }

  /** Zooms about the middle. */
  zoomBy(factor: number): void {
    this.#move((camera) => zoom(camera, factor));
  }

  /** Moves the view by pixels. */
  panBy(right_px: number, up_px: number): void {
    this.#move((camera) => pan(camera, right_px, up_px));
  }

  /** Shows everything again. */
  fit(): void {
    this.#hand = null;
    this.#redraw();
  }

  /** Lets go of the canvas. */
  dispose(): void {
    cancelAnimationFrame(this.#request);
    this.#observer?.disconnect();
    this.#theme?.removeEventListener("change", this.#redraw);
    this.#canvas = null;
  }

  #move(change: (camera: Camera) => Camera): void {
    if (!this.#canvas || !this.#model) return;
    this.#hand = change(this.#camera(this.#model, sizeOf(this.#canvas)));
    this.#redraw();
  }

  #camera(model: SceneModel, size: CanvasSize): Camera {
    return this.#hand ?? fit(model, size, this.#look.side, this.#look.focus);
  }

  readonly #redraw = (): void => {
    cancelAnimationFrame(this.#request);
    this.#request = requestAnimationFrame(() => this.#draw());
  };

  #draw(): void {
    const canvas = this.#canvas;
    const model = this.#model;
    const context = canvas?.getContext("2d");
    if (!canvas || !model || !context) return;
    const size = sizeOf(canvas);
    const density = devicePixelRatio;
    resize(canvas, Math.round(size.width_px * density), Math.round(size.height_px * density));
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, size.width_px, size.height_px);
    const pen: Pen = { context, ink: readInk(canvas), camera: this.#camera(model, size), size, labels: [] };
    drawGrid(pen);
    drawVolumes(pen, model.volumes, { focus: this.#look.focus, violated: model.denial?.constraints ?? [] });
    drawDrafts(pen, model.drafts);
    drawTrails(pen, model.robots);
    drawGoals(pen, model.goals, this.#look.goalLabel);
    drawRobots(pen, model.robots);
    if (model.denial) drawDenial(pen, model.denial);
    if (hasBorder(pen)) drawBorder(pen);
    else drawScale(pen);
  }
}

/** Only another size: assigning even the same one throws the bitmap away. */
function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

function sizeOf(canvas: HTMLCanvasElement): CanvasSize {
  return { width_px: canvas.clientWidth, height_px: canvas.clientHeight };
}
