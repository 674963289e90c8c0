import { parseAddress } from '@burgee/protocol/address'
import type { Context } from '@burgee/protocol/context'
import { isInRange } from './cidr.ts'
import { ALWAYS, type Compilation, type CustomStrategy, NEVER, type Test } from './compilation.ts'
import type { ProfileRules } from './profile.ts'
import { isRaw, type Raw } from './raw-value.ts'
import {
  compileFlexibleRollout,
  compileGradualRolloutRandom,
  compileGradualRolloutSessionId,
  compileGradualRolloutUserId,
  type Rollout,
} from './rollout.ts'

/** Test that a strategy itself makes, without its constraints and segments. */
export interface StrategyTest {
  readonly test: Test
  /** Rollout of the strategy; undefined if the strategy has no percentage. */
  readonly rollout?: Rollout
  /**
   * Context field, if the test depends on this field only; undefined if it is not known which fields the test depends
   * on.
   */
  readonly reads?: 'userId' | 'remoteAddress'
  /**
   * False if this server cannot evaluate the strategy. The test of such a strategy never holds on this server, although
   * it may hold on another host or server.
   */
  readonly isRunnable: boolean
}

interface PlainStrategy {
  readonly compile: (parameters: Raw, compilation: Compilation) => Test
  readonly reads: Pick<StrategyTest, 'reads'>
}

const HOSTNAME = 'applicationHostname'

/**
 * Built-in strategies without a percentage. `@burgee/protocol/built-in-strategy` lists all built-in strategies. Source:
 * client-specification 01, 02, 06.
 */
const PLAIN_STRATEGIES: ReadonlyMap<string, PlainStrategy> = new Map<string, PlainStrategy>([
  ['userWithId', { compile: compileUserWithId, reads: { reads: 'userId' } }],
  ['remoteAddress', { compile: compileRemoteAddress, reads: { reads: 'remoteAddress' } }],
  [HOSTNAME, { compile: compileApplicationHostname, reads: {} }],
])

/** Strategies with a percentage. Source: client-specification 03, 04, 05, 10. */
const ROLLOUT_STRATEGIES: ReadonlyMap<string, (parameters: Raw, compilation: Compilation) => Rollout> = new Map([
  ['flexibleRollout', compileFlexibleRollout],
  ['gradualRolloutUserId', compileGradualRolloutUserId],
  ['gradualRolloutSessionId', compileGradualRolloutSessionId],
  ['gradualRolloutRandom', compileGradualRolloutRandom],
])

/**
 * Compiles the test of a strategy by its name. Custom strategies take precedence over built-in ones.
 *
 * The test of an unknown strategy never holds and causes a warning. The same applies to a built-in strategy other than
 * `default` whose parameters are not an object. Never throws.
 */
export function compileStrategyTest(name: string, parameters: unknown, compilation: Compilation): StrategyTest {
  const custom = compilation.custom.get(name)
  if (custom)
    return { test: createCustomTest(custom, isRaw(parameters) ? parameters : {}, compilation), isRunnable: true }
  if (name === 'default') return { test: ALWAYS, isRunnable: true }
  const plain = PLAIN_STRATEGIES.get(name)
  const rollout = ROLLOUT_STRATEGIES.get(name)
  if (!plain && !rollout) {
    compilation.warn(`strategy "${name}" is unknown`)
    return { test: NEVER, isRunnable: false }
  }
  if (!isRaw(parameters)) {
    compilation.warn(`strategy "${name}" has no parameters`)
    return { test: NEVER, isRunnable: true }
  }
  // without a hostname, the result is unknown, because the strategy may match on other hosts
  const isElsewhere = name === HOSTNAME && compilation.hostname === undefined
  if (plain) return { test: plain.compile(parameters, compilation), ...plain.reads, isRunnable: !isElsewhere }
  const compiled = rollout?.(parameters, compilation)
  return compiled ? { test: compiled.test, rollout: compiled, isRunnable: true } : { test: NEVER, isRunnable: true }
}

/** Passes copies to the custom strategy, so that any modification affects neither other flags nor later requests. */
function createCustomTest(strategy: CustomStrategy, parameters: Raw, compilation: Compilation): Test {
  return (request) => {
    try {
      const given = { ...parameters } as Record<string, string>
      const result: unknown = strategy.isEnabled(given, copyContext(request.context))
      if (typeof result === 'boolean') return result
      compilation.fail(new TypeError(`strategy "${strategy.name}" did not return a boolean`), strategy.name)
    } catch (error) {
      compilation.fail(error, strategy.name)
    }
    return false
  }
}

function copyContext(context: Context): Context {
  const { properties } = context
  return isRaw(properties) ? { ...context, properties: { ...properties } } : { ...context }
}

/**
 * Splits a parameter that contains a list. Returns an empty list if the parameter is missing, empty or not a string.
 */
function parseList(parameter: unknown, { splitList }: ProfileRules): string[] {
  return typeof parameter === 'string' && parameter !== '' ? splitList(parameter) : []
}

/** Matches listed users. A userId that is not a string never matches. */
function compileUserWithId(parameters: Raw, { profile }: Compilation): Test {
  const users = new Set<unknown>(parseList(parameters.userIds, profile))
  return ({ context }) => users.has(context.userId)
}

/** Matches the listed IPv4 and IPv6 addresses in any notation, and addresses within the listed ranges. */
function compileRemoteAddress(parameters: Raw, { profile }: Compilation): Test {
  const { callerAddress } = profile.constraints
  const entries = parseList(parameters.IPs, profile)
  const exact = new Set<unknown>(profile.matchesAddressText ? entries : [])
  const ranges = entries.map(parseAddress).filter((range) => range !== undefined)
  return ({ context }) => {
    const text: unknown = context.remoteAddress
    if (exact.has(text)) return true
    const address = typeof text === 'string' && ranges.length > 0 ? callerAddress(text) : undefined
    return address !== undefined && ranges.some((range) => isInRange(address, range))
  }
}

/** Matches the listed hosts, ignoring case. The result depends on this process, not on the context. */
function compileApplicationHostname(parameters: Raw, compilation: Compilation): Test {
  const hosts = parameters.hostNames
  const isListed =
    typeof hosts === 'string' &&
    compilation.hostname !== undefined &&
    parseList(hosts.toLowerCase(), compilation.profile).includes(compilation.hostname)
  return isListed ? ALWAYS : NEVER
}
