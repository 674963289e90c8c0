import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'

/** An environment as defined in the source. */
export interface SourceEnvironment {
  readonly name: string
  /** Type of the environment: `development`, `test`, `preproduction`, `production`, or any other string. */
  readonly type: string
  readonly sortOrder: number
  readonly enabled: boolean
  readonly protected: boolean
}

/** A strategy that belongs to no flag: a project's default strategy in an environment. */
export interface SourceRule {
  readonly name: string
  readonly title: string | null
  readonly disabled: boolean
  /** Parameters as strings; numbers and booleans of the source are converted to strings. */
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly Constraint[]
  /** Variants with their original weights, whatever the sum of the weights. */
  readonly variants: readonly VariantDefinition[]
  /** Ids of segments in this installation. */
  readonly segments: readonly number[]
}

/** A strategy of a flag in an environment. If the source has no id for the strategy, the writer generates an id. */
export interface SourceStrategy extends SourceRule {
  readonly id: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A flag in one environment. */
export interface SourceState {
  readonly environment: string
  readonly enabled: boolean
  /** In evaluation order. */
  readonly strategies: readonly SourceStrategy[]
  /** Variants of the flag itself, not of a strategy. */
  readonly variants: readonly VariantDefinition[]
  /** Milliseconds since 1970. */
  readonly lastSeenAt: number | null
}

/** Dependency on a parent flag. The parent must be on, off, or on with one of the given variants. */
export interface SourceDependency {
  readonly parent: string
  readonly enabled: boolean
  /** Variants, one of which the parent must have. If empty, the parent may have any variant. */
  readonly variants: readonly string[]
}

/** A flag with its states, tags, dependencies and dates. Times are milliseconds since 1970. */
export interface SourceFlag {
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
  readonly states: readonly SourceState[]
  readonly dependencies: readonly SourceDependency[]
  readonly tags: readonly SourceTag[]
  /** Lifecycle stages that were reached. Stages other than `pre-live`, `live` and `completed` are derived. */
  readonly stages: readonly { readonly stage: string; readonly enteredAt: number }[]
}

/** A tag, which consists of a type and a value. */
export interface SourceTag {
  readonly type: string
  readonly value: string
}

/** A project and the environments in which its flags exist. */
export interface SourceProject {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** Mode of the project: `open`, `protected` or `private`. */
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
    /** Default strategy for new flags in this environment; null for the server's default. */
    readonly defaultStrategy: SourceRule | null
  }[]
}

/** A list of constraints that strategies reference by id. */
export interface SourceSegment {
  /** Id in the source. The id is preserved if the target is empty, because SDK downloads contain it. */
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Project that the segment belongs to; null if all projects can use the segment. */
  readonly project: string | null
  readonly constraints: readonly Constraint[]
  readonly createdBy: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A context field with its legal values. */
export interface SourceContextField {
  readonly name: string
  readonly description: string | null
  readonly stickiness: boolean
  readonly sortOrder: number
  readonly legalValues: readonly { readonly value: string; readonly description?: string }[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A custom strategy type. Built-in strategy types already exist in the target. */
export interface SourceStrategyType {
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

/** A flag type and its expected lifetime. */
export interface SourceFlagType {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Expected lifetime in days; null for permanent flags. */
  readonly lifetimeDays: number | null
}

/** A tag type. */
export interface SourceTagType {
  readonly name: string
  readonly description: string | null
  readonly icon: string | null
}
