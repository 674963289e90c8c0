import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { drawnCase, VARIANTS } from './drawn-documents.ts'

/** Fixture written by `bench/yggdrasil/record.ts`. */
export const RECORDED = new URL('fixtures/yggdrasil-decisions.br', import.meta.url)

/** State of a flag and the name of its variant, or null if the engine failed. */
export type Decision = readonly [isEnabled: boolean | null, variant: string | null]

/** Code of a decision that depends on chance. */
export const CHANCE = '?'
const FAILED = '!'
const OFF = '0'
const ON = '1'
const FIRST_VARIANT = 2

/** Encodes a decision as one character. */
export function encodeDecision([isEnabled, variant]: Decision): string {
  if (isEnabled === null || variant === null) return FAILED
  if (!isEnabled) return OFF
  const index = VARIANTS.indexOf(variant)
  return index < 0 ? ON : String(index + FIRST_VARIANT)
}

/** Returns a hash of all cases, because recorded decisions are valid only for exactly these documents. */
export function hashCases(count: number): string {
  const hash = createHash('sha256')
  for (let number = 0; number < count; number += 1) hash.update(JSON.stringify(drawnCase(number)))
  return hash.digest('hex')
}

/** Recorded decisions: one line per case, ordered by context and flag. */
export interface Recording {
  readonly engine: string
  readonly cases: number
  readonly documents: string
  readonly lines: readonly string[]
}

/** Reads the fixture. */
export function readRecording(): Recording {
  const [header = '', ...lines] = brotliDecompressSync(readFileSync(RECORDED)).toString().trimEnd().split('\n')
  return { ...JSON.parse(header), lines }
}
