import { ApiError } from '../api/http.ts'
import type { INTEGRATION_TEXTS } from './texts.ts'

type Texts = (typeof INTEGRATION_TEXTS)['en']['refusals']

/**
 * Patterns of server messages about parameters, with translations. Text captured by the pattern is inserted into the
 * translation.
 */
const REFUSAL_PATTERNS: readonly (readonly [RegExp, keyof Texts])[] = [
  [/ is required for /, 'required'],
  [/ must be an address that begins with/, 'address'],
  [/ must not be a private, loopback/, 'privateAddress'],
  [/ must be an object of headers as JSON/, 'headers'],
  [/ contains an invalid header name/, 'headerName'],
  [/ must not contain the header (.+)\.$/, 'ownHeader'],
  [/ must contain only strings; the value of (.+) is not a string/, 'headerText'],
  [/ must fit into an HTTP header/, 'headerValue'],
  [/ is not a valid template: (.+)\.$/s, 'template'],
  [/ must be sent again if the address has another origin/, 'moved'],
  [/ stands for the stored value, but nothing is stored/, 'nothingStored'],
]

/**
 * Returns the problems with parameters as text for users, keyed by parameter name. An unknown problem gets a general
 * message.
 */
export function getParameterProblems(error: unknown, t: Texts): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const found = (error.body.details ?? []).flatMap(({ path, message }) => {
    const name = /^body\/parameters\/(\w+)$/.exec(path ?? '')?.[1]
    return name === undefined ? [] : [[name, translateRefusal(message, t)] as const]
  })
  return Object.fromEntries(found)
}

function translateRefusal(message: string, t: Texts): string {
  for (const [pattern, key] of REFUSAL_PATTERNS) {
    const match = pattern.exec(message)
    if (match === null) continue
    const text = t[key]
    return typeof text === 'string' ? text : text(match[1] ?? '')
  }
  return t.other
}
