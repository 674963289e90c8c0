import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { TestRunRow } from '@burgee/storage/queries/test-runs/test-runs'
import type { TokenCache } from '../../core/access/tokens/token-cache.ts'
import { hashSecret } from '../../core/access/tokens/tokens.ts'
import { getRunTokenHash, RUN_TOKEN_TYPES, readRunId, readRunTokenId, toRunToken } from './test-run.ts'
import type { TestRuns } from './test-runs.ts'

/** Adds the tokens of test runs to the token cache. */
export function withRunTokens(tokens: TokenCache, runs: TestRuns): TokenCache {
  return {
    listTrusted: (contactMs) => tokens.listTrusted(contactMs),
    loadUsed: () => tokens.loadUsed(),
    async find(secret) {
      const id = readRunId(secret)
      return id === undefined ? tokens.find(secret) : findBySecret(await runs.find(id), secret)
    },
    peek(secret) {
      const id = readRunId(secret)
      return id === undefined ? tokens.peek(secret) : findBySecret(runs.peek(id), secret)
    },
    isQuerying(secret) {
      const id = readRunId(secret)
      return id === undefined ? tokens.isQuerying(secret) : runs.isQuerying(id)
    },
    async findById(tokenId) {
      const named = readRunTokenId(tokenId)
      if (named === undefined) return tokens.findById(tokenId)
      const run = await runs.find(named.id)
      return run && toRunToken(run, named.type)
    },
  }
}

function findBySecret(run: TestRunRow | undefined, secret: string): TokenRow | undefined {
  if (run === undefined) return undefined
  const hash = hashSecret(secret)
  const type = RUN_TOKEN_TYPES.find((one) => getRunTokenHash(run, one) === hash)
  return type && toRunToken(run, type)
}
