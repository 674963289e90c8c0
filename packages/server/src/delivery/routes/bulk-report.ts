import { type ClientMetricsBulk, listStrategyNames } from '@burgee/protocol/evaluation'
import type { Reporter } from '../usage/buffered-counts.ts'
import type { Usage } from '../usage/usage-buffer.ts'

/** Records the registrations and metrics that a proxy reports on behalf of its applications. */
export function bulkMetrics(
  usage: Usage,
  body: ClientMetricsBulk,
  from: { readonly reporter: Reporter; readonly address: string },
): void {
  const { reporter, address } = from
  for (const { appName, instanceId, sdkVersion, strategies } of body.applications) {
    usage.instance(reporter, {
      appName,
      instanceId: instanceId ?? 'default',
      sdkVersion: sdkVersion ?? null,
      strategies: listStrategyNames(strategies),
      address,
    })
  }
  for (const { appName, featureName, timestamp = '', yes, no, variants } of body.metrics) {
    const toggles = Object.fromEntries([[featureName, { yes, no, variants }]])
    usage.count(reporter, appName, { start: timestamp, stop: timestamp, toggles })
  }
}
