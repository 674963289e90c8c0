import { hostname } from 'node:os'
import { millisToHrTime } from '@opentelemetry/core'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../log/logger.ts'
import { OutageLog } from '../log/outage-log.ts'
import { PeriodicJob } from '../periodic-job.ts'
import type { SeriesSnapshot } from '../series/series.ts'
import { withTimeout } from '../with-timeout.ts'
import { createDecisionLog, type DecisionLog, type OpenDecisionLog } from './decision-log.ts'
import { getSampler, getSignalUrl, type OtelOptions } from './otel-options.ts'
import { createExporter, type OtlpExporter } from './otlp-exporters.ts'
import { toMetricData } from './otlp-metrics.ts'
import { createTracing, type Tracing } from './request-tracing.ts'

/** Process whose metrics and traces are sent. */
export interface ObservedProcess {
  readonly options: OtelOptions & {
    /** True if unencrypted connections to other machines are forbidden. */
    readonly requireEncryption?: boolean
  }
  /** Default of the service name: `burgee-server`. */
  readonly serviceName: string
  readonly version: string
  readonly instanceId: string
  /** System of the database calls; undefined for a process without a database. */
  readonly database?: 'postgresql' | 'sqlite'
  /** Returns the current values of all metrics. */
  readonly readMetrics: () => readonly SeriesSnapshot[] | Promise<readonly SeriesSnapshot[]>
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Connection to an OpenTelemetry collector. */
export interface OpenTelemetry {
  /** Undefined if no traces are sent. */
  readonly tracing: Tracing | undefined
  /** Undefined if no events are sent. */
  readonly decisions: DecisionLog | undefined
  /** Starts to send metrics. */
  start(): void
  /** Sends the last spans, events and metrics, within two seconds. Never rejects. */
  close(): Promise<void>
}

const SCOPE = 'burgee'
/** Maximum time for the last spans and metrics at shutdown. */
const CLOSE_MS = 2000

/** Creates the connection to the collector that the options name. */
export function createOpenTelemetry(observed: ObservedProcess): OpenTelemetry {
  const resource = createResource(observed)
  const provider = createTracerProvider(observed, resource)
  const metrics = createMetricsJob(observed, resource)
  const decisions = openDecisionLog(observed, resource)
  const { database = 'sqlite', clock } = observed
  return {
    tracing: provider && createTracing(provider.getTracer(SCOPE, observed.version), database, clock),
    decisions,
    start: () => metrics?.start(),
    async close() {
      const sent = Promise.allSettled([provider?.shutdown(), decisions?.close(), metrics?.close()])
      await withTimeout(CLOSE_MS, sent).catch(() => observed.logger.warn('Not all telemetry reached the collector'))
    },
  }
}

function createResource({ options, serviceName, version, instanceId }: ObservedProcess): Resource {
  return resourceFromAttributes({
    'service.version': version,
    'service.instance.id': instanceId,
    'host.name': hostname(),
    'process.pid': process.pid,
    'service.name': serviceName,
    ...options.otelResourceAttributes,
    ...(options.otelServiceName === undefined ? {} : { 'service.name': options.otelServiceName }),
  })
}

function createTracerProvider({ options, logger }: ObservedProcess, resource: Resource): TracerProvider | undefined {
  const url = getSignalUrl(options, 'traces')
  if (url === undefined) return undefined
  const exporter = createExporter<ReadableSpan[]>(options, 'traces', url, logger)
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: options.otelBspMaxQueueSize,
    maxExportBatchSize: Math.min(options.otelBspMaxExportBatchSize, options.otelBspMaxQueueSize),
    scheduledDelayMillis: options.otelBspScheduleDelay,
    exportTimeoutMillis: options.otelBspExportTimeout,
  })
  const sampler = createSampler(getSampler(options))
  return new TracerProvider({ resource, sampler, spanProcessors: [processor] })
}

function createSampler({ name, ratio }: ReturnType<typeof getSampler>): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
  }
}

function openDecisionLog(
  { options, version, logger }: ObservedProcess,
  resource: Resource,
): OpenDecisionLog | undefined {
  const url = getSignalUrl(options, 'logs')
  if (url === undefined) return undefined
  const exporter = createExporter<ReadableLogRecord[]>(options, 'logs', url, logger)
  return createDecisionLog(exporter, { resource, scope: SCOPE, version, options })
}

/** Job that sends all metrics at each interval, and once more when it is closed. */
function createMetricsJob(observed: ObservedProcess, resource: Resource) {
  const { options, readMetrics, logger, clock } = observed
  const url = getSignalUrl(options, 'metrics')
  if (url === undefined) return undefined
  const exporter = createExporter<ResourceMetrics>(options, 'metrics', url, logger)
  const start = millisToHrTime(clock())
  const scope = { name: SCOPE, version: observed.version }
  const run = async () => {
    const metrics = toMetricData(await readMetrics(), { start, end: millisToHrTime(clock()) })
    await exportOnce(exporter, { resource, scopeMetrics: [{ scope, metrics }] })
  }
  const everyMs = options.otelMetricExportInterval
  const outage = new OutageLog({ begins: (error) => logger.warn('Cannot read the metrics for the collector', error) })
  const job = new PeriodicJob({ run, firstMs: everyMs, everyMs, outage })
  return {
    start: () => job.start(),
    async close() {
      await job.close()
      if (!exporter.isFailing()) await run().catch((error: unknown) => outage.fail(error))
      await exporter.shutdown()
    },
  }
}

/** Resolves when an export has ended; the exporter logs its failure. */
function exportOnce<T>(exporter: OtlpExporter<T>, items: T): Promise<void> {
  return new Promise((resolve) => exporter.export(items, () => resolve()))
}
