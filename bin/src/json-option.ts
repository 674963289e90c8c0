import type { OptionTable } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'

/** Option for the output format of commands that are not services. */
export const JSON_OPTION = {
  json: { parse: flag, default: false, doc: 'Print the result as JSON, for scripts; errors too.' },
} as const satisfies OptionTable

/** Returns true if a command line requests JSON output, even if it is otherwise invalid. */
export function isJsonRequested(argv: readonly string[]): boolean {
  return argv.some((argument) => argument === '--json' || argument === '--json=true')
}

/** Formats the result of a command as JSON or as lines of text. */
export function formatResult(json: boolean, value: object, lines: readonly string[]): string {
  return json ? JSON.stringify(value, undefined, 2) : lines.join('\n')
}
