import type { FlagOverride, TestRunUpdate } from '@burgee/protocol/administration/test-run'

type Overrides = Readonly<Record<string, FlagOverride>>

/** Result of a change of overrides. `before` and `after` contain only overrides that differ; null stands for none. */
export interface MergedOverrides {
  readonly overrides: Overrides
  readonly before: TestRunUpdate['overrides']
  readonly after: TestRunUpdate['overrides']
}

/** Applies changes to overrides; null removes an override. */
export function mergeOverrides(old: Overrides, changes: TestRunUpdate['overrides']): MergedOverrides {
  const overrides = new Map(Object.entries(old))
  const before = new Map<string, FlagOverride | null>()
  const after = new Map<string, FlagOverride | null>()
  for (const [name, override] of Object.entries(changes)) {
    const known = overrides.get(name) ?? null
    if (JSON.stringify(known) === JSON.stringify(override)) continue
    before.set(name, known)
    after.set(name, override)
    if (override === null) overrides.delete(name)
    else overrides.set(name, override)
  }
  return {
    overrides: Object.fromEntries(overrides),
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}
