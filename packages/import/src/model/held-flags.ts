import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'

/** An environment, as it stands in the source. */
export interface HeldEnvironment {
  readonly name: string
  /** `development`, `test`, `preproduction`, `production`, or any other text. */
  readonly type: string
  readonly sortOrder: number
  readonly enabled: boolean
  readonly protected: boolean
}

/** A rule without the place where it stands: what a project begins with in an environment. */
export interface HeldRule {
  readonly name: string
  readonly title: string | null
  readonly disabled: boolean
  /** Text throughout: numbers and booleans of the source are written out. */
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly Constraint[]
  /** Weights are as they were, whatever they sum to. */
  readonly variants: readonly VariantDefinition[]
  /** Ids of segments of this installation. */
  readonly segments: readonly number[]
}

/** A strategy of a flag in an environment; where the source has no id, the writer makes one. */
export interface HeldStrategy extends HeldRule {
  readonly id: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A flag in one environment. */
export interface HeldState {
  readonly environment: string
  readonly enabled: boolean
  /** In the order in which they are evaluated. */
  readonly strategies: readonly HeldStrategy[]
  /** Of the flag itself, not of a strategy. */
  readonly variants: readonly VariantDefinition[]
  /** Milliseconds since 1970. */
  readonly lastSeenAt: number | null
}

/** A flag whose parent must be on (or off, or on with one of some variants). */
export interface HeldDependency {
  readonly parent: string
  readonly enabled: boolean
  /** Empty for any. */
  readonly variants: readonly string[]
}

/** A flag with all that belongs to it. Times are milliseconds since 1970. */
export interface HeldFlag {
  readonly name: string
  readonly project: string
  readonly type: string
  readonly description: string | null
  readonly stale: boolean
  readonly potentiallyStale: boolean
  readonly impressionData: boolean
  readonly createdAt: number
  readonly archivedAt: number | null
  readonly lastSeenAt: number | null
  readonly createdByUserId: number | null
  readonly states: readonly HeldState[]
  readonly dependencies: readonly HeldDependency[]
  readonly tags: readonly HeldTag[]
  /** Stages that were reached; others than `pre-live`, `live` and `completed` follow from the rest. */
  readonly stages: readonly { readonly stage: string; readonly enteredAt: number }[]
}

/** A label. */
export interface HeldTag {
  readonly type: string
  readonly value: string
}

/** A project, and in which environments its flags are. */
export interface HeldProject {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** `open`, `protected` or `private`. */
  readonly mode: string
  readonly defaultStickiness: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly archivedAt: number | null
  readonly featureLimit: number | null
  readonly namingPattern: string | null
  readonly namingExample: string | null
  readonly namingDescription: string | null
  readonly environments: readonly {
    readonly environment: string
    /** What new flags begin with there; null for the one of the service. */
    readonly defaultStrategy: HeldRule | null
  }[]
}

/** A list of constraints that strategies share by id. */
export interface HeldSegment {
  /** Kept where the target is empty: SDKs have it in their downloads. */
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Null for all projects. */
  readonly project: string | null
  readonly constraints: readonly Constraint[]
  readonly createdBy: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A property that constraints read. */
export interface HeldContextField {
  readonly name: string
  readonly description: string | null
  readonly stickiness: boolean
  readonly sortOrder: number
  readonly legalValues: readonly { readonly value: string; readonly description?: string }[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A type of strategy of the installation's own: built-in ones are there already. */
export interface HeldStrategyType {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly parameters: readonly {
    readonly name: string
    readonly type: string
    readonly description?: string
    readonly required?: boolean
  }[]
  readonly deprecated: boolean
  readonly sortOrder: number
}

/** A type of flag, and how long such flags are meant to live. */
export interface HeldFlagType {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Null where they are meant to stay. */
  readonly lifetimeDays: number | null
}

/** A type of tag. */
export interface HeldTagType {
  readonly name: string
  readonly description: string | null
  readonly icon: string | null
}
