import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Installation } from '../model/installation.ts'
import type { SourceFlag, SourceState } from '../model/source-flags.ts'

/** Returns an installation's SDK download for an environment, as the source server would send it. */
export function buildSourceDocument(
  { flags, segments }: Pick<Installation, 'flags' | 'segments'>,
  environment: string,
): FeatureDocument {
  return {
    version: 2,
    segments: segments.map(({ id, name, constraints }) => ({ id, name, constraints: [...constraints] })),
    features: flags.flatMap((flag) => {
      const state = flag.states.find((one) => one.environment === environment)
      return flag.archivedAt !== null || state === undefined ? [] : [toFeature(flag, state)]
    }),
  }
}

function toFeature(
  flag: SourceFlag,
  { enabled, strategies, variants }: SourceState,
): FeatureDocument['features'][number] {
  const live = strategies.filter(({ disabled }) => !disabled)
  return {
    name: flag.name,
    type: flag.type,
    project: flag.project,
    stale: flag.stale,
    impressionData: flag.impressionData,
    description: flag.description,
    enabled,
    strategies: live.map((one) => ({
      name: one.name,
      parameters: { ...one.parameters },
      constraints: [...one.constraints],
      variants: [...one.variants],
      segments: [...one.segments],
    })),
    variants: [...variants],
    dependencies: flag.dependencies.map(({ parent, enabled: isOn, variants: named }) => ({
      feature: parent,
      enabled: isOn,
      variants: [...named],
    })),
  }
}
