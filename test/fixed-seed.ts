import fc from "fast-check";
import { runs } from "./runs.js";

// The same tests on every run: a merge is not a lottery. `SEED=… npm test` draws others, as does `npm run fuzz`.
fc.configureGlobal({ seed: Number(process.env["SEED"] ?? 2026), numRuns: runs(100) });
