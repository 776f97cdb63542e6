// Meshes of a robot's body: STL, Collada and OBJ.

import { type LoadingManager, type Material, Mesh, type Object3D } from "three";
import { ColladaLoader } from "three/addons/loaders/ColladaLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";

/** Bytes of a mesh, as a URDF names it. */
export type MeshSource = (robot: string, path: string) => Promise<ArrayBuffer>;

/** Reads a mesh; what it loads besides goes through `manager`. */
export async function parseMesh(
  source: MeshSource,
  robot: string,
  path: string,
  material: Material,
  manager: LoadingManager,
): Promise<Object3D> {
  const bytes = await source(robot, path);
  const text = () => new TextDecoder().decode(bytes);
  switch (path.toLowerCase().split(".").at(-1)) {
    case "stl":
      // Colours in such a file follow no standard: the material of the URDF counts.
      return new Mesh(new STLLoader(manager).parse(bytes), material);
    case "dae": {
      const read = new ColladaLoader(manager).parse(text(), "");
      if (!read) throw new Error(`${path} is no Collada file`);
      return read.scene;
    }
    case "obj":
      return inMaterial(new OBJLoader(manager).parse(text()), material);
    case undefined:
    default:
      throw new Error(`${path} is in none of the forms that are drawn`);
  }
}

function inMaterial(object: Object3D, material: Material): Object3D {
  object.traverse((part) => {
    if (part instanceof Mesh) part.material = material;
  });
  return object;
}
