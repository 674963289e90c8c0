import { createHash } from 'node:crypto'
import type { NamedPerson } from '@burgee/protocol/administration/comment'

/** Where the picture of somebody is, by e-mail or username; whoever has none there gets a pattern. */
export function faceOf(account: string): string {
  const face = createHash('sha256').update(account).digest('hex')
  return `https://gravatar.com/avatar/${face}?s=42&d=retro&r=g`
}

/** What tables say of who made a row, and when (milliseconds). */
export interface Made {
  readonly created_by_user_id: number
  readonly created_by: string
  readonly created_at: number | string
}

/** By whom something was made, and when. */
export function madeBy(row: Made): { createdBy: NamedPerson; createdAt: string } {
  const { created_by_user_id: id, created_by: username } = row
  return {
    createdBy: { id, username, imageUrl: faceOf(username) },
    createdAt: new Date(Number(row.created_at)).toISOString(),
  }
}
