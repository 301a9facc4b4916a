import { asMapping, type MappingNode } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import type { BehaviourDifference } from "./behaviour.js";
import { type Change, type ChangeRule, createChange } from "./change.js";
import { TextComparer } from "./texts.js";
import { keysOf, Values } from "./values.js";

export class Comparison {
  /** Without what no part of a run reads. */
  readonly values: Values;
  readonly exact: Values;
  readonly texts: TextComparer;

  constructor(
    readonly before: Pack,
    readonly after: Pack,
    readonly renamed: BehaviourDifference["renamed"],
  ) {
    this.values = new Values([before.root, after.root], new Set(["description", "extensions"]));
    this.exact = new Values([before.root, after.root], new Set());
    this.texts = new TextComparer(before, after);
  }

  /** One change for each value that differs in some properties of `owner`, such as `prompt "a"`. */
  *properties(
    owner: string,
    names: readonly string[],
    before: MappingNode | undefined,
    after: MappingNode | undefined,
    rule: ChangeRule = "settings-changed",
    within = "",
  ): Iterable<Change> {
    for (const { name, side, at, predicate } of this.values.differences(names, before, after)) {
      const [was, is] = [asMapping(before?.get(name)), asMapping(after?.get(name))];
      if (was !== undefined && is !== undefined)
        yield* this.properties(owner, keysOf(was, is), was, is, rule, `${within}${name}.`);
      else yield createChange(rule, side, at, `the "${within}${name}" of ${owner} ${predicate}`);
    }
  }
}
