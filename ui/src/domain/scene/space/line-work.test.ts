import {
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  Texture,
} from "three";
import { describe, expect, it, vi } from "vitest";
import { discard } from "./line-work";

describe("U-1103 what the graphics card holds of a body", () => {
  it("is given back whole: surfaces, lines, points and their pictures", () => {
    const map = new Texture();
    const parts = [
      new Mesh(new BufferGeometry(), new MeshBasicMaterial({ map })),
      new Line(new BufferGeometry(), new LineBasicMaterial()),
      new Points(new BufferGeometry(), new PointsMaterial()),
    ];
    const freed = vi.fn();
    for (const { geometry, material } of parts) {
      geometry.addEventListener("dispose", () => freed());
      material.addEventListener("dispose", () => freed());
    }
    map.addEventListener("dispose", () => freed());
    discard(new Group().add(...parts));
    expect(freed).toHaveBeenCalledTimes(7);
  });
});
