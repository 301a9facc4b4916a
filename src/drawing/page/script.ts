import { panelScript } from "./panel-script.js";
import { playerScript } from "./player-script.js";
import { viewScript } from "./view-script.js";

/** What the parts share. Every text of the pack reaches the page through `textContent`. */
const sharedScript = `
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const stage = $("stage"), panel = $("panel"), player = $("player");
const graph = stage.querySelector("svg"), scene = graph.querySelector(".scene");
const stateOf = new Map(data.states.map((state) => [state.id, state]));
const shapes = new Map();
for (const shape of scene.querySelectorAll("[data-id],[data-label]")) {
  const id = shape.dataset.id || shape.dataset.label;
  shapes.set(id, [...(shapes.get(id) || []), shape]);
}
const mark = (name, ids) => {
  for (const shape of scene.querySelectorAll("." + name)) shape.classList.remove(name);
  for (const id of ids) for (const shape of shapes.get(id) || []) shape.classList.add(name);
};
const make = (tag, options, ...children) => {
  const element = document.createElement(tag);
  const { text, act, ...attributes } = options || {};
  if (text !== undefined) element.textContent = text;
  if (act) element.addEventListener("click", act);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter(Boolean));
  return element;
};
const button = (text, act, look) => make("button", { type: "button", text, act, class: look || "small" });
`;

/** The page's own script, a string because it runs elsewhere: plain, and without any library. */
export const pageScript = `"use strict";(() => {${sharedScript}${viewScript}${panelScript}${playerScript}
start();
})();`;
