import { formatRunEnvironment } from '@burgee/serving/document/run-environment'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { WatchedToken } from '@burgee/storage/queries/access/watched-tokens'
import type { RunTokensRow, TestRunRow } from '@burgee/storage/queries/test-runs/test-runs'

/** Types of the tokens of a test run. */
export const RUN_TOKEN_TYPES = ['client', 'frontend'] as const
export type RunTokenType = (typeof RUN_TOKEN_TYPES)[number]

const ID = /^[0-9a-f]{24}$/
/** Secret of a test run's token: `project:environment!id.secret`. */
const SECRET = /^[^:]+:[^:!]+!(?<id>[0-9a-f]{24})\./
/** Id of a test run's token. */
const TOKEN_ID = /^(?<id>[0-9a-f]{24})-(?<type>client|frontend)$/

/** Returns true for texts that can be the id of a run. */
export function isRunId(text: string): boolean {
  return ID.test(text)
}

/** Returns the id of the test run in a secret; undefined for secrets of other tokens. */
export function readRunId(secret: string): string | undefined {
  // most secrets are of other tokens, and this runs for each request
  return secret.includes('!') ? SECRET.exec(secret)?.groups?.id : undefined
}

/** Returns the id and the type of a test run's token; undefined for ids of other tokens. */
export function readRunTokenId(tokenId: string): { readonly id: string; readonly type: RunTokenType } | undefined {
  const { id, type } = TOKEN_ID.exec(tokenId)?.groups ?? {}
  return id === undefined ? undefined : { id, type: type as RunTokenType }
}

/** Returns the name of the environment of a run, which has its own document. */
export const getRunEnvironment = ({ environment, id }: Pick<TestRunRow, 'environment' | 'id'>): string =>
  formatRunEnvironment(environment, id)

/** Returns the hash of the secret of a run's token. */
export function getRunTokenHash(run: RunTokensRow, type: RunTokenType): string {
  return type === 'client' ? run.client_hash : run.frontend_hash
}

/** Returns a token of a test run. */
export function toRunToken(run: TestRunRow, type: RunTokenType): TokenRow {
  const environment = getRunEnvironment(run)
  return {
    id: formatTokenId(run, type),
    hash: getRunTokenHash(run, type),
    masked: `${run.project}:${environment}.…`,
    name: `test run ${run.name === '' ? run.id : run.name}`,
    type,
    environment,
    projects: [run.project],
    expires_at: run.expires_at,
    created_at: run.created_at,
    seen_at: null,
  }
}

/** Returns the tokens of a run, for edges. */
export function toWatchedTokens(run: RunTokensRow): WatchedToken[] {
  const scope = { environment: getRunEnvironment(run), projects: [run.project], expiresAt: run.expires_at }
  return RUN_TOKEN_TYPES.map((type) => ({ id: formatTokenId(run, type), hash: getRunTokenHash(run, type), ...scope }))
}

function formatTokenId({ id }: Pick<TestRunRow, 'id'>, type: RunTokenType): string {
  return `${id}-${type}`
}
