import type { Context } from '@burgee/protocol/context'
import { CONTEXTS, FLAGS } from './decision-table.ts'
import type { Decision } from './driver.ts'
import { isSame } from './expected-decisions.ts'
import { type Scene, withClient } from './sdk-client.ts'
import type { SpecificationCase } from './specification-flags.ts'

/** Every seventh user. These users cover both sides of every boundary, but are few enough for slow interpreters. */
const TABLE_CONTEXTS: readonly Context[] = CONTEXTS.filter((_context, number) => number % 7 === 0).map((context) => ({
  ...context,
}))
const TABLE_NAMES = FLAGS.map(({ name }) => name)
/** In browsers, a poll aborts the request for a new context, although the SDK then reports that the context is set. */
const WITHOUT_POLLS = { intervalSeconds: 600 }
/** Long enough that polls do not slow decisions down, and short enough to repeat a first request that failed. */
const RARE_POLLS = { intervalSeconds: 15 }
const choosePolls = ({ sdk }: Scene) => (sdk.api === 'frontend' ? WITHOUT_POLLS : RARE_POLLS)
/** Context fields that a target would otherwise generate. */
const INVENTED = { sessionId: 'session-of-the-test', remoteAddress: '203.0.113.7' }

/** Returns the flags of the specification that an SDK decides differently. */
export function playSpecification(scene: Scene): Promise<readonly string[]> {
  return withClient(scene, 'specification', choosePolls(scene), async (client) => {
    await client.waitFor('on', true)
    const wrong = new Set<string>()
    for (const one of scene.installation.specification.cases.filter((given) => isPossible(scene, given))) {
      const context = complete(scene, one.context)
      const [[decision] = []] = await client.decide([one.flag], [context])
      // if a case does not specify a variant, the variant may be random
      const own = expectDecision(scene, one.flag, context)
      const isRight = one.variant === undefined ? decision?.[0] === own[0] : isExpected(scene, decision, own)
      if (!isRight) wrong.add(one.flag)
    }
    return [...wrong]
  })
}

/** Returns the flags of the decision table that an SDK decides differently. */
export function playTable(scene: Scene): Promise<readonly string[]> {
  return withClient(scene, 'table', choosePolls(scene), async (client) => {
    await client.waitFor('on', true)
    const contexts = TABLE_CONTEXTS.map((context) => complete(scene, context))
    const decisions = await client.decide(TABLE_NAMES, contexts)
    const isRight = (flag: string, column: number) =>
      contexts.every((context, row) =>
        isExpected(scene, decisions[row]?.[column], expectDecision(scene, flag, context)),
      )
    return TABLE_NAMES.filter((flag, column) => !isRight(flag, column))
  })
}

/** A browser SDK has only one environment and one application for all contexts. */
function isPossible({ sdk }: Scene, { context }: SpecificationCase): boolean {
  return sdk.api !== 'frontend' || !('environment' in context || 'appName' in context)
}

function complete({ sdk }: Scene, context: Context): Context {
  return sdk.api === 'client' ? context : { ...INVENTED, ...context }
}

function expectDecision({ sdk, target, installation }: Scene, flag: string, context: Context): Decision {
  // if Burgee decides the flags, the token determines the environment; a client key of the proxy has no environment
  const isBound = sdk.api !== 'client' && target.name !== 'proxy'
  const decided = isBound ? { ...context, environment: 'development' } : context
  return installation.expected.decide(sdk, flag, decided)
}

function isExpected({ sdk }: Scene, given: Decision | undefined, own: Decision): boolean {
  if (sdk.api !== 'ofrep' || given === undefined) return isSame(given, own)
  const [isEnabled, variant] = given
  // OFREP names a variant even if there is none, and a provider may drop it together with the value
  const isWithout = ['', 'on', 'off'].includes(variant)
  return isEnabled === own[0] && (isWithout ? 'disabled' : variant) === own[1]
}
