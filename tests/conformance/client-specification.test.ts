import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compile, type FeatureDocument } from '@burgee/engine'
import type { Context } from '@burgee/protocol/context'
import { afterAll, describe, expect, test } from 'vitest'
import { type DeltaEvent, foldEvents } from './delta.ts'

/** One file of the client-specification: a document, or the events that lead to one, and what SDKs must answer. */
interface Specification {
  readonly name: string
  readonly state: FeatureDocument | { readonly events: readonly DeltaEvent[] }
  readonly tests?: readonly Case<boolean>[]
  readonly variantTests?: readonly Case<ExpectedVariant>[]
}

interface Case<T> {
  readonly description: string
  readonly toggleName: string
  readonly context: Context
  readonly expectedResult: T
}

interface ExpectedVariant {
  readonly name: string
  readonly enabled: boolean
  readonly payload?: { readonly type: string; readonly value: string }
  readonly feature_enabled?: boolean
}

const folder = join(
  dirname(createRequire(import.meta.url).resolve('@unleash/client-specification/package.json')),
  'specifications',
)
const read = <T>(file: string): T => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T

/** All cases of version 6.1.0: 227 of isEnabled, 52 of getVariant. */
const EXPECTED_CASES = 279
let executed = 0

describe.each(read<string[]>('index.json'))('%s', (file) => {
  const { state, tests = [], variantTests = [] } = read<Specification>(file)
  const { engine, warnings } = compile('events' in state ? foldEvents(state.events) : state)

  test.each(tests)('$description', ({ toggleName, context, expectedResult }) => {
    executed++
    expect(engine.evaluate(toggleName, context).enabled).toBe(expectedResult)
    expect(engine.explain(toggleName, context).isEnabled).toBe(expectedResult)
  })

  test.each(variantTests)('$description', ({ toggleName, context, expectedResult }) => {
    executed++
    const { enabled, variant } = engine.evaluate(toggleName, context)
    const { feature_enabled = enabled, ...expected } = expectedResult
    expect({ enabled, variant }).toEqual({ enabled: feature_enabled, variant: expected })
    expect(engine.explain(toggleName, context).variant).toEqual(expected)
  })

  test('warnings name flags of the document', () => {
    for (const { feature } of warnings) expect([...engine.names, undefined]).toContain(feature)
  })
})

afterAll(() => {
  expect(executed).toBe(EXPECTED_CASES)
})
