import { compile, compileSteps } from '@burgee/engine'
import { runSync } from '@burgee/kit/slices'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOfrepEnvelope, OfrepAnswers } from './ofrep-answers.ts'

const flag = (name: string, title = name) => ({
  name,
  project: 'p',
  enabled: true,
  strategies: [{ name: 'default' }],
  variants: [{ name: `of-${title}`, weight: 1000 }],
})
const documentOf = (names: readonly string[]) => ({
  version: 2,
  features: names.map((name) => flag(name.slice(0, 1), name)),
  segments: [],
})
type Document = ReturnType<typeof documentOf>

const FRAME = createOfrepEnvelope({})
const CONTEXT = { userId: 'anna' }
const anew = ({ features, segments }: Document) => {
  const { engine } = compile({ features, segments })
  return runSync(OfrepAnswers.build({ engine, features, segments } as never))
}
/**
 * Yields two answers for each of several successive documents: one built from the previous answers, one built from
 * scratch.
 */
function* following(documents: readonly Document[]): Generator<readonly [OfrepAnswers, OfrepAnswers]> {
  let before: OfrepAnswers | undefined
  for (const document of documents) {
    const { features, segments } = document
    const { engine } = runSync(compileSteps({ features, segments }, {}, before?.engine))
    before = runSync(OfrepAnswers.build({ engine, features, segments } as never, before))
    yield [before, anew(document)]
  }
}
const shown = (answers: OfrepAnswers) => answers.bulk(CONTEXT, FRAME).content.bytes().toString()

function expectEqual(documents: readonly Document[]): void {
  for (const [made, fresh] of following(documents)) {
    expect(shown(made)).toBe(shown(fresh))
    expect(made.tag).toBe(fresh.tag)
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      expect(made.single(name, CONTEXT)).toEqual(fresh.single(name, CONTEXT))
    }
  }
}

describe('answers that are made of those before say what those made from nothing say', () => {
  test.each<[string, readonly (readonly string[])[]]>([
    ['a flag comes at the end', [['a'], ['a', 'b']]],
    ['a flag comes before', [['b'], ['a', 'b']]],
    ['many come', [[], ['a', 'b', 'c', 'd']]],
    [
      'a flag goes',
      [
        ['a', 'b', 'c'],
        ['a', 'c'],
      ],
    ],
    ['all go, and come again', [['a', 'b'], [], ['a', 'b']]],
    [
      'one changes',
      [
        ['a', 'b'],
        ['a2', 'b'],
      ],
    ],
    [
      'one takes the place of another',
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
    ],
    [
      'the order is another',
      [
        ['a', 'b', 'c'],
        ['c', 'a', 'b'],
      ],
    ],
  ])('%s', (_name, documents) => expectEqual(documents.map(documentOf)))

  test('whatever comes and goes', () => {
    const name = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('', '2'))
      .map((both) => both.join(''))
    const names = fc.uniqueArray(name, { selector: (one) => one.slice(0, 1), maxLength: 5 })
    const documents = fc.array(names.map(documentOf), { minLength: 2, maxLength: 6 })
    fc.assert(fc.property(documents, expectEqual), { numRuns: 200, seed: 20261126 })
  })
})
