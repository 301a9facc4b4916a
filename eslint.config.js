import { createRequire } from "node:module";

/** What `src/cli` may import from node:fs: what reads. One module opens files to read them, and another writes. */
const readers = [
  "accessSync",
  "constants",
  "existsSync",
  "lstatSync",
  "readdirSync",
  "readFileSync",
  "readlinkSync",
  "realpathSync",
  "statSync",
  "watch",
  "BigIntStats",
  "Dirent",
  "FSWatcher",
];
const openers = [...readers, "closeSync", "fstatSync", "openSync", "readSync"];

function restrictFileSystem(allowImportNames) {
  const message = "Only src/cli/files/write-file.ts writes.";
  const paths = [
    { name: "node:fs", allowImportNames, message },
    ...["fs", "fs/promises", "node:fs/promises"].map((name) => ({ name, message })),
  ];
  return { "no-restricted-imports": ["error", { paths }] };
}

/** Like all that only checks need, it is installed below tools/. */
const tseslint = createRequire(new URL("tools/package.json", import.meta.url))("typescript-eslint");

export default tseslint.config(
  {
    ignores: [
      "dist",
      "site/dist",
      "editors/vscode/dist",
      "coverage",
      "**/*.d.mts",
      "src/*/generated",
      "fixtures",
      "bench",
      "node_modules",
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ["src/**/*.ts", "test/**/*.ts", "tools/*.ts", "site/**/*.ts", "editors/**/*.ts"],
    languageOptions: {
      parserOptions: {
        project: [
          "./tsconfig.json",
          "./src/drawing/page/tsconfig.json",
          "./site/tsconfig.json",
          "./editors/vscode/tsconfig.json",
        ],
      },
    },
    rules: {
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/require-await": "off",
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name='localeCompare']",
          message: "Order must not depend on the locale: use compareText.",
        },
        {
          selector: "MemberExpression[property.name=/^toLocale/]",
          message: "Output must not depend on the locale.",
        },
      ],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    // Tests read JSON that the program wrote; what they expect is their type check.
    files: ["test/**/*.ts"],
    rules: Object.fromEntries(
      ["assignment", "call", "member-access", "return", "argument"].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        "off",
      ]),
    ),
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/cli/**"],
    rules: {
      "no-restricted-globals": ["error", "process", "Date", "setTimeout"],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: "Same bytes in, same bytes out." },
      ],
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { group: ["node:*"], message: "Only src/cli touches the disk, the process or the clock." },
          ],
        },
      ],
    },
  },
  {
    files: ["src/cli/**/*.ts"],
    ignores: ["src/cli/files/write-file.ts"],
    rules: restrictFileSystem(readers),
  },
  { files: ["src/cli/files/read-file.ts"], rules: restrictFileSystem(openers) },
  { files: ["**/*.js", "**/*.mjs", "**/*.cjs", "*.config.ts"], ...tseslint.configs.disableTypeChecked },
  { files: ["bin/*.js", "**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
);
