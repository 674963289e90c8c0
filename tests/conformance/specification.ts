import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FeatureDocument } from '@burgee/engine'
import type { Context } from '@burgee/protocol/context'
import { type DeltaEvent, foldEvents } from './delta.ts'

/** Case of the client-specification with its expected result. */
export interface Case<T> {
  readonly description: string
  readonly toggleName: string
  readonly context: Context
  readonly expectedResult: T
}

/** Expected variant of a case. `feature_enabled` is present if it differs from `enabled`. */
export interface ExpectedVariant {
  readonly name: string
  readonly enabled: boolean
  readonly payload?: { readonly type: string; readonly value: string }
  readonly feature_enabled?: boolean
}

/** File of the client-specification: a configuration and its cases. */
export interface Specification {
  readonly file: string
  readonly document: FeatureDocument
  readonly tests: readonly Case<boolean>[]
  readonly variantTests: readonly Case<ExpectedVariant>[]
}

interface RawSpecification {
  readonly state: FeatureDocument | { readonly events: readonly DeltaEvent[] }
  readonly tests?: readonly Case<boolean>[]
  readonly variantTests?: readonly Case<ExpectedVariant>[]
}

/** Number of cases in version 6.1.0: 227 of isEnabled, 52 of getVariant. */
export const CASES = 279

/** Reads every file in the specification's index. Delta files are combined into their final configuration. */
export function readSpecifications(): Specification[] {
  const manifest = createRequire(import.meta.url).resolve('@unleash/client-specification/package.json')
  const folder = join(dirname(manifest), 'specifications')
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return (read('index.json') as string[]).map((file) => {
    const { state, tests = [], variantTests = [] } = read(file) as RawSpecification
    return { file, document: 'events' in state ? foldEvents(state.events) : state, tests, variantTests }
  })
}
