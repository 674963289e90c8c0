import type { OptionTable } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'

/** How commands that are done at once say what they did. */
export const JSON_OPTION = {
  json: { parse: flag, default: false, doc: 'Print the result as JSON, for scripts; errors too.' },
} as const satisfies OptionTable

/** Whether a command line asks for JSON, whatever else may be wrong with it. */
export function asksJson(argv: readonly string[]): boolean {
  return argv.some((argument) => argument === '--json' || argument === '--json=true')
}

/** The result of a command in the form that was asked for. */
export function resultText(json: boolean, value: object, lines: readonly string[]): string {
  return json ? JSON.stringify(value, undefined, 2) : lines.join('\n')
}
