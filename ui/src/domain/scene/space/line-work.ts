// Lines and bodies of a scene, in the colours of the theme. Everything here is made of three's simplest materials: no
// light, no shadow.

import {
  BoxGeometry,
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Line,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  SphereGeometry,
  Texture,
  Vector3,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { axisOf, fromOwn, ownEnds, type SceneBox } from "../flat/box";
import type { Ink } from "../flat/ink";
import type { Vec3 } from "../flat/transform";

/** The theme, and the length of a dash at the distance of the eye. */
export type Kit = { ink: Ink; dash_m: number };

/** Style of a line; `width_px` is CSS pixels. */
export type LineLook = { color: string; width_px: number; dashed?: boolean };

/** A straight piece of a line. */
export type Piece = readonly [Vec3, Vec3];

/** Corners of a circle: enough to look round at the size of a window. */
const CORNERS = 48;
/** A body lets see what is behind it. */
const BODY_OPACITY = 0.18;

/** Draws pieces of lines, as wide at every distance. */
export function lines(kit: Kit, pieces: readonly Piece[], { color, width_px, dashed = false }: LineLook): Object3D {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(pieces.flat(2));
  const material = new LineMaterial({ color, linewidth: width_px, dashed, dashSize: kit.dash_m, gapSize: kit.dash_m });
  const drawn = new LineSegments2(geometry, material);
  if (dashed) drawn.computeLineDistances();
  return drawn;
}

/** The pieces that join points to a chain. */
export function chain(points: readonly Vec3[]): Piece[] {
  return points.flatMap((point, place): Piece[] => {
    const before = points[place - 1];
    return before === undefined ? [] : [[before, point]];
  });
}

/** The pieces of a circle; `axis` is 0, 1 or 2: the one it does not lie along. */
export function ring(center_m: Vec3, radius_m: number, axis: 0 | 1 | 2): Piece[] {
  const at = (corner: number): Vec3 => {
    const angle = (2 * Math.PI * corner) / CORNERS;
    const flat = [radius_m * Math.cos(angle), radius_m * Math.sin(angle)];
    const offset = [0, 1, 2].map((along) => (along === axis ? 0 : (flat.shift() ?? 0)));
    return [center_m[0] + (offset[0] ?? 0), center_m[1] + (offset[1] ?? 0), center_m[2] + (offset[2] ?? 0)];
  };
  return chain(Array.from({ length: CORNERS + 1 }, (_, corner) => at(corner)));
}

/** The pieces of three crossing lines through a point. */
export function cross([x, y, z]: Vec3, reach_m: number): Piece[] {
  return [
    [
      [x - reach_m, y, z],
      [x + reach_m, y, z],
    ],
    [
      [x, y - reach_m, z],
      [x, y + reach_m, z],
    ],
    [
      [x, y, z - reach_m],
      [x, y, z + reach_m],
    ],
  ];
}

/** The twelve edges of a box. */
export function edges(box: SceneBox): Piece[] {
  const { min_m: a, max_m: b } = ownEnds(box);
  const floor = (z: number): Vec3[] => [
    [a[0], a[1], z],
    [b[0], a[1], z],
    [b[0], b[1], z],
    [a[0], b[1], z],
    [a[0], a[1], z],
  ];
  const posts = floor(a[2])
    .slice(0, 4)
    .map(([x, y]): Piece => [
      [x, y, a[2]],
      [x, y, b[2]],
    ]);
  const own = [...chain(floor(a[2])), ...chain(floor(b[2])), ...posts];
  return own.map(([from, to]): Piece => [fromOwn(box, from), fromOwn(box, to)]);
}

/** A solid ball. */
export function ball(center_m: Vec3, radius_m: number, color: string): Object3D {
  const drawn = new Mesh(new SphereGeometry(radius_m, 24, 16), new MeshBasicMaterial({ color }));
  drawn.position.set(...center_m);
  return drawn;
}

/** A box one can look through. */
export function boxBody(box: SceneBox, color: string): Object3D {
  const { min_m, max_m } = ownEnds(box);
  const size = (axis: 0 | 1 | 2) => Math.max(max_m[axis] - min_m[axis], Number.EPSILON);
  const drawn = new Mesh(new BoxGeometry(size(0), size(1), size(2)), glass(color));
  const middle = (axis: 0 | 1 | 2) => (min_m[axis] + max_m[axis]) / 2;
  drawn.position.set(...fromOwn(box, [middle(0), middle(1), middle(2)]));
  const [x, y, z] = ([0, 1, 2] as const).map((axis) => new Vector3(...axisOf(box, axis)));
  if (x && y && z) drawn.setRotationFromMatrix(new Matrix4().makeBasis(x, y, z));
  return drawn;
}

/** A ball one can look through. */
export function ballBody(center_m: Vec3, radius_m: number, color: string): Object3D {
  const drawn = new Mesh(new SphereGeometry(radius_m, 24, 16), glass(color));
  drawn.position.set(...center_m);
  return drawn;
}

/** Upright surfaces one can look through, on pieces of lines on the ground. */
export function fence(pieces: readonly Piece[], height_m: number, color: string): Object3D {
  const corners = pieces.flatMap(([from, to]) => {
    const [from_top, to_top]: Vec3[] = [
      [from[0], from[1], from[2] + height_m],
      [to[0], to[1], to[2] + height_m],
    ];
    return [from, to, to_top, from, to_top, from_top].flat();
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(corners.map(Number), 3));
  return new Mesh(geometry, glass(color));
}

function glass(color: string): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color,
    transparent: true,
    opacity: BODY_OPACITY,
    depthWrite: false,
    side: DoubleSide,
  });
}

/** Gives back what the graphics card holds of an object and of all in it. */
export function discard(object: Object3D): void {
  object.traverse((part) => {
    // Files of robots hold lines and points beside surfaces.
    if (!(part instanceof Mesh || part instanceof Line || part instanceof Points)) return;
    part.geometry.dispose();
    for (const material of [part.material].flat() as Material[]) {
      // A material gives back its program, and leaves its pictures on the card.
      for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
      material.dispose();
    }
  });
}
