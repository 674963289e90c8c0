import type { Logger } from '@burgee/kit/log/logger'
import type { OpenTelemetry } from '@burgee/kit/otel/collector-connection'
import type { DecisionLog } from '@burgee/kit/otel/decision-log'
import { openTelemetry } from '@burgee/kit/otel/open-telemetry'
import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import type { ProxyOptions } from './options.ts'
import { VERSION } from './version.ts'

/** Process of a proxy whose metrics, traces and decisions are sent. */
export interface ObservedProxy {
  readonly options: ProxyOptions
  readonly logger: Logger
  readonly clock: () => number
  readonly random: () => number
  /** Returns the metrics of the process; called only after the proxy was created. */
  readonly getSeries: () => SeriesRegistry
}

/** Connection to a collector that never fails to start or close, and does nothing if there is no collector. */
export interface ProxyTelemetry {
  readonly tracer: OpenTelemetry['tracing']
  readonly decisions: DecisionLog | undefined
  start(): void
  close(): Promise<void>
}

/**
 * Opens the connection to the OpenTelemetry collector that the options name. Rejects with OptionsError if encryption is
 * required but the URL of the collector is not encrypted.
 */
export async function openProxyTelemetry({
  options,
  logger,
  clock,
  random,
  getSeries,
}: ObservedProxy): Promise<ProxyTelemetry> {
  const unique = Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36)
  const opened = await openTelemetry({
    options,
    serviceName: 'burgee-proxy',
    version: VERSION,
    // processes of a group share an instance id that an option sets
    instanceId: `${options.flagInstanceId ?? unique}-${process.pid}`,
    readMetrics: () => getSeries().snapshot(),
    logger,
    clock,
  })
  return {
    tracer: opened?.tracing,
    decisions: opened?.decisions,
    start: () => opened?.start(),
    close: async () => opened?.close(),
  }
}

/**
 * Returns the project and environment that a token names, which identify the flags of a proxy in decisions; undefined
 * for a token of another form.
 */
export function getFlagSet({ flagApiToken }: Pick<ProxyOptions, 'flagApiToken'>): FrontendScope | undefined {
  const [, project, environment] = /^([^:.]+):([^.]+)\./.exec(flagApiToken) ?? []
  if (project === undefined || environment === undefined) return undefined
  return { environment, projects: [project === '[]' ? '*' : project] }
}
