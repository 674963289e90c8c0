/** What the address of the playground says: who asks, for what. */
export interface PlaygroundSearch {
  /** Comma-separated. */
  readonly envs?: string
  readonly project?: string
  readonly userId?: string
  readonly sessionId?: string
  readonly remoteAddress?: string
  readonly appName?: string
  readonly currentTime?: string
  /** Flags as they were right after this event. */
  readonly event?: string
  /** Flags as they were at this time, ISO 8601. */
  readonly at?: string
  /** Further fields, as `name=value` lines. */
  readonly props?: string
  /** Part of the names of the flags that are shown. */
  readonly q?: string
  /** The flag that is explained. */
  readonly flag?: string
}

const NAMES = [
  ...([
    'envs',
    'project',
    'userId',
    'sessionId',
    'remoteAddress',
    'appName',
    'currentTime',
    'event',
    'at',
    'props',
    'q',
    'flag',
  ] as const),
]

/** Reads the address. */
export function readPlaygroundSearch(given: Record<string, unknown>): PlaygroundSearch {
  const texts = NAMES.filter((name) => ['string', 'number', 'boolean'].includes(typeof given[name]))
  return Object.fromEntries(texts.map((name) => [name, String(given[name])]).filter(([, value]) => value !== ''))
}

/** What is asked for a value that somebody typed: a blank beside a comma is for the eye, and would be part of a value. */
export function withoutBlanks(value: string): string {
  return value
    .split(',')
    .map((one) => one.trim())
    .join(',')
}

/** Further fields as pairs. */
export function propertiesOf(text = ''): [string, string][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split('=')
      return [name, rest.join('=')]
    })
}

/** Pairs as text for the address. */
export function textOfProperties(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name.replaceAll('=', '')}=${value.replaceAll('\n', ' ')}`).join('\n')
}
