import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  type IExporterMetricsHelper,
  type ISerializer,
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  LogsExporterMetricsHelper,
  MetricsExporterMetricsHelper,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { Logger } from '../log/logger.ts'
import { OutageLog } from '../log/outage-log.ts'
import type { OtelOptions, Signal } from './otel-options.ts'

/** Sends data of one kind to a collector. */
export interface OtlpExporter<T> {
  export(items: T, done: (result: ExportResult) => void): void
  /** Returns true if the last request failed. */
  isFailing(): boolean
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

const CONCURRENT_REQUESTS = 4
const SERIALIZERS = {
  traces: { json: JsonTraceSerializer, protobuf: ProtobufTraceSerializer, helper: TraceExporterMetricsHelper },
  metrics: { json: JsonMetricsSerializer, protobuf: ProtobufMetricsSerializer, helper: MetricsExporterMetricsHelper },
  logs: { json: JsonLogsSerializer, protobuf: ProtobufLogsSerializer, helper: LogsExporterMetricsHelper },
} as const

/**
 * Creates the exporter of one kind of data. Failed requests are retried by the rules of OTLP. Logs when the collector
 * begins to fail and when it works again.
 */
export function createExporter<T>(options: OtelOptions, signal: Signal, url: string, logger: Logger): OtlpExporter<T> {
  const isJson = options.otelExporterOtlpProtocol === 'http/json'
  const { json, protobuf, helper } = SERIALIZERS[signal]
  const contentType = isJson ? 'application/json' : 'application/x-protobuf'
  const headers = { ...options.otelExporterOtlpHeaders, 'content-type': contentType }
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: async () => headers,
      timeoutMillis: options.otelExporterOtlpTimeout,
      concurrencyLimit: CONCURRENT_REQUESTS,
      compression: options.otelExporterOtlpCompression,
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    (isJson ? json : protobuf) as ISerializer<unknown, unknown>,
    `otlp_http_${signal}`,
    helper as IExporterMetricsHelper<unknown>,
    undefined,
  )
  const { origin } = new URL(url)
  const outage = new OutageLog({
    begins: (error) => logger.warn(`Cannot send ${signal} to the collector ${origin}`, error),
    ends: (failures) => logger.info(`The collector ${origin} accepts ${signal} again, after ${failures} failures`),
  })
  return {
    export: (items, done) =>
      delegate.export(items, (result) => {
        if (result.code === ExportResultCode.SUCCESS) outage.succeed()
        else outage.fail(result.error)
        done(result)
      }),
    isFailing: () => outage.isFailing,
    forceFlush: () => delegate.forceFlush(),
    shutdown: () => delegate.shutdown(),
  }
}
