import type { DrawnPack } from "./build-picture.js";
import type { Picture } from "./picture.js";
export function html(picture: Picture, pack: DrawnPack): string { return picture.title + pack.spec.version; }
