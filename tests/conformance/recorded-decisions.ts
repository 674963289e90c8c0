import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { drawnCase, VARIANTS } from './drawn-documents.ts'

/** Fixture that `bench/yggdrasil/record.ts` writes. */
export const RECORDED = new URL('fixtures/yggdrasil-decisions.br', import.meta.url)

/** Whether a flag is on, and the name of its variant; null where the engine failed. */
export type Decision = readonly [isEnabled: boolean | null, variant: string | null]

/** Code of a decision that differs from one time to the next. */
export const CHANCE = '?'
const FAILED = '!'
const OFF = '0'
const ON = '1'
const FIRST_VARIANT = 2

/** Returns one character for a decision. */
export function encodeDecision([isEnabled, variant]: Decision): string {
  if (isEnabled === null || variant === null) return FAILED
  if (!isEnabled) return OFF
  const index = VARIANTS.indexOf(variant)
  return index < 0 ? ON : String(index + FIRST_VARIANT)
}

/** Returns a hash of all cases: recorded decisions are those of these documents and of no others. */
export function hashCases(count: number): string {
  const hash = createHash('sha256')
  for (let number = 0; number < count; number += 1) hash.update(JSON.stringify(drawnCase(number)))
  return hash.digest('hex')
}

/** What was recorded: the decisions of a case stand in one line, by context and flag. */
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
