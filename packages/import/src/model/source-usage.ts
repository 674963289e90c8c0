/**
 * An integration that notifies another service of events. The parameters can contain plain-text secrets and must never
 * be printed.
 */
export interface SourceIntegration {
  readonly id: number
  readonly provider: string
  readonly enabled: boolean
  readonly description: string | null
  readonly parameters: Readonly<Record<string, string>>
  readonly eventTypes: readonly string[]
  /** Empty means all. */
  readonly projects: readonly string[]
  readonly environments: readonly string[]
  readonly createdAt: number
}

/** Global settings. A setting that was never set is undefined. */
export interface SourceSettings {
  /** Origins of web pages that may call the frontend API. */
  readonly frontendOrigins?: readonly string[] | undefined
}

/** A registered application. Times are milliseconds since 1970. */
export interface SourceApplication {
  readonly appName: string
  readonly strategies: readonly string[]
  readonly description: string | null
  readonly url: string | null
  readonly color: string | null
  readonly icon: string | null
  readonly createdAt: number
  readonly seenAt: number
  readonly reach: readonly { readonly project: string; readonly environment: string }[]
}

/** A running instance of an application. */
export interface SourceInstance {
  readonly appName: string
  readonly instanceId: string
  readonly environment: string
  readonly sdkVersion: string | null
  readonly address: string | null
  readonly lastSeenAt: number
}

/** Evaluation counts of a flag in one hour, by result. */
export interface SourceUsage {
  readonly flag: string
  readonly appName: string
  readonly environment: string
  /** Start of the hour, in milliseconds since 1970. */
  readonly hour: number
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** An event of the source, unchanged. */
export interface SourceEvent {
  /** Id in the source. The id is preserved if the target is empty. */
  readonly id: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly type: string
  readonly createdBy: string
  readonly createdByUserId: number | null
  readonly project: string | null
  readonly environment: string | null
  readonly flag: string | null
  readonly data: unknown
  readonly preData: unknown
  readonly tags: readonly { readonly type: string; readonly value: string }[]
  readonly address: string | null
}

/** Filter for events: only events after an id, and not older than a time (milliseconds since 1970). */
export interface EventFilter {
  readonly afterId?: number | undefined
  readonly since?: number | undefined
}
