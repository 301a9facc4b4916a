import { findFragmentCycles, type FragmentCycle, type Inclusion } from "../pack/fragment-cycles.js";
import type { Fragment } from "../pack/prompt.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";

const maxNamed = 6;

export const fragmentCycle: PackRule = {
  id: "fragment-cycle",
  subject: "pack",
  summary: "No fragment includes itself, directly or through others.",
  severity: "error",
  source: "RFC 0001, fragments",
  *check(pack) {
    for (const ring of findFragmentCycles(pack)) {
      const { inclusions, closing } = ring;
      const first = inclusions[0]?.fragment ?? closing.fragment;
      const related = inclusions.flatMap((inclusion, index) => {
        const next =
          inclusions[index + 1]?.fragment ??
          (ring.size === inclusions.length + 1 ? closing.fragment : undefined);
        return next === undefined
          ? []
          : [
              {
                at: inclusionPlace(inclusion),
                message: `"${nameOf(inclusion.fragment)}" includes "${nameOf(next)}" here`,
              },
            ];
      });
      const advice = ring.size === 1 ? "Remove this reference." : "Remove one of these references.";
      yield { at: inclusionPlace(closing), message: cycleMessage(ring, first), advice, related };
    }
  },
};

function cycleMessage({ size, inclusions, closing }: FragmentCycle, first: Fragment): string {
  if (size === 1) return `Fragment "${nameOf(first)}" includes itself.`;
  const last = `"${nameOf(closing.fragment)}"`;
  const between = inclusions.slice(1).map(({ fragment }) => nameOf(fragment));
  const way = size === 2 ? "" : ` through ${listSome(between, size - 2)}`;
  return `Fragment ${last} includes "${nameOf(first)}", which includes ${last}${way}: the text would never end.`;
}

/** A long cycle comes with only some of its names. */
function listSome(names: readonly string[], total: number): string {
  if (total <= maxNamed) return listNames(names);
  const shown = names.slice(0, maxNamed - 1).map((name) => `"${name}"`);
  return `${shown.join(", ")} and ${total - shown.length} more`;
}

function inclusionPlace({ fragment, reference }: Inclusion) {
  return fragment.template?.placeOf(reference) ?? fragment.name;
}

function nameOf(fragment: Fragment): string {
  return fragment.name.text;
}
