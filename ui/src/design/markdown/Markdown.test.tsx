import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Markdown } from "./Markdown";

const html = (text: string) => render(<Markdown text={text} />).container;

describe("U-904 markdown of a model", () => {
  it("is a tree of elements", () => {
    const page = html("**arm-1** is _ready_:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nstop\n```");
    expect(["strong", "em", "td", "pre code"].map((selector) => page.querySelector(selector)?.textContent)).toEqual([
      "arm-1",
      "ready",
      "1",
      "stop\n",
    ]);
  });

  it.each([
    ["<script>stop()</script>", "script"],
    ['<img src="https://evil.example/x.png">', "img"],
    ["![seen](https://evil.example/x.png)", "img"],
    ['<a href="https://evil.example">x</a>', "a"],
    ["[x](javascript:alert(1))", "a, button"],
    ["[x](data:text/html,x)", "a, button"],
    ["<style>*{}</style>", "style"],
    ["<iframe src=https://evil.example></iframe>", "iframe"],
  ])("%s makes nothing of it", (text, selector) => expect(html(text).querySelector(selector)).toBeNull());

  it("says where a link leads, and asks before it opens", () => {
    const page = html("Read [the manual](https://robots.example/arm?x=1).");
    expect([page.textContent, page.querySelector("a")]).toEqual(["Read the manual (robots.example).", null]);
    fireEvent.click(screen.getByRole("button", { name: "the manual" }));
    const link = screen.getByRole("link", { name: "Open robots.example" });
    expect([link.getAttribute("href"), link.getAttribute("rel"), link.getAttribute("target")]).toEqual([
      "https://robots.example/arm?x=1",
      "noreferrer noopener",
      "_blank",
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect([screen.queryByRole("link"), document.activeElement]).toEqual([
      null,
      screen.getByRole("button", { name: "the manual" }),
    ]);
  });
});
