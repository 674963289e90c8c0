import faults from './known-faults.json' with { type: 'json' }

/** Fault of an SDK itself, by version. The documentation prints the text. */
export interface KnownFault {
  /** Name of the package in its registry. */
  readonly package: string
  readonly versions: readonly string[]
  readonly scenario: string
  /** Targets at which the fault occurs; all targets if undefined. */
  readonly targets?: readonly string[]
  /** Flags with a wrong decision. Empty if the scenario fails as a whole. */
  readonly flags: readonly string[]
  /** True if the decision is random, so that the fault may not show in a run. */
  readonly isByChance?: boolean
  /** Sentence for the documentation. */
  readonly text: string
}

/** Known faults. The run also fails if a known fault no longer occurs. */
export const KNOWN_FAULTS: readonly KnownFault[] = faults

/** Returns the known faults of a version in a scenario at a target. */
export function listKnownFaults(
  { package: name, version }: { readonly package: string; readonly version: string },
  scenario: string,
  target: string,
): readonly KnownFault[] {
  return KNOWN_FAULTS.filter(
    (fault) =>
      fault.package === name &&
      fault.versions.includes(version) &&
      fault.scenario === scenario &&
      fault.targets?.includes(target) !== false,
  )
}
