import { waitFor } from "@testing-library/react";
import { Mesh, Vector3 } from "three";
import { describe, expect, it, vi } from "vitest";
import type { SceneRobot } from "../flat/scene-model";
import { RobotBodies } from "./robot-bodies";

const ARM = `<robot name="arm">
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="link"><visual><geometry><mesh filename="package://arm/link.stl"/></geometry></visual></link>
  <link name="tip"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="link"/><axis xyz="0 0 1"/><limit lower="-2" upper="2"/>
  </joint>
  <joint name="reach" type="prismatic">
    <parent link="link"/><child link="tip"/><axis xyz="1 0 0"/><limit lower="0" upper="3"/>
  </joint>
</robot>`;

const STL = new TextEncoder().encode(
  "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
);

function robot(change: Partial<SceneRobot> = {}): SceneRobot {
  return {
    id: "arm-1",
    position_m: [0, 0, 0],
    heading_rad: null,
    body_radius_m: 0.1,
    freshness: "live",
    age: "",
    simulated: true,
    base_m: null,
    stand_m: [
      [1, 2, 0],
      [2, 2, 0],
      [1, 3, 0],
    ],
    joints: { turn: Math.PI / 2, reach: 2 },
    trail_m: [],
    shape: "arm",
    look: "armed",
    speed_mps: null,
    ...change,
  };
}

async function bodies(urdf: () => Promise<string | null>, mesh: () => Promise<ArrayBuffer>) {
  const onChange = vi.fn();
  const made = new RobotBodies({ urdf, mesh }, onChange);
  made.pose([robot()]);
  await waitFor(() => expect(onChange).toHaveBeenCalled());
  return { made, onChange };
}

describe("U-1103 the body of a robot", () => {
  it("stands where its robot stands, with its joints as they were measured", async () => {
    const { made } = await bodies(
      async () => ARM,
      async () => STL.buffer,
    );
    made.pose([robot()]);
    expect(made.shows("arm-1")).toBe(true);
    made.group.updateMatrixWorld(true);
    const tip = made.group.getObjectByName("tip")?.getWorldPosition(new Vector3());
    // Turned by a quarter, the reach of 2 m along x is along y.
    expect(tip?.toArray().map((value) => Math.round(value * 1e6) / 1e6)).toEqual([1, 4, 0]);
    await waitFor(() => {
      const meshes: Mesh[] = [];
      made.group.traverse((part) => part instanceof Mesh && meshes.push(part));
      expect(meshes).toHaveLength(2);
    });
    expect(made.troubles()).toEqual([]);
  });

  it("shows a joint beyond its limit where it was measured", async () => {
    const { made } = await bodies(
      async () => ARM,
      async () => STL.buffer,
    );
    made.pose([robot({ joints: { turn: 0, reach: 4 } })]);
    made.group.updateMatrixWorld(true);
    const tip = made.group.getObjectByName("tip")?.getWorldPosition(new Vector3());
    expect(tip?.x).toBeCloseTo(5);
  });

  it("is not drawn where its robot may not be any more", async () => {
    const { made } = await bodies(
      async () => ARM,
      async () => STL.buffer,
    );
    made.pose([robot({ freshness: "lost" })]);
    expect(made.shows("arm-1")).toBe(false);
  });

  it("names the meshes that are missing, and draws the rest", async () => {
    const { made } = await bodies(
      async () => ARM,
      async () => Promise.reject(new Error("gone")),
    );
    await waitFor(() => expect(made.troubles()).toEqual([{ robot: "arm-1", meshes: ["arm/link.stl"] }]));
    made.pose([robot()]);
    expect(made.shows("arm-1")).toBe(true);
  });

  it.each(["no xml at all", "<robot name='x'><joint name='a' type='fixed'/></robot>", "<other/>"])(
    "is said to be unreadable for “%s”, and the scene goes on",
    async (urdf) => {
      const { made } = await bodies(
        async () => urdf,
        async () => STL.buffer,
      );
      expect(made.troubles()).toEqual([{ robot: "arm-1", meshes: null }]);
      made.pose([robot()]);
      expect(made.shows("arm-1")).toBe(false);
    },
  );

  it("is nothing for a robot without a URDF", async () => {
    const urdf = vi.fn(async () => null);
    const made = new RobotBodies({ urdf, mesh: async () => STL.buffer }, () => undefined);
    made.pose([robot()]);
    await waitFor(() => expect(urdf).toHaveBeenCalledTimes(1));
    made.pose([robot()]);
    expect([made.shows("arm-1"), made.troubles()]).toEqual([false, []]);
    expect(urdf).toHaveBeenCalledTimes(1);
  });
});
