// Bodies of robots as their URDFs describe them, posed by their joints. They are loaded once, and drawn where a robot is
// known to be.

import { AmbientLight, DirectionalLight, Group, LoadingManager, Matrix4, type Raycaster, Vector3 } from "three";
import URDFLoader, { type URDFRobot } from "urdf-loader";
import { isCurrent } from "../../../design/format/freshness";
import type { SceneRobot } from "../flat/scene-model";
import { discard } from "./line-work";
import type { Hit } from "./pick";
import { type MeshSource, parseMesh } from "./meshes";

/** Files of robots' bodies; null for a robot without a URDF. */
export type BodySource = { urdf: (robot: string) => Promise<string | null>; mesh: MeshSource };

/** Part of a robot's body that cannot be drawn: all of it, or some meshes. */
export type BodyTrouble = { robot: string; meshes: readonly string[] | null };

/** The body of one robot, from the moment it is asked for. */
type Body = { model: URDFRobot | null; missing: string[]; failed: boolean };

/** A picture of one pixel in place of every texture: a body is drawn in plain colours, and loads nothing by itself. */
const NO_TEXTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** Bodies of the robots of one scene. */
export class RobotBodies {
  /** Their place in the scene, with the light on them. */
  readonly group = new Group();
  readonly #bodies = new Map<string, Body>();
  readonly #source: BodySource;
  readonly #onChange: () => void;
  #disposed = false;

  constructor(source: BodySource, onChange: () => void) {
    this.#source = source;
    this.#onChange = onChange;
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(-2, -4, 6);
    this.group.add(new AmbientLight(0xffffff, 1.4), sun);
  }

  /** Puts every body where its robot is, and asks for those that are not here yet. */
  pose(robots: readonly SceneRobot[]): void {
    for (const { model } of this.#bodies.values()) if (model) model.visible = false;
    for (const robot of robots) {
      const body = this.#bodies.get(robot.id);
      if (!body) this.#load(robot.id);
      else if (body.model && robot.stand_m && isCurrent(robot.freshness)) pose(body.model, robot, robot.stand_m);
    }
  }

  /** True if the body of a robot is drawn now. */
  shows(robot: string): boolean {
    return this.#bodies.get(robot)?.model?.visible === true;
  }

  /** The bodies that a line of sight meets. */
  hitBy(sight: Raycaster): Hit[] {
    return [...this.#bodies].flatMap(([id, { model }]): Hit[] => {
      const [first] = model?.visible === true ? sight.intersectObject(model) : [];
      return first ? [{ id, distance_m: first.distance }] : [];
    });
  }

  /** Everything that cannot be drawn. */
  troubles(): BodyTrouble[] {
    return [...this.#bodies].flatMap(([robot, { failed, missing }]): BodyTrouble[] => {
      if (failed) return [{ robot, meshes: null }];
      return missing.length > 0 ? [{ robot, meshes: missing }] : [];
    });
  }

  /** Lets go of the graphics card's memory. */
  dispose(): void {
    this.#disposed = true;
    discard(this.group);
  }

  #load(robot: string): void {
    const body: Body = { model: null, missing: [], failed: false };
    this.#bodies.set(robot, body);
    const read = (urdf: string | null) => {
      if (urdf === null || this.#disposed) return;
      body.model = this.#parse(robot, urdf, body);
      this.group.add(body.model);
      this.#onChange();
    };
    this.#source
      .urdf(robot)
      .then(read)
      // Not swallowed: it is told beside the scene, by `troubles`.
      .catch(() => {
        body.failed = true;
        this.#onChange();
      });
  }

  #parse(robot: string, urdf: string, body: Body): URDFRobot {
    const manager = new LoadingManager();
    manager.setURLModifier(() => NO_TEXTURE);
    const loader = new URDFLoader(manager);
    // The station finds a mesh by its package and path: no address is made of them here.
    loader.packages = (name: string) => name;
    loader.loadMeshCb = (path, _manager, material, done) => {
      parseMesh(this.#source.mesh, robot, path, material, manager)
        .then((mesh) => done(mesh))
        .catch(() => {
          body.missing.push(path);
          done(new Group());
        })
        .finally(this.#onChange);
    };
    const model = loader.parse(urdf);
    // A joint beyond its limit is what somebody has to see: it is drawn where it was measured.
    for (const joint of Object.values(model.joints)) joint.ignoreLimits = true;
    return model;
  }
}

/** Puts a body where its robot stands, with its joints as they were measured. */
function pose(model: URDFRobot, robot: SceneRobot, [origin_m, x_m, y_m]: SceneStand) {
  const origin = new Vector3(...origin_m);
  const x = new Vector3(...x_m).sub(origin);
  const y = new Vector3(...y_m).sub(origin);
  model.setRotationFromMatrix(new Matrix4().makeBasis(x, y, new Vector3().crossVectors(x, y)));
  model.position.copy(origin);
  for (const [name, value] of Object.entries(robot.joints)) model.joints[name]?.setJointValue(value);
  model.visible = true;
}

type SceneStand = NonNullable<SceneRobot["stand_m"]>;
