/** A message to another service when something happens. Parameters may hold secrets in clear text: never print them. */
export interface HeldIntegration {
  readonly id: number
  readonly provider: string
  readonly enabled: boolean
  readonly description: string | null
  readonly parameters: Readonly<Record<string, string>>
  readonly eventTypes: readonly string[]
  /** Empty for all. */
  readonly projects: readonly string[]
  readonly environments: readonly string[]
  readonly createdAt: number
}

/** Settings that concern everybody; what is undefined was never set. */
export interface HeldSettings {
  /** Web pages that may call the front-end API. */
  readonly frontendOrigins?: readonly string[] | undefined
}

/** An application that has registered. Times are milliseconds since 1970. */
export interface HeldApplication {
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

/** A running copy of an application. */
export interface HeldInstance {
  readonly appName: string
  readonly instanceId: string
  readonly environment: string
  readonly sdkVersion: string | null
  readonly address: string | null
  readonly lastSeenAt: number
}

/** How often a flag was asked for in an hour, and with which answers. */
export interface HeldUsage {
  readonly flag: string
  readonly appName: string
  readonly environment: string
  /** Its beginning, in milliseconds since 1970. */
  readonly hour: number
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Something that happened, as it was noted. */
export interface HeldEvent {
  /** Kept where the target is empty. */
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

/** Which events are wanted: those after an id, and not older than a time (milliseconds since 1970). */
export interface EventWish {
  readonly afterId?: number | undefined
  readonly since?: number | undefined
}
