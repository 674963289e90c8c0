import Type, { type Static } from 'typebox'
import type { Usage } from '../services/usage.ts'

const Count = Type.Number({ minimum: 0 })

/** Counts of one flag of one application. */
const Counts = Type.Object({
  appName: Type.String(),
  featureName: Type.String(),
  timestamp: Type.Optional(Type.String()),
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
  from: { readonly environment: string; readonly address: string },
): void {
  for (const { appName, instanceId, sdkVersion, strategies } of body.applications) {
    usage.instance({
      appName,
      instanceId: instanceId ?? 'default',
      sdkVersion: sdkVersion ?? null,
      strategies: strategies ?? [],
      ...from,
    })
  }
  for (const { appName, featureName, timestamp = '', yes, no, variants } of body.metrics) {
    const toggles = Object.fromEntries([[featureName, { yes, no, variants }]])
    usage.count(from.environment, appName, { start: timestamp, stop: timestamp, toggles })
  }
}
