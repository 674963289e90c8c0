import { createHash } from 'node:crypto'
import type { NamedPerson } from '@burgee/protocol/administration/comment'

/**
 * Returns the URL of an account's avatar, by e-mail address or username; accounts without an avatar get a generated
 * pattern.
 */
export function getAvatarUrl(account: string): string {
  const face = createHash('sha256').update(account).digest('hex')
  return `https://gravatar.com/avatar/${face}?s=42&d=retro&r=g`
}

/** Columns that record the author and the creation time (in milliseconds) of a row. */
export interface CreationColumns {
  readonly created_by_user_id: number
  readonly created_by: string
  readonly created_at: number | string
}

/** Returns the author and the creation time of a row. */
export function toCreatedBy(row: CreationColumns): { createdBy: NamedPerson; createdAt: string } {
  const { created_by_user_id: id, created_by: username } = row
  return {
    createdBy: { id, username, imageUrl: getAvatarUrl(username) },
    createdAt: new Date(Number(row.created_at)).toISOString(),
  }
}
