import type { FeatureImport } from '@burgee/protocol/administration/feature-transfer'
import type { ImportTarget } from './feature-import-target.ts'

/**
 * Returns the flags that the document enables without an enabled strategy, except flags that are archived in this
 * installation.
 */
export function listUnguardedFlags(
  { environment, data }: FeatureImport,
  { known }: Pick<ImportTarget, 'known'>,
): string[] {
  const states = Map.groupBy(data.featureEnvironments ?? [], ({ featureName }) => featureName)
  const guarded = new Set(
    data.featureStrategies.filter(({ disabled }) => disabled !== true).map(({ featureName }) => featureName),
  )
  return data.features
    .map(({ name }) => name)
    .filter((name) => !guarded.has(name) && (known.get(name)?.archived_at ?? null) === null)
    .filter((name) => findState(environment, states.get(name) ?? [])?.enabled === true)
}

/**
 * Returns the state that names this environment. If there is no such state, returns the first one, which belongs to the
 * exported environment.
 */
export function findState<T extends { readonly environment?: string | undefined }>(
  environment: string,
  states: readonly T[],
): T | undefined {
  return states.find((one) => one.environment === environment) ?? states[0]
}
