/** What every pack begins with, in YAML. */
export const head =
  'id: p\nname: P\nversion: 1.0.0\ntemplate_engine: {version: v1, syntax: "{{variable}}"}\n';
