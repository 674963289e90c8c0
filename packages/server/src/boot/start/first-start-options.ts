import type { TokenType } from '@burgee/storage/queries/access/tokens'
import { estimateSecretBits, MIN_SECRET_BITS } from '../../core/access/tokens/secret-strength.ts'
import type { NewToken } from '../../core/access/tokens/tokens.ts'
import type { World } from '../../core/world.ts'
import type { FirstContent } from './first-content.ts'

/** Options of the first start. */
export interface FirstStartOptions {
  readonly username: string
  /** True if the username differs from the default. */
  readonly isNameGiven: boolean
  /** Password of the administrator. If undefined, a password is generated, which must be changed at the first login. */
  readonly password: string | undefined
  readonly tokens: readonly InitToken[]
  /** Initial content of a new database; undefined if none is given. */
  readonly content: FirstContent | undefined
}

/** Token from the options, with its label in errors: `INIT_CLIENT_API_TOKENS: token 1`. */
export interface InitToken {
  readonly label: string
  readonly token: NewToken & { readonly secret: string }
  /** Estimated entropy of the secret in bits. */
  readonly secretBits: number
}

/**
 * Thrown if the options do not allow creating a new database. The message names the variable and the position of the
 * token in it, never the secret.
 */
export class FirstStartError extends Error {
  override readonly name = 'FirstStartError'
}

/**
 * Parses the tokens to create at the first start: `<project>:<environment>.<secret>`, `*:<environment>.<secret>`, and
 * `*:*.<secret>` for admin tokens. Errors name `variable`. Throws FirstStartError with one line per invalid token.
 */
export function parseInitTokens(variable: string, type: TokenType, secrets: readonly string[]): InitToken[] {
  const bad: string[] = []
  const tokens: InitToken[] = []
  for (const [index, secret] of secrets.entries()) {
    const parts = /^([^\s:]+):([^\s:.]+)\.(\S+)$/.exec(secret)
    const reason = parts === null ? 'must look like <project>:<environment>.<secret>' : findScopeProblem(type, parts)
    const label = `${variable}: token ${index + 1}`
    if (parts === null || reason !== undefined) bad.push(`${label} ${reason}`)
    else {
      const [, project = '', environment = '', random = ''] = parts
      const token = { name: 'admin', type, environment, projects: [project], expiresAt: null, secret }
      tokens.push({ label, token, secretBits: estimateSecretBits(random) })
    }
  }
  if (bad.length > 0) throw new FirstStartError(bad.join('\n'))
  return tokens
}

function findScopeProblem(type: TokenType, [, project, environment]: readonly string[]): string | undefined {
  if (type === 'admin') {
    return project === '*' && environment === '*' ? undefined : 'is not an admin token: those are *:*.<secret>'
  }
  if (environment === '*') return `is not a ${type} token: those name one environment`
  if (project === '[]') return 'must name one project or *'
  return undefined
}

/**
 * Warns about guessable tokens in the options. Warns at each start, because the tokens stay valid until they are
 * deleted.
 */
export function warnOfWeakTokens(
  { logger }: Pick<World, 'logger'>,
  { tokens }: Pick<FirstStartOptions, 'tokens'>,
): void {
  for (const { label, secretBits: bits } of tokens.filter((token) => token.secretBits < MIN_SECRET_BITS)) {
    const few = `a secret of about ${Math.floor(bits)} bits, which can be guessed`
    logger.warn(`${label} has ${few}: use ${MIN_SECRET_BITS} or more, as \`openssl rand -hex 32\` makes them.`)
  }
}
