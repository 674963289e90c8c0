import type { SourceFlag } from '@burgee/import/model/source-flags'
import { RESOURCE_LIMITS } from '../../core/resource-limits.ts'
import type { ImportContext } from './import-order.ts'

/**
 * Reports imported lists that are longer than this server allows. An import writes them completely; afterwards, items
 * can be changed and removed, but not added.
 */
export function noteLongLists({ tally, moment }: ImportContext, flags: readonly SourceFlag[]): void {
  const { featureEnvironmentStrategies, strategySegments } = moment.resourceLimits
  for (const { name, states, tags } of flags) {
    const report = (subject: string, noun: string, count: number, max: number) => {
      if (count <= max) return
      const words = `it has ${count} ${noun}, all imported; no more can be added, because the maximum of this server is ${max}`
      tally.addNote('flag', subject, 'exact', words)
    }
    report(name, 'tags', tags.length, RESOURCE_LIMITS.featureTags)
    for (const { environment, strategies, variants } of states) {
      const subject = `${name} in ${environment}`
      report(subject, 'strategies', strategies.length, featureEnvironmentStrategies)
      report(subject, 'variants', variants.length, RESOURCE_LIMITS.variants)
      for (const { constraints, segments, variants } of strategies) {
        report(subject, 'constraints in a strategy', constraints.length, RESOURCE_LIMITS.strategyConstraints)
        report(subject, 'segments in a strategy', segments.length, strategySegments)
        report(subject, 'variants in a strategy', variants.length, RESOURCE_LIMITS.variants)
      }
    }
  }
}
