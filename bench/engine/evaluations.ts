import { compile } from '@burgee/engine'
import { mixContext, mixDocument } from '../mix.ts'
import { startPeer } from './peer.ts'
import { measureBestRounds } from './turns.ts'

/** Cost of an evaluation with our engine and with the Unleash SDK, measured alternately. */
export interface EvaluationRow {
  readonly features: number
  /** Number of values of each of ten segments; 0 means no segments. */
  readonly segmentValues: number
  /** Time to evaluate all flags for one context to outcome numbers, in nanoseconds per flag. */
  readonly allNs: number
  /** Time for `isEnabled` of all flags and `getVariant` of enabled ones with the SDK, in nanoseconds per flag. */
  readonly peerAllNs: number
  /** Time to evaluate one flag by name, in nanoseconds. */
  readonly oneNs: number
  readonly peerOneNs: number
  /** Time to compute the cache key of a context, in nanoseconds. */
  readonly keyNs: number
}

/** Duration of each measurement, and number of measurements. */
export interface Effort {
  readonly rounds: number
  readonly sliceMs: number
}

const CONTEXTS = Array.from({ length: 256 }, (_, index) => mixContext(index * 7919 + 13))

/** Measures evaluations of the flags from `mixDocument`, for many contexts. */
export async function measureEvaluations(
  features: number,
  segmentValues: number,
  effort: Effort,
): Promise<EvaluationRow> {
  const document = mixDocument({ features, segmentValues })
  const { engine } = compile(document)
  const { names } = engine
  const { sdk } = await startPeer(document)
  let turn = 0
  const context = () => CONTEXTS[turn++ % CONTEXTS.length] ?? {}
  const name = () => names[turn % names.length] ?? ''
  const askPeer = () => {
    const one = context()
    let on = 0
    for (const each of names) if (sdk.isEnabled(each, one) && sdk.getVariant(each, one).enabled) on++
    return on
  }
  const [all = 0, peerAll = 0] = measureBestRounds([repeat(() => engine.decideAll(context())), repeat(askPeer)], effort)
  const [one = 0, peerOne = 0, key = 0] = measureBestRounds(
    [
      repeat(() => engine.evaluate(name(), context()).enabled),
      repeat(() => sdk.isEnabled(name(), context())),
      repeat(() => engine.getCacheKey(context())),
    ],
    effort,
  )
  sdk.destroy()
  const perFlag = { allNs: all / features, peerAllNs: peerAll / features }
  return { features, segmentValues, ...perFlag, oneNs: one, peerOneNs: peerOne, keyNs: key }
}

/** Measures one flag with a segment of many `userId` values, in nanoseconds. */
export async function measureSegment(values: number, effort: Effort): Promise<{ ownNs: number; peerNs: number }> {
  const constraints = [
    {
      contextName: 'userId',
      operator: 'IN' as const,
      values: Array.from({ length: values }, (_, i) => `user-${i * 2}`),
    },
  ]
  const strategies = [{ name: 'default', parameters: {}, constraints: [], segments: [1] }]
  const document = {
    version: 2,
    features: [{ name: 'f', enabled: true, strategies }],
    segments: [{ id: 1, name: 'many', constraints }],
  }
  const { engine } = compile(document)
  const { sdk } = await startPeer(document as never)
  const contexts = Array.from({ length: 256 }, (_, i) => ({ userId: `user-${(i * 7919) % (2 * values)}` }))
  let turn = 0
  const context = () => contexts[turn++ % contexts.length] ?? {}
  const works = [repeat(() => engine.evaluate('f', context())), repeat(() => sdk.isEnabled('f', context()))]
  const [ownNs = 0, peerNs = 0] = measureBestRounds(works, effort)
  sdk.destroy()
  return { ownNs, peerNs }
}

function repeat(work: () => unknown): (times: number) => void {
  return (times) => {
    for (let i = 0; i < times; i++) lastResult = work()
  }
}

/** Last result, exported so that no work can be optimized away. */
export let lastResult: unknown
