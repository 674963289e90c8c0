import { compile } from '@burgee/engine'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { describe, expect, test } from 'vitest'
import { type DrawnCase, drawnCase } from './drawn-documents.ts'
import { CHANCE, encodeDecision, hashCases, readRecording } from './recorded-decisions.ts'
import { isDecidedByIpv6, STATIC_CONTEXT, startReference } from './reference.ts'

/**
 * Compares both profiles with their references on the same documents. The reference of `yggdrasil` is recorded
 * decisions of that engine (`bench/yggdrasil/record.ts`). The reference of `node` is the Node SDK in this process.
 */
const recording = readRecording()
const NODE_CASES = 60

/**
 * Returns true for a known difference. For a rollout without a group, the recorded engine hashes with the name of the
 * requested flag, even if the rollout belongs to a parent of that flag. Burgee evaluates a parent the same way for
 * every child.
 */
function hasParentWithoutGroup({ document }: DrawnCase, name: string): boolean {
  const features = document.features as readonly DrawnFeature[]
  const parents = features.find((feature) => feature.name === name)?.dependencies ?? []
  const strategies = parents.flatMap(({ feature }) => features.find((one) => one.name === feature)?.strategies ?? [])
  return strategies.some((strategy) => {
    const isHashed = strategy.name === 'flexibleRollout' || strategy.variants !== undefined
    return isHashed && strategy.parameters.groupId === undefined
  })
}

interface DrawnFeature {
  readonly name: string
  readonly dependencies?: readonly { readonly feature: string }[]
  readonly strategies: readonly {
    readonly name: string
    readonly parameters: Readonly<Record<string, string>>
    readonly variants?: unknown
  }[]
}

/** Returns the decisions of a case, undefined where they depend on chance. */
function decider(profile: EvaluationProfile, { document }: DrawnCase) {
  let rolls = 0
  const random = () => {
    rolls += 1
    return 0
  }
  const { engine } = compile(document, { profile, random })
  return (name: string, context: DrawnCase['contexts'][number]) => {
    rolls = 0
    const { enabled, variant } = engine.evaluate(name, context)
    return rolls > 0 ? undefined : encodeDecision([enabled, variant.name])
  }
}

/** Compares Burgee's decisions with the recorded ones. */
function compareAll() {
  const counts = { compared: 0, explained: 0, chance: 0, on: 0, isVariant: 0 }
  const differences: string[] = []
  for (const [number, line] of recording.lines.entries()) {
    const drawn = drawnCase(number)
    const decide = decider('yggdrasil', drawn)
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
  let compared = 0
  for (let number = 0; number < NODE_CASES; number += 1) {
    const drawn = drawnCase(number)
    const decide = decider('node', drawn)
    const reference = await startReference(drawn.document)
    for (const context of drawn.contexts) {
      for (const name of drawn.names) {
        if (isDecidedByIpv6(drawn.document, name, context)) continue
        const own = decide(name, { ...STATIC_CONTEXT, ...context })
        const { enabled, variant } = reference.ask(name, context)
        if (own === undefined || enabled === 'broke' || variant === 'broke') continue
        compared += 1
        expect(own, `${number} ${name} ${JSON.stringify(context)}`).toBe(encodeDecision([enabled, variant.name]))
      }
    }
    reference.close()
  }
  expect(compared).toBeGreaterThan(NODE_CASES * 150)
})
