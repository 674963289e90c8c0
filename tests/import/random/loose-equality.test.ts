import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { FlagdCore } from '@openfeature/flagd-core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asker, fidelityOf, readAs } from '../asked.ts'
import { anyValue } from './attributes.ts'

/**
 * Values that flagd converts before comparing them with a value of another type, and values that it does not convert.
 */
const OPERANDS = [null, false, true, 0, 1, 18, '', '0', '1', '18', 'true', 'paid'] as const
const FIXED = [undefined, null, false, true, 0, 1, 18, '', ' ', '0', '0.0', '1', '1.0', '18', 'true', 'false', 'paid']
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20261127)
const CONTEXTS: readonly unknown[] = [...FIXED, ...fc.sample(anyValue(), { seed: SEED, numRuns: 200 })]
const SWITCH = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' }
const FIELD = { var: 'x' }
const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }

const rules = OPERANDS.flatMap((operand) => {
  const text = JSON.stringify(operand)
  return ['==', '!='].flatMap((operator) => [
    { name: `x ${operator} ${text}`, operand, logic: { [operator]: [FIELD, operand] } },
    { name: `${text} ${operator} x`, operand, logic: { [operator]: [operand, FIELD] } },
  ])
})
const flags = Object.fromEntries(
  rules.map(({ logic }, index) => [`f${index}`, { ...SWITCH, targeting: { if: [logic, 'on', 'off'] } }]),
)
const installation = await readAs(createFlagdSource, { flags })
const { answer } = asker(installation)
const core = new FlagdCore(undefined, SILENT)
core.setConfigurations(JSON.stringify({ flags }))

const isZeroOf = (a: unknown, b: unknown) => (a === null || a === undefined) && Number(b) === 0

/** Compares two values as flagd's `==` does: like JavaScript, but null and undefined equal values that convert to 0. */
function isLooselyEqual(a: unknown, b: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison is what is tested
  return a == b || isZeroOf(a, b) || isZeroOf(b, a)
}

function answerThere(flag: string, fields: object): string {
  return core.getFlag(flag)?.evaluate({ targetingKey: 'k', ...fields }, SILENT).value === true ? 'on' : 'off'
}

describe('loose equality of flagd', () => {
  test.each(rules.map((rule, index) => ({ ...rule, flag: `f${index}` })))(
    '$name: the report names values of other types that are equal there',
    ({ flag, operand }) => {
      const different = CONTEXTS.filter((value) => isLooselyEqual(value, operand)).flatMap((value) => {
        const fields = value === undefined ? {} : { x: value }
        const answers = { here: answer(flag, { userId: 'k', properties: fields }), there: answerThere(flag, fields) }
        return answers.here === answers.there ? [] : [{ value, ...answers }]
      })
      if (fidelityOf(installation, flag) === 'exact') expect(different).toEqual([])
    },
  )

  test('some comparisons are exact, some are not, and some have no counterpart', () => {
    const found = new Set(rules.map((_, index) => fidelityOf(installation, `f${index}`)))
    expect([...found].sort()).toEqual(['approximated', 'exact', 'not carried'])
  })

  test('the report of a comparison with false names the empty text', () => {
    const index = rules.findIndex(({ name }) => name === 'x == false')
    const words = installation.notes.filter(({ name }) => name.startsWith(`f${index} in`)).map((note) => note.words)
    expect(words.join('\n')).toMatch(/"x" is compared with false, which in flagd also equals an empty text/)
  })
})
