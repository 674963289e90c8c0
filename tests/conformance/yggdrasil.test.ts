import { describe, expect, test } from 'vitest'
import { type DrawnCase, drawnCase } from './drawn-documents.ts'
import { type Comparison, compareWithNode, createDecider, hasParentWithoutGroup } from './profile-decisions.ts'
import { CHANCE, hashCases, readRecording } from './recorded-decisions.ts'

/**
 * Compares both profiles with their references on the same documents. The reference for `yggdrasil` consists of
 * recorded decisions of that engine (`bench/yggdrasil/record.ts`). The reference for `node` is the Node SDK in this
 * process.
 */
const recording = readRecording()
const NODE_CASES = 60

/** Compares Burgee's decisions with the recorded ones. */
function compareAll() {
  const counts = { compared: 0, explained: 0, chance: 0, on: 0, isVariant: 0 }
  const differences: string[] = []
  for (const [number, line] of recording.lines.entries()) {
    const drawn = drawnCase(number)
    const decide = createDecider('yggdrasil', drawn)
    const asked = drawn.contexts.flatMap((context) => drawn.names.map((name) => ({ context, name })))
    for (const [at, { context, name }] of asked.entries()) {
      const own = decide(name, context)
      const kind = kindOf(drawn, name, own)
      counts[kind] += 1
      if (kind !== 'compared' || own === undefined) continue
      if (own > '0') counts.on += 1
      if (own > '1') counts.isVariant += 1
      if (own !== line[at]) differences.push(`${number} ${name} ${JSON.stringify(context)}: ${own} ${line[at]}`)
    }
  }
  return { counts, differences }
}

function kindOf(drawn: DrawnCase, name: string, own: string | undefined): 'compared' | 'explained' | 'chance' {
  if (own === undefined) return 'chance'
  return hasParentWithoutGroup(drawn, name) ? 'explained' : 'compared'
}

describe('the profile yggdrasil decides as that engine', () => {
  test('the recorded decisions are those of these documents', () => {
    expect(hashCases(recording.cases)).toBe(recording.documents)
    expect(recording.lines.join('').length).toBeGreaterThan(100_000)
  })

  test('every decision is the recorded one', () => {
    const { counts, differences } = compareAll()
    process.stdout.write(`yggdrasil: ${JSON.stringify(counts)}\n`)
    expect(differences).toEqual([])
    expect(counts.compared).toBeGreaterThan(100_000)
    expect(counts.on / counts.compared).toBeGreaterThan(0.2)
    expect(counts.isVariant / counts.on).toBeGreaterThan(0.2)
    expect(recording.lines.join('')).toContain(CHANCE)
  })
})

test(`the profile node decides ${NODE_CASES} of these documents as the Node SDK`, async () => {
  const comparison: Comparison = { compared: 0, differences: [] }
  for (let number = 0; number < NODE_CASES; number += 1) await compareWithNode(number, comparison)
  expect(comparison.differences).toEqual([])
  expect(comparison.compared).toBeGreaterThan(NODE_CASES * 150)
})
