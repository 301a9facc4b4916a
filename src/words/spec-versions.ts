/** Published versions of the PromptPack specification that are known here, oldest first. */
export const specVersions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.3.1", "1.4.0", "1.4.1"] as const;
export type SpecVersion = (typeof specVersions)[number];
export const newestSpecVersion = "1.4.1";
