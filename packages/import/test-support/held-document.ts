import type { Installation } from '../src/model/installation.ts'

/** The download of an environment that an SDK would get of an installation, if it were served as it was read. */
export function heldDocument({ flags, segments }: Installation, environment: string) {
  const own = flags.filter(({ archivedAt }) => archivedAt === null)
  return {
    version: 2,
    segments: segments.map(({ id, name, constraints }) => ({ id, name, constraints: [...constraints] })),
    features: own.map((flag) => {
      const state = flag.states.find((one) => one.environment === environment)
      const all = state?.strategies ?? []
      const live = all.filter(({ disabled }) => !disabled)
      return {
        ...{
          name: flag.name,
          type: flag.type,
          project: flag.project,
          stale: flag.stale,
          impressionData: flag.impressionData,
        },
        // a list that is empty would be on for everybody
        enabled: state?.enabled === true && live.length > 0,
        strategies: live.map(({ name, parameters, constraints, variants, segments: ids }) => ({
          ...{
            name,
            parameters: { ...parameters },
            constraints: [...constraints],
            variants: [...variants],
            segments: [...ids],
          },
        })),
        variants: [...(state?.variants ?? [])],
        dependencies: flag.dependencies.map(({ parent, enabled, variants }) => ({
          ...{ feature: parent, enabled, variants: [...variants] },
        })),
      }
    }),
  }
}
