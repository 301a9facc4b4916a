import { fragmentRings, type Inclusion, type Ring } from "../pack/fragment-rings.js";
import type { Fragment } from "../pack/prompt.js";
import { count } from "../wording.js";
import type { PackRule } from "./rule.js";

const mostNamed = 6;

export const fragmentCycle: PackRule = {
  id: "fragment-cycle",
  subject: "pack",
  summary: "No fragment includes itself, neither directly nor through others.",
  severity: "error",
  source: "RFC 0001, fragments",
  *check(pack) {
    for (const ring of fragmentRings(pack)) {
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
                at: placeOf(inclusion),
                message: `"${nameOf(inclusion.fragment)}" includes "${nameOf(next)}" here`,
              },
            ];
      });
      yield { at: placeOf(closing), message: sentence(ring, first), related };
    }
  },
};

function sentence({ size, inclusions, closing }: Ring, first: Fragment): string {
  if (size === 1) return `Fragment "${nameOf(first)}" includes itself.`;
  const steps = inclusions.slice(1, mostNamed).map(({ fragment }) => `"${nameOf(fragment)}"`);
  const unnamed = size - 2 - steps.length;
  if (unnamed > 0) steps.push(count(unnamed, "more fragment"));
  const way = steps.length === 0 ? "" : ` through ${steps.join(", ")}`;
  return `Fragment "${nameOf(closing.fragment)}" includes "${nameOf(first)}", which includes "${nameOf(closing.fragment)}"${way}: there is no end to it.`;
}

function placeOf({ fragment, reference }: Inclusion) {
  return fragment.template?.placeOf(reference) ?? fragment.name;
}

function nameOf(fragment: Fragment): string {
  return fragment.name.text;
}
