import type { Located, RelatedPlace, Severity } from "../diagnostic.js";

/** A single moment of a run. */
export type Step =
  /** Enters the state; "*" is any state. */
  | { readonly kind: "state"; readonly state: Located }
  /** Sends the event, in any state or in this one. */
  | { readonly kind: "event"; readonly event: Located; readonly state: Located | undefined }
  /** Attempts the state while it is spent. */
  | { readonly kind: "spent"; readonly state: Located };

/** A list of steps means any of them. */
export type Steps = readonly Step[];

export type Pattern =
  | { readonly kind: "never"; readonly of: Steps }
  | { readonly kind: "never-before"; readonly of: Steps; readonly before: Steps; readonly since: Steps }
  | { readonly kind: "never-after"; readonly of: Steps; readonly after: Steps; readonly until: Steps }
  /** Without `after`, counted from the start. */
  | { readonly kind: "eventually"; readonly of: Steps; readonly after: Steps | undefined }
  | { readonly kind: "at-most"; readonly of: Steps; readonly times: number; readonly since: Steps }
  | { readonly kind: "ends-in"; readonly of: Steps }
  | { readonly kind: "always-possible"; readonly of: Steps; readonly until: Steps }
  | { readonly kind: "possible"; readonly of: Steps };

/** A promise about the runs of a workflow. Places are in the config. */
export interface Property {
  readonly name: Located;
  readonly pattern: Pattern;
  /** The roots to look at; all of them if empty. */
  readonly from: readonly Located[];
  readonly severity: Severity | undefined;
  /** Whether the config names its files; otherwise it does not concern packs with none of its names. */
  readonly hasFiles: boolean;
  readonly declaredAt: RelatedPlace;
}
