import faults from './known-faults.json' with { type: 'json' }

/** Fault in an SDK itself, by version. The text appears in the documentation. */
export interface KnownFault {
  /** Name of the SDK's package in its registry. */
  readonly package: string
  readonly versions: readonly string[]
  readonly scenario: string
  /** Targets at which the fault occurs; all targets if undefined. */
  readonly targets?: readonly string[]
  /** Flags with a wrong decision. Empty if the whole scenario fails. */
  readonly flags: readonly string[]
  /** True if the decision is random, so that the fault may not occur in every run. */
  readonly isByChance?: boolean
  /** Sentence for the documentation. */
  readonly text: string
}

/** Known faults. The test run also fails if a known fault no longer occurs. */
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
