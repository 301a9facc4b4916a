import { withAdvice, type Diagnostic, type Finding } from "../../diagnostic.js";
import type { Limits } from "../../document/document.js";
import { detectFormat } from "../../document/format-of.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { Facts } from "../../machine/facts.js";
import { findFacts } from "../../machine/find-facts.js";
import { buildMachine, type Machine } from "../../machine/machine.js";
import type { Pack } from "../../pack/pack.js";
import { readPack } from "../../pack/read-pack.js";
import { resolveSpec, unknownVersionMessage } from "../../pack/spec.js";
import type { Workflow } from "../../pack/workflow.js";
import { compactLine } from "../../reporters/compact.js";
import { isRoutesDocument } from "../../routes/read-routes.js";
import { notAPack } from "../../rules/not-a-pack.js";
import { parseError } from "../../rules/parse-error.js";
import type { RuleInfo } from "../../rules/rule-info.js";
import { listNamesOf } from "../../words/wording.js";
import type { LintInput } from "../config/judge-by-settings.js";
import { readRequiredFile } from "../files/read-named-file.js";
import { discover } from "../search/discover.js";
import { type Io, readAll } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import type { OpenFlags } from "./lint-opened.js";

/** A pack that a command looks at as a whole. */
export interface OpenedPack {
  /** As it is shown. */
  readonly file: string;
  readonly pack: Pack;
  /** Absent when the pack has no workflow with states. */
  readonly workflow: OpenedWorkflow | undefined;
  /** What `lint` says of it by its config; found when first asked for. */
  diagnostics(): Promise<readonly Diagnostic[]>;
}

export interface OpenedWorkflow {
  readonly workflow: Workflow;
  readonly machine: Machine;
  /** Found when first asked for: exploring takes time. */
  readonly facts: Facts;
}

export interface OpenOptions extends OpenFlags {
  readonly limits: Limits;
}

/**
 * Reads a pack from a path, from a folder that holds just one, or from standard input for `-`. Of what is no pack
 * the reasons are told, and nothing is returned: exit 2.
 */
export async function openPack(io: Io, path: string, options: OpenOptions): Promise<OpenedPack | undefined> {
  const { specVersion, limits } = options;
  const wrong = specVersion === undefined ? undefined : unknownVersionMessage(specVersion);
  if (wrong !== undefined) throw new UsageError(wrong);
  const read = path === "-" ? await readStdin(io, limits) : readPackFile(path, io.cwd, limits);
  const { file, bytes } = read;
  const format = detectFormat(path === "-" ? undefined : file, bytes);
  const document = await readDocumentLazily(bytes, format, limits);
  if (isRoutesDocument(document)) throw new UsageError(`"${file}" is an RFC-103 configuration, not a pack.`);
  const { root } = document;
  const spec = resolveSpec(root, specVersion);
  const refuse = (rule: RuleInfo, finding: Finding) => {
    const range = { start: document.lines.position(finding.at.start) };
    const told = { rule: rule.id, severity: "error", ...withAdvice(finding), range } as const;
    io.stderr.write(`${compactLine(file, told)}\n`);
  };
  for (const fault of parseError.check(document, true)) refuse(parseError, fault);
  const [foreign] = notAPack.check(document);
  if (foreign !== undefined) refuse(notAPack, foreign);
  if (root?.kind !== "mapping" || foreign !== undefined) return undefined;
  const pack = readPack(document, root, spec);
  const workflow = openWorkflow(pack.workflow);
  const lint = async () => {
    const { lintOpenedPack: lintOpened } = await import("./lint-opened.js");
    return lintOpened({ ...read, document }, io.cwd, options);
  };
  let linted: Promise<readonly Diagnostic[]> | undefined;
  return { file, pack, workflow, diagnostics: () => (linted ??= lint()) };
}

interface ReadInput extends LintInput {
  readonly bytes: Uint8Array;
}

async function readStdin(io: Io, { maxBytes }: Limits): Promise<ReadInput> {
  return { file: "<stdin>", bytes: await readAll(io.stdin, maxBytes), path: undefined };
}

function readPackFile(path: string, cwd: string, { maxBytes }: Limits): ReadInput {
  const { targets, problems } = discover([path], cwd, "pack");
  const [target, ...more] = targets;
  if (target === undefined) throw new UsageError(problems[0] ?? `"${path}" does not exist.`);
  if (more.length > 0) {
    const files = listNamesOf(targets, ({ file }) => file, 4);
    throw new UsageError(`"${path}" holds several packs (${files}): name one.`);
  }
  const { file, path: found } = target;
  return { file, bytes: readRequiredFile(found, file, maxBytes), path: found };
}

function openWorkflow(workflow: Workflow | undefined): OpenedWorkflow | undefined {
  if (workflow === undefined || workflow.states.length === 0) return undefined;
  const machine = buildMachine(workflow);
  let facts: Facts | undefined;
  return {
    workflow,
    machine,
    get facts() {
      return (facts ??= findFacts(machine));
    },
  };
}
