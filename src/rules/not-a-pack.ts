import { LocatedString, placeOf } from "../document/node.js";
import type { DocumentRule } from "./rule.js";

export const notAPack: DocumentRule = {
  id: "not-a-pack",
  subject: "document",
  summary: "The file is a pack, not a PromptKit source file from which packs are compiled.",
  severity: "error",
  source: "RFC 0001, pack structure",
  stopsLinting: () => true,
  *check({ root }) {
    if (root?.kind !== "mapping") return;
    const kind = LocatedString.of(root.get("kind"));
    const isPromptConfig = kind?.text === "PromptConfig";
    const hasVersion = root.get("apiVersion") !== undefined;
    // A file with prompts is a pack unless both mark it as something else.
    const hasPrompts = root.get("prompts") !== undefined;
    if (!(hasPrompts ? hasVersion && isPromptConfig : hasVersion || isPromptConfig)) return;
    const at = kind ?? placeOf(root);
    const named = kind === undefined ? "" : ` of kind "${kind.text}"`;
    if (isPromptConfig || LocatedString.of(root.get("apiVersion"))?.text.includes("promptkit")) {
      yield {
        at,
        message: `This is a source file${named} from which PromptKit compiles packs, not a pack.`,
        advice: "Lint the compiled pack.",
      };
    } else yield { at, message: `This is a manifest${named}, not a pack.` };
  },
};
