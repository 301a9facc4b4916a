/** Numbers configurations (a state and the visit counts of the guarded states) in the order they are first seen. */
export interface ConfigurationTable {
  readonly size: number;
  /** Makes a configuration the current one. */
  select(id: number): void;
  /** How often a guarded state was entered before the current configuration. */
  visits(state: number): number;
  /** The configuration after the current one when this state is entered; before any was selected, after none. */
  enter(state: number): number;
  stateOf(id: number): number;
}
