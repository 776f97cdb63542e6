import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { CodeWords } from "./CodeWords";

const html = (text: string) => render(<p>{<CodeWords text={text} />}</p>).container.innerHTML;

test("ME-09 names between backticks are code, without the backticks", () => {
  expect(html("`park-arm` and `arm-1/body` at once")).toBe(
    "<p><code>park-arm</code> and <code>arm-1/body</code> at once</p>",
  );
});

test("ME-09 a backtick that nothing closes stays, and nothing is markup", () => {
  expect(html("a `b and <i>c</i>")).toBe("<p>a `b and &lt;i&gt;c&lt;/i&gt;</p>");
});
