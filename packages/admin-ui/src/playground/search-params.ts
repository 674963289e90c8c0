import type { PlaygroundContext } from '@burgee/protocol/playground'

/** URL parameters of the playground: the context and the flags to evaluate. */
export interface PlaygroundSearch {
  /** Names of the environments, separated by commas. */
  readonly envs?: string
  readonly project?: string
  readonly userId?: string
  readonly sessionId?: string
  readonly remoteAddress?: string
  readonly appName?: string
  readonly currentTime?: string
  /** Event directly after which the state of the flags is evaluated. */
  readonly event?: string
  /** Time (ISO 8601) at which the state of the flags is evaluated. */
  readonly at?: string
  /** Additional context fields, as `name=value` lines. */
  readonly props?: string
  /** Substring that the names of displayed flags must contain. */
  readonly q?: string
  /** Name of the flag whose results are explained. */
  readonly flag?: string
}

/** Application name for contexts that have none. */
const DEFAULT_APP_NAME = 'playground'

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

/** Parses the URL parameters. */
export function parsePlaygroundSearch(given: Record<string, unknown>): PlaygroundSearch {
  const texts = NAMES.filter((name) => ['string', 'number', 'boolean'].includes(typeof given[name]))
  return Object.fromEntries(texts.map((name) => [name, String(given[name])]).filter(([, value]) => value !== ''))
}

/** Removes spaces around commas, which would otherwise become part of the values. */
export function trimAroundCommas(value: string): string {
  return value
    .split(',')
    .map((one) => one.trim())
    .join(',')
}

/** Parses the other context fields into pairs. */
export function parseProperties(text = ''): [string, string][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split('=')
      return [name, rest.join('=')]
    })
}

/** Formats pairs for the URL. */
export function formatProperties(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name.replaceAll('=', '')}=${value.replaceAll('\n', ' ')}`).join('\n')
}

/** Context fields that have a separate URL parameter. */
const OWN_PARAMETERS: readonly string[] = ['userId', 'sessionId', 'remoteAddress', 'appName', 'currentTime']

/** Returns the URL parameters for context fields. Context fields without a value are also offered in the form. */
export function toPlaygroundFields(context: Readonly<Record<string, string>>): PlaygroundSearch {
  const all = Object.entries(context)
  const own = all.filter(([name, value]) => OWN_PARAMETERS.includes(name) && value !== '')
  const props = formatProperties(all.filter(([name]) => !OWN_PARAMETERS.includes(name)))
  return { ...Object.fromEntries(own), ...(props === '' ? {} : { props }) }
}

/** Returns the context of a request. Fields without a value are left out. */
export function toPlaygroundContext(context: Readonly<Record<string, string>>): PlaygroundContext {
  const all = Object.entries(context)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, trimAroundCommas(value)] as const)
  const properties = all.filter(([name]) => !OWN_PARAMETERS.includes(name))
  return {
    appName: DEFAULT_APP_NAME,
    ...Object.fromEntries(all.filter(([name]) => OWN_PARAMETERS.includes(name))),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}
