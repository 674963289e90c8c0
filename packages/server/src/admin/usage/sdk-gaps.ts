import { BoundedCache } from '@burgee/kit/bounded-cache'
import { compareText } from '@burgee/kit/compare-text'
import { listConstraintAbilities, listStrategyAbilities, type SdkAbility } from '@burgee/protocol/sdk/sdk-abilities'
import type { SdkGap } from '@burgee/protocol/sdk/sdk-gap'
import { describeLack } from '@burgee/protocol/sdk/sdk-lack-text'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { type ListedPlan, listPlansOfFlags } from '@burgee/storage/queries/releases/release-plans'
import { listRequestingApplications, listRunningSdks, type RunningSdk } from '@burgee/storage/queries/usage/sdk-callers'
import type { World } from '../../core/world.ts'
import { findUnsupportedFeatures, type UnsupportedFeature } from '../../delivery/usage/sdk-abilities.ts'

/** Parts of a flag that some SDKs do not support. */
export interface FlagToCheck {
  readonly name: string
  /** Abilities that the flag's dependencies require of SDKs. */
  readonly parentAbilities: readonly SdkAbility[]
  readonly strategiesIn: (environment: string) => readonly AdminStrategy[]
}

/** Finds applications whose SDKs do not support every part of a flag. */
export interface SdkGaps {
  /**
   * Returns the visible applications whose SDKs do not support every part of the flag, in sorted order. Returns an
   * empty list while the database is unavailable.
   */
  find(flag: FlagToCheck, hidden?: readonly string[]): Promise<SdkGap[]>
}

const DAY_MS = 86_400_000
/** Maximum age of the applications and counts that are considered. */
const MAX_AGE_MS = 30 * DAY_MS
/** Cache lifetime, so that a flag page usually needs no extra query. */
const CACHE_MS = 30_000
const MAX_FLAGS = 1000

interface SdkWithGaps extends RunningSdk {
  readonly lacks: readonly UnsupportedFeature[]
}

/**
 * Creates the lookup. Reads the SDKs in use, the segments and the applications that use a flag on demand, but at most
 * twice a minute.
 */
export function createSdkGaps({ db, clock, monotonic }: Pick<World, 'db' | 'clock' | 'monotonic'>): SdkGaps {
  const isFresh = (at: number) => monotonic() - at < CACHE_MS
  const reads = new BoundedCache<{ readonly at: number; readonly value: Promise<unknown> }>({ entries: MAX_FLAGS })
  const kept = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = reads.get(key)
    if (known !== undefined && isFresh(known.at)) return known.value as Promise<T>
    const value = read()
    reads.set(key, { at: monotonic(), value })
    return value
  }
  const lacking = () =>
    kept('sdks', async () =>
      (await listRunningSdks(db.reader, clock() - MAX_AGE_MS))
        .map((sdk): SdkWithGaps => ({ ...sdk, lacks: findUnsupportedFeatures(sdk.sdkVersion) }))
        .filter(({ lacks }) => lacks.length > 0),
    )
  const segments = () =>
    kept('segments', async () => {
      const rows = await db.reader.selectFrom('segments').select(['id', 'constraints']).execute()
      return new Map(rows.map(({ id, constraints }) => [id, listConstraintAbilities(constraints as ConstraintInput[])]))
    })
  return {
    async find(flag, hidden = []) {
      try {
        const sdks = (await lacking()).filter((sdk) => isVisible(sdk, hidden))
        if (sdks.length === 0) return []
        const callers = await kept(`flag ${flag.name}`, () =>
          listRequestingApplications(db.reader, flag.name, clock() - MAX_AGE_MS),
        )
        const asking = new Set(callers.map(getKey))
        const own = sdks.filter((sdk) => asking.has(getKey(sdk))).sort(compareByName)
        if (own.length === 0) return []
        const plans = await kept(`plans ${flag.name}`, () => listPlansOfFlags(db.reader, [flag.name]))
        return listGaps(own, withMilestones(flag, plans), await segments())
      } catch {
        // flag pages must also work while the database is unavailable
        return []
      }
    },
  }
}

const getKey = ({ appName, environment }: Pick<RunningSdk, 'appName' | 'environment'>) =>
  JSON.stringify([appName, environment])

function compareByName(a: RunningSdk, b: RunningSdk): number {
  return (
    compareText(a.appName, b.appName) ||
    compareText(a.environment, b.environment) ||
    compareText(a.sdkVersion, b.sdkVersion)
  )
}

/**
 * Returns true if the caller may see the application that uses the SDK, because the application used a token of a
 * visible project.
 */
function isVisible({ projects }: RunningSdk, hidden: readonly string[]): boolean {
  return hidden.length === 0 || projects.some((project) => !hidden.includes(project))
}

/** Parts of a strategy that SDKs must support. */
type CheckedStrategy = Pick<AdminStrategy, 'id' | 'name' | 'disabled' | 'parameters' | 'constraints' | 'segments'> & {
  readonly variants?: AdminStrategy['variants']
}

/** Flag with the strategies of all milestones of its plans, because later milestones can start by themselves. */
interface CheckedFlag extends Pick<FlagToCheck, 'parentAbilities'> {
  readonly strategiesIn: (environment: string) => readonly CheckedStrategy[]
}

function withMilestones({ parentAbilities, strategiesIn }: FlagToCheck, plans: readonly ListedPlan[]): CheckedFlag {
  return {
    parentAbilities,
    strategiesIn: (environment) => {
      const own = strategiesIn(environment)
      const ids = new Set(own.map(({ id }) => id))
      const later = plans
        .filter((plan) => plan.environment === environment)
        .flatMap(({ milestones }) => milestones.flatMap(({ strategies }) => strategies))
        .filter(({ id }) => !ids.has(id))
        .map(({ strategyName: name, ...parts }) => ({ ...parts, name, disabled: false }) as CheckedStrategy)
      return [...own, ...later]
    },
  }
}

function listGaps(
  sdks: readonly SdkWithGaps[],
  flag: CheckedFlag,
  segments: ReadonlyMap<number, readonly SdkAbility[]>,
): SdkGap[] {
  return sdks.map(({ appName, environment, sdkVersion, lacks }) => {
    const strategies = flag.strategiesIn(environment).filter(({ disabled }) => !disabled)
    const used = strategies.map((strategy) => ({
      id: strategy.id,
      abilities: [
        ...listStrategyAbilities({ ...strategy, constraints: strategy.constraints as ConstraintInput[] }),
        ...strategy.segments.flatMap((id) => segments.get(id) ?? []),
      ],
    }))
    return {
      appName,
      environment,
      sdkVersion,
      lacks: lacks.map((lack) => {
        const own = used.filter(({ abilities }) => abilities.includes(lack.ability)).map(({ id }) => id)
        const isUsed = own.length > 0 || flag.parentAbilities.includes(lack.ability)
        return { ...lack, strategies: own, isUsed, message: describeLack(lack) }
      }),
    }
  })
}
