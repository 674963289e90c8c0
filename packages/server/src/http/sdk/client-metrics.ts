import Type, { type Static } from 'typebox'
import type { Usage } from '../../services/usage/usage.ts'
import type { Reporter } from '../../services/usage/usage-counts.ts'

const Count = Type.Number({ minimum: 0 })

/** Counts of one flag of one application. */
const Counts = Type.Object({
  appName: Type.String(),
  featureName: Type.String(),
  timestamp: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  yes: Type.Optional(Count),
  no: Type.Optional(Count),
  variants: Type.Optional(Type.Record(Type.String(), Count)),
})

/** Body of `POST /api/client/metrics/bulk`. Source: wire protocol */
export const ClientMetricsBulk = Type.Object({
  applications: Type.Array(
    Type.Object({
      appName: Type.String(),
      instanceId: Type.Optional(Type.String()),
      sdkVersion: Type.Optional(Type.String()),
      strategies: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  metrics: Type.Array(Counts),
})

/** Notes everything a proxy reports of its applications. */
export function bulkMetrics(
  usage: Usage,
  body: Static<typeof ClientMetricsBulk>,
  from: { readonly reporter: Reporter; readonly address: string },
): void {
  const { reporter, address } = from
  for (const { appName, instanceId, sdkVersion, strategies } of body.applications) {
    usage.instance(reporter, {
      appName,
      instanceId: instanceId ?? 'default',
      sdkVersion: sdkVersion ?? null,
      strategies: strategies ?? [],
      address,
    })
  }
  for (const { appName, featureName, timestamp = '', yes, no, variants } of body.metrics) {
    const toggles = Object.fromEntries([[featureName, { yes, no, variants }]])
    usage.count(reporter, appName, { start: timestamp, stop: timestamp, toggles })
  }
}
