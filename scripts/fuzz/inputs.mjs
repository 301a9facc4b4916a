export { commandLine } from "./command-line.mjs";
export { hostileBytes } from "./hostile-bytes.mjs";
export { packText } from "./pack-text.mjs";
export { yamlTree } from "./yaml-tree.mjs";
