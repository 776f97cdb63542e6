// Missions and connections of the graph, and a hand that drags between them.

export const edge = (page, from, to) => page.locator(`.react-flow__edge[data-id="depends_on ${from} ${to}"]`);
export const node = (page, id) => page.locator(`.react-flow__node[data-id="${id}"]`);

/** The middle of an element once two frames leave it in its place: a new connection is laid out anew. */
const atRest = (locator) =>
  locator.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const middle = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    };
    let before = middle();
    for (;;) {
      await frame();
      await frame();
      const now = middle();
      if (now.x === before.x && now.y === before.y) return now;
      before = now;
    }
  });

/** Drags from the foot of one mission to the head of another, once the window is in contact and may connect them. */
export async function drag(page, from, to) {
  await node(page, from).locator(".react-flow__handle-bottom.connectable").waitFor({ state: "attached" });
  await node(page, to).locator(".react-flow__handle-top.connectable").waitFor({ state: "attached" });
  const source = node(page, from).locator(".react-flow__handle-bottom");
  const target = node(page, to).locator(".react-flow__handle-top");
  const start = await atRest(source);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  const near = await atRest(target);
  await page.mouse.move(near.x, near.y + 8, { steps: 8 });
  // The graph moves on while something is dragged near its edge, and a hand goes after it.
  const there = await atRest(target);
  await page.mouse.move(there.x, there.y, { steps: 2 });
  await page.mouse.up();
}
