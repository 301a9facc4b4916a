// The full tests import these from here, as packages are looked for beside the file that asks for them.
export { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
export { chromium } from "playwright-core";
export type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
export { publint } from "publint";
