import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import type { Check } from '@burgee/server/boot/operator/check'
import { examine } from '@burgee/server/boot/operator/doctor'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { formatResult, JSON_OPTION } from './json-option.ts'
import type { CommandOutput } from './running.ts'

/** Options of `burgee doctor`: the options of the server to examine, and the output format. */
export const DOCTOR_OPTIONS = {
  ...JSON_OPTION,
  ...SERVER_OPTIONS,
} satisfies OptionTable

/** Runs `burgee doctor [options]`. Returns the checks as a table; the exit code is 1 if a check fails. */
export async function runDoctor(argv: readonly string[]): Promise<CommandOutput> {
  const { json, ...options } = parseOptions(DOCTOR_OPTIONS, { env: process.env, argv })
  const checks = await examine({ options, env: process.env, clock: Date.now })
  const code = checks.some(({ status }) => status === 'fail') ? 1 : 0
  return { code, text: formatResult(json, { checks }, formatTable(checks)) }
}

function formatTable(checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks.map(({ name, status, detail }) => `${status.padEnd(4)}  ${name.padEnd(width)}  ${detail}`)
}
