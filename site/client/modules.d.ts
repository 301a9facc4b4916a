/** The script of the worker, which the build puts in. */
declare module "promptpack:worker" {
  const source: string;
  export default source;
}

/** The packs of `examples` and `site/examples`, and the project there. */
declare module "promptpack:examples" {
  const examples: readonly { readonly name: string; readonly title: string; readonly text: string }[];
  export default examples;
}
