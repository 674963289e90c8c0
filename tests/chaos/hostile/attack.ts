import { randomBytes } from 'node:crypto'
import type { FloodBounds } from './hostile-client.ts'
import type { HostileScene } from './scene.ts'

/** Size of an attack. */
export interface AttackSize {
  /** Number of connections that are opened at once and stay open. */
  readonly connections: number
  readonly holdMs: number
  readonly flood: FloodBounds
}

/** Denial-of-service attempt. */
export interface Attack {
  readonly name: string
  /** Runs the attack and returns what it observed. Throws if other callers were not served during the attack. */
  run(scene: HostileScene, size: AttackSize): Promise<string>
}

/** Headers of a JSON body. */
export const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns a random hexadecimal name with two characters per byte. */
export const madeUp = (bytes = 12): string => randomBytes(bytes).toString('hex')

/** Returns an invented client token. */
export const inventedToken = (): string => `default:development.${madeUp(28)}`

/** Returns the number of replies by status as text. */
export const formatStatuses = (statuses: Readonly<Record<number, number>>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no reply' : status}`)
    .join(', ')
