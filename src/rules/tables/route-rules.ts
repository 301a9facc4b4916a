import type { Finding } from "../../diagnostic.js";
import { removeEntry } from "../../document/edit.js";
import { asMapping, type MappingNode, placeOf } from "../../document/node.js";
import {
  anyPlugin,
  completedType,
  durationSeconds,
  escalatedType,
  hasConfigurationSection,
  isBareRequestType,
  isRoutesDocument,
  loopPlugin,
  type LoopSettings,
  requestPrefix,
  resultType,
} from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { routesSchema } from "../../schema/other-schemas.js";
import {
  createGuesser,
  misspelledAsAdvice,
  nameAdvice,
  nearestName,
  uniqueNearestName,
} from "../../text/names.js";
import { rulesOf } from "../rule.js";
import { nearestNameFix, replaceNameFix, unsafeFix, withRenameFix } from "../shared/fixes.js";

export const routeRules = rulesOf("routes", {
  "route-schema": {
    summary: "The configuration has the shape that RFC-103 requires.",
    severity: "error",
    fix: "safe",
    source: "RFC-103, required router configuration",
    *check({ file: { document, pipelines } }) {
      const { root } = document;
      if (root === undefined) return;
      if (!hasConfigurationSection(document)) {
        const message = 'This file declares no routes: it has neither "pipelines" nor "plugins".';
        yield { at: placeOf(root), message };
        return;
      }
      const legacy = isRoutesDocument(document) ? asMapping(root)?.entry("routes") : undefined;
      if (legacy !== undefined) {
        const message = 'Nothing reads "routes" here: requests take the routes in "pipelines" only.';
        const edits = root.kind === "mapping" ? removeEntry(document, root, "routes") : undefined;
        yield {
          at: legacy.key,
          message,
          advice: "It can be removed.",
          ...unsafeFix("Remove routes.", edits),
        };
      }
      for (const { on } of pipelines) {
        if (on === undefined || !isBareRequestType(on.text)) continue;
        const message = `"${on.text}" names no plugin: the type of a request is "${requestPrefix}" followed by the plugin.`;
        yield { at: on, message };
      }
      for (const finding of otherSchemaFindings(root, routesSchema(), document.text, true))
        yield withRenameFix(document, finding);
    },
  },
  "route-missing": {
    summary: "Every plugin that the loop may use has a pipeline.",
    severity: "error",
    fix: "unsafe",
    source: "RFC-103, required router configuration",
    needs: "every pipeline",
    defersTo: ["route-tool-name"],
    *check({ file: { loop, document }, routes, isOn }) {
      if (!routes.hasAllPipelines) return;
      const guess = createGuesser();
      for (const plugin of loop?.allowed ?? []) {
        if ([loopPlugin, anyPlugin].includes(plugin.text) || routes.byPlugin.has(plugin.text)) continue;
        if (isOn("route-tool-name") && routes.misnamedFor(plugin.text) !== undefined) continue;
        const near = nameAdvice(plugin.text, routes.byPlugin.keys(), guess);
        const advice = near ?? misspelledAsAdvice(`${requestPrefix}${plugin.text}`, routes.otherEvents());
        const message = `The loop may use "${plugin.text}", but there is no pipeline on "${requestPrefix}${plugin.text}", so a run that asks for it waits forever.`;
        yield {
          at: plugin,
          message,
          advice,
          ...(near && nearestNameFix(document, plugin, routes.byPlugin.keys())),
        };
      }
    },
  },
  "route-tool-name": {
    summary:
      "The loop may use plugins by the names that their requests have, not by those of their pipelines.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC-103, required router configuration",
    needs: "every pipeline",
    *check({ file: { loop, document, name: fileName }, routes }) {
      if (!routes.hasAllPipelines) return;
      for (const plugin of loop?.allowed ?? []) {
        const { name, on, plugin: requested, file } = routes.misnamedFor(plugin.text) ?? {};
        if (name === undefined || on === undefined || requested === undefined) continue;
        const isAllowed = routes.allowed?.has(requested) === true;
        const message = `The loop may use "${plugin.text}", but the pipeline "${name.text}" is on "${on.text}", so a run that asks for "${plugin.text}" waits forever.`;
        yield {
          at: plugin,
          message,
          advice: isAllowed
            ? `Remove it: "${requested}" is allowed already.`
            : `Allow "${requested}" instead.`,
          related: file === fileName ? [{ at: name, message: "the pipeline" }] : [],
          ...(!isAllowed && replaceNameFix(document, plugin, requested)),
        };
      }
    },
  },
  "route-duplicate": {
    summary: "Every request type has one pipeline.",
    severity: "error",
    source: "RFC-103, required router configuration",
    needs: "other routes",
    *check({ file, routes }) {
      for (const pipeline of file.pipelines) {
        if (pipeline.plugin === undefined || pipeline.on === undefined) continue;
        const answering = routes.byPlugin.get(pipeline.plugin) ?? [];
        // Each file reports its own, so that the result does not depend on which of them are linted.
        const first = answering.find((each) => each.file === file.name);
        const other = first === pipeline ? answering.find((each) => each.file !== file.name) : first;
        if (other === undefined) continue;
        const message = `"${pipeline.on.text}" already has a pipeline, so each request would be answered twice.`;
        const which =
          other.file === file.name
            ? { related: [{ at: other.on ?? other.at, message: "the first one" }] }
            : { advice: `The other one is in "${other.file}".` };
        yield { at: pipeline.on, message, ...which };
      }
    },
  },
  "route-wrong-plugin": {
    summary: "The pipeline on a request runs the plugin that the request is for.",
    severity: "error",
    source: "RFC-103, required router configuration",
    *check({ file: { pipelines }, routes: { allowed } }) {
      for (const { plugin, on, steps, name } of pipelines) {
        if (plugin === undefined || on === undefined || plugin === loopPlugin || steps === undefined)
          continue;
        // The event may name the plugin wrongly: route-not-allowed reports that.
        if (allowed?.has(plugin) === false) continue;
        const used = steps.flatMap(({ uses }) => uses?.text ?? []);
        if (used.includes(plugin) || used.length < steps.length) continue;
        // route-loop-misplaced reports a loop in the place of the tool.
        if (steps.length > 1 && used.every((each) => each === loopPlugin)) continue;
        const near = nearestName(plugin, used);
        const at = steps.find(({ uses }) => uses?.text === near)?.uses ?? on;
        const message = `The pipeline${name === undefined ? "" : ` "${name.text}"`} is on "${on.text}" but never uses "${plugin}".`;
        yield { at, message, advice: near === undefined ? undefined : `It uses "${near}".` };
      }
    },
  },
  "route-no-resume": {
    summary: "Every pipeline on a request ends by resuming `agentic-loop`.",
    severity: "error",
    fix: "unsafe",
    source: "RFC-103, required router configuration",
    *check({ file: { pipelines, document }, routes: { resumesOnResult } }) {
      for (const { plugin, steps, at, name } of pipelines) {
        if (plugin === undefined || plugin === loopPlugin || steps === undefined || steps.length === 0)
          continue;
        // route-loop-misplaced reports a loop elsewhere in the pipeline; an unreadable step may be the loop.
        if (steps.some(({ uses }) => uses === undefined || uses.text === loopPlugin)) continue;
        const last = steps.at(-1);
        const advice = nameAdvice(last?.uses?.text ?? "", [loopPlugin]);
        const consequence = !resumesOnResult
          ? ", so the run is never resumed and waits forever"
          : advice === undefined
            ? `: RFC-103 asks for the resume as the last step of this same pipeline, not of one on "${resultType}"`
            : "";
        const message = `The pipeline${name === undefined ? "" : ` "${name.text}"`} does not end with "${loopPlugin}"${consequence}.`;
        const fix = last?.uses && nearestNameFix(document, last.uses, [loopPlugin]);
        yield { at: last?.uses ?? last?.at ?? at, message, advice, ...fix };
      }
    },
  },
  "route-loop-misplaced": {
    summary: "`agentic-loop` is used only as the last step of a pipeline.",
    severity: "error",
    source: "RFC-103, required router configuration",
    *check({ file: { pipelines } }) {
      for (const { plugin, steps = [] } of pipelines)
        for (const { uses } of steps.slice(0, -1)) {
          if (uses?.text !== loopPlugin) continue;
          const why = plugin === undefined ? "" : " takes its turn after the tool is done, so it";
          yield { at: uses, message: `"${loopPlugin}"${why} must be the last step.` };
        }
    },
  },
  "route-self": {
    summary: "The loop cannot trigger itself.",
    severity: "error",
    source: "RFC-103, security and scope",
    *check({ file: { loop, pipelines } }) {
      for (const plugin of loop?.allowed ?? []) {
        if (plugin.text !== loopPlugin) continue;
        yield { at: plugin, message: `"${loopPlugin}" must not be among its own "allowed_plugins".` };
      }
      for (const { plugin, on, steps = [] } of pipelines) {
        if (on === undefined) continue;
        const isEnd = on.text === completedType || on.text === escalatedType;
        if (plugin === loopPlugin) {
          const message = `"${loopPlugin}" must not have a request route of its own: it would trigger itself.`;
          yield { at: on, message };
        } else if (isEnd && steps.some(({ uses }) => uses?.text === loopPlugin)) {
          const message = `"${on.text}" comes from "${loopPlugin}", so its pipeline must not use "${loopPlugin}": the end of each run would trigger it again.`;
          yield { at: on, message };
        }
      }
    },
  },
  "route-not-allowed": {
    summary: "No pipeline answers requests for a plugin that the loop may not use.",
    severity: "error",
    fix: "unsafe",
    source: "RFC-103, security and scope",
    needs: "allowed plugins",
    defersTo: ["route-tool-name"],
    *check({ file: { pipelines, document }, routes: { allowed, hasAllPipelines, misnamedFor }, isOn }) {
      if (allowed === undefined) return;
      const namesTools = isOn("route-tool-name") && hasAllPipelines;
      const meant = new Set(namesTools ? [...allowed].map((name) => misnamedFor(name)?.plugin) : []);
      const guess = createGuesser();
      for (const { plugin, on } of pipelines) {
        if (plugin === undefined || on === undefined || plugin === loopPlugin || allowed.has(plugin))
          continue;
        if (meant.has(plugin)) continue;
        const message = `"${plugin}" has a route but is not in "allowed_plugins".`;
        const advice = nameAdvice(plugin, allowed, guess);
        const near = advice && uniqueNearestName(plugin, allowed);
        yield { at: on, message, advice, ...(near && replaceNameFix(document, on, requestPrefix + near)) };
      }
    },
  },
  "route-limits": {
    summary:
      "`max_steps`, `max_reframes`, `allowed_plugins` and the timeout of `handle` are set to sensible values.",
    severity: "warning",
    source: "RFC-103, security and scope",
    *check({ file: { loop } }) {
      if (loop === undefined) return;
      if (loop.config !== undefined) yield* configFindings(loop, loop.config);
      yield* timeoutFindings(loop);
    },
  },
  "route-scope": {
    summary: "The agent's token has neither the scope `*` nor `admin:*`.",
    severity: "error",
    source: "RFC-103, security and scope",
    *check({ file: { scopes, unnamedScopes } }) {
      for (const scope of scopes) {
        if (!unlimitedScopes.has(scope.text)) continue;
        yield { at: scope, message: `The agent's token must not have the scope "${scope.text}".` };
      }
      for (const scope of unnamedScopes) {
        if (!unlimitedScopes.has(scope.text)) continue;
        const message = `This token has no name and may be the agent's, which must not have the scope "${scope.text}".`;
        yield { at: scope, message, advice: "If it is another's, name it." };
      }
    },
  },
});

const numericLimits = [
  { name: "max_steps", maximum: 1000, consequence: "a run may go on forever" },
  { name: "max_reframes", maximum: 100, consequence: "nothing limits how often a run starts over" },
];

/** Only one job runs at a time, so a turn that hangs blocks all others. */
const maxTimeoutSeconds = 3600;

function* configFindings(loop: LoopSettings, config: MappingNode): Iterable<Finding> {
  const maxSteps = config.get("max_steps");
  if (maxSteps?.kind === "scalar" && maxSteps.value === 1) {
    const message = '"max_steps" is 1: a run reaches it with its first step, and can then only escalate.';
    yield { at: maxSteps, message };
  }
  for (const plugin of loop.allowed ?? []) {
    if (plugin.text !== anyPlugin) continue;
    const message = '"allowed_plugins" allows every plugin, so nothing limits what the loop may run.';
    yield { at: plugin, message, advice: "List the plugins that it needs." };
  }
  for (const { name, maximum, consequence } of numericLimits) {
    const node = config.get(name);
    if (node === undefined) {
      const message = `The loop sets no "${name}", so ${consequence}.`;
      yield { at: loop.at, message, advice: misspelledAsAdvice(name, namesIn(config)) };
    } else if (node.kind === "scalar" && typeof node.value === "number" && node.value > maximum) {
      const message = `"${name}" is ${node.value}, too high to limit anything.`;
      yield { at: node, message, advice: `Keep it at ${maximum} or less.` };
    }
  }
}

function* timeoutFindings({ at, plugin }: LoopSettings): Iterable<Finding> {
  const timeouts = plugin.get("timeouts");
  if (timeouts !== undefined && timeouts.kind !== "mapping") return;
  const node = timeouts?.get("handle");
  if (node === undefined) {
    const message = 'The loop sets no timeout for "handle", so a turn that hangs blocks everything.';
    yield { at, message, advice: timeouts && misspelledAsAdvice("handle", namesIn(timeouts)) };
  } else if (node.kind === "scalar" && typeof node.value !== "boolean" && node.value !== null) {
    const seconds = durationSeconds(node.value);
    if (seconds === undefined)
      yield { at: node, message: `"${node.value}" is not a duration such as 120s or 2m.` };
    else if (seconds <= 0) yield { at: node, message: 'The timeout of "handle" leaves no time for a turn.' };
    else if (seconds > maxTimeoutSeconds) {
      const message = 'The timeout of "handle" is over an hour, and one turn keeps all other jobs waiting.';
      yield { at: node, message };
    }
  }
}

function namesIn({ entries }: MappingNode): readonly string[] {
  return entries.map(({ key }) => key.text);
}

const unlimitedScopes: ReadonlySet<string> = new Set(["admin:*", "*"]);
