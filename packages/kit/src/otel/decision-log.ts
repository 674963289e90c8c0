import type { Resource } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { OtlpExporter } from './otlp-exporters.ts'

/** Decision about one flag, without the context. */
export interface FlagDecision {
  readonly flag: string
  /** Value, if the flag has no variant. */
  readonly value?: unknown
  readonly variant?: string | undefined
  /** Reason in the spelling of OpenFeature, such as `TARGETING_MATCH`. */
  readonly reason?: string | undefined
  /** Code of the error if the flag could not be evaluated. */
  readonly errorCode?: string | undefined
  /** Set of flags: `project/environment`, or the environment. */
  readonly set: string
}

/** Sends decisions to a collector as events. */
export interface DecisionLog {
  /** Queues a decision; drops it if the queue is full. Never throws. */
  record(decision: FlagDecision): void
}

/** Decision log that can be closed. */
export interface OpenDecisionLog extends DecisionLog {
  /** Sends the queued decisions. */
  close(): Promise<void>
}

/** Name of the events. Source: OpenTelemetry semantic conventions for feature flags */
const EVENT_NAME = 'feature_flag.evaluation'
const PROVIDER = 'burgee'
/** Maximum number of events that wait for the collector. */
const MAX_QUEUE_SIZE = 2048
const MAX_BATCH_SIZE = 512
const MAX_VALUE_CHARACTERS = 1000

/** Creates a decision log with a bounded queue. */
export function createDecisionLog(
  exporter: OtlpExporter<ReadableLogRecord[]>,
  { resource, scope, version }: { readonly resource: Resource; readonly scope: string; readonly version: string },
): OpenDecisionLog {
  const options = { exporter, maxQueueSize: MAX_QUEUE_SIZE, maxExportBatchSize: MAX_BATCH_SIZE }
  const provider = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor(options)] })
  const logger = provider.getLogger(scope, version)
  return {
    record: (decision) => logger.emit({ eventName: EVENT_NAME, attributes: toAttributes(decision) }),
    close: () => provider.shutdown(),
  }
}

function toAttributes({
  flag,
  value,
  variant,
  reason,
  errorCode,
  set,
}: FlagDecision): Record<string, string | boolean> {
  return {
    'feature_flag.key': flag,
    'feature_flag.provider.name': PROVIDER,
    'feature_flag.set.id': set,
    ...(variant === undefined ? {} : { 'feature_flag.result.variant': variant }),
    ...(variant !== undefined || value === undefined ? {} : { 'feature_flag.result.value': toValue(value) }),
    ...(reason === undefined ? {} : { 'feature_flag.result.reason': reason.toLowerCase() }),
    ...(errorCode === undefined ? {} : { 'error.type': errorCode.toLowerCase() }),
  }
}

function toValue(value: unknown): string | boolean {
  return typeof value === 'boolean' ? value : JSON.stringify(value).slice(0, MAX_VALUE_CHARACTERS)
}
