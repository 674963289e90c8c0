import { describe, expect, test } from 'vitest'
import { Revisions } from './revisions.ts'

const of = (lineage: string, number: number) => ({ lineage, epoch: '', number })
/**
 * State of an environment: its upstream revision as `lineage number`, or empty. The prefix `=` marks unchanged content.
 */
type Step = `${'=' | ''}${string}`

/**
 * Returns the revisions of successive states: `lineage number` if the upstream assigned the revision, otherwise `own
 * number`.
 */
function numbered(steps: readonly Step[]): (string | undefined)[] {
  const revisions = new Revisions(() => 0.5)
  const names = new Map<string, string>()
  return steps.map((step) => {
    const [lineage, number] = step.replace('=', '').split(' ')
    const named = lineage === '' || lineage === undefined ? undefined : of(lineage, Number(number))
    const revision = revisions.next(named, !step.startsWith('='))
    if (revision === undefined) return undefined
    const isPassed = named !== undefined && revision.id === named.number && !names.has(`own ${revision.epoch}`)
    return `${isPassed ? lineage : 'own'} ${revision.id}`
  })
}

/** Creates a reproducible random generator. */
function diceOf(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 16_807) % 2_147_483_647
    return at / 2_147_483_647
  }
}

describe('the number of a state', () => {
  test.each<[string, Step[], (string | undefined)[]]>([
    ['from an upstream that sends it', ['a 7', 'a 9'], ['a 7', 'a 9']],
    ['the same content with a new number', ['a 7', '=a 9'], ['a 7', 'a 9']],
    ['the same content and number', ['a 7', '=a 7'], ['a 7', undefined]],
    ['another content of the same number', ['a 70', 'a 70', 'a 71'], ['a 70', 'own 1', 'a 71']],
    ['of an upstream that does not say it', ['', '', '='], ['own 1', 'own 2', undefined]],
    ['a second source, and then one again', ['a 70', '', '', 'a 72'], ['a 70', 'own 1', 'own 2', 'a 72']],
    ['one again that has not grown', ['a 70', '', 'a 70'], ['a 70', 'own 1', 'own 2']],
    ['an upstream that was set back', ['a 70', 'a 50', 'a 69', 'a 71'], ['a 70', 'own 1', 'own 2', 'a 71']],
    ['another upstream, and the first one again', ['a 70', 'b 20', 'a 70', 'a 71'], ['a 70', 'b 20', 'own 1', 'a 71']],
    ['after a start', ['a 70'], ['a 70']],
  ])('%s', (_name, steps, expected) => {
    expect(numbered(steps)).toEqual(expected)
  })

  test.each(Array.from({ length: 50 }, (_, index) => index + 1))(
    'one epoch and number is one content, whatever comes (%i)',
    (seed) => {
      const random = diceOf(seed)
      const revisions = new Revisions(random)
      const contents = new Map<string, number>()
      let content = 0
      let current = ''
      for (let step = 0; step < 60; step += 1) {
        const hasChanged = random() < 0.7
        content += Number(hasChanged)
        const named = random() < 0.6 ? of(random() < 0.5 ? 'a' : 'b', Math.floor(random() * 20)) : undefined
        const revision = revisions.next(named, hasChanged)
        if (revision !== undefined) current = `${revision.epoch} ${revision.id}`
        expect(contents.get(current) ?? content).toBe(content)
        contents.set(current, content)
      }
    },
  )

  test('lineages without end are not all remembered, and no more are passed through then', () => {
    const revisions = new Revisions(() => 0.5)
    const ids = Array.from({ length: 102 }, (_, index) => revisions.next(of(`l${index}`, 500), true)?.id)
    expect([ids[99], ids[100], ids[101]]).toEqual([500, 1, 2])
  })
})
