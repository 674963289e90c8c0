/** The longest token that is looked at, in characters: what servers of the wire protocol take. */
export const LONGEST_TOKEN = 1000

/** What the text of a token says of itself; only the server that made it knows whether it is true. */
export interface TokenForm {
  /** `['*']` means all; undefined where the token is for several, which only the server knows. */
  readonly projects: readonly string[] | undefined
  readonly environment: string
}

/** A token that is trusted without being asked for: what SDKs show, and for what it is good. */
export interface PretrustedToken {
  readonly text: string
  readonly environment: string
  readonly projects: readonly string[]
}

/** What a header can carry, in one word. */
const VISIBLE = /^[\x21-\x7e]+$/
const TOKEN = /^(?<project>\[\]|[^:]+):(?<environment>[^:.]+)\.(?<secret>.+)$/
const SEVERAL = '[]'
const MOST_SHOWN = 6
/** At most a quarter of a secret is shown, half of that at either end. */
const SHOWN_PART = 8
const HIDDEN = '****'

/**
 * Reads `project:environment.secret`, where the project may be `*` (all) or `[]` (several). Source: wire protocol
 * "Authentication".
 *
 * @returns undefined for any other text, and for one that is too long
 */
export function readTokenForm(text: string): TokenForm | undefined {
  const { project, environment } = partsOf(text) ?? {}
  if (project === undefined || environment === undefined) return undefined
  return { projects: project === SEVERAL ? undefined : [project], environment }
}

/**
 * Reads a token that is trusted without being asked for: `anything@environment`, of which SDKs show `anything` alone and
 * get all projects of that environment, or the form above, where `[]` means all projects as well.
 *
 * @returns undefined for any other text, for one that is too long, and for one that names no single environment
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

/** Whether a text can be a token at all: one word that a header can carry, not too long. */
export function isToken(text: string): boolean {
  return text.length <= LONGEST_TOKEN && VISIBLE.test(text)
}

/** A token for pages and logs: `project:env.abcdef****uvwxyz`; of short secrets less is shown, of very short ones nothing. */
export function shortened(text: string): string {
  const { project, environment, secret } = partsOf(text) ?? { secret: text }
  const shown = Math.min(MOST_SHOWN, Math.floor(secret.length / SHOWN_PART))
  const hidden = `${secret.slice(0, shown)}${HIDDEN}${secret.slice(secret.length - shown)}`
  return project === undefined ? hidden : `${project}:${environment}.${hidden}`
}

interface TokenParts {
  readonly project?: string
  readonly environment?: string
  readonly secret: string
}

function partsOf(text: string): TokenParts | undefined {
  const groups = isToken(text) ? TOKEN.exec(text)?.groups : undefined
  return groups === undefined ? undefined : { ...groups, secret: groups.secret ?? '' }
}
