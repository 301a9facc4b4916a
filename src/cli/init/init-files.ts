/** A file that `promptpack init` writes: as copied, it works. */
export interface InitFile {
  readonly path: string;
  readonly purpose: string;
  readonly text: string;
  /** What to add by hand where the file exists already, and to what. */
  readonly addition?: { readonly to: string; readonly text: string };
}

const configText = `# How "promptpack lint" checks the packs in this folder and below it.
# "promptpack rules" lists the rules, "promptpack schema --kind config" describes this file.
extends: recommended

# A rule can be off, info, warning or error, for example { dead-guard: off }.
rules: {}

# Files to leave out, as patterns like those in .gitignore.
ignore: []
`;

const hookText = `  - repo: local
    hooks:
      - id: promptpack-lint
        name: promptpack lint
        entry: npx --no-install promptpack lint
        language: system
        types_or: [json, yaml]
        files: (^|/)([^/]*\\.)?(pack|promptpack)\\.(json|ya?ml)$
        require_serial: true
`;

const workflowText = `name: promptpack
on: [push, pull_request]
permissions:
  contents: read
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with:
          node-version: 24
      - run: npm ci
      - run: npx --no-install promptpack lint --format github
`;

export const configFile: InitFile = {
  path: "promptpack.config.yaml",
  purpose: "the config",
  text: configText,
};

export const hookFile: InitFile = {
  path: ".pre-commit-config.yaml",
  purpose: 'a pre-commit hook that lints the packs of each commit once "pre-commit install" has been run',
  text: `repos:\n${hookText}`,
  addition: { to: "repos", text: hookText },
};

export const workflowFile: InitFile = {
  // Called promptpack.yml, it would be taken for a pack.
  path: ".github/workflows/promptpack-lint.yml",
  purpose: "a GitHub workflow that lints all packs and annotates what it finds",
  text: workflowText,
};

/** One of these is what `npm ci` installs. */
export const npmLockFiles = ["package-lock.json", "npm-shrinkwrap.json"] as const;
