import type { ObservedProcess, OpenTelemetry } from './collector-connection.ts'
import type { OtelOptions } from './otel-options.ts'

/**
 * Creates the connection to the collector that the options name, and returns undefined if they name none. Loads the
 * OpenTelemetry packages only if they are needed, so that they cost other processes nothing.
 */
export async function openTelemetry(observed: ObservedProcess): Promise<OpenTelemetry | undefined> {
  const { options, logger } = observed
  if (!hasCollector(options)) return undefined
  if (options.otelExporterOtlpProtocol === 'grpc') {
    logger.warn(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: nothing is sent. Use http/protobuf, usually on port 4318',
    )
    return undefined
  }
  const { createOpenTelemetry } = await import('./collector-connection.ts')
  return createOpenTelemetry(observed)
}

function hasCollector(options: OtelOptions): boolean {
  const { otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint, otelExporterOtlpMetricsEndpoint, otelSdkDisabled } =
    options
  return (
    !otelSdkDisabled &&
    [otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint, otelExporterOtlpMetricsEndpoint].some(
      (url) => url !== undefined,
    )
  )
}
