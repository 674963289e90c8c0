import { isEncryptedAddress } from '../options/encrypted-addresses.ts'
import { OptionsError } from '../options/options.ts'
import type { ObservedProcess, OpenTelemetry } from './collector-connection.ts'
import { describeUnusedVariables, listOtelWarnings, listSignalUrls } from './otel-options.ts'

/**
 * Creates the connection to the collector that the options name, and returns undefined if they name none. Loads the
 * OpenTelemetry packages only if they are needed, so that they cost other processes nothing. Logs a warning for each
 * OpenTelemetry variable without effect. Rejects with OptionsError
 * if encryption is required but the URL of the collector is not encrypted.
 */
export async function openTelemetry(
  observed: ObservedProcess,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenTelemetry | undefined> {
  const { options, logger } = observed
  for (const warning of listOtelWarnings(options)) logger.warn(warning)
  const urls = listSignalUrls(options)
  if (urls.length === 0 || options.otelExporterOtlpProtocol === 'grpc') return undefined
  if (options.requireEncryption === true && !urls.every(isEncryptedAddress)) {
    throw new OptionsError(['REQUIRE_ENCRYPTION needs https for OTEL_EXPORTER_OTLP_ENDPOINT and its variants'])
  }
  const unused = describeUnusedVariables(env)
  if (unused !== undefined) logger.warn(unused)
  const { createOpenTelemetry } = await import('./collector-connection.ts')
  return createOpenTelemetry(observed)
}
