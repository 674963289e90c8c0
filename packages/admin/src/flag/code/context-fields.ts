/** What of a flag says which fields of a context it looks at. */
export interface AskedFlag {
  readonly environments: readonly {
    readonly strategies: readonly AskedStrategy[]
    readonly variants: readonly { readonly stickiness?: string | undefined }[]
  }[]
}

interface AskedStrategy {
  readonly name: string
  readonly disabled: boolean
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly { readonly contextName: string }[]
  readonly segments: readonly number[]
  readonly variants: readonly { readonly stickiness?: string | undefined }[]
}

/** A segment by its id and the fields that it looks at. */
export interface AskedSegment {
  readonly id: number
  readonly constraints: readonly { readonly contextName: string }[]
}

/** Fields that strategies of these types look at by themselves. */
const OF_TYPES: Readonly<Record<string, string>> = {
  userWithId: 'userId',
  gradualRolloutUserId: 'userId',
  gradualRolloutSessionId: 'sessionId',
  remoteAddress: 'remoteAddress',
}
/** SDKs say these themselves. */
const SAID = new Set(['appName', 'environment', 'currentTime'])
/** The others are properties. */
const OWN = ['userId', 'sessionId', 'remoteAddress']

/** Names of the context fields that the rules of a flag look at in some environment and that code has to say, sorted. */
export function contextFieldsOf({ environments }: AskedFlag, segments: readonly AskedSegment[]): string[] {
  const found = new Set<string>()
  const byId = new Map(segments.map((one) => [one.id, one]))
  for (const { strategies, variants } of environments) {
    for (const { stickiness } of variants) addSticky(found, stickiness)
    for (const strategy of strategies) {
      if (strategy.disabled) continue
      const used = strategy.segments.flatMap((id) => byId.get(id)?.constraints ?? [])
      for (const { contextName } of [...strategy.constraints, ...used]) found.add(contextName)
      addAllSticky(found, strategy)
      const own = OF_TYPES[strategy.name]
      if (own !== undefined) found.add(own)
    }
  }
  return [...found].filter((name) => !SAID.has(name)).sort()
}

/** Variants without a stickiness of their own have that of their strategy. */
function addAllSticky(found: Set<string>, { parameters, variants }: AskedStrategy): void {
  const { stickiness, rollout } = parameters
  for (const variant of variants) addSticky(found, variant.stickiness ?? stickiness)
  // everybody is in, whoever they are
  if (rollout !== '100') addSticky(found, stickiness)
}

/** `default` is the user, or the session of who has not logged in. */
function addSticky(found: Set<string>, stickiness: string | undefined): void {
  if (stickiness === undefined || stickiness === 'random') return
  found.add(stickiness === 'default' ? 'userId' : stickiness)
}

/** A context with these fields, as JSON to fill in. */
export function contextCode(fields: readonly string[]): string {
  const placesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '…']))
  const properties = fields.filter((name) => !OWN.includes(name))
  return JSON.stringify(
    {
      ...placesOf(fields.filter((name) => OWN.includes(name))),
      ...(properties.length > 0 && { properties: placesOf(properties) }),
    },
    undefined,
    2,
  )
}
