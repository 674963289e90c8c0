import { compile } from '@burgee/engine'
import { createKeyedMutex } from '@burgee/kit/keyed-mutex'
import { createRandom } from '@burgee/kit/seeded-random'
import { runInSlices } from '@burgee/kit/slices'
import { type Impact, MIN_PEOPLE } from '@burgee/protocol/administration/impact'
import type { Context } from '@burgee/protocol/context'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { EditedFlag } from './edited-flag.ts'
import type { SampledContext } from './traffic-sample.ts'

/** Kind of difference between two evaluations. */
type EvaluationChange = 'offToOn' | 'onToOff' | 'otherVariant'

/** Evaluates a flag for a context; returns the result as a string, or undefined if the flag is off. */
type Decide = (context: Context) => string | undefined

/** Service that computes the impact of edits, one edit at a time. */
export interface ImpactEvaluator {
  /**
   * Returns the effects of an edit on the sampled contexts. Returns undefined if `isGone` reports that the caller has
   * disconnected.
   */
  evaluate(edited: EditedFlag, sample: SampledContexts, isGone: () => boolean): Promise<Impact | undefined>
  /**
   * Returns the effects of several edits that are made together, keyed by flag name. Reads the sample once. Returns
   * undefined if `isGone` reports that the caller has disconnected.
   */
  evaluateAll(
    edited: EditedFlags,
    sample: SampledContexts,
    isGone: () => boolean,
  ): Promise<ReadonlyMap<string, Impact> | undefined>
}

/** Flags of an environment, with their parents and segments, in the form that SDKs receive. */
export interface FlagSet {
  readonly features: readonly Feature[]
  readonly segments: readonly Segment[]
}

/** Flags whose results to compare, and their environment before and after an edit. */
export interface EditedFlags {
  /** Flags with their projects. A flag that one of the sets lacks is off there. */
  readonly flags: readonly Pick<Feature, 'name' | 'project'>[]
  readonly before: FlagSet
  readonly after: FlagSet
}

/** Contexts to evaluate. */
interface SampledContexts {
  readonly read: () => Iterable<SampledContext>
}

/** Parameters of an evaluation. */
interface EvaluationSettings {
  readonly nowMs: number
  readonly profile: EvaluationProfile
  readonly isGone: () => boolean
}

/** Result for an environment whose traffic is not sampled. */
export const NOT_SAMPLED: Impact = {
  sampling: false,
  evaluations: 0,
  offToOn: 0,
  onToOff: 0,
  otherVariant: 0,
  from: null,
  to: null,
}

/**
 * Creates the service. The service handles one edit at a time, in slices, so that re-evaluation does not delay live
 * evaluations.
 */
export function createImpactEvaluator(clock: () => number, profile: EvaluationProfile): ImpactEvaluator {
  const inTurn = createKeyedMutex<'all'>()
  const evaluateAll: ImpactEvaluator['evaluateAll'] = (edited, sample, isGone) =>
    inTurn('all', async () =>
      isGone() ? undefined : runInSlices(evaluateImpacts(edited, sample, { nowMs: clock(), profile, isGone })),
    )
  return {
    evaluateAll,
    async evaluate({ before, after, parents, segments }, sample, isGone) {
      const toSet = (feature: Feature): FlagSet => ({ features: [feature, ...parents], segments })
      const edited = { flags: [before], before: toSet(before), after: toSet(after) }
      return (await evaluateAll(edited, sample, isGone))?.get(before.name)
    },
  }
}

/** Flag whose results are compared, with functions that evaluate it before and after the edit. */
interface ComparedFlag {
  readonly name: string
  readonly project: string | undefined
  readonly isNow: Decide
  readonly wouldBe: Decide
  readonly tally: DifferenceCounts
}

/**
 * Evaluates flags for every context, before and after the edit, as of the current time. The evaluations before and
 * after the edit use the same random numbers, so that only effects of the edit are counted.
 */
function* evaluateImpacts(
  { flags, before, after }: EditedFlags,
  sample: SampledContexts,
  { nowMs, profile, isGone }: EvaluationSettings,
): Generator<void, ReadonlyMap<string, Impact> | undefined> {
  const chance = createRepeatedChance()
  const options = { profile, clock: () => nowMs, random: () => chance.next(), caches: false }
  const [deciderNow, deciderThen] = [createDeciders(before, options), createDeciders(after, options)]
  const compared = flags.map(
    ({ name, project }): ComparedFlag => ({
      name,
      project,
      isNow: deciderNow(name),
      wouldBe: deciderThen(name),
      tally: new DifferenceCounts(),
    }),
  )
  for (const { context, projects, names, atMs } of sample.read()) {
    if (isGone()) return undefined
    yield
    for (const { name, project, isNow, wouldBe, tally } of compared) {
      if (!projects.includes('*') && !projects.includes(project ?? '')) continue
      if (names !== undefined && !names.includes(name)) continue
      chance.begin(tally.evaluations)
      const was = isNow(context)
      chance.begin(tally.evaluations)
      tally.count(getKind(was, wouldBe(context)), context, atMs)
    }
  }
  return new Map(compared.map(({ name, tally }) => [name, tally.impact]))
}

/** Compiles a set of flags. Returns a function that creates the evaluation of one flag; a missing flag is off. */
function createDeciders(
  { features, segments }: FlagSet,
  options: NonNullable<Parameters<typeof compile>[1]>,
): (name: string) => Decide {
  const { engine } = compile({ features: [...features], segments: [...segments] }, options)
  const known = new Set(features.map(({ name }) => name))
  return (name) => {
    if (!known.has(name)) return () => undefined
    const index = engine.indexOf(name)
    const texts = engine
      .getOutcomes(index)
      .map(({ enabled, variant }) => (enabled ? JSON.stringify(variant) : undefined))
    return (context) => texts[engine.decideAt(index, context)]
  }
}

function getKind(was: string | undefined, is: string | undefined): EvaluationChange | undefined {
  if (was === is) return undefined
  if (was === undefined) return 'offToOn'
  return is === undefined ? 'onToOff' : 'otherVariant'
}

/** Counts differences, and also the distinct users whose result differs, but only up to the privacy threshold. */
class DifferenceCounts {
  evaluations = 0
  readonly #counts: Record<EvaluationChange, number> = { offToOn: 0, onToOff: 0, otherVariant: 0 }
  readonly #people: Record<EvaluationChange, Set<string>> = {
    offToOn: new Set(),
    onToOff: new Set(),
    otherVariant: new Set(),
  }
  #fromMs: number | undefined
  #toMs: number | undefined

  count(kind: EvaluationChange | undefined, { userId, sessionId, remoteAddress }: Context, atMs: number): void {
    this.evaluations += 1
    this.#fromMs ??= atMs
    this.#toMs = atMs
    if (kind === undefined) return
    this.#counts[kind] += 1
    const people = this.#people[kind]
    if (people.size < MIN_PEOPLE) people.add(String(userId ?? sessionId ?? remoteAddress))
  }

  get impact(): Impact {
    const figure = (kind: EvaluationChange) =>
      this.#counts[kind] > 0 && this.#people[kind].size < MIN_PEOPLE ? null : this.#counts[kind]
    return {
      sampling: true,
      evaluations: this.evaluations,
      offToOn: figure('offToOn'),
      onToOff: figure('onToOff'),
      otherVariant: figure('otherVariant'),
      from: formatTime(this.#fromMs),
      to: formatTime(this.#toMs),
    }
  }
}

function formatTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** Creates random numbers whose sequence depends only on the number of the evaluation. */
function createRepeatedChance(): { readonly begin: (evaluation: number) => void; readonly next: () => number } {
  let random = createRandom(0)
  return {
    begin(evaluation) {
      random = createRandom(Math.imul(evaluation + 1, 0x9e3779b1))
    },
    next: () => random(),
  }
}
