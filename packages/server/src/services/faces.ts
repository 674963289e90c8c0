import { createHash } from 'node:crypto'

/** Where the picture of somebody is, by e-mail or username; whoever has none there gets a pattern. */
export function faceOf(account: string): string {
  const face = createHash('sha256').update(account).digest('hex')
  return `https://gravatar.com/avatar/${face}?s=42&d=retro&r=g`
}
