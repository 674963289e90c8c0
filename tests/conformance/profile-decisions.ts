import { compile } from '@burgee/engine'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { type DrawnCase, drawnCase } from './drawn-documents.ts'
import { encodeDecision } from './recorded-decisions.ts'
import { isDecidedByIpv6, STATIC_CONTEXT, startReference } from './reference.ts'

interface DrawnFeature {
  readonly name: string
  readonly dependencies?: readonly { readonly feature: string }[]
  readonly strategies: readonly {
    readonly name: string
    readonly parameters: Readonly<Record<string, string>>
    readonly variants?: unknown
  }[]
}

/**
 * Returns true for a difference that is known. For a rollout without a group, Yggdrasil hashes with the name of the
 * requested flag, even if the rollout belongs to a parent of that flag. Burgee evaluates a parent the same way for
 * every child.
 */
export function hasParentWithoutGroup({ document }: DrawnCase, name: string): boolean {
  const features = document.features as readonly DrawnFeature[]
  const parents = features.find((feature) => feature.name === name)?.dependencies ?? []
  const strategies = parents.flatMap(({ feature }) => features.find((one) => one.name === feature)?.strategies ?? [])
  return strategies.some((strategy) => {
    const isHashed = strategy.name === 'flexibleRollout' || strategy.variants !== undefined
    return isHashed && strategy.parameters.groupId === undefined
  })
}

/** Returns a function that encodes Burgee's decision of a case. Its result is undefined if the decision is random. */
export function createDecider(profile: EvaluationProfile, { document }: DrawnCase) {
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

/** Result of a comparison. `differences` has one line for each decision that differs. */
export interface Comparison {
  compared: number
  readonly differences: string[]
}

/** Compares Burgee's profile `node` with the Node SDK on one case. */
export async function compareWithNode(number: number, into: Comparison): Promise<void> {
  const drawn = drawnCase(number)
  const decide = createDecider('node', drawn)
  const reference = await startReference(drawn.document)
  for (const context of drawn.contexts) {
    for (const name of drawn.names) {
      if (isDecidedByIpv6(drawn.document, name, context)) continue
      const own = decide(name, { ...STATIC_CONTEXT, ...context })
      const { enabled, variant } = reference.ask(name, context)
      if (own === undefined || enabled === 'broke' || variant === 'broke') continue
      into.compared += 1
      const given = encodeDecision([enabled, variant.name])
      if (own !== given) into.differences.push(`${number} ${name} ${JSON.stringify(context)}: ${own} ${given}`)
    }
  }
  reference.close()
}
