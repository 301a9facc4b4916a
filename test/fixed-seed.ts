import fc from "fast-check";

// The same tests on every run: a merge is not a lottery. `SEED=… npm test` draws others, as does `npm run fuzz`.
fc.configureGlobal({ seed: Number(process.env["SEED"] ?? 2026) });
