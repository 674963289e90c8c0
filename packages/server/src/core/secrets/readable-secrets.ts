import type { Logger } from '@burgee/kit/log/logger'
import { Throttle } from '@burgee/kit/throttle'
import type { Reader, Tx } from '@burgee/storage/database'
import { listSealedSecrets, putSealedSecret } from '@burgee/storage/queries/access/token-secrets'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import { type Secrets, SecretUnreadable } from './secrets.ts'

/** Store for encrypted API token secrets, so that lists can show them. The store exists only if operators enable it. */
export interface ReadableSecrets {
  /** Stores the secret of a new token. Throws the same errors as `Secrets.seal`. */
  store(tx: Tx, id: string, secret: string): Promise<void>
  /**
   * Returns secrets, keyed by token id. Leaves out tokens without a stored secret, and secrets that cannot currently be
   * read.
   */
  read(reader: Reader, rows: readonly TokenRow[]): Promise<ReadonlyMap<string, string>>
}

/** Creates the store. Unreadable secrets are logged, at most once a minute. */
export function createReadableSecrets(secrets: Secrets, logger: Logger): ReadableSecrets {
  const throttle = new Throttle()
  const opened = (id: string, sealed: string): string | undefined => {
    try {
      return secrets.open(sealed, getPurpose(id))
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
      const more = throttle.pass('unreadable')
      if (more !== undefined) logger.warn(`Lists show only part of API token secrets: ${error.message}${more}`)
      return undefined
    }
  }
  return {
    store: (tx, id, secret) => putSealedSecret(tx, id, secrets.seal(secret, getPurpose(id))),
    async read(reader, rows) {
      const sealed = await listSealedSecrets(
        reader,
        rows.map(({ id }) => id),
      )
      const found = new Map<string, string>()
      for (const { token_id: id, sealed: text } of sealed) {
        const secret = opened(id, text)
        if (secret !== undefined) found.set(id, secret)
      }
      return found
    },
  }
}

/** Returns the encryption purpose for a token's secret. */
export const getPurpose = (id: string) => `API token ${id}`
