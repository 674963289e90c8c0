/** Maximum length of a token in characters. Servers of the wire protocol have the same limit. */
export const MAX_TOKEN_LENGTH = 1000

/** Scope that a token's text names. Only the server that issued the token can confirm the scope. */
export interface TokenForm {
  /** Project ids. `['*']` means all. Undefined for a token of several projects, because only the server knows which. */
  readonly projects: readonly string[] | undefined
  readonly environment: string
}

/** Token that is trusted without validation: the text that SDKs send, and its scope. */
export interface PretrustedToken {
  readonly text: string
  readonly environment: string
  readonly projects: readonly string[]
}

/** A single word that is valid in a header. */
const VISIBLE = /^[\x21-\x7e]+$/
const TOKEN = /^(?<project>\[\]|[^:]+):(?<environment>[^:.]+)\.(?<secret>.+)$/
const SEVERAL = '[]'
const MAX_SHOWN_CHARACTERS = 6
/**
 * Divisor of a secret's length that limits how much of the secret is shown. At most one eighth of the secret is shown
 * at each end.
 */
const SHOWN_DIVISOR = 8
const HIDDEN = '****'

/**
 * Parses `project:environment.secret`, where the project may be `*` (all) or `[]` (several). Source: wire protocol
 * "Authentication".
 *
 * @returns undefined if the text has another form or is too long
 */
export function readTokenForm(text: string): TokenForm | undefined {
  const { project, environment } = parseParts(text) ?? {}
  if (project === undefined || environment === undefined) return undefined
  return { projects: project === SEVERAL ? undefined : [project], environment }
}

/**
 * Parses a pretrusted token. The form `anything@environment` gives access to all projects of the environment; SDKs send
 * only `anything`. In the form `project:environment.secret`, a project of `[]` means all projects, like `*`.
 *
 * @returns undefined if the text has another form, is too long, or does not name a single environment
 */
export function readPretrusted(text: string): PretrustedToken | undefined {
  const form = readTokenForm(text)
  if (form !== undefined) {
    const { environment, projects = ['*'] } = form
    return environment === '*' ? undefined : { text, environment, projects }
  }
  const at = text.lastIndexOf('@')
  const [shown, environment] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  if (!isToken(shown) || !isToken(environment) || environment === '*') return undefined
  return { text: shown, environment, projects: ['*'] }
}

/** Returns true if a string can be a token: a single word that is valid in a header and not too long. */
export function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && VISIBLE.test(text)
}

/**
 * Shortens a token for display on pages and in logs: `project:env.abcdef****uvwxyz`. Shows fewer characters of a short
 * secret, and none of a very short secret.
 */
export function shortenToken(text: string): string {
  const { project, environment, secret } = parseParts(text) ?? { secret: text }
  const shown = Math.min(MAX_SHOWN_CHARACTERS, Math.floor(secret.length / SHOWN_DIVISOR))
  const hidden = `${secret.slice(0, shown)}${HIDDEN}${secret.slice(secret.length - shown)}`
  return project === undefined ? hidden : `${project}:${environment}.${hidden}`
}

interface TokenParts {
  readonly project?: string
  readonly environment?: string
  readonly secret: string
}

function parseParts(text: string): TokenParts | undefined {
  const groups = isToken(text) ? TOKEN.exec(text)?.groups : undefined
  return groups === undefined ? undefined : { ...groups, secret: groups.secret ?? '' }
}
