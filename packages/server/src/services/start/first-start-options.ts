import type { TokenType } from '../../store/access/tokens.ts'
import { MIN_SECRET_BITS, secretBits } from '../access/tokens/secret-strength.ts'
import type { NewToken } from '../access/tokens/tokens.ts'
import type { World } from '../world.ts'
import type { FirstContent } from './first-content.ts'

/** What the first start makes, from the configuration. */
export interface FirstStartOptions {
  readonly username: string
  /** Other than by default. */
  readonly isNameGiven: boolean
  /** None given: one is made up, to be changed at the first login. */
  readonly password: string | undefined
  readonly tokens: readonly InitToken[]
  /** What a new database begins with besides; undefined where nothing is given. */
  readonly content: FirstContent | undefined
}

/** A token of the configuration, and how errors call it: `INIT_CLIENT_API_TOKENS: token 1`. */
export interface InitToken {
  readonly label: string
  readonly token: NewToken & { readonly secret: string }
  /** About how much there is to guess. */
  readonly secretBits: number
}

/** A configuration that a new database cannot be made from; names the variable, and a position in it, never the secret. */
export class FirstStartError extends Error {
  override readonly name = 'FirstStartError'
}

/**
 * Reads the tokens to make at the first start: `<project>:<environment>.<secret>`, `*:<environment>.<secret>`,
 * `*:*.<secret>` for admin tokens. `variable` is named in errors. Throws FirstStartError with one line per bad token.
 */
export function parseInitTokens(variable: string, type: TokenType, secrets: readonly string[]): InitToken[] {
  const bad: string[] = []
  const tokens: InitToken[] = []
  for (const [index, secret] of secrets.entries()) {
    const parts = /^([^\s:]+):([^\s:.]+)\.(\S+)$/.exec(secret)
    const reason = parts === null ? 'must look like <project>:<environment>.<secret>' : wrongPlace(type, parts)
    const label = `${variable}: token ${index + 1}`
    if (parts === null || reason !== undefined) bad.push(`${label} ${reason}`)
    else {
      const [, project = '', environment = '', random = ''] = parts
      const token = { name: 'admin', type, environment, projects: [project], expiresAt: null, secret }
      tokens.push({ label, token, secretBits: secretBits(random) })
    }
  }
  if (bad.length > 0) throw new FirstStartError(bad.join('\n'))
  return tokens
}

function wrongPlace(type: TokenType, [, project, environment]: readonly string[]): string | undefined {
  if (type === 'admin') {
    return project === '*' && environment === '*' ? undefined : 'is not an admin token: those are *:*.<secret>'
  }
  if (environment === '*') return `is not a ${type} token: those name one environment`
  if (project === '[]') return 'must name one project or *'
  return undefined
}

/** Tells of tokens of the configuration that can be guessed, at each start: they open what they open until they go. */
export function warnOfWeakTokens(
  { logger }: Pick<World, 'logger'>,
  { tokens }: Pick<FirstStartOptions, 'tokens'>,
): void {
  for (const { label, secretBits: bits } of tokens.filter((token) => token.secretBits < MIN_SECRET_BITS)) {
    const few = `a secret of about ${Math.floor(bits)} bits, which can be guessed`
    logger.warn(`${label} has ${few}: use ${MIN_SECRET_BITS} or more, as \`openssl rand -hex 32\` makes them.`)
  }
}
