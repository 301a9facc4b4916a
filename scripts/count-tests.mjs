// Prints how many tests passed and failed, from the JSON reports of several runs. A test that ran in more than one of them
// counts once: as failed if it failed in any, and as skipped only if it was in all.
import { readFileSync } from "node:fs";
import process from "node:process";

const outcomes = new Map();
const order = ["skipped", "passed", "failed"];

for (const path of process.argv.slice(2)) {
  for (const { name: file, status, assertionResults } of JSON.parse(readFileSync(path, "utf8")).testResults) {
    // A file that cannot even be loaded has no tests, and is a failure nonetheless.
    if (status === "failed" && assertionResults.length === 0) note(file, "failed");
    const times = new Map();
    for (const { fullName, status } of assertionResults) {
      // Some tests of a file have the same name.
      const time = (times.get(fullName) ?? 0) + 1;
      times.set(fullName, time);
      note(`${file}\n${fullName}\n${time}`, order.includes(status) ? status : "skipped");
    }
  }
}

function note(test, outcome) {
  const worst = Math.max(order.indexOf(outcome), order.indexOf(outcomes.get(test)));
  outcomes.set(test, order[worst]);
}

const count = (outcome) => [...outcomes.values()].filter((each) => each === outcome).length;
const skipped = count("skipped") > 0 ? `, ${count("skipped")} skipped` : "";
console.log(`${count("passed")} passed, ${count("failed")} failed${skipped}`);
