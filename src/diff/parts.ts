import { asMapping, type Key, type LocatedString } from "../document/node.js";
import type { AgentMember, Provider } from "../pack/agents.js";
import type { Pack } from "../pack/pack.js";
import type { Artifact, State, Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { listChoices } from "../text/wording.js";
import { byName, type Change, compareMembers, createChange, createJointChange } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compareEvals, compareTasks } from "./prompts.js";
import { keyOf, keysOf } from "./values.js";

/** Everything outside of the prompts and the runs. */
export function* compareParts(comparison: Comparison): Iterable<Change> {
  const { before, after, values } = comparison;
  const [oldMetadata, metadata] = [before, after].map(({ root }) => asMapping(root.get("metadata")));
  yield* comparison.properties("the pack", ["id"], before.root, after.root, "pack-id-changed");
  yield* comparison.properties("the pack", ["template_engine", "skills"], before.root, after.root);
  yield* comparison.properties("the pack", ["governance"], oldMetadata, metadata);
  yield* compareEvals(before.root, after.root, values);
  yield* compareProviders(comparison);
  yield* compareAgents(comparison);
  yield* compareMembers(before.compositions, after.compositions, {
    title: (name) => `composition "${name}"`,
    added: () => undefined,
    removed: "composition-removed",
    placeOf: ({ key }) => key,
    *compare({ node: was }, { node: is }, title) {
      for (const difference of values.differences(keysOf(was, is), was, is))
        yield* createJointChange("composition-changed", `${title} runs differently`, [difference]);
    },
  });
  yield* compareMembers(artifactsOf(before), artifactsOf(after), {
    title: (name) => `artifact "${name}"`,
    added: () => "artifact-added",
    removed: "artifact-removed",
    placeOf: ([first]) => keyOf(first?.name.value ?? undefined),
    *compare(olds, artifacts, title) {
      for (const [name, rule] of [["type", "artifact-type-changed"] as const, ["mode"] as const]) {
        const [was, is] = findUnlike(olds, artifacts, ({ node }) => values.idOf(node?.get(name)));
        yield* comparison.properties(title, [name], was?.node, is?.node, rule);
      }
    },
  });
  if (before.workflow !== undefined && after.workflow !== undefined)
    yield* compareStates(before.workflow, after.workflow, comparison);
}

function* compareProviders(comparison: Comparison): Iterable<Change> {
  const [olds, providers] = [comparison.before.providers, comparison.after.providers];
  if (!olds.hasAll || !providers.hasAll) return;
  const keyText = ({ key }: Provider) => key.text;
  const ruleOf = ({ isOptional }: Provider) => (isOptional ? "settings-changed" : "provider-required");
  yield* compareMembers(byName(olds.required, keyText), byName(providers.required, keyText), {
    title: (name) => `provider "${name}"`,
    added: ruleOf,
    removed: "settings-changed",
    placeOf: ({ key }) => key,
    *compare(old, provider, title) {
      const { key, role, isOptional } = provider;
      const kind = old.role === role ? [] : `is of the kind "${role}" now, not "${old.role}"`;
      const duty =
        old.isOptional === isOptional ? [] : isOptional ? "is optional now" : "is no longer optional";
      const [became] = [kind, duty].flat();
      if (became !== undefined) yield createChange(ruleOf(provider), "new", key, `${title} ${became}`);
      const [was, is] = [old, provider].map((each) => asMapping(each.key.node.parent ?? undefined));
      yield* comparison.properties(title, ["capabilities"], was, is);
    },
  });
}

function* compareAgents(comparison: Comparison): Iterable<Change> {
  const [olds, agents] = [comparison.before.agents, comparison.after.agents];
  yield* compareMembers(byName(olds.members, nameText), byName(agents.members, nameText), {
    title: (name) => `agent "${name}"`,
    added: () => "agent-added",
    removed: "agent-removed",
    placeOf: ({ name }) => name,
    *compare(old, member, title) {
      yield* compareModes(`${title} no longer reads`, old.inputModes, member.inputModes, member);
      yield* compareModes(`${title} no longer writes`, old.outputModes, member.outputModes, member);
      const [oldNode, node] = [old, member].map(({ name }) => asMapping(name.value ?? undefined));
      // Where both have a state, its runs are compared.
      const names = old.state && member.state ? ["governance"] : ["governance", "state"];
      yield* comparison.properties(title, names, oldNode, node);
    },
  });
  const [was, is] = [comparison.before, comparison.after].map(({ root }) => asMapping(root.get("agents")));
  if (was && is) yield* comparison.properties('"agents"', ["entry"], was, is);
}

type Modes = readonly LocatedString[];

function* compareModes(words: string, olds: Modes, modes: Modes, { name }: AgentMember): Iterable<Change> {
  const [was, is] = [olds, modes].map((each) =>
    each.length === 0 ? ["text/plain"] : each.map(({ text }) => text),
  );
  const accepted = new Set(is);
  const gone = (was ?? []).filter(
    (mode) => ![mode, mode.replace(/\/.*/, "/*"), "*/*"].some((one) => accepted.has(one)),
  );
  const at = modes[0] === undefined ? name : keyOf(modes[0].node.parent ?? undefined);
  if (gone.length > 0) yield createChange("agent-modes-narrowed", "new", at, `${words} ${listChoices(gone)}`);
}

const nameText = ({ name }: { readonly name: Key }) => name.text;

/** Artifact names are one namespace for the whole workflow (RFC 0009); several states may declare the same. */
function artifactsOf({ workflow }: Pack): ReadonlyMap<string, Artifacts> {
  const declared = new Map<string, Artifact[]>();
  for (const artifact of (workflow?.states ?? []).flatMap(({ artifacts }) => artifacts))
    appendTo(declared, artifact.name.text, artifact);
  return declared;
}

type Artifacts = readonly Artifact[];

/** A declaration on either side that none of the other side is like, with the one of the same state or the first. */
function findUnlike(olds: Artifacts, artifacts: Artifacts, idOf: (artifact: Artifact) => number) {
  const [before, after] = [olds, artifacts].map((all) => new Set(all.map(idOf)));
  const was = olds.find((artifact) => after?.has(idOf(artifact)) === false);
  const is = artifacts.find((artifact) => before?.has(idOf(artifact)) === false);
  const pointer = (was ?? is)?.name.pointer;
  const counterpart = (all: Artifacts) => all.find(({ name }) => name.pointer === pointer) ?? all[0];
  return pointer === undefined ? [] : [was ?? counterpart(olds), is ?? counterpart(artifacts)];
}

function* compareStates(before: Workflow, after: Workflow, comparison: Comparison): Iterable<Change> {
  yield* comparison.properties("the workflow", ["budget"], before.engine, after.engine, "budget-changed");
  const { renamed } = comparison;
  for (const state of after.states) {
    const old = renamed?.new === state ? renamed.old : before.stateNamed(state.name.text);
    if (old !== undefined) yield* compareState(old, state, comparison);
  }
}

function* compareState(old: State, state: State, comparison: Comparison): Iterable<Change> {
  const title = `state "${state.name.text}"`;
  yield* comparison.properties(title, ["control", "persistence", "skills"], old.node, state.node);
  const isExternal = state.orchestration?.text === "external";
  for (const change of comparison.properties(title, ["orchestration"], old.node, state.node))
    yield { ...change, rule: "orchestration-changed", level: isExternal ? "breaking" : "behaviour" };
  if (!old.runsComposition && !state.runsComposition) yield* compareTasks(old, state, comparison);
  const [was, is] = [old, state].map(({ composition }) => composition?.node);
  const isOnlyRenamed = was !== undefined && comparison.values.isSame(was, is);
  if (old.runsComposition && state.runsComposition && !isOnlyRenamed)
    yield* comparison.properties(title, ["composition"], old.node, state.node, "composition-changed");
}
