import type { Resource } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { OtelOptions } from './otel-options.ts'
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
  /** Set of flags: `project/environment`, or the environment; undefined if it is unknown. */
  readonly set: string | undefined
  /** Tag of the flags with which the decision was made. */
  readonly version?: string | undefined
  /** User id of the context. It is sent only if the operator allows it. */
  readonly contextId?: string | undefined
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
const MAX_VALUE_CHARACTERS = 1000

/** Options that bound the queue of events. */
type BatchOptions = Pick<
  OtelOptions,
  'otelBlrpScheduleDelay' | 'otelBlrpMaxQueueSize' | 'otelBlrpMaxExportBatchSize' | 'otelBlrpExportTimeout'
>

/** Settings of a decision log. */
export interface DecisionLogSettings {
  readonly resource: Resource
  readonly scope: string
  readonly version: string
  readonly options: Pick<OtelOptions, 'evaluationEventContextId'> & BatchOptions
}

/** Creates a decision log with a bounded queue. */
export function createDecisionLog(
  exporter: OtlpExporter<ReadableLogRecord[]>,
  { resource, scope, version, options }: DecisionLogSettings,
): OpenDecisionLog {
  const processor = new BatchLogRecordProcessor({
    exporter,
    maxQueueSize: options.otelBlrpMaxQueueSize,
    maxExportBatchSize: Math.min(options.otelBlrpMaxExportBatchSize, options.otelBlrpMaxQueueSize),
    scheduledDelayMillis: options.otelBlrpScheduleDelay,
    exportTimeoutMillis: options.otelBlrpExportTimeout,
  })
  const provider = new LoggerProvider({ resource, processors: [processor] })
  const logger = provider.getLogger(scope, version)
  return {
    record: ({ contextId, ...decision }) => {
      const attributes = toAttributes(options.evaluationEventContextId ? { ...decision, contextId } : decision)
      logger.emit({ eventName: EVENT_NAME, attributes })
    },
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
  version,
  contextId,
}: FlagDecision): Record<string, string | boolean> {
  return {
    'feature_flag.key': flag,
    'feature_flag.provider.name': PROVIDER,
    ...(set === undefined ? {} : { 'feature_flag.set.id': set }),
    ...(variant === undefined ? {} : { 'feature_flag.result.variant': variant }),
    ...(variant !== undefined || value === undefined ? {} : { 'feature_flag.result.value': toValue(value) }),
    ...(reason === undefined ? {} : { 'feature_flag.result.reason': reason.toLowerCase() }),
    ...(version === undefined ? {} : { 'feature_flag.version': version }),
    ...(contextId === undefined ? {} : { 'feature_flag.context.id': contextId.slice(0, MAX_VALUE_CHARACTERS) }),
    ...(errorCode === undefined ? {} : { 'error.type': errorCode.toLowerCase() }),
  }
}

function toValue(value: unknown): string | boolean {
  return typeof value === 'boolean' ? value : JSON.stringify(value).slice(0, MAX_VALUE_CHARACTERS)
}
