/** What `lint` can check. */
export const fileKinds = ["pack", "routes"] as const;
export type FileKind = (typeof fileKinds)[number];
