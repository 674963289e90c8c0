import { compile } from '@burgee/engine'
import { createRandom } from '@burgee/kit/seeded-random'
import type { Context } from '@burgee/protocol/context'
import { listValuesAround } from './boundary-values.ts'
import type { FlagRules, Rule } from './sampled-rules.ts'
import { StickyIds } from './sticky-ids.ts'

/** Settings for generating contexts. */
export interface Sampling {
  readonly seed: number
  /** Number of contexts that are evaluated for all flags. */
  readonly contexts: number
  /** Maximum number of contexts generated for a single flag. */
  readonly mostAimed?: number
}

/** Values of context fields by name; undefined if the context does not have the field. */
type Fields = Readonly<Record<string, string | undefined>>
type Constraint = Rule['constraints'][number]

const DIRECT = new Set(['userId', 'sessionId', 'remoteAddress', 'environment', 'appName'])
const TIME = 'currentTime'
/** Default maximum number of contexts for a single flag. */
const MAX_TARGETED = 300
const MAX_VALUES_PER_FIELD = 200
const GIVEN_SHARE = 0.7

/** Generator of contexts from the rules of both documents. Equal rules and an equal seed give equal contexts. */
export class ContextSample {
  readonly #rules: readonly ReadonlyMap<string, FlagRules>[]
  readonly #ids: StickyIds
  readonly #draw: () => number
  readonly #count: number
  readonly #maxTargeted: number

  constructor(
    rules: readonly ReadonlyMap<string, FlagRules>[],
    { seed, contexts, mostAimed = MAX_TARGETED }: Sampling,
  ) {
    this.#rules = rules
    this.#ids = new StickyIds(seed)
    this.#draw = createRandom(seed)
    this.#count = contexts
    this.#maxTargeted = mostAimed
  }

  /** Yields contexts that mix values of all rules, for all flags. */
  *iterateMixed(): Generator<Context> {
    const values = new Map<string, Set<string>>()
    for (const { rules } of this.#rules.flatMap((document) => [...document.values()])) {
      for (const constraint of rules.flatMap(({ constraints }) => constraints)) {
        const known = values.get(getField(constraint)) ?? new Set()
        values.set(getField(constraint), known)
        for (const value of listValuesAround(constraint)) if (known.size < MAX_VALUES_PER_FIELD) known.add(value)
      }
    }
    const fields = [...values].map(([name, known]) => [name, [...known]] as const)
    for (let count = 0; count < this.#count; count += 1) {
      const chosen = fields
        .filter(() => this.#draw() < GIVEN_SHARE)
        .map(([name, known]) => [name, this.#pickOne(known)] as const)
      const ids = { userId: this.#pickOne(this.#ids.all), sessionId: this.#pickOne(this.#ids.all) }
      yield toContext({ ...ids, ...Object.fromEntries(chosen) })
    }
  }

  /**
   * Returns contexts close to the boundaries in the rules of one flag. Each context satisfies a rule except for one
   * part of it.
   */
  listTargeted(flag: string): Context[] {
    const rules = this.#rules.flatMap((document) => document.get(flag)?.rules ?? [])
    const parents = [...new Set(this.#rules.flatMap((document) => document.get(flag)?.parents ?? []))]
    const ofParents = parents.flatMap((name) => this.#rules.flatMap((document) => document.get(name)?.rules ?? []))
    const metParents = parents.map((name) => findMatchingFields(this.#firstRules(name)))
    const below: Fields = Object.assign({}, ...metParents)
    const aimed = rules.flatMap((rule) => this.#around(rule, below))
    const ids = ofParents.flatMap((rule) => this.#idFields(rule))
    const first = rules[0] === undefined ? {} : findMatchingFields([rules[0]])
    const all = [...aimed, ...ids.map((id) => ({ ...below, ...id, ...first }))]
    const distinct = [...new Map(all.map((fields) => [JSON.stringify(fields), fields])).values()]
    return this.#atMost(distinct).map(toContext)
  }

  /**
   * Yields contexts close to the boundaries in the rules of randomly chosen flags, for comparisons in which each
   * context costs a request.
   */
  *iterateScattered(): Generator<Context> {
    const names = [...new Set(this.#rules.flatMap((document) => [...document.keys()]))]
    for (let count = 0; count < this.#count && names.length > 0; count += 1) {
      yield this.#pickOne(this.listTargeted(this.#pickOne(names) ?? '')) ?? {}
    }
  }

  #firstRules(flag: string): Rule[] {
    return this.#rules.flatMap((document) => document.get(flag)?.rules.slice(0, 1) ?? []).slice(0, 1)
  }

  #around(rule: Rule, below: Fields): Fields[] {
    const ids = this.#idFields(rule)
    const [id = {}] = ids
    const met = { ...below, ...id, ...findMatchingFields([rule]) }
    const singles = [...groupByField(rule.constraints)].flatMap(([name, constraints]) =>
      [undefined, ...constraints.flatMap(listValuesAround)].map((value) => ({ ...met, [name]: value })),
    )
    const strangers = ids.map((own) => ({ ...met, ...own }))
    return [met, ...singles, ...strangers, { ...met, [rule.stickyField]: undefined }]
  }

  #idFields(rule: Rule): Fields[] {
    return this.#ids.around(rule).map((id) => ({ sessionId: id, userId: id, [rule.stickyField]: id }))
  }

  #atMost(list: Fields[]): Fields[] {
    if (list.length <= this.#maxTargeted) return list
    return list
      .map((fields) => ({ fields, at: this.#draw() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, this.#maxTargeted)
      .map(({ fields }) => fields)
  }

  #pickOne<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#draw() * list.length)]
  }
}

/** Returns values that satisfy the constraints of rules. Omits a field if no value satisfies all constraints on it. */
function findMatchingFields(rules: readonly Rule[]): Fields {
  const fields = [...groupByField(rules.flatMap(({ constraints }) => constraints))]
  const { engine } = compile(
    {
      features: fields.map(([name, constraints]) => ({
        name,
        enabled: true,
        strategies: [{ name: 'default', constraints }],
      })),
    },
    { caches: false, clock: () => 0, random: () => 0 },
  )
  const met = fields.map(([name, constraints]) => {
    const values = constraints.flatMap(listValuesAround)
    return [name, values.find((value) => engine.evaluate(name, toContext({ [name]: value })).enabled)] as const
  })
  return Object.fromEntries(met.filter(([, value]) => value !== undefined))
}

function groupByField(constraints: readonly Constraint[]): Map<string, Constraint[]> {
  return Map.groupBy(constraints, getField)
}

function getField({ contextName, operator }: Constraint): string {
  return String(operator).startsWith('DATE_') ? TIME : String(contextName)
}

function toContext(fields: Fields): Context {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const direct = given.filter(([name]) => DIRECT.has(name))
  const time = given.find(([name]) => name === TIME)
  const properties = given.filter(([name]) => !DIRECT.has(name) && name !== TIME)
  return {
    ...Object.fromEntries(direct),
    ...(time === undefined ? {} : { currentTime: new Date(time[1]) }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  }
}
