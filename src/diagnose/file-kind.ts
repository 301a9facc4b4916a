/** What can be linted: a pack, or a file of routes (RFC-103). Where nobody says which, its content does. */
export const fileKinds = ["pack", "routes"] as const;
export type FileKind = (typeof fileKinds)[number];
