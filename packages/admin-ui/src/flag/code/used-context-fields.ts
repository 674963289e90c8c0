/** Parts of a flag that determine which context fields it uses. */
export interface EvaluatedFlag {
  readonly environments: readonly {
    readonly strategies: readonly EvaluatedStrategy[]
    readonly variants: readonly { readonly stickiness?: string | undefined }[]
  }[]
}

interface EvaluatedStrategy {
  readonly name: string
  readonly disabled: boolean
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly { readonly contextName: string }[]
  readonly segments: readonly number[]
  readonly variants: readonly { readonly stickiness?: string | undefined }[]
}

/** Segment, with the context fields that its constraints use. */
export interface EvaluatedSegment {
  readonly id: number
  readonly constraints: readonly { readonly contextName: string }[]
}

/** Context fields that strategies of the given types use implicitly. */
const IMPLICIT_FIELDS: Readonly<Record<string, string>> = {
  userWithId: 'userId',
  gradualRolloutUserId: 'userId',
  gradualRolloutSessionId: 'sessionId',
  remoteAddress: 'remoteAddress',
}
/** Fields that SDKs set themselves. */
const SDK_SET_FIELDS = new Set(['appName', 'environment', 'currentTime'])
/** Top-level context fields. All other fields are custom properties of the context. */
const TOP_LEVEL_FIELDS = ['userId', 'sessionId', 'remoteAddress']

/**
 * Returns the sorted names of context fields that the flag's rules use in any environment and that code must provide.
 */
export function listUsedContextFields(flag: EvaluatedFlag, segments: readonly EvaluatedSegment[]): string[] {
  return listReadContextFields(flag, segments).filter((name) => !SDK_SET_FIELDS.has(name))
}

/** Returns the sorted names of all context fields that the flag's rules use, including the fields that SDKs set. */
export function listReadContextFields(
  { environments }: EvaluatedFlag,
  segments: readonly EvaluatedSegment[],
): string[] {
  const found = new Set<string>()
  const byId = new Map(segments.map((one) => [one.id, one]))
  for (const { strategies, variants } of environments) {
    for (const { stickiness } of variants) addStickinessField(found, stickiness)
    for (const strategy of strategies) {
      if (strategy.disabled) continue
      const used = strategy.segments.flatMap((id) => byId.get(id)?.constraints ?? [])
      for (const { contextName } of [...strategy.constraints, ...used]) found.add(contextName)
      addStickinessFields(found, strategy)
      const own = IMPLICIT_FIELDS[strategy.name]
      if (own !== undefined) found.add(own)
    }
  }
  return [...found].sort()
}

/**
 * Adds the stickiness fields that a strategy uses. Variants without a stickiness setting use the stickiness of their
 * strategy.
 */
function addStickinessFields(found: Set<string>, { parameters, variants }: EvaluatedStrategy): void {
  const { stickiness, rollout } = parameters
  for (const variant of variants) addStickinessField(found, variant.stickiness ?? stickiness)
  // At 100 % everyone matches, regardless of the stickiness.
  if (rollout !== '100') addStickinessField(found, stickiness)
}

/**
 * Adds the field that a stickiness setting refers to. The value `default` means the user id or, for anonymous users,
 * the session id.
 */
function addStickinessField(found: Set<string>, stickiness: string | undefined): void {
  if (stickiness === undefined || stickiness === 'random') return
  found.add(stickiness === 'default' ? 'userId' : stickiness)
}

/** Returns a JSON template for a context that contains the given fields. */
export function buildContextTemplate(fields: readonly string[]): string {
  const placesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '…']))
  const properties = fields.filter((name) => !TOP_LEVEL_FIELDS.includes(name))
  return JSON.stringify(
    {
      ...placesOf(fields.filter((name) => TOP_LEVEL_FIELDS.includes(name))),
      ...(properties.length > 0 && { properties: placesOf(properties) }),
    },
    undefined,
    2,
  )
}
